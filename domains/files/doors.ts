import './refusals.ts'

export { requireOutside } from './endpoint.ts'
export { lendFile } from './lend.ts'
export { createSecrets, isSealed, secretsOf, type Secrets } from './secrets.ts'
export { saidBy, sealedPart } from './sealed-address.ts'
export { openFile, sendFile } from './file.server.ts'
export { bytesOf, fileByKey, forgetFiles, keepFile, keyOfLink, linkOf, type StoredFile } from './stored-file.ts'
export { enableRow, enabledStatus, maskSecrets, settleProvider } from './provider-row.ts'

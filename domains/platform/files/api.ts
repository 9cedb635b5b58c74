import './refusals.ts'

export { requireOutside } from './endpoint.ts'
export { lendFile } from './lend.ts'
export { claimSecrets, isOnlyKey, rotateSecrets } from './rotate-secrets.ts'
export { addFileKey, createSecrets, isSealed, secretsKeys, secretsOf, type Secrets } from './secrets.ts'
export { saidBy, sealedPart } from './sealed-address.ts'
export { openFile, sendFile } from './file.server.ts'
export {
  bytesOf,
  fileByKey,
  fileOfLink,
  forgetFiles,
  keepFile,
  keyOfLink,
  linkOf,
  type StoredFile,
} from './stored-file.ts'
export { enableRow, enabledStatus, maskSecrets, settleProvider } from './provider-row.ts'

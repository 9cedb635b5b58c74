import './refusals.ts'

export { createSecrets, secretsOf, type Secrets } from './secrets.ts'
export { fileByKey, forgetFiles, keyOfLink, linkOf, type StoredFile } from './stored-file.ts'
export { enableRow, enabledStatus, maskSecrets, settleProvider } from './provider-row.ts'

export { createSecrets, secretsOf, type Secrets } from './secrets.ts'
export { askSms, sendBatch } from './sms-send.ts'
export { fileByKey, forgetFiles, keyOfLink, linkOf, type StoredFile } from './stored-file.ts'

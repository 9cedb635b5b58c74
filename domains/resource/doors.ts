export { createSecrets, secretsOf, type Secrets } from './secrets.ts'
export { askSms, sendBatch } from './sms-send.ts'
export { fileByKey, forgetFiles, keyOfLink, linkOf, type StoredFile } from './stored-file.ts'
/** The room's part of the demo story, loaded only by who tells it. */
export const resourceStory = () => import('./resource.story.ts')

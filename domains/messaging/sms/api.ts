import './refusals.ts'

export { createSmsBatch, sendSmsBatch } from './sms-send.ts'

export const importSmsStory = () => import('./sms.demo.ts')

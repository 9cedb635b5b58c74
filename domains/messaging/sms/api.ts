import './refusals.ts'

export { createSmsBatch, sendSmsBatch } from './sms-send.ts'

export const importSmsDemo = () => import('./sms.demo.ts')

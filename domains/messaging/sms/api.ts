import './refusals.ts'

export { askSms, sendBatch } from './sms-send.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const smsStory = () => import('./sms.demo.ts')

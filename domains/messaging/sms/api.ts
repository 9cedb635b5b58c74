import './refusals.ts'

export { askSms, sendBatch } from './sms-send.ts'

/** The room's part of the demo story, loaded only by who tells it. */
export const smsStory = () => import('./sms.demo.ts')

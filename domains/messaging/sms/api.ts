import './refusals.ts'

export { createSmsBatch, sendSmsBatch } from './sms-send.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const importSmsStory = () => import('./sms.demo.ts')

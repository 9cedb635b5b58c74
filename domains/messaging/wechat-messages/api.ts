import './refusals.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const importWechatMessagesStory = () => import('./wechat.demo.ts')

export { createWechatMessage, sendWechatMessage } from './messages.ts'

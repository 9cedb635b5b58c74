import './refusals.ts'

export const importWechatMessagesStory = () => import('./wechat.demo.ts')

export { createWechatMessage, sendWechatMessage } from './messages.ts'

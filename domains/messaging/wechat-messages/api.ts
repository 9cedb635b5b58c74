import './refusals.ts'

export const importWechatMessagesDemo = () => import('./wechat.demo.ts')

export { createWechatMessage, sendWechatMessage } from './messages.ts'

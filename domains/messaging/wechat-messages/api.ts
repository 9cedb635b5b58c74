import './refusals.ts'

/** The room's part of the demo story, loaded only by who tells it. */
export const wechatStory = () => import('./wechat.demo.ts')

export { askWechat, sendWechat } from './messages.ts'

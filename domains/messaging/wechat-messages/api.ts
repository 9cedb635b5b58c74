import './refusals.ts'

/** Demo data of the module, loaded only when it is seeded. */
export const wechatStory = () => import('./wechat.demo.ts')

export { askWechat, sendWechat } from './messages.ts'

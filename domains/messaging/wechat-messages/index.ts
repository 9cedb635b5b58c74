export { wechatApp } from './wechat-app.resource.ts'
export { wechatMessage } from './wechat-message.resource.ts'

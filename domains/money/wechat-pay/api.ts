import './refusals.ts'

export { findWechatAccount, type WechatAccount } from './accounts.ts'
export { redact } from './wechat-pay.client.ts'
export { createWechatPay, type WechatPay } from './wechat-pay.ts'
export { onWechatEvent } from './notify.ts'
export type { BillFile } from './bill.client.ts'
export type { ApplymentState } from './applyment.client.ts'
export type { RefundState, ShareState, ReturnState, Transaction } from './money.client.ts'

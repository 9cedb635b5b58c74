import { randomBytes } from 'node:crypto'
import type { Services } from '#kit/server/module/services.ts'
import type { WechatAccount } from './accounts.ts'
import { createApplymentCalls } from './applyment.client.ts'
import { createBillCalls } from './bill.client.ts'
import { createPaymentCalls, createSharingCalls } from './money.client.ts'
import { signMiniProgramPayment } from './sign.ts'
import { loadFile, createWechatPayCaller } from './wechat-pay.client.ts'

/** All calls to WeChat Pay for one account. They throw `VendorError` if a request did not succeed. */
export const createWechatPay = (services: Services, account: WechatAccount) => {
  const ask = createWechatPayCaller(services, account)
  return {
    ...createApplymentCalls(ask),
    ...createPaymentCalls(ask, account),
    ...createSharingCalls(ask, account),
    ...createBillCalls(ask, account, (url) => loadFile(services, account, url)),
    /** Returns the signed parameters with which the mini program starts a payment. */
    invoke: (appId: string, prepayId: string) =>
      signMiniProgramPayment(
        appId,
        prepayId,
        { timestamp: String(Math.floor(services.now().getTime() / 1000)), nonce: randomBytes(16).toString('hex') },
        account.privateKey,
      ),
  }
}
export type WechatPay = ReturnType<typeof createWechatPay>

import { randomBytes } from 'node:crypto'
import type { Services } from '#kit/server/services.ts'
import type { WechatAccount } from './accounts.ts'
import { applymentCalls } from './applyment.client.ts'
import { billCalls } from './bill.client.ts'
import { paymentCalls, sharingCalls } from './money.client.ts'
import { invokePay } from './sign.ts'
import { loadFile, createWechatPayCaller } from './wechat-pay.client.ts'

/** All that is asked of WeChat Pay, as one account. Calls throw `VendorError` for what is not done. */
export const wechatPay = (services: Services, account: WechatAccount) => {
  const ask = createWechatPayCaller(services, account)
  return {
    ...applymentCalls(ask),
    ...paymentCalls(ask, account),
    ...sharingCalls(ask, account),
    ...billCalls(ask, account, (url) => loadFile(services, account, url)),
    /** What the mini program begins a payment with. */
    invoke: (appId: string, prepayId: string) =>
      invokePay(
        appId,
        prepayId,
        { timestamp: String(Math.floor(services.now().getTime() / 1000)), nonce: randomBytes(16).toString('hex') },
        account.privateKey,
      ),
  }
}
export type WechatPay = ReturnType<typeof wechatPay>

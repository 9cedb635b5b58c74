import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  pay_not_taken: {
    zh: '门店还不能收微信支付：商户没有特约商户号，或没有启用的微信支付账号',
    en:
      'The store cannot accept WeChat Pay yet. Its merchant has no sub-merchant ID, or no WeChat Pay ' +
      'account is active.',
    status: 409,
  },
  pay_nothing: { zh: '订单 {orderNo} 没有要付的钱', en: 'Order {orderNo} has nothing to pay' },
  pay_under_way: {
    zh: '订单 {orderNo} 上一笔收款还没结果，请等结果或先取消',
    en: 'A payment for order {orderNo} is still pending. Wait for the result or cancel it first.',
    status: 409,
  },
  pay_no_attempt: {
    zh: '流水号 {saleNo} 没有收过款',
    en: 'No payment was requested for sale number {saleNo}',
    status: 404,
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

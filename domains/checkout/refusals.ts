import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  pay_not_taken: {
    zh: '门店还不能收微信支付：商户没有特约商户号，或没有启用的微信支付账号',
    en: 'The shop cannot take WeChat Pay: its merchant has no sub-merchant number, or no account is in use',
    status: 409,
  },
  pay_nothing: { zh: '订单 {orderNo} 没有要付的钱', en: 'There is nothing to pay for order {orderNo}' },
  pay_under_way: {
    zh: '订单 {orderNo} 的上一笔付款还没有结果，请等它有结果或取消后再收款',
    en: 'How the last payment of order {orderNo} ends is not known yet: wait for it, or cancel it',
    status: 409,
  },
  pay_no_attempt: { zh: '流水号 {saleNo} 没有收过款', en: 'No payment was asked for under {saleNo}', status: 404 },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  money_waits: {
    zh: '{no} 已在等第二人确认',
    en: '{no} is already awaiting second approval',
    status: 409,
  },
  money_other_person: {
    zh: '不能同意自己提出的，请另一位有权限的人处理',
    en: 'You cannot approve your own request. Another authorized user must approve it.',
    status: 403,
  },
  transaction_used: {
    zh: '支付流水号 {transactionNo} 已用于 {no}，一个流水号只能付一次',
    en: 'Transaction ID {transactionNo} was already used for {no}. An ID can pay only once.',
    status: 409,
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

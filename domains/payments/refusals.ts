import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  money_waits: {
    zh: '{no} 已在等第二人确认',
    en: '{no} waits for a second person already',
    status: 409,
  },
  money_other_person: {
    zh: '提出的人不能自己确认，请另一位有权限的人确认',
    en: 'Who asked cannot confirm: it takes another person who may',
    status: 403,
  },
  transaction_used: {
    zh: '支付流水号 {transactionNo} 已用于 {no}，一个流水号只能付一次',
    en: 'Transaction {transactionNo} has paid {no} already: a number pays once',
    status: 409,
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  transaction_used: {
    zh: '支付流水号 {transactionNo} 已用于 {no}，一个流水号只能付一次',
    en: 'Transaction {transactionNo} has paid {no} already: a number pays once',
    status: 409,
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

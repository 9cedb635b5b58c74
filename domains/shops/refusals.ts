import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  shop_not_yours: { zh: '门店不存在', en: 'Shop not found', status: 404 },
  unmanned_open: { zh: '“{name}”正在无人值守', en: '"{name}" is unattended already' },
  staff_unknown: { zh: '人员不存在: {name}', en: 'No such person: {name}' },
  balance_short: {
    zh: '顾客余额不足，当前 {balance} 元',
    en: "The customer's balance is too low: {balance} yuan",
    none: { of: 'balance', zh: '顾客账户没有余额', en: 'The customer has nothing on account' },
  },
  transaction_used: {
    zh: '支付流水号 {transactionNo} 已用于 {no}，一个流水号只能付一次',
    en: 'Transaction {transactionNo} has paid {no} already: a number pays once',
    status: 409,
  },
  integral_short: {
    zh: '顾客积分不足，当前 {integral} 分',
    en: 'The customer has too few points: {integral}',
    none: { of: 'integral', zh: '顾客没有积分', en: 'The customer has no points' },
  },
  integral_full: {
    zh: '顾客积分已有 {held} 分，最多 {max} 分',
    en: 'The customer has {held} points; an account holds at most {max}',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

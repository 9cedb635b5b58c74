import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  tally_no_line: {
    zh: '账单里已经没有这一笔，请重新对账',
    en: 'The statement no longer has this entry. Rerun reconciliation.',
  },
  tally_amount_differs: {
    zh: '订单应付 {owed} 元，平台收了 {paid} 元，金额不同不能入账，请退回后让顾客重新支付',
    en:
      'The order is due ¥{owed} but the platform received ¥{paid}. Amounts differ, so it cannot be ' +
      'recorded. Refund it and ask the customer to pay again.',
  },
  tally_paid_here: {
    zh: '这笔钱已经付了 {no}，请在那里退款；重新比对后这条差异会了结',
    en: 'This money already paid for {no}. Refund it there. The discrepancy is resolved when reconciliation is rerun.',
  },
  tally_no_order: {
    zh: '找不到对应的订单，请先认可差异并写明原因',
    en: 'No matching order was found. Accept the discrepancy and enter a reason.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

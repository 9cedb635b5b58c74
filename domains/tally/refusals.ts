import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  tally_no_line: {
    zh: '账单里已经没有这一笔，请重新取账比对',
    en: 'The statement has no such line any more: fetch and compare the day again',
  },
  tally_amount_differs: {
    zh: '订单应付 {owed} 元，平台收了 {paid} 元，金额不同不能入账，请退回后让顾客重新支付',
    en: 'The order asks for {owed} yuan and {paid} were paid: send it back and have the customer pay again',
  },
  tally_paid_here: {
    zh: '这笔钱已经付了 {no}，请在那里退款；重新比对后这条差异会了结',
    en: 'This money has paid {no}: refund it there; the difference ends when the day is compared again',
  },
  tally_no_order: {
    zh: '找不到对应的订单，请先认可差异并写明原因',
    en: 'No order belongs to it: accept the difference and say why',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

import { defineParam } from '#kit/resource/index.ts'

export const PAY_MINUTES = defineParam({
  key: 'order.payMinutes',
  value: '15',
  number: { min: 1, max: 10_080 },
  label: { zh: '未支付订单保留分钟数', en: 'Minutes an unpaid order is kept' },
  help: { zh: '到时仍未支付的订单自动取消', en: 'Then it is cancelled by itself' },
})
export const SECOND_SIGNATURE = defineParam({
  key: 'refund.secondSignatureAbove',
  value: '200',
  number: { min: 0, max: 10_000_000, decimals: 2 },
  label: { zh: '退款超过多少元需要第二人签字', en: 'Refunds above this need a second signature' },
  help: { zh: '单位：元，同一订单的退款合计', en: 'In yuan; all refunds of one order together' },
})

export const orderParams = [PAY_MINUTES, SECOND_SIGNATURE]

import { defineSystemParam } from '#kit/resource/index.ts'

export const LOSS_DAYS_PARAM = defineSystemParam({
  key: 'loss.days',
  value: '90',
  number: { min: 7, max: 365 },
  label: { zh: '损耗计算天数', en: 'Shrinkage calculation period (days)' },
  help: {
    zh: '每夜重算最近这些天；更早的保持不变',
    en: 'Recalculated every night for these days. Older records stay unchanged.',
  },
})
export const REFUND_ABUSE_COUNT_PARAM = defineSystemParam({
  key: 'loss.abuseTimes',
  value: '3',
  number: { min: 2, max: 100 },
  label: { zh: '退款几次算滥用', en: 'Refunds that count as abuse' },
  help: { zh: '同一人在下面的天数内', en: 'By the same person within the days below' },
})
export const REFUND_ABUSE_DAYS_PARAM = defineSystemParam({
  key: 'loss.abuseDays',
  value: '30',
  number: { min: 1, max: 365 },
  label: { zh: '退款滥用的天数', en: 'Refund abuse period (days)' },
  help: { zh: '在这些天内的退款一起算', en: 'Refunds within these days count together' },
})
export const REFUND_ABUSE_PERCENT_PARAM = defineSystemParam({
  key: 'loss.abusePercent',
  value: '50',
  number: { min: 1, max: 100 },
  label: { zh: '退款占消费的比例（%）', en: 'Refund share of spending (%)' },
  help: {
    zh: '顾客的退款至少占其消费的这个比例才算滥用',
    en: 'Refunds only count as abuse from this share of what the customer spent',
  },
})

export const guardParams = [
  LOSS_DAYS_PARAM,
  REFUND_ABUSE_COUNT_PARAM,
  REFUND_ABUSE_DAYS_PARAM,
  REFUND_ABUSE_PERCENT_PARAM,
]

import { defineSystemParam } from '#kit/resource/index.ts'
import type { RetentionRule } from '#kit/server/module/module.ts'

export const POINTS_FOR_YUAN_PARAM = defineSystemParam({
  key: 'marketing.pointsForYuan',
  value: '100',
  number: { min: 0, max: 1_000_000 },
  label: { zh: '多少积分抵 1 元', en: 'Points per ¥1 redeemed' },
  help: { zh: '门店可另设；0 为不能抵扣', en: 'Stores can set their own. 0 means points cannot be redeemed.' },
})
export const POINTS_SHARE_MAX_PARAM = defineSystemParam({
  key: 'marketing.pointsShare',
  value: '50',
  number: { min: 0, max: 100 },
  label: { zh: '积分最多抵扣订单的百分之几', en: 'Maximum share of an order paid with points (%)' },
  help: { zh: '门店可另设', en: 'Stores can set their own' },
})

export const marketingParams = [POINTS_FOR_YUAN_PARAM, POINTS_SHARE_MAX_PARAM]

// Longer than the time a register may report sales late: such a sale may name a quote.
const QUOTE_DAYS = defineSystemParam({
  key: 'keep.quoteDays',
  value: '100',
  number: { min: 91, max: 36_500 },
  label: { zh: '未成交报价保留天数', en: 'Unused quote retention (days)' },
  help: { zh: '到期的每夜清理', en: 'Older ones are deleted every night' },
})
const USED_QUOTE_DAYS = defineSystemParam({
  key: 'keep.usedQuoteDays',
  value: '730',
  number: { min: 180, max: 36_500 },
  label: { zh: '成交报价保留天数', en: 'Used quote retention (days)' },
  help: {
    zh: '之后退整单不再自动退回券和积分',
    en: 'After that, full refunds no longer restore coupons and points automatically',
  },
})

export const marketingRetentionRules: readonly RetentionRule[] = [
  { table: 'price_quote', param: QUOTE_DAYS, where: "state in ('freed', 'returned')" },
  { table: 'price_quote', param: USED_QUOTE_DAYS, where: "state = 'used'" },
]

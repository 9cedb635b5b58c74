import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  campaign_frozen: {
    zh: '活动“{name}”已发布，不能再改，只能停止；如需调整请复制为新草稿',
    en: 'Promotion “{name}” is published. It can only be stopped. Copy it to a new draft to make changes.',
  },
  campaign_over: {
    zh: '活动“{name}”的结束时间已过，请先修改时间',
    en: 'The end time of promotion “{name}” has passed. Change the time first.',
  },
  campaign_too_many: {
    zh: '“{name}”的门店已有 {max} 个进行中或待开始的活动，请先停止一些',
    en: 'The stores of “{name}” already have {max} active or upcoming promotions. Stop some first.',
  },
  campaign_not_removable: {
    zh: '活动“{name}”已发布过，作为记录保留，不能删除',
    en: 'Promotion “{name}” was published and is kept as a record. It cannot be deleted.',
  },
  campaign_not_yours: {
    zh: '“{name}”涉及您管理范围以外的门店，只能查看',
    en: '“{name}” includes stores outside your scope. You can only view it.',
  },
  campaign_is_rehearsed: {
    zh: '活动“{name}”正在试算，请稍候',
    en: 'Promotion “{name}” is being simulated. Wait a moment.',
  },
  ticket_stopped: { zh: '优惠券“{name}”已停用，不能发放', en: 'Coupon “{name}” is inactive and cannot be issued' },
  ticket_over: { zh: '优惠券“{name}”已过有效期，不能发放', en: 'Coupon “{name}” has expired and cannot be issued' },
  ticket_none_left: {
    zh: '优惠券“{name}”只剩 {left} 张，不够发给 {count} 人',
    en: 'Coupon “{name}” has only {left} left, not enough for {count} {count|customer|customers}',
    none: { of: 'left', zh: '优惠券“{name}”已经发完', en: 'Coupon “{name}” is fully issued' },
  },
  ticket_nobody: {
    zh: '没有可发放的顾客：所选等级下没有有效会员',
    en: 'No customers to issue to. The selected tier has no active members.',
  },
  ticket_all_had: {
    zh: '没有发出：{count} 位顾客都已领到每人 {share} 张的上限',
    en: 'No coupons issued. {count} {count|customer has|customers have} reached the limit of {share}.',
  },
  ticket_frozen: {
    zh: '优惠券“{name}”已有人领取，不能再改面额与使用条件',
    en: 'Coupon “{name}” was already claimed. Its value and conditions can no longer be changed.',
  },
  ticket_total_low: {
    zh: '已领取 {received} 张，总量不能更少',
    en: '{received} were already claimed. The total cannot be lower.',
  },
  ticket_in_hands: {
    zh: '优惠券“{name}”已有人领取，只能停用',
    en: 'Coupon “{name}” was already claimed. It can only be deactivated.',
  },
  quote_no_lines: { zh: '购物车没有商品', en: 'The cart is empty' },
  quote_line_bad: { zh: '第 {line} 行: {detail}', en: 'Row {line}: {detail}' },
  quote_too_many: { zh: '一次最多报价 {max} 件商品', en: 'A quote can contain up to {max} {max|item|items}' },
  quote_unknown_goods: { zh: '本店没有条码为 {upcs} 的商品', en: 'This store has no products with barcode {upcs}' },
  quote_ticket_bad: { status: 409, zh: '优惠券 {ticketNo} 现在不能使用', en: 'Coupon {ticketNo} cannot be used now' },
  quote_used: {
    status: 409,
    zh: '流水号 {saleNo} 已完成销售，不能再报价',
    en: 'Sale {saleNo} is completed and can no longer be quoted',
  },
  quote_unknown: { zh: '报价 {quoteId} 不存在', en: 'Quote {quoteId} does not exist' },
  quote_of_other: {
    status: 409,
    zh: '报价 {quoteId} 不属于这笔销售',
    en: 'Quote {quoteId} does not belong to this sale',
  },
  quote_differs: { zh: '销售与报价不一致: {detail}', en: 'The sale does not match the quote: {detail}' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

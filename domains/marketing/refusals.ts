import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  campaign_frozen: {
    zh: '活动“{name}”已发布，不能再改，只能停止；如需调整请复制为新草稿',
    en: 'Campaign "{name}" is published: it can be stopped, not changed. Copy it to a new draft instead',
  },
  campaign_over: {
    zh: '活动“{name}”的结束时间已过，请先修改时间',
    en: 'Campaign "{name}" would end in the past; change its time first',
  },
  campaign_too_many: {
    zh: '“{name}”的门店已有 {max} 个进行中或待开始的活动，请先停止一些',
    en: 'The shops of "{name}" have {max} campaigns that run or are to begin; stop some first',
  },
  campaign_not_removable: {
    zh: '活动“{name}”已发布过，作为记录保留，不能删除',
    en: 'Campaign "{name}" was published and stays as a record',
  },
  campaign_not_yours: {
    zh: '“{name}”涉及您管理范围以外的门店，只能查看',
    en: '"{name}" concerns shops that are not yours: you may only look',
  },
  campaign_is_rehearsed: { zh: '活动“{name}”正在试算，请稍候', en: 'Campaign "{name}" is being rehearsed already' },
  ticket_stopped: { zh: '优惠券“{name}”已停用，不能发放', en: 'Ticket "{name}" is out of use and cannot be given' },
  ticket_over: { zh: '优惠券“{name}”已过有效期，不能发放', en: 'Ticket "{name}" is past its time and cannot be given' },
  ticket_none_left: {
    zh: '优惠券“{name}”只剩 {left} 张，不够发给 {count} 人',
    en: 'Only {left} of ticket "{name}" {left|is|are} left, not enough for {count} {count|customer|customers}',
    none: { of: 'left', zh: '优惠券“{name}”已经发完', en: 'All of ticket "{name}" have been given' },
  },
  ticket_nobody: {
    zh: '没有可发放的顾客：所选等级下没有有效会员',
    en: 'Nobody to give it to: the level has no member',
  },
  ticket_all_had: {
    zh: '没有发出：{count} 位顾客都已领到每人 {share} 张的上限',
    en: 'Nothing was given: {count} {count|customer has|customers have} had their share of {share} each',
  },
  ticket_frozen: {
    zh: '优惠券“{name}”已有人领取，不能再改面额与使用条件',
    en: 'Ticket "{name}" is in customers\' hands: what it is worth cannot be changed',
  },
  ticket_total_low: {
    zh: '已领取 {received} 张，总量不能更少',
    en: '{received} are in hands already; the total cannot be less',
  },
  ticket_in_hands: {
    zh: '优惠券“{name}”已有人领取，只能停用',
    en: 'Ticket "{name}" is in customers\' hands and can only be put out of use',
  },
  quote_no_lines: { zh: '购物车没有商品', en: 'The basket is empty' },
  quote_line_bad: { zh: '第 {line} 行: {detail}', en: 'Line {line}: {detail}' },
  quote_too_many: { zh: '一次最多报价 {max} 件商品', en: 'A quote holds at most {max} pieces' },
  quote_unknown_goods: { zh: '本店没有条码为 {upcs} 的商品', en: 'This shop has no goods with barcode {upcs}' },
  quote_ticket_bad: { status: 409, zh: '优惠券 {ticketNo} 现在不能使用', en: 'Ticket {ticketNo} cannot be used now' },
  quote_used: {
    status: 409,
    zh: '流水号 {saleNo} 已完成销售，不能再报价',
    en: 'Sale {saleNo} is done; it cannot be quoted any more',
  },
  quote_unknown: { zh: '报价 {quoteId} 不存在', en: 'There is no quote {quoteId}' },
  quote_of_other: { status: 409, zh: '报价 {quoteId} 不属于这笔销售', en: 'Quote {quoteId} is not for this sale' },
  quote_differs: { zh: '销售与报价不一致: {detail}', en: 'The sale is not what was quoted: {detail}' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

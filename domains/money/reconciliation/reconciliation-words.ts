import type { LocalizedText } from '#kit/web/base/language.tsx'

export const words = {
  dayIntro: {
    zh: '每个账户每天：我方账面、平台账单、资金流水逐笔核对；没说清的应为 0.00',
    en:
      'Every account, every day: our records, platform statement and fund flow compared line by line. ' +
      'Unreconciled should be 0.00.',
  },
  differenceIntro: {
    zh: '对不上的每一笔：类型、金额、天数和建议处理',
    en: 'Unmatched transactions with type, amount, age and recommended action.',
  },
  all: { zh: '全部', en: 'All' },
  unsettled: { zh: '待处理', en: 'Open' },
  over: { zh: '已了结', en: 'Resolved' },
  tied: { zh: '三方一致，分文不差', en: 'All three match to the cent' },
  explained: { zh: '差异都已说明，合计相符', en: 'All discrepancies are explained and the totals match' },
  untied: { zh: '还有说不清的金额', en: 'Some amounts are unreconciled' },
  unread: { zh: '还没有比对', en: 'Not reconciled yet' },
  differences: { zh: '差异', en: 'Discrepancies' },
  allOfDay: { zh: '这一天的全部差异', en: 'All discrepancies of this day' },
  ours: { zh: '我方', en: 'Our records' },
  theirs: { zh: '平台', en: 'Platform' },
  worth: { zh: '差额', en: 'Difference' },
  toDo: { zh: '可以做的一件事', en: 'Recommended action' },
  nothingToDo: { zh: '不用处理：两天合起来是一致的', en: 'No action needed. Both days match together.' },
  after: { zh: '做了以后', en: 'Effect' },
  way: { zh: '这笔钱的来龙去脉', en: 'Payment trail' },
  wayOf: { zh: '一笔钱的来龙去脉', en: 'Payment trail' },
  fromShelf: { zh: '从货架到账户', en: 'From shelf to account' },
  stands: { zh: '在哪里记着', en: 'Recorded in' },
  noStands: { zh: '账单还没有取到', en: 'The statement is not available yet' },
  bills: { zh: '我方账单', en: 'Our bills' },
  bill: { zh: '账单', en: 'Settlement bill' },
  order: { zh: '订单', en: 'Order' },
  arrived: { zh: '平台上实际到账', en: 'Received at platform' },
  beside: { zh: '其中不经平台', en: 'Of which outside platform' },
  underWay: { zh: '退款在途', en: 'Refund in progress' },
} satisfies Record<string, LocalizedText>

/** Labels of the steps of a payment trail, by the server's keys. */
export const MONEY_TRAIL_STEP_LABELS: Readonly<Record<string, LocalizedText>> = {
  goods: { zh: '标价合计', en: 'Listed prices' },
  discountAmount: { zh: '活动优惠', en: 'Promotion discount' },
  ticketAmount: { zh: '优惠券', en: 'Coupons' },
  vipAmount: { zh: '会员优惠', en: 'Member discount' },
  integralAmount: { zh: '积分抵扣', en: 'Points redeemed' },
  freight: { zh: '配送与包装', en: 'Delivery and packing' },
  paid: { zh: '顾客实付', en: 'Customer paid' },
  refunded: { zh: '退款', en: 'Refund' },
  fee: { zh: '支付手续费', en: 'Payment fee' },
  shared: { zh: '分账', en: 'Profit share' },
  commission: { zh: '平台佣金', en: 'Platform commission' },
  bornThere: {
    zh: '配送费等归平台，平台补贴归门店',
    en: 'Delivery fees go to the platform, platform subsidies to the store',
  },
  net: { zh: '应到账', en: 'Expected to receive' },
}

export const STATEMENT_SOURCE_LABELS: Readonly<Record<string, LocalizedText>> = {
  trade: { zh: '交易账单', en: 'Trade statement' },
  flow: { zh: '资金流水', en: 'Fund flow' },
  order: { zh: '外卖账单', en: 'Delivery platform statement' },
}

export const STATEMENT_LINE_LABELS: Readonly<Record<string, LocalizedText>> = {
  pay: { zh: '收款', en: 'Payment' },
  refund: { zh: '退款', en: 'Refund' },
  trade: { zh: '资金变动', en: 'Fund movement' },
  share: { zh: '分账', en: 'Profit share' },
  withdraw: { zh: '提现', en: 'Withdrawal' },
  order: { zh: '结算', en: 'Settlement' },
}

import type { Words } from '#kit/web/language.tsx'

export const words = {
  dayIntro: {
    zh: '每个账户每天：我方账面、平台账单、资金流水三方逐笔比对；没说清的应为 0.00',
    en: 'Each account by day: our books, the statement and the money that moved; what is unexplained has to be 0.00',
  },
  differenceIntro: {
    zh: '对不上的每一笔：是哪一种、差多少、过了几天，以及可以安全去做的一件事',
    en: 'Whatever does not agree: its kind, its worth, its age, and the one thing that can safely be done',
  },
  all: { zh: '全部', en: 'All' },
  unsettled: { zh: '待处理', en: 'To settle' },
  over: { zh: '已了结', en: 'Over' },
  tied: { zh: '三方一致，分文不差', en: 'All three agree to the cent' },
  explained: { zh: '差异都已说明，合计相符', en: 'Every difference is explained, the sums tie' },
  untied: { zh: '还有说不清的金额', en: 'Some of it is unexplained' },
  unread: { zh: '还没有比对', en: 'Not compared yet' },
  differences: { zh: '差异', en: 'Differences' },
  allOfDay: { zh: '这一天的全部差异', en: 'All differences of this day' },
  ours: { zh: '我方', en: 'Ours' },
  theirs: { zh: '平台', en: 'Theirs' },
  worth: { zh: '差额', en: 'Worth' },
  toDo: { zh: '可以做的一件事', en: 'The one thing to do' },
  nothingToDo: { zh: '不用处理：两天合起来是一致的', en: 'Nothing to do: the two days agree together' },
  after: { zh: '做了以后', en: 'What comes of it' },
  way: { zh: '这笔钱的来龙去脉', en: 'The way of this sale' },
  wayOf: { zh: '一笔钱的来龙去脉', en: 'The way of one sale' },
  fromShelf: { zh: '从货架到账户', en: 'From the shelf to the account' },
  stands: { zh: '在哪里记着', en: 'Where it stands' },
  noStands: { zh: '账单还没有取到', en: 'No statement has been fetched yet' },
  bills: { zh: '我方账单', en: 'Our bills' },
  bill: { zh: '账单', en: 'Bill' },
  order: { zh: '订单', en: 'Order' },
  arrived: { zh: '平台上实际到账', en: 'Arrived at the platform' },
  beside: { zh: '其中不经平台', en: 'Of it beside the platform' },
  underWay: { zh: '退款在途', en: 'Refund under way' },
} satisfies Record<string, Words>

/** The steps a price takes, as the server names them. */
export const STEPS: Readonly<Record<string, Words>> = {
  goods: { zh: '标价合计', en: 'Shelf prices' },
  discountAmount: { zh: '活动优惠', en: 'Campaigns' },
  ticketAmount: { zh: '优惠券', en: 'Tickets' },
  vipAmount: { zh: '会员优惠', en: 'For members' },
  integralAmount: { zh: '积分抵扣', en: 'Points' },
  freight: { zh: '配送与包装', en: 'Delivery and packing' },
  paid: { zh: '顾客实付', en: 'Paid by the customer' },
  refunded: { zh: '退款', en: 'Refunded' },
  fee: { zh: '支付手续费', en: 'Payment fee' },
  shared: { zh: '分账', en: 'Shared' },
  commission: { zh: '平台佣金', en: "Platform's commission" },
  bornThere: { zh: '配送费等归平台，平台补贴归门店', en: "Delivery is the platform's, its subsidies are the shop's" },
  net: { zh: '应到账', en: 'Should arrive' },
}

export const SOURCES: Readonly<Record<string, Words>> = {
  trade: { zh: '交易账单', en: 'Trade bill' },
  flow: { zh: '资金流水', en: 'Fund flow' },
  order: { zh: '外卖账单', en: 'Delivery bill' },
}

export const LINES: Readonly<Record<string, Words>> = {
  pay: { zh: '收款', en: 'Payment' },
  refund: { zh: '退款', en: 'Refund' },
  trade: { zh: '资金变动', en: 'Money moved' },
  share: { zh: '分账', en: 'Share' },
  withdraw: { zh: '提现', en: 'To the bank' },
  order: { zh: '结算', en: 'Settlement' },
}

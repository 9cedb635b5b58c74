import type { Words } from '#kit/resource/index.ts'

/** What can safely be done about a difference; each once, whoever presses twice. */
export type Deed =
  | 'bookPayment'
  | 'payBack'
  | 'takeFee'
  | 'bookRefund'
  | 'sendRefund'
  | 'sendShare'
  | 'readAgain'
  | 'followOrder'
  | 'takeBill'

/** In both languages: what is done, and what comes of it. `isMoney` where money leaves by it. */
export const DEEDS: Readonly<Record<Deed, { does: Words; effect: Words; isMoney?: true }>> = {
  bookPayment: {
    does: { zh: '补记这笔收款', en: 'Book the payment' },
    effect: {
      zh: '订单变为已付，货品出库；不会再向顾客收钱',
      en: 'The order is paid and its goods leave the stock; nothing more is taken from the customer',
    },
  },
  payBack: {
    does: { zh: '原路退给顾客', en: 'Send it back the way it came' },
    effect: {
      zh: '这笔钱只退一次，退款号固定；微信支付确认后这条差异自动了结',
      en: 'It goes back once, under one number; the difference ends by itself when WeChat Pay confirms it',
    },
    isMoney: true,
  },
  takeFee: {
    does: { zh: '按平台的手续费入账', en: "Take the platform's fee" },
    effect: {
      zh: '账单里这一行的手续费和净额改为平台的数；已核对的账单不能改',
      en: "The bill's line and net follow the platform; a bill that was checked stays as it is",
    },
  },
  bookRefund: {
    does: { zh: '补记这笔退款', en: 'Book the refund' },
    effect: {
      zh: '钱已由平台退出，这里只记账：订单记为已退，库存不变',
      en: 'The money has gone already: the order is refunded here too; the stock stays as it is',
    },
  },
  sendRefund: {
    does: { zh: '用原退款号再问一次', en: 'Ask again under the same number' },
    effect: {
      zh: '同一个退款号最多退一次；平台说已退就记已退，没收到才会退出',
      en: 'One number pays once: what is done is noted as done, and only what never arrived is sent',
    },
    isMoney: true,
  },
  sendShare: {
    does: { zh: '用原分账号再问一次', en: 'Ask again under the same number' },
    effect: {
      zh: '同一个分账号最多分一次；平台已分就记已分，没收到才会分出',
      en: 'One number shares once: what is done is noted as done, and only what never arrived is sent',
    },
    isMoney: true,
  },
  readAgain: {
    does: { zh: '重新取账并比对', en: 'Fetch the statements again and compare' },
    effect: {
      zh: '只读：重新取当天的账单和资金流水，对得上就自动了结',
      en: 'Only reads: the day is fetched and compared anew; what agrees then ends by itself',
    },
  },
  followOrder: {
    does: { zh: '按平台现状更新订单', en: 'Follow the order as it stands there' },
    effect: {
      zh: '读一次平台订单：这里没有的补记一次，有的跟上平台的状态，然后重新比对',
      en: 'Reads the order: one that lacks here is made once, another follows, and the day is compared anew',
    },
  },
  takeBill: {
    does: { zh: '按平台账单入账', en: "Take the bill's figures" },
    effect: {
      zh: '平台订单上的佣金和商户应收改为账单的数；不动钱',
      en: "The order's commission and the shop's part follow the bill; no money moves",
    },
  },
}

/** A kind of difference: its name, what it means, the one thing to do. Without one it explains itself. */
type Kind = { name: Words; means: Words; deed?: Deed }

export const KINDS = {
  payNotBooked: {
    name: { zh: '平台已收款，订单未付', en: 'Paid there, waits here' },
    means: { zh: '顾客付了钱，这里的订单还在等付款', en: 'The customer has paid; the order here still waits for it' },
    deed: 'bookPayment',
  },
  payWithoutOrder: {
    name: { zh: '平台已收款，没有订单', en: 'Paid there, no open order here' },
    means: { zh: '这里没有能收这笔钱的订单', en: 'There is no order here this money could pay' },
    deed: 'payBack',
  },
  paidTwice: {
    name: { zh: '重复支付', en: 'Paid twice' },
    means: { zh: '订单已由另一笔支付付清', en: 'Another payment has paid the order already' },
    deed: 'payBack',
  },
  payUnknownThere: {
    name: { zh: '已记收款，平台没有', en: 'Booked here, unknown there' },
    means: { zh: '这里记了收款，平台账单没有这笔', en: 'A payment is booked here that the statement does not have' },
    deed: 'readAgain',
  },
  amountDiffers: {
    name: { zh: '收款金额不同', en: 'Another amount' },
    means: { zh: '同一笔支付两边金额不同', en: 'The same payment has another amount there' },
    deed: 'readAgain',
  },
  feeDiffers: {
    name: { zh: '手续费不同', en: 'Another fee' },
    means: { zh: '金额一致，平台收的手续费不同', en: 'The amounts agree; the platform took another fee' },
    deed: 'takeFee',
  },
  refundUnknownHere: {
    name: { zh: '平台已退款，这里没有', en: 'Refund unknown here' },
    means: { zh: '钱在平台上退给了顾客，这里没有记', en: 'Money went back at the platform, and nothing says so here' },
    deed: 'bookRefund',
  },
  refundNotMade: {
    name: { zh: '已提退款，平台未退', en: 'Refund asked, never made' },
    means: { zh: '退款提出后平台一直没有退出', en: 'It was asked of the platform, and no money went back' },
    deed: 'sendRefund',
  },
  refundUnknownThere: {
    name: { zh: '已记退款，平台没有', en: 'Refund unknown there' },
    means: { zh: '这里记了已退，平台账单没有这笔', en: 'Booked as done here; the statement does not have it' },
    deed: 'readAgain',
  },
  refundDiffers: {
    name: { zh: '退款金额不同', en: 'Another amount refunded' },
    means: { zh: '同一笔退款两边金额不同', en: 'The same refund has another amount there' },
    deed: 'readAgain',
  },
  shareNotMade: {
    name: { zh: '分账未到账', en: 'Share not made' },
    means: { zh: '分账提出后资金流水里没有分出', en: 'It was asked for, and the fund flow has none of it' },
    deed: 'sendShare',
  },
  shareDiffers: {
    name: { zh: '分账金额不符', en: 'Another amount shared' },
    means: { zh: '资金流水里的分账与这里的记录不同', en: 'The fund flow shares another amount than our record' },
    deed: 'readAgain',
  },
  flowMissing: {
    name: { zh: '有交易，资金未动', en: 'Traded, no money moved' },
    means: { zh: '交易账单有这笔，资金流水里没有', en: 'The trade bill has it, the fund flow has not' },
    deed: 'readAgain',
  },
  flowDiffers: {
    name: { zh: '资金变动不符', en: 'Money moved otherwise' },
    means: { zh: '资金流水与交易账单的金额不同', en: 'The fund flow moved another amount than the trade' },
    deed: 'readAgain',
  },
  orderUnknownHere: {
    name: { zh: '外卖账单有，这里没有', en: 'Delivery order unknown here' },
    means: { zh: '平台结算了一单，这里没有记', en: 'The platform settles an order that is not here' },
    deed: 'followOrder',
  },
  orderUnknownThere: {
    name: { zh: '外卖账单没有这单', en: 'Delivery order not settled' },
    means: { zh: '这里已完成的外卖订单，平台没有结算', en: 'An order finished here is not in the bill there' },
    deed: 'followOrder',
  },
  commissionDiffers: {
    name: { zh: '平台佣金不同', en: 'Another commission' },
    means: { zh: '平台账单扣的佣金与订单上的不同', en: 'The bill takes another commission than the order said' },
    deed: 'takeBill',
  },
  settlementDiffers: {
    name: { zh: '外卖结算额不同', en: 'Another settlement' },
    means: { zh: '佣金一致，平台结算给门店的钱不同', en: 'The commission agrees; the shop gets another amount' },
    deed: 'takeBill',
  },
  givenBack: {
    name: { zh: '多付，已自动退回', en: 'Paid beside, goes back by itself' },
    means: {
      zh: '顾客多付的一笔，收款单已经在退，进度看收款单',
      en: 'A payment no order took is on its way back by itself: the payment asked for says how far',
    },
  },
  otherDay: {
    name: { zh: '记在另一天', en: 'Counted on another day' },
    means: { zh: '两边都有，只是日期不同，两天合起来一致', en: 'Both have it, on different days: together they agree' },
  },
} as const satisfies Record<string, Kind>

export type KindKey = keyof typeof KINDS

export const kindOf = (key: string | null): Kind | undefined => (KINDS as Record<string, Kind>)[key ?? '']

/** Kinds with nothing to do about them. */
export const EXPLAINED: readonly string[] = Object.keys(KINDS).filter((key) => !kindOf(key)?.deed)

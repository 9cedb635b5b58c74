import type { LocalizedText } from '#kit/resource/index.ts'

/** Actions that resolve a difference. Each takes effect once, however often the button is pressed. */
export type Resolution =
  | 'bookPayment'
  | 'payBack'
  | 'takeFee'
  | 'bookRefund'
  | 'sendRefund'
  | 'sendShare'
  | 'readAgain'
  | 'followOrder'
  | 'takeBill'

/** Label and effect of each action in both languages; `isMoney` if money leaves the account. */
export const RESOLUTIONS: Readonly<Record<Resolution, { does: LocalizedText; effect: LocalizedText; isMoney?: true }>> =
  {
    bookPayment: {
      does: { zh: '补记这笔收款', en: 'Record payment' },
      effect: {
        zh: '订单变为已付，商品出库；不会再向顾客收钱',
        en: 'The order becomes paid and the products leave stock. The customer is not charged again.',
      },
    },
    payBack: {
      does: { zh: '原路退给顾客', en: 'Refund to original method' },
      effect: {
        zh: '这笔钱只退一次，退款号固定；微信支付确认后这条差异自动了结',
        en:
          'Refunded only once under a fixed refund number. The discrepancy is resolved automatically when ' +
          'WeChat Pay confirms it.',
      },
      isMoney: true,
    },
    takeFee: {
      does: { zh: '按平台的手续费入账', en: 'Use platform fee' },
      effect: {
        zh: '账单里这一行的手续费和净额改为平台的数；已核对的账单不能改',
        en: 'The fee and net amount of this line change to the platform figures. Verified bills cannot be changed.',
      },
    },
    bookRefund: {
      does: { zh: '补记这笔退款', en: 'Record refund' },
      effect: {
        zh: '钱已由平台退出，这里只记账：订单记为已退，库存不变',
        en:
          'The platform already refunded the money. It is only recorded here: the order becomes refunded, ' +
          'stock stays unchanged.',
      },
    },
    sendRefund: {
      does: { zh: '用原退款号再查一次', en: 'Recheck with the original number' },
      effect: {
        zh: '同一个退款号最多退一次；平台说已退就记已退，没收到才会退出',
        en:
          'A refund number refunds only once. Completed ones are recorded as refunded. Only those never ' +
          'received are sent.',
      },
      isMoney: true,
    },
    sendShare: {
      does: { zh: '用原分账号再查一次', en: 'Recheck with the original number' },
      effect: {
        zh: '同一个分账号最多分一次；平台已分就记已分，没收到才会分出',
        en: 'A share number shares only once. Completed ones are recorded as shared. Only those not received are sent.',
      },
      isMoney: true,
    },
    readAgain: {
      does: { zh: '重新对账', en: 'Rerun reconciliation' },
      effect: {
        zh: '只读：重新取当天的账单和资金流水，对得上就自动了结',
        en: 'Read-only: fetches the statements and fund flow of the day again. What matches is resolved automatically.',
      },
    },
    followOrder: {
      does: { zh: '按平台现状更新订单', en: 'Update order from platform' },
      effect: {
        zh: '读一次平台订单：这里没有的补记一次，有的跟上平台的状态，然后重新比对',
        en:
          'Reads the platform order once: missing ones are recorded, others follow the platform status, ' +
          'then reconciliation is rerun.',
      },
    },
    takeBill: {
      does: { zh: '按平台账单入账', en: 'Use platform statement' },
      effect: {
        zh: '平台订单上的佣金和商户应收改为账单的数；不动钱',
        en: 'Commission and merchant receivable of the platform order change to the statement figures. No money moves.',
      },
    },
  }

/** A kind of difference: name, meaning and the action that resolves it. Without an action it needs none. */
type Kind = { name: LocalizedText; means: LocalizedText; deed?: Resolution }

export const DIFFERENCE_KINDS = {
  payNotBooked: {
    name: { zh: '平台已收款，订单未付', en: 'Paid at platform, order unpaid' },
    means: {
      zh: '顾客付了钱，这里的订单还在等付款',
      en: 'The customer has paid. The order here is still awaiting payment.',
    },
    deed: 'bookPayment',
  },
  payWithoutOrder: {
    name: { zh: '平台已收款，没有订单', en: 'Paid at platform, no matching order' },
    means: { zh: '这里没有能收这笔钱的订单', en: 'There is no order here that this payment could belong to' },
    deed: 'payBack',
  },
  paidTwice: {
    name: { zh: '重复支付', en: 'Duplicate payment' },
    means: { zh: '订单已由另一笔支付付清', en: 'The order was already paid by another payment' },
    deed: 'payBack',
  },
  payUnknownThere: {
    name: { zh: '已记收款，平台没有', en: 'Payment not at platform' },
    means: {
      zh: '这里记了收款，平台账单没有这笔',
      en: 'A payment is recorded here that is not in the platform statement',
    },
    deed: 'readAgain',
  },
  amountDiffers: {
    name: { zh: '收款金额不同', en: 'Amount mismatch' },
    means: { zh: '同一笔支付两边金额不同', en: 'The same payment has different amounts on both sides' },
    deed: 'readAgain',
  },
  feeDiffers: {
    name: { zh: '手续费不同', en: 'Fee mismatch' },
    means: { zh: '金额一致，平台收的手续费不同', en: 'The amounts match but the platform charged a different fee' },
    deed: 'takeFee',
  },
  refundUnknownHere: {
    name: { zh: '平台已退款，这里没有', en: 'Refund not in our records' },
    means: {
      zh: '钱在平台上退给了顾客，这里没有记',
      en: 'The platform refunded the customer. It is not recorded here.',
    },
    deed: 'bookRefund',
  },
  refundNotMade: {
    name: { zh: '已提退款，平台未退', en: 'Refund not processed' },
    means: { zh: '退款提出后平台一直没有退出', en: 'The refund was requested but the platform never made it' },
    deed: 'sendRefund',
  },
  refundUnknownThere: {
    name: { zh: '已记退款，平台没有', en: 'Refund not at platform' },
    means: {
      zh: '这里记了已退，平台账单没有这笔',
      en: 'A refund is recorded here that is not in the platform statement',
    },
    deed: 'readAgain',
  },
  refundDiffers: {
    name: { zh: '退款金额不同', en: 'Refund amount mismatch' },
    means: { zh: '同一笔退款两边金额不同', en: 'The same refund has different amounts on both sides' },
    deed: 'readAgain',
  },
  shareNotMade: {
    name: { zh: '分账未到账', en: 'Profit share not processed' },
    means: { zh: '分账提出后资金流水里没有分出', en: 'A profit share was requested but is missing in the fund flow' },
    deed: 'sendShare',
  },
  shareDiffers: {
    name: { zh: '分账金额不符', en: 'Profit share amount mismatch' },
    means: { zh: '资金流水里的分账与这里的记录不同', en: 'The profit share in the fund flow differs from our records' },
    deed: 'readAgain',
  },
  flowMissing: {
    name: { zh: '有交易，资金未动', en: 'No fund movement' },
    means: { zh: '交易账单有这笔，资金流水里没有', en: 'It is in the trade statement but not in the fund flow' },
    deed: 'readAgain',
  },
  flowDiffers: {
    name: { zh: '资金变动不符', en: 'Fund movement mismatch' },
    means: { zh: '资金流水与交易账单的金额不同', en: 'Fund flow and trade statement have different amounts' },
    deed: 'readAgain',
  },
  orderUnknownHere: {
    name: { zh: '外卖账单有，这里没有', en: 'Delivery order not in our records' },
    means: { zh: '平台结算了一单，这里没有记', en: 'The platform settled an order that is not recorded here' },
    deed: 'followOrder',
  },
  orderUnknownThere: {
    name: { zh: '外卖账单没有这单', en: 'Delivery order not in statement' },
    means: {
      zh: '这里已完成的外卖订单，平台没有结算',
      en: 'A delivery order completed here was not settled by the platform',
    },
    deed: 'followOrder',
  },
  commissionDiffers: {
    name: { zh: '平台佣金不同', en: 'Commission mismatch' },
    means: {
      zh: '平台账单扣的佣金与订单上的不同',
      en: 'The commission in the platform statement differs from the order',
    },
    deed: 'takeBill',
  },
  settlementDiffers: {
    name: { zh: '外卖结算额不同', en: 'Settlement mismatch' },
    means: {
      zh: '佣金一致，平台结算给门店的钱不同',
      en: 'The commission matches but the platform settled a different amount',
    },
    deed: 'takeBill',
  },
  givenBack: {
    name: { zh: '多付，已自动退款', en: 'Overpayment, refunded automatically' },
    means: {
      zh: '顾客多付的一笔，收款单已经在退，进度看收款单',
      en: 'The overpayment is already being refunded. See the payment request for progress.',
    },
  },
  otherDay: {
    name: { zh: '记在另一天', en: 'Posted on another day' },
    means: {
      zh: '两边都有，只是日期不同，两天合起来一致',
      en: 'Both sides have it on different days. Together they match.',
    },
  },
} as const satisfies Record<string, Kind>

export type DifferenceKindKey = keyof typeof DIFFERENCE_KINDS

export const findDifferenceKind = (key: string | null): Kind | undefined =>
  (DIFFERENCE_KINDS as Record<string, Kind>)[key ?? '']

/** Kinds without an action. */
export const DIFFERENCE_KINDS_WITHOUT_ACTION: readonly string[] = Object.keys(DIFFERENCE_KINDS).filter(
  (key) => !findDifferenceKind(key)?.deed,
)

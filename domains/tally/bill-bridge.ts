import type { Words } from '#kit/resource/index.ts'

/** Why a sum of a bill is not the one of the analysis. */
export const bridgeKinds = {
  late: { zh: '账期之前发生、本账期才入账', en: 'Of before the period, booked in it' },
  notYet: { zh: '账单生成之后才知道', en: 'Heard of after the bill was made' },
  otherBill: { zh: '已记在另一张账单', en: 'Stands in another bill' },
  otherMerchant: { zh: '属于门店的另一个商户', en: "Another merchant's of the shop" },
  noPayment: { zh: '没有付款记录', en: 'Without money on record' },
  amount: { zh: '单据金额与收付记录不同', en: 'Money on record differs from the order or refund' },
  notSold: { zh: '分析不再计入（已取消）', en: 'No longer counted by the analysis (cancelled)' },
  moved: { zh: '时间已改到账期之后', en: 'Its time is now after the period' },
  noOrder: { zh: '没有订单的收付', en: 'Money without an order' },
} satisfies Record<string, Words>
export type BridgeKind = keyof typeof bridgeKinds

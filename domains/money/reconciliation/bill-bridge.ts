import type { LocalizedText } from '#kit/resource/index.ts'

/** Kinds of differences between a bill and the sales analysis, with their labels. */
export const bridgeKinds = {
  late: { zh: '账期之前发生、本账期才入账', en: 'Earlier transactions recorded in this period' },
  notYet: { zh: '账单生成之后才知道', en: 'Known after the bill was generated' },
  otherBill: { zh: '已记在另一张账单', en: 'Recorded in another bill' },
  otherMerchant: { zh: '属于门店的另一个商户', en: 'Belongs to another merchant of the store' },
  noPayment: { zh: '没有付款记录', en: 'No payment record' },
  amount: { zh: '单据金额与收付记录不同', en: 'Amount differs from the payment record' },
  notSold: { zh: '分析不再计入（已取消）', en: 'No longer counted by the analysis (canceled)' },
  moved: { zh: '时间已改到账期之后', en: 'Moved to a time after this period' },
  noOrder: { zh: '没有订单的收付', en: 'Payments without an order' },
} satisfies Record<string, LocalizedText>
export type BridgeKind = keyof typeof bridgeKinds

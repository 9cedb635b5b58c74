import { useQuery } from '@tanstack/react-query'
import type { WireRow } from '#kit/resource/index.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import type { deliveryInfo } from './delivery-info.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

type Amounts =
  | 'goodsAmount'
  | 'discountAmount'
  | 'ticketAmount'
  | 'vipAmount'
  | 'integralAmount'
  | 'freight'
  | 'payAmount'
  | 'balanceAmount'
  | 'refundAmount'
  | 'costAmount'

/** The order itself, whose amounts are all known. */
type OrderFacts = WireRow<typeof shoppingOrder> & { quantity: number } & { [key in Amounts]: string }
export type WholeOrderLine = {
  id: string
  goodId: string
  upc: string
  name: string
  picture: string
  spec: string
  price: string
  listPrice: string
  quantity: number
  discount: string
  amount: string
  benefits: { kind: string; refId: string; name: string; amount: string }[]
  refundQuantity: number
  refundAmount: string
  refundableQuantity: number
  refundableAmount: string
  batches: { batchId: string; batchNo: string; quantity: number; restored: number }[]
}
type RefundPart = {
  id: string
  channelName: string
  amount: string
  state: string
  lastError: string
  attempts: number
}
export type OrderRefund = {
  id: string
  refundNo: string
  status: number
  amount: string
  freight: string
  reason: string
  restock: boolean
  wxUserName: string
  createTime: string
  finishTime: string
  auditUser: string
  auditUserName: string
  auditRemark: string
  secondUserName: string
  secondRemark: string
  signaturesNeeded: number
  pictures: string
  failReason: string
  channelNote: string
  isAbnormal: boolean
  lines: { detailId: string; name: string; quantity: number; amount: string }[]
  payments: RefundPart[]
}
type OrderPayment = {
  id: string
  channel: string
  channelName: string
  amount: string
  transactionNo: string
  payTime: string
}
type OrderMovement = {
  id: string
  goodId: string
  goodName: string
  batchId: string
  batchNo: string
  change: number
  type: string
  createTime: string
}
type OrderEvent = { time: string; event: string; text: string; amount?: string; user?: string }

export type PriceStep = {
  kind: string
  name: string
  refId: string
  amount: string
  lines: { name: string; amount: string }[]
}

/** Everything the order page shows, from one request. */
export type WholeOrder = {
  order: OrderFacts
  lines: WholeOrderLine[]
  refunds: OrderRefund[]
  payments: OrderPayment[]
  stock: OrderMovement[]
  deliveries: WireRow<typeof deliveryInfo>[]
  price: PriceStep[]
  log: OrderEvent[]
  refundableAmount: string
}

/** An order with everything about it, kept fresh while it is on screen. */
export function useWholeOrder(id: string) {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['whole-order', id, language],
    queryFn: ({ signal }) => apiGet<WholeOrder>(`${shoppingOrder.path}/whole`, { id }, { quiet: true, signal }),
    // A change of language keeps the old content until the new one is there.
    placeholderData: (before) => (before?.order.id === id ? before : undefined),
    staleTime: 0,
  })
  useLiveEvents(
    changedTopicOf('shoppingOrder'),
    ({ ids }) => (!ids || ids.map(String).includes(id)) && void query.refetch(),
    () => void query.refetch(),
  )
  return query
}

import { formatYuan } from '#kit/fields/money/cents.ts'
import { bulkInsert, auditColumnTypes } from '#kit/server/database/bulk-insert.ts'
import type { Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { ShelfBatchShare, ShelfGood, Shelves } from '#domains/catalogue/inventory/api.ts'
import type { StoryCustomer } from '#domains/shops/shops/api.ts'
import { REFUND_STATE, type OrderLineBenefit } from './dictionaries.ts'

export type HistoryLine = {
  id: string
  good: ShelfGood
  quantity: number
  discount: number
  benefits: OrderLineBenefit[]
  amount: number
  shares: ShelfBatchShare[]
  cost: number
  refundQuantity: number
  refundAmount: number
}
export type HistoryOrder = {
  id: string
  orderNo: string
  shopId: string
  customer: StoryCustomer | undefined
  status: number
  source: string
  type: string
  flags: string[]
  lines: HistoryLine[]
  vipAmount: number
  payAmount: number
  refundAmount: number
  payType: string
  time: number
  registerId: string
  saleNo: string
  transactionNo: string | null
  paymentId: string
  cancelReason: string | null
  shelves: Shelves
}
export type HistoryRefund = {
  id: string
  order: HistoryOrder
  lines: { line: HistoryLine; quantity: number; amount: number }[]
  amount: number
  status: number
  reason: string
  time: number
  auditTime: number | null
  finishTime: number | null
  auditRemark: string | null
  failReason: string | null
  restock: boolean
  auditUser: string | null
}

const text = (time: number | null) => (time === null ? null : formatShanghaiTime(new Date(time)))

/** The tables most of the history goes into. */
export const orderHistoryTables = ['shopping_order', 'shopping_order_detail', 'order_payment']
/** Columns of the index by which statistics find an order's lines and payments; must exist while orders are written. */
export const orderHistoryIndexColumns = ['tenant_id, order_id']

/** Writes the generated orders, lines, payments and refunds. */
export async function writeHistory(db: Db, orders: HistoryOrder[], refunds: HistoryRefund[]): Promise<void> {
  orders.sort((a, b) => a.time - b.time)
  await bulkInsert(db, 'shopping_order', ORDER_COLUMNS, orders.map(orderRow))
  await bulkInsert(db, 'shopping_order_detail', LINE_COLUMNS, orders.flatMap(lineRows))
  const paid = orders.filter((order) => isPaid(order) && order.payAmount > 0)
  await bulkInsert(db, 'order_payment', PAYMENT_COLUMNS, paid.map(paymentRow))
  await bulkInsert(db, 'refunds', REFUND_COLUMNS, refunds.map(refundRow))
  await bulkInsert(db, 'refund_payment', REFUND_PAYMENT_COLUMNS, refunds.map(refundPaymentRow))
}

const isPaid = (order: HistoryOrder) => order.payType !== ''

const ORDER_COLUMNS = {
  id: 'bigint',
  order_no: 'text',
  shop_id: 'bigint',
  wx_user_id: 'bigint',
  status: 'integer',
  source: 'text',
  type: 'text',
  flags: 'text[]',
  quantity: 'integer',
  summary: 'text',
  goods_amount: 'bigint',
  discount_amount: 'bigint',
  ticket_amount: 'bigint',
  vip_amount: 'bigint',
  integral_amount: 'bigint',
  freight: 'bigint',
  pay_amount: 'bigint',
  balance_amount: 'bigint',
  refund_amount: 'bigint',
  cost_amount: 'bigint',
  pay_type: 'text',
  pay_time: 'timestamptz',
  transaction_no: 'text',
  cash_register_id: 'bigint',
  sale_no: 'text',
  finish_time: 'timestamptz',
  cancel_reason: 'text',
  ...auditColumnTypes,
}

function orderRow(order: HistoryOrder): unknown[] {
  const sum = (of: (line: HistoryLine) => number) => order.lines.reduce((total, line) => total + of(line), 0)
  const time = text(order.time)
  const paid = isPaid(order) ? time : null
  return [
    order.id,
    order.orderNo,
    order.shopId,
    order.customer?.id ?? null,
    order.status,
    order.source,
    order.type,
    order.flags,
    sum((line) => line.quantity),
    [...order.lines.map((line) => `${line.good.story.name} ×${line.quantity}`).join('、')].slice(0, 200).join(''),
    sum((line) => line.good.price * line.quantity),
    sum((line) => line.discount) - order.vipAmount,
    0,
    order.vipAmount,
    0,
    0,
    order.payAmount,
    order.payType === 'balance' ? order.payAmount : 0,
    order.refundAmount,
    sum((line) => line.cost),
    order.payType || null,
    paid,
    order.transactionNo,
    order.registerId || null,
    order.saleNo || null,
    paid,
    order.cancelReason,
    0,
    time,
    time,
  ]
}

const LINE_COLUMNS = {
  id: 'bigint',
  order_id: 'bigint',
  shop_id: 'bigint',
  good_id: 'bigint',
  upc: 'text',
  name: 'text',
  spec: 'text',
  price: 'bigint',
  list_price: 'bigint',
  vip_price: 'bigint',
  quantity: 'integer',
  discount: 'bigint',
  amount: 'bigint',
  cost_amount: 'bigint',
  refund_quantity: 'integer',
  refund_amount: 'bigint',
  batch_ids: 'bigint[]',
  allocations: 'jsonb',
  benefits: 'jsonb',
  sort: 'integer',
  ...auditColumnTypes,
}

const lineRows = (order: HistoryOrder): unknown[][] => {
  const time = text(order.time)
  return order.lines.map((line, at) => [
    line.id,
    order.id,
    order.shopId,
    line.good.id,
    line.good.story.upc,
    line.good.story.name,
    line.good.story.spec,
    line.good.price,
    line.good.price,
    line.good.vipPrice,
    line.quantity,
    line.discount,
    line.amount,
    line.cost,
    line.refundQuantity,
    line.refundAmount,
    line.shares.map((share) => share.batchId),
    JSON.stringify(line.shares),
    JSON.stringify(line.benefits),
    at + 1,
    0,
    time,
    time,
  ])
}

const PAYMENT_COLUMNS = {
  id: 'bigint',
  order_id: 'bigint',
  shop_id: 'bigint',
  channel: 'text',
  amount: 'bigint',
  transaction_no: 'text',
  pay_time: 'timestamptz',
  create_time: 'timestamptz',
}

const paymentRow = (order: HistoryOrder): unknown[] => [
  order.paymentId,
  order.id,
  order.shopId,
  order.payType,
  order.payAmount,
  order.transactionNo,
  text(order.time),
  text(order.time),
]

const PAYMENT_STATE: Record<number, string> = {
  [REFUND_STATE.applied]: 'waiting',
  [REFUND_STATE.approved]: 'asked',
  [REFUND_STATE.processing]: 'sent',
  [REFUND_STATE.succeeded]: 'done',
  [REFUND_STATE.failed]: 'failed',
  [REFUND_STATE.rejected]: 'cancelled',
}

const channelId = (refund: HistoryRefund) => (refund.status === REFUND_STATE.succeeded ? `R-${refund.id}` : null)

const REFUND_COLUMNS = {
  id: 'bigint',
  refund_no: 'text',
  order_id: 'bigint',
  shop_id: 'bigint',
  wx_user_id: 'bigint',
  status: 'integer',
  type: 'text',
  amount: 'bigint',
  lines: 'jsonb',
  freight: 'bigint',
  reason: 'text',
  restock: 'boolean',
  signatures_needed: 'integer',
  audit_user: 'bigint',
  audit_time: 'timestamptz',
  audit_remark: 'text',
  channel_refund_id: 'text',
  finish_time: 'timestamptz',
  fail_reason: 'text',
  ...auditColumnTypes,
}

const refundRow = (refund: HistoryRefund): unknown[] => [
  refund.id,
  `RF${refund.id}`,
  refund.order.id,
  refund.order.shopId,
  refund.order.customer?.id ?? null,
  refund.status,
  refund.amount === refund.order.payAmount ? 'full' : 'part',
  refund.amount,
  JSON.stringify(
    refund.lines.map(({ line, quantity, amount }) => ({
      detailId: line.id,
      goodId: line.good.id,
      upc: line.good.story.upc,
      name: line.good.story.name,
      quantity,
      amount: formatYuan(amount),
    })),
  ),
  0,
  refund.reason,
  refund.restock,
  1,
  refund.auditUser,
  text(refund.auditTime),
  refund.auditRemark,
  channelId(refund),
  text(refund.finishTime),
  refund.failReason,
  0,
  text(refund.time),
  refund.status === REFUND_STATE.processing
    ? formatShanghaiTime(new Date())
    : text(refund.finishTime ?? refund.auditTime ?? refund.time),
]

const REFUND_PAYMENT_COLUMNS = {
  id: 'bigint',
  refund_id: 'bigint',
  order_id: 'bigint',
  payment_id: 'bigint',
  channel: 'text',
  transaction_no: 'text',
  amount: 'bigint',
  out_no: 'text',
  state: 'text',
  channel_refund_id: 'text',
  attempts: 'integer',
  last_error: 'text',
  create_time: 'timestamptz',
  asked_time: 'timestamptz',
  sent_time: 'timestamptz',
  done_time: 'timestamptz',
}

const refundPaymentRow = (refund: HistoryRefund): unknown[] => [
  newId(),
  refund.id,
  refund.order.id,
  refund.order.paymentId,
  refund.order.payType,
  refund.order.transactionNo,
  refund.amount,
  `RF${refund.id}`,
  PAYMENT_STATE[refund.status],
  channelId(refund),
  refund.finishTime || refund.failReason ? 1 : 0,
  refund.failReason,
  text(refund.time),
  text(refund.auditTime),
  text(refund.auditTime),
  text(refund.finishTime),
]

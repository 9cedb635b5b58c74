import { randomInt } from 'node:crypto'
import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import {
  lockStock,
  planLockedMove,
  type LockedStock,
  type StockMovePlan,
  type StockMoveResult,
} from '#domains/catalogue/inventory/api.ts'
import { reserveQuote, redeemQuote } from '#domains/sales/marketing/api.ts'
import { bookPurchase, lockBuyer, lockCustomer, type Buyer } from '#domains/sales/customers/api.ts'
import { findShopConf } from '#domains/shops/shops/api.ts'
import { addSaleToVisit, lockVisitOfSale } from '#domains/shops/visits/api.ts'
import { requireUnusedTransactionNo } from '#domains/money/payment-channels/api.ts'
import { readParamsInTransaction } from '#domains/platform/system/api.ts'
import { ORDER_STATE, type OrderFlag, type PayType } from './dictionaries.ts'
import { enqueueExpiry } from './close-order.ts'
import { openDelivery } from './open-delivery.ts'
import {
  computeOrderAmounts,
  requireBalanceAmount,
  orderAmountsRefusal,
  statedBalanceAmount,
  type OrderAmountsDraft,
  type OrderLineDraft,
} from './order-amounts.ts'
import { ORDER_PAY_MINUTES_PARAM } from './params.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'
import { homeTopic } from '#domains/shops/shops/index.ts'

export type OrderDraft = OrderAmountsDraft & {
  shopId: string
  wxUserId?: string | null
  source: 'register' | 'scan' | 'mini' | 'ele' | 'meituan'
  type: 'store' | 'pickup' | 'delivery'
  /**
   * Finished unless said. An order to pay (0) moves neither stock nor money before `payOrder`; `payDeadline` ends it.
   */
  status?: 0 | 1 | 2
  /** Shanghai time; absent for an order to pay, as is `payType`. */
  payTime?: string
  payDeadline?: string
  /** For an order to pay: its quote, redeemed when the order is paid and released when it is not. */
  quoteId?: string
  /** Delivery address and details. */
  deliverTo?: DeliverTo
  visitId?: string | null
  transactionNo?: string | null
  cashRegisterId?: string | null
  saleNo?: string | null
  flags?: readonly OrderFlag[]
  remark?: string | null
  /** Refuse if any product is short, for a sale that has not been handed over yet. */
  onlyInStock?: boolean
}

export type DeliverTo = {
  name: string
  phone: string
  address: string
  longitude?: number | null
  latitude?: number | null
  /** Metres. */
  distance?: number | null
  expectTime?: string | null
  carrier?: 'self' | 'ele' | 'meituan' | 'sf'
  /** Delivery fee in cents. */
  fee?: number
}

export type OrderPayment = {
  payType: PayType
  payTime: string
  transactionNo?: string | null
  balanceAmount?: number
}

export const newOrderNo = () => `SO${newId()}`

const summaryOf = (lines: readonly OrderLineDraft[]) => {
  const text = lines.map((line) => `${line.name} ×${line.quantity}`).join('、')
  return [...text].length > 200 ? `${[...text].slice(0, 199).join('')}…` : text
}

type Order = RowOf<typeof shoppingOrder>
/** The columns of an order known while it is being written. */
type Written = Pick<
  Order,
  'id' | 'orderNo' | 'shopId' | 'wxUserId' | 'payAmount' | 'balanceAmount' | 'freight' | 'costAmount' | 'flags'
> & { id: string }
type Conf = Awaited<ReturnType<typeof findShopConf>>
type Sold = {
  stock: Map<number, StockMoveResult>
  cost: number
  flags: OrderFlag[]
  carryOut: StockMovePlan['commitMove']
}

type Bought = readonly { goodId: string | null; quantity: number | null }[]
const movedOf = (lines: Bought) =>
  lines.flatMap((line, at) => (line.goodId ? [{ at, goodId: line.goodId, change: -line.quantity! }] : []))

/** Plans the stock movement of a sale. The products are locked. */
function takeGoods(db: Db, held: LockedStock, orderId: string, lines: Bought): Sold {
  const known = movedOf(lines)
  const { results: moved, commitMove } = planLockedMove(db, held, known, {
    type: 'sale',
    refType: 'order',
    refId: orderId,
    removed: 'passOver',
  })
  return {
    carryOut: commitMove,
    stock: new Map(known.map((line, at) => [line.at, moved[at]!])),
    cost: moved.reduce((sum, one) => sum + one.cost, 0),
    // Only known once the products are locked: others may have sold or removed them meanwhile.
    flags: [
      ...(moved.some((one) => one.after < 0) ? (['shortStock'] as const) : []),
      ...(moved.some((one) => one.isRemoved) ? (['unknownGoods'] as const) : []),
    ],
  }
}

const takenFrom = (stock: StockMoveResult | undefined) => ({
  costAmount: stock?.cost ?? 0,
  batchIds: (stock?.batches ?? []).map((share) => share.batchId),
  allocations: (stock?.batches ?? []).map((share) => ({ ...share, restored: 0 })),
})

const PICKUP_CODES = 1_000_000
/** Code the customer shows at pickup. */
const newPickupCode = () => String(randomInt(PICKUP_CODES)).padStart(6, '0')

const publishOrder = (db: Db, order: Pick<Order, 'id' | 'shopId'>) => {
  publishRowsChanged({ db }, shoppingOrder, [order])
  db.publish(homeTopic, {}, { limits: { shop: order.shopId! } })
}

type Paid = Pick<Order, 'id' | 'shopId'>
const hearers: ((db: Db, order: Paid) => void)[] = []
/**
 * Registers what a dependent module does when an order is paid. The customer is waiting, so it must be sent with the
 * COMMIT (`db.beforeCommit`).
 */
export const onOrderPaid = (listener: (db: Db, order: Paid) => void): void => void hearers.push(listener)

/** Writes an order (`writeOrder`) and returns its row. */
export async function placeOrder(db: Db, draft: OrderDraft): Promise<Order> {
  const { id } = await writeOrder(db, draft)
  return (await db.get(shoppingOrder, id))!
}

/**
 * Writes an order. For a paid one order, lines, payments, stock and the customer's accounts are one transaction. What
 * the order reports is recorded as it happened. Refused are amounts that do not add up, a balance that is too low, a
 * transaction number used before, a delivery without an address, missing stock with `onlyInStock`, and what the shop's
 * settings rule out for an unpaid order. All reads go out in one batch and all writes in another, which may still be
 * under way on return.
 */
export async function writeOrder(db: Db, draft: OrderDraft, prefetched?: Promise<PrefetchedOrder>): Promise<Written> {
  const amounts = computeOrderAmounts(draft)
  const status = draft.status ?? ORDER_STATE.finished
  if (draft.type === 'delivery' && !draft.deliverTo) throw new Refused('delivery_missing')
  const payment = status === ORDER_STATE.toPay ? undefined : paymentOf(draft)
  const orderId = newId()
  const held = () => lockStock(db, movedOf(draft.lines))
  const known = payment
    ? await lockForPaidOrder(
        db,
        orderId,
        draft,
        payment,
        prefetched ?? prefetchOrderLocks(db, { ...draft, ...payment }, held).whole,
      )
    : await lockForOpenOrder(db, orderId, draft)
  const order = {
    id: orderId,
    orderNo: newOrderNo(),
    status,
    ...amounts,
    refundAmount: 0,
    ...requestedColumns(draft),
    ...foundColumns(draft, known),
    ...(payment ? paidColumns(draft, payment, status) : unpaidColumns(draft, known)),
  }
  db.waitUntil(db.insertAll(shoppingOrder, [order]))
  db.waitUntil(insertLines(db, order, draft.lines, known.sold))
  if (payment) await followPayment(db, order, payment, known)
  else if (order.payDeadline) await enqueueExpiry(db, { id: orderId, payDeadline: order.payDeadline })
  publishOrder(db, order)
  return order
}

/** Columns taken from the draft. */
const requestedColumns = (draft: OrderDraft) => ({
  shopId: draft.shopId,
  source: draft.source,
  type: draft.type,
  quantity: draft.lines.reduce((sum, line) => sum + line.quantity, 0),
  summary: summaryOf(draft.lines),
  deliverTo: draft.deliverTo ?? null,
  cashRegisterId: draft.cashRegisterId ?? null,
  saleNo: draft.saleNo ?? null,
  remark: draft.remark ?? null,
})

/** Columns that result from locking and booking: customer, flags, cost and visit. */
const foundColumns = (draft: OrderDraft, { settingFlags, sold, visit, wxUserId }: OrderPreconditions) => ({
  wxUserId,
  flags: [...new Set([...(draft.flags ?? []), ...settingFlags, ...(sold?.flags ?? [])])],
  costAmount: sold?.cost ?? 0,
  visitId: draft.visitId ?? visit?.id ?? null,
})

/** Columns of an order that is paid as it is written. */
const paidColumns = (
  { type }: OrderDraft,
  { payType, payTime, transactionNo = null }: OrderPayment,
  status: number,
) => ({
  payType,
  payTime,
  transactionNo,
  payDeadline: null,
  quoteId: null,
  pickupCode: type === 'pickup' ? newPickupCode() : null,
  finishTime: status === ORDER_STATE.finished ? payTime : null,
})

/** Columns of an order that waits for its payment. */
const unpaidColumns = ({ quoteId }: OrderDraft, { payDeadline }: OrderPreconditions) => ({
  payType: null,
  payTime: null,
  transactionNo: null,
  payDeadline,
  quoteId: quoteId ?? null,
  pickupCode: null,
  finishTime: null,
})

type PaidOrder = Written & Pick<Order, 'type' | 'status'> & { deliverTo: unknown }

/** Books what follows from an order that is paid now: its payments, the customer's accounts, its delivery or visit. */
async function followPayment(
  db: Db,
  order: PaidOrder,
  payment: OrderPayment,
  { conf, buyer, visit }: Pick<OrderPreconditions, 'conf' | 'buyer' | 'visit'>,
): Promise<void> {
  await takePayments(db, order, payment, conf, buyer)
  for (const listener of hearers) listener(db, order)
  if (order.type === 'delivery' && order.status === ORDER_STATE.paid) await openDelivery(db, order)
  const { id, shopId, wxUserId, payAmount } = order
  if (visit)
    await addSaleToVisit(db, visit, { id, shopId: shopId!, wxUserId, payAmount: payAmount!, payTime: payment.payTime })
}

/** Everything locked and read before an order is written: shop settings, products, customer, in this order of locks. */
type OrderPreconditions = {
  conf?: Conf
  settingFlags: OrderFlag[]
  sold?: Sold
  buyer?: Buyer
  visit?: Awaited<ReturnType<typeof lockVisitOfSale>>
  wxUserId: string | null
  payDeadline: string | null
}

/** Everything read and locked ahead for a paid order. */
export type PrefetchedOrder<G extends LockedStock = LockedStock> = {
  conf: Conf
  goods: G
  buyer: Buyer | undefined
  visit: OrderPreconditions['visit']
}

type ToBePaid = Pick<OrderDraft, 'shopId' | 'wxUserId' | 'type' | 'visitId' | 'payAmount' | 'freight'> & OrderPayment

/**
 * Locks and reads all a paid order needs in the current batch, products before the customer. A sale calls it together
 * with the claim of its number, by barcodes. From then on the customer's account cannot be merged away. `whole` may
 * reject with a refusal; `writeOrder` reports it, so a repeated sale never sees it.
 */
export function prefetchOrderLocks<G extends LockedStock>(
  db: Db,
  draft: ToBePaid,
  held: () => Promise<G>,
): { goods: Promise<G>; whole: Promise<PrefetchedOrder<G>> } {
  const { shopId, wxUserId, payAmount, freight, payTime } = draft
  const unused = requireUnusedTransactionNo(db, draft.payType, draft.transactionNo)
  const conf = findShopConf(db, shopId)
  const goods = held()
  const purchase = { shopId, payAmount, freight, balanceAmount: statedBalanceAmount(draft, payAmount), payTime }
  const buyer = wxUserId ? lockBuyer(db, wxUserId, purchase) : undefined
  // A sale over the counter may belong to a visit that is under way.
  const visit =
    draft.type === 'store' && !draft.visitId ? lockVisitOfSale(db, { shopId, wxUserId, payTime }) : undefined
  const whole = awaitBatch([unused, conf, goods, buyer, visit]).then(([, ...known]) => ({
    conf: known[0],
    goods: known[1],
    buyer: known[2],
    visit: known[3],
  }))
  whole.catch(() => {})
  return { goods, whole }
}

async function lockForPaidOrder(
  db: Db,
  orderId: string,
  draft: OrderDraft,
  payment: OrderPayment,
  prefetched: Promise<PrefetchedOrder>,
): Promise<OrderPreconditions> {
  const { conf, goods, buyer, visit } = await prefetched
  const sold = takeGoods(db, goods, orderId, draft.lines)
  const settingFlags = beyondSettings(conf, draft, payment)
  if (draft.onlyInStock && sold.flags.length) throw new Refused('order_short')
  await sold.carryOut()
  return { conf, settingFlags, sold, buyer, visit, wxUserId: buyer?.id ?? null, payDeadline: null }
}

async function lockForOpenOrder(db: Db, orderId: string, draft: OrderDraft): Promise<OrderPreconditions> {
  const payDeadline = draft.payDeadline ?? (await deadlineOf(db))
  const conf = draft.type === 'delivery' ? await findShopConf(db, draft.shopId) : undefined
  const settingFlags = beyondSettings(conf, draft, undefined)
  if (draft.quoteId) await reserveQuote(db, draft.quoteId, { orderId, until: payDeadline })
  const wxUserId = draft.wxUserId ? (await lockCustomer(db, draft.wxUserId)).id : null
  return { conf, settingFlags, wxUserId, payDeadline }
}

const insertLines = (
  db: Db,
  order: Pick<Order, 'id' | 'shopId'>,
  lines: readonly OrderLineDraft[],
  sold: Sold | undefined,
): Promise<void> =>
  db.insertAll(
    shoppingOrderDetail,
    lines.map((line, at) => ({
      orderId: order.id,
      shopId: order.shopId,
      goodId: line.goodId,
      upc: line.upc,
      name: line.name,
      picture: line.picture ?? null,
      spec: line.spec ?? null,
      price: line.price,
      listPrice: line.listPrice ?? null,
      vipPrice: line.vipPrice ?? null,
      quantity: line.quantity,
      discount: line.discount,
      amount: line.amount,
      refundQuantity: 0,
      refundAmount: 0,
      ...takenFrom(sold?.stock.get(at)),
      benefits: [...(line.benefits ?? [])],
      sort: at + 1,
    })),
  )

/** Flags a payment type the shop does not accept. Without such settings all are accepted. */
function flagPaymentTypes(conf: Conf, { payType, balanceAmount = 0 }: OrderPayment, payAmount: number): OrderFlag[] {
  const taken = conf?.payTypes
  if (!taken?.length) return []
  const payTypes = [...(balanceAmount ? ['balance'] : []), ...(payAmount > balanceAmount ? [payType] : [])]
  // A delivery platform settles with the tenant, whatever the shop takes.
  return payTypes.some((payType) => payType !== 'platform' && !taken.includes(payType)) ? ['payType'] : []
}

/** Checks an order against the shop's settings. A paid order is recorded with a flag; an unpaid one is refused. */
function beyondSettings(conf: Conf, draft: OrderDraft, payment: OrderPayment | undefined): OrderFlag[] {
  const flags = payment ? flagPaymentTypes(conf, payment, draft.payAmount) : []
  // Delivery platforms decide themselves where they deliver.
  if (draft.type !== 'delivery' || payment?.payType === 'platform') return flags
  if (conf?.deliveryEnabled !== false) return flags
  if (!payment) throw new Refused('delivery_off')
  return [...flags, 'delivery']
}

/** Payment deadline of an order that gives none: the configured minutes from now. */
async function deadlineOf(db: Db): Promise<string> {
  const [minutes] = await readParamsInTransaction(db, ORDER_PAY_MINUTES_PARAM)
  return (await db.one<{ at: string }>(sql`select ${db.timestampSql} + make_interval(mins => ${minutes}::int) as at`))!
    .at
}

const paymentOf = ({ payType, payTime, transactionNo, balanceAmount }: OrderDraft): OrderPayment => {
  if (!payType || !payTime) throw orderAmountsRefusal('payType, payTime')
  return { payType, payTime, transactionNo, balanceAmount }
}

/**
 * Pays an order to pay and takes its products out of stock. Reporting the same transaction again is not a second
 * payment.
 */
export async function payOrder(db: Db, orderId: string, payment: OrderPayment, now: Date): Promise<Order> {
  const was = await db.get(shoppingOrder, orderId, 'forUpdate')
  if (!was) throw new Refused('not_found', { label: shoppingOrder.label })
  if (was.status !== ORDER_STATE.toPay) {
    if (isPaidBySame(was, payment)) return was
    throw new Refused('order_not_open', { orderNo: was.orderNo! })
  }
  await requireUnusedTransactionNo(db, payment.payType, payment.transactionNo)
  const balanceAmount = requireBalanceAmount(payment, was.payAmount!)
  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${orderId}`, sql`order by r.sort, r.id`)
  // Locked before products and customer, as when a quote is requested.
  if (was.quoteId)
    await db.run(sql`select 1 from price_quote where id = ${was.quoteId} and tenant_id = ${db.tenantId} for update`)
  const { conf, goods, buyer, visit } = await lockForPayment(db, was, details, { ...payment, balanceAmount })
  const sold = takeGoods(db, goods, orderId, details)
  await sold.carryOut()
  for (const [at, line] of details.entries())
    db.waitUntil(db.update(shoppingOrderDetail, line.id, takenFrom(sold.stock.get(at))))
  const isTaken = was.type === 'store'
  const paid = {
    finishTime: isTaken ? payment.payTime : null,
    flags: [
      ...(was.flags ?? []),
      ...flagPaymentTypes(conf, { ...payment, balanceAmount }, was.payAmount!),
      ...sold.flags,
    ],
    costAmount: sold.cost,
    balanceAmount,
    payType: payment.payType,
    payTime: payment.payTime,
    payDeadline: null,
    transactionNo: payment.transactionNo ?? null,
    pickupCode: was.type === 'pickup' ? newPickupCode() : null,
    ...(visit ? { visitId: visit.id } : {}),
  }
  const to = isTaken ? 'finished' : 'paid'
  const order = await requireTransition({ db }, shoppingOrder, orderId, 'pay', paid, { to })
  await followPayment(db, order, payment, { conf, buyer, visit })
  const redeemed = await redeemReservedQuote(db, order, payment.payTime, now)
  publishOrder(db, redeemed)
  return redeemed
}

/** Whether it was paid by that very transaction. */
const isPaidBySame = (order: Order, { transactionNo }: OrderPayment): boolean =>
  !!transactionNo && order.transactionNo === transactionNo

/** Locks and reads what an existing order needs when it is paid, products before the customer. */
async function lockForPayment(
  db: Db,
  order: Order,
  lines: Bought,
  { payTime, balanceAmount }: OrderPayment & { balanceAmount: number },
): Promise<PrefetchedOrder> {
  const { wxUserId, freight } = order
  const [shopId, payAmount] = [order.shopId!, order.payAmount!]
  const [conf, goods, buyer, visit] = await awaitBatch([
    findShopConf(db, shopId),
    lockStock(db, movedOf(lines)),
    wxUserId ? lockBuyer(db, wxUserId, { shopId, payAmount, freight, balanceAmount, payTime }) : undefined,
    order.type === 'store' && !order.visitId ? lockVisitOfSale(db, { shopId, wxUserId, payTime }) : undefined,
  ])
  return { conf, goods, buyer, visit }
}

/** Redeems the quote of a paid order. Flags the order if not everything promised was still there. */
async function redeemReservedQuote(db: Db, order: Order, paidAt: string, now: Date): Promise<Order> {
  if (!order.quoteId) return order
  const paid = { id: order.id, shopId: order.shopId!, payAmount: order.payAmount!, costAmount: order.costAmount! }
  const { isWhole } = await redeemQuote(db, { quoteId: order.quoteId, order: paid, paidAt, now })
  return isWhole ? order : db.update(shoppingOrder, order.id, { flags: [...(order.flags ?? []), 'quote'] })
}

/** Writes the payments of an order and books them on the customer's accounts. */
async function takePayments(
  db: Db,
  order: Written,
  { payType, payTime, transactionNo = null }: OrderPayment,
  conf: Conf,
  buyer: OrderPreconditions['buyer'],
): Promise<void> {
  const balanceAmount = order.balanceAmount ?? 0
  const payAmount = order.payAmount!
  const parts = [
    { channel: 'balance', amount: balanceAmount },
    { channel: payType, amount: payAmount - balanceAmount },
  ].filter((part) => part.amount > 0)
  for (const { channel, amount } of parts)
    db.waitUntil(
      db.run(sql`insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, transaction_no,
        pay_time)
        values (${newId()}, ${db.tenantId}, ${order.id}, ${order.shopId}, ${channel}, ${amount},
        ${channel === 'balance' ? null : transactionNo}, ${payTime})`),
    )
  if (!buyer) {
    if (balanceAmount > 0) throw new Refused('not_found', { label: { zh: '顾客', en: 'Customer' } })
    return
  }
  const { freight } = order
  const pointsPerYuan = conf?.pointsPerYuan
  const purchase = { shopId: order.shopId!, payAmount, freight, balanceAmount, payTime, pointsPerYuan }
  await bookPurchase(db, buyer, order.id, purchase)
}

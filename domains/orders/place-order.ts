import { randomInt } from 'node:crypto'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { moveStock, type StockResult } from '#domains/stock/doors.ts'
import { holdQuote, settleQuote } from '#domains/marketing/doors.ts'
import { earnPoints, changeAccount, countPurchase, lockCustomer } from '#domains/members/doors.ts'
import { confOf } from '#domains/shops/doors.ts'
import { requireUnused } from '#domains/payments/doors.ts'
import { paramsIn } from '#domains/system/doors.ts'
import { ORDER, type OrderFlag, type PayType } from './dictionaries.ts'
import { expireLater } from './close-order.ts'
import { openDelivery } from './open-delivery.ts'
import { amountsOf, balanceOf, refuse, type Amounts, type OrderLine } from './order-amounts.ts'
import { PAY_MINUTES } from './params.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

export type OrderDraft = Amounts & {
  shopId: string
  wxUserId?: string | null
  source: 'register' | 'scan' | 'mini' | 'ele' | 'meituan'
  type: 'store' | 'pickup' | 'delivery'
  /**
   * Finished unless said. An order to pay (0) moves neither stock nor money before `payOrder`; `payDeadline` ends it.
   */
  status?: 0 | 1 | 2
  /** Wall clock of Shanghai; absent for an order to pay, as its `payType`. */
  payTime?: string
  payDeadline?: string
  /** Of an order to pay: the promise its price stands on, settled when it is paid and freed when it is not. */
  quoteId?: string
  /** Where a delivery goes. */
  deliverTo?: DeliverTo
  visitId?: string | null
  transactionNo?: string | null
  cashRegisterId?: string | null
  saleNo?: string | null
  flags?: readonly OrderFlag[]
  remark?: string | null
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
  /** What bringing it costs, in cents. */
  fee?: number
}

/** How an order was paid. */
export type OrderPayment = {
  payType: PayType
  payTime: string
  transactionNo?: string | null
  balanceAmount?: number
}

export const newOrderNo = () => `SO${newId()}`

const summaryOf = (lines: readonly OrderLine[]) => {
  const text = lines.map((line) => `${line.name} ×${line.quantity}`).join('、')
  return [...text].length > 200 ? `${[...text].slice(0, 199).join('')}…` : text
}

type Order = RowOf<typeof shoppingOrder>
type Sold = { stock: Map<number, StockResult>; cost: number; flags: OrderFlag[] }

/** Takes what was bought out of stock. */
async function takeGoods(
  db: Db,
  orderId: string,
  lines: readonly { goodId: string | null; quantity: number | null }[],
): Promise<Sold> {
  const known = lines.flatMap((line, at) => (line.goodId ? [{ at, goodId: line.goodId, change: -line.quantity! }] : []))
  const moved = await moveStock(db, known, { type: 'sale', refType: 'order', refId: orderId, removed: 'passOver' })
  return {
    stock: new Map(known.map((line, at) => [line.at, moved[at]!])),
    cost: moved.reduce((sum, one) => sum + one.cost, 0),
    // Known only now, with the goods locked: others may have sold the same goods meanwhile, or removed them.
    flags: [
      ...(moved.some((one) => one.after < 0) ? (['shortStock'] as const) : []),
      ...(moved.some((one) => one.isRemoved) ? (['unknownGoods'] as const) : []),
    ],
  }
}

const takenFrom = (stock: StockResult | undefined) => ({
  costAmount: stock?.cost ?? 0,
  batchIds: (stock?.batches ?? []).map((share) => share.batchId),
  allocations: (stock?.batches ?? []).map((share) => ({ ...share, restored: 0 })),
})

const PICKUP_CODES = 1_000_000
/** What the customer shows when he fetches his goods. */
const newPickupCode = () => String(randomInt(PICKUP_CODES)).padStart(6, '0')

const tellOrder = (db: Db, order: Order) => {
  publishChanged({ db }, shoppingOrder, [order])
  db.publish('home.changed', {}, { limits: { shop: order.shopId! } })
}

/**
 * Takes an order. A paid one: the order, its lines, its payments, the stock and the customer's accounts stand or fall
 * together. What the order says has happened is recorded; only amounts that do not add up and a balance that does not
 * suffice are refused.
 */
export async function placeOrder(db: Db, draft: OrderDraft): Promise<Order> {
  const amounts = amountsOf(draft)
  const status = draft.status ?? ORDER.finished
  if (draft.type === 'delivery' && !draft.deliverTo) throw new Refused('delivery_missing')
  const payment = status === ORDER.toPay ? undefined : paymentOf(draft)
  const orderId = newId()
  if (payment) await requireUnused(db, payment.payType, payment.transactionNo)
  const payDeadline = payment ? null : (draft.payDeadline ?? (await deadlineOf(db)))
  const odd = await beyondSettings(db, draft, payment)
  if (!payment && draft.quoteId) await holdQuote(db, draft.quoteId, { orderId, until: payDeadline })
  const sold = payment && (await takeGoods(db, orderId, draft.lines))
  // From here on nobody merges the customer's account away: the order stands under the account that is his today.
  const wxUserId = draft.wxUserId ? (await lockCustomer(db, draft.wxUserId)).id : null
  const order = await db.insert(shoppingOrder, {
    id: orderId,
    orderNo: newOrderNo(),
    shopId: draft.shopId,
    wxUserId,
    status,
    source: draft.source,
    type: draft.type,
    flags: [...new Set([...(draft.flags ?? []), ...odd, ...(sold?.flags ?? [])])],
    quantity: draft.lines.reduce((sum, line) => sum + line.quantity, 0),
    summary: summaryOf(draft.lines),
    ...amounts,
    refundAmount: 0,
    costAmount: sold?.cost ?? 0,
    payType: payment?.payType ?? null,
    payTime: payment?.payTime ?? null,
    payDeadline,
    pickupCode: payment && draft.type === 'pickup' ? newPickupCode() : null,
    quoteId: payment ? null : (draft.quoteId ?? null),
    deliverTo: draft.deliverTo ?? null,
    transactionNo: payment?.transactionNo ?? null,
    cashRegisterId: draft.cashRegisterId ?? null,
    saleNo: draft.saleNo ?? null,
    visitId: draft.visitId ?? null,
    finishTime: status === ORDER.finished ? payment!.payTime : null,
    remark: draft.remark ?? null,
  })
  await insertLines(db, order, draft.lines, sold)
  if (payment) await wasPaid(db, order, payment)
  else if (order.payDeadline) await expireLater(db, order)
  tellOrder(db, order)
  return order
}

async function insertLines(db: Db, order: Order, lines: readonly OrderLine[], sold: Sold | undefined): Promise<void> {
  for (const [at, line] of lines.entries()) {
    await db.insert(shoppingOrderDetail, {
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
      benefits: line.benefits ?? [],
      sort: at + 1,
    })
  }
}

/** A shop's own settings where it has any: one without a word on payments takes all of them. */
const oddPayment = async (
  db: Db,
  shopId: string,
  { payType, balanceAmount = 0 }: OrderPayment,
  payAmount: number,
): Promise<OrderFlag[]> => {
  const taken = (await confOf(db, shopId))?.payTypes
  if (!taken?.length) return []
  const ways = [...(balanceAmount ? ['balance'] : []), ...(payAmount > balanceAmount ? [payType] : [])]
  // A delivery platform settles with the tenant, whatever the shop takes.
  return ways.some((way) => way !== 'platform' && !taken.includes(way)) ? ['payType'] : []
}

/**
 * What of an order its shop's settings do not have. Money that was taken and goods that are promised are recorded, with
 * a note; what is only asked for is refused while nobody has paid.
 */
async function beyondSettings(db: Db, draft: OrderDraft, payment: OrderPayment | undefined): Promise<OrderFlag[]> {
  const flags = payment ? await oddPayment(db, draft.shopId, payment, draft.payAmount) : []
  // A delivery platform has its own word on which shops it brings from.
  if (draft.type !== 'delivery' || payment?.payType === 'platform') return flags
  if ((await confOf(db, draft.shopId))?.deliveryEnabled !== false) return flags
  if (!payment) throw new Refused('delivery_off')
  return [...flags, 'delivery']
}

/** Until when an order is kept that says nothing of its own. */
async function deadlineOf(db: Db): Promise<string> {
  const [minutes] = await paramsIn(db, PAY_MINUTES)
  return (await db.one<{ at: string }>(sql`select ${db.moment} + make_interval(mins => ${minutes}::int) as at`))!.at
}

const paymentOf = ({ payType, payTime, transactionNo, balanceAmount }: OrderDraft): OrderPayment => {
  if (!payType || !payTime) throw refuse('payType, payTime')
  return { payType, payTime, transactionNo, balanceAmount }
}

/** Pays an order that was to pay: now its goods leave the stock. The same transaction told twice is one payment. */
export async function payOrder(db: Db, orderId: string, payment: OrderPayment, now: Date): Promise<Order> {
  const was = await db.get(shoppingOrder, orderId, 'lock')
  if (!was) throw new Refused('not_found', { label: shoppingOrder.label })
  if (was.status !== ORDER.toPay) {
    if (payment.transactionNo && was.transactionNo === payment.transactionNo) return was
    throw new Refused('order_not_open', { orderNo: was.orderNo! })
  }
  await requireUnused(db, payment.payType, payment.transactionNo)
  const balanceAmount = balanceOf(payment, was.payAmount!)
  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${orderId}`, sql`order by r.sort, r.id`)
  // Before goods and customer, as whoever asks for a quote locks it.
  if (was.quoteId)
    await db.run(sql`select 1 from price_quote where id = ${was.quoteId} and tenant_id = ${db.tenantId} for update`)
  const sold = await takeGoods(db, orderId, details)
  for (const [at, line] of details.entries())
    await db.update(shoppingOrderDetail, line.id, takenFrom(sold.stock.get(at)))
  const isTaken = was.type === 'store'
  const order = await db.update(shoppingOrder, orderId, {
    status: isTaken ? ORDER.finished : ORDER.paid,
    finishTime: isTaken ? payment.payTime : null,
    flags: [
      ...(was.flags ?? []),
      ...(await oddPayment(db, was.shopId!, { ...payment, balanceAmount }, was.payAmount!)),
      ...sold.flags,
    ],
    costAmount: sold.cost,
    balanceAmount,
    payType: payment.payType,
    payTime: payment.payTime,
    payDeadline: null,
    transactionNo: payment.transactionNo ?? null,
    pickupCode: was.type === 'pickup' ? newPickupCode() : null,
  })
  await wasPaid(db, order, payment)
  if (order.quoteId) {
    const { isWhole } = await settleQuote(db, {
      quoteId: order.quoteId,
      order: { id: order.id, shopId: order.shopId!, payAmount: order.payAmount!, costAmount: sold.cost },
      paidAt: payment.payTime,
      now,
    })
    if (!isWhole)
      Object.assign(order, await db.update(shoppingOrder, orderId, { flags: [...(order.flags ?? []), 'quote'] }))
  }
  tellOrder(db, order)
  return order
}

/** What follows from a payment: its rows, the customer's accounts, and the delivery that begins. */
async function wasPaid(db: Db, order: Order, payment: OrderPayment): Promise<void> {
  await takePayments(db, order, payment)
  if (order.type === 'delivery' && order.status === ORDER.paid) await openDelivery(db, order)
}

async function takePayments(
  db: Db,
  order: Order,
  { payType, payTime, transactionNo = null }: OrderPayment,
): Promise<void> {
  const balance = order.balanceAmount ?? 0
  const parts = [
    { channel: 'balance', amount: balance },
    { channel: payType, amount: order.payAmount! - balance },
  ].filter((part) => part.amount > 0)
  for (const { channel, amount } of parts) {
    await db.run(sql`insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, transaction_no,
      pay_time)
      values (${newId()}, ${db.tenantId}, ${order.id}, ${order.shopId}, ${channel}, ${amount},
      ${channel === 'balance' ? null : transactionNo}, ${payTime})`)
  }
  const { wxUserId } = order
  if (!wxUserId) {
    if (balance > 0) throw new Refused('not_found', { label: { zh: '顾客', en: 'Customer' } })
    return
  }
  if (balance > 0)
    await changeAccount(db, 'balance', {
      wxUserId,
      change: -balance,
      type: 'consume',
      refType: 'order',
      refId: order.id,
      shopId: order.shopId,
    })
  await countPurchase(db, {
    wxUserId,
    shopId: order.shopId!,
    spent: order.payAmount!,
    orders: 1,
    time: payTime,
  })
  await earnPoints(db, {
    id: order.id,
    shopId: order.shopId!,
    wxUserId,
    payAmount: order.payAmount!,
    freight: order.freight,
    payTime,
  })
}

import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { requireTransition, transition, transitionAll } from '#kit/server/resource/transition.ts'
import { isWholeOrderRefundedOrPending } from './close-order.ts'
import { DELIVERY_STATE, ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { succeedFailedRefund, succeedRefund } from './finish-refund.ts'
import { createRefund, type Order, type OrderDetailRow, type Refund, type RefundInput } from './refund.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

/** Open deliveries of an order, locked before their order as everywhere. */
const openDeliveries = (db: Db, orderId: string) =>
  db.find(
    deliveryInfo,
    sql`r.order_id = ${orderId} and r.status in (${DELIVERY_STATE.waiting}, ${DELIVERY_STATE.accepted},
      ${DELIVERY_STATE.pickedUp})`,
    sql`order by r.id for update`,
  )

type Rider = { riderName: string; riderPhone: string; isPickedUp: boolean }

/** Stores the rider and state a platform reports for its delivery; never moves back to an earlier state. */
export async function applyPlatformRider(db: Db, orderId: string, rider: Rider, now: Date): Promise<void> {
  const { riderName, riderPhone, isPickedUp } = rider
  const at = formatShanghaiTime(now)
  for (const row of await openDeliveries(db, orderId)) {
    const to = isPickedUp || row.status === DELIVERY_STATE.pickedUp ? 'pickedUp' : 'accepted'
    if (row.status === DELIVERY_STATE[to] && row.riderName === riderName && row.riderPhone === riderPhone) continue
    const patch = {
      riderName,
      riderPhone,
      acceptTime: row.acceptTime ?? at,
      pickTime: isPickedUp ? (row.pickTime ?? at) : row.pickTime,
    }
    await transition(db, deliveryInfo, row.id, 'follow', patch, { to })
  }
}

/**
 * Completes an order because the platform reports it delivered. No effect when repeated or when the order was refunded.
 */
export async function completePlatformOrder(db: Db, orderId: string, finishTime: string): Promise<void> {
  await transitionAll(db, deliveryInfo, sql`r.order_id = ${orderId}`, 'arrive', { finishTime })
  const order = await db.get(shoppingOrder, orderId, 'forUpdate')
  if (!order || order.finishTime || ![ORDER_STATE.paid, ORDER_STATE.partlyRefunded].includes(order.status as 1)) return
  if (await isWholeOrderRefundedOrPending(db, order)) return
  const to = order.status === ORDER_STATE.paid ? 'finished' : 'partlyRefunded'
  await transition(db, shoppingOrder, orderId, 'finish', { finishTime }, { to })
}

/** A refund a platform already paid. Without lines and amount: all that is left of the order. Amounts in cents. */
export type ExternalRefund = {
  /** The platform's number; the same number is the same refund. */
  refundNo: string
  lines?: readonly { goodId: string | null; upc: string; quantity: number; amount: number }[]
  /** Only money, in cents, without returned products; given instead of lines. */
  amount?: number
  reason: string
}

/**
 * Books a refund that a platform already paid, once per number: no money moves here, products go back into stock. When
 * all of the order is refunded, our own refunds waiting for approval are rejected.
 */
export async function bookExternalRefund(db: Db, orderId: string, paid: ExternalRefund, now: Date): Promise<void> {
  const known = await db.one(sql`select 1 from refunds where tenant_id = ${db.tenantId}
    and request_key = ${paid.refundNo} union all select 1 from refund_payment where tenant_id = ${db.tenantId}
    and order_id = ${orderId} and channel_refund_id = ${paid.refundNo}`)
  if (known) return
  // Locked before the order, as in every refund.
  const failed = paid.amount === undefined ? undefined : await failedRefund(db, orderId, paid.amount)
  const order = await db.get(shoppingOrder, orderId, 'forUpdate')
  if (!order || order.status === ORDER_STATE.refunded || order.status === ORDER_STATE.cancelled) return
  if (failed) return succeedFailedRefund(db, failed.id, { numberThere: paid.refundNo }, now)
  const left = (order.payAmount ?? 0) - (order.refundAmount ?? 0)
  const isAll = !paid.lines && (paid.amount ?? left) >= left
  if (isAll) await rejectUnsigned(db, order, now)
  const ask = await askOf(db, order, paid, isAll)
  if (paid.lines && !ask.lines.length) return
  // Already paid, so it needs no approval.
  const { refund } = await createRefund(db, order, ask, { secondAbove: Number.MAX_SAFE_INTEGER, isPaidThere: true })
  await db.run(sql`update refund_payment set state = 'done', asked_time = now(), sent_time = now(), done_time = now(),
    channel_refund_id = ${paid.refundNo} where tenant_id = ${db.tenantId} and refund_id = ${refund.id}`)
  await requireTransition({ db }, refunds, refund.id, 'bookExternal')
  if (!(await succeedRefund(db, refund.id, now))) throw new Refused('order_amounts', { detail: paid.refundNo })
  if (isAll) await db.update(shoppingOrder, orderId, { cancelReason: paid.reason.slice(0, 200) })
}

/** Converts the platform's refund to one of ours: of all that is left, or of lines. */
async function askOf(db: Db, order: Order, paid: ExternalRefund, isAll: boolean): Promise<RefundInput> {
  const about = { reason: paid.reason, restock: paid.amount === undefined, requestKey: paid.refundNo }
  if (isAll) return { full: true, lines: [], ...about }
  const lines = paid.lines ? await linesOfOrder(db, order, paid.lines) : await spread(db, order, paid.amount!)
  return { lines, ...about }
}

/**
 * Finds and locks a failed refund of the same amount. When the platform refused our refund and somebody then made it
 * there by hand, this is that refund; otherwise it would stay failed and block its share of the order.
 */
async function failedRefund(db: Db, orderId: string, cents: number): Promise<Refund | undefined> {
  const found = await db.one<{ id: string }>(sql`select r.id from refunds r
    join refund_payment m on m.tenant_id = r.tenant_id and m.refund_id = r.id and m.state <> 'done'
    where r.tenant_id = ${db.tenantId} and r.order_id = ${orderId} and r.status = ${REFUND_STATE.failed}
    group by r.id having sum(m.amount) = ${cents} and bool_and(m.state = 'failed') order by r.id limit 1`)
  const row = found && (await db.get(refunds, found.id, 'forUpdate'))
  return row?.status === REFUND_STATE.failed ? row : undefined
}

async function rejectUnsigned(db: Db, order: Order, now: Date): Promise<void> {
  const auditTime = formatShanghaiTime(now)
  const rejected = await transitionAll(db, refunds, sql`r.order_id = ${order.id}`, 'reject', { auditTime })
  if (rejected.length)
    await db.run(sql`update refund_payment set state = 'cancelled' where tenant_id = ${db.tenantId}
      and refund_id = any(${rejected.map(({ id }) => id)}::bigint[]) and state = 'waiting'`)
}

/** Finds the order's lines for the platform's products, each with at most what is left of it. */
async function linesOfOrder(db: Db, order: Order, requested: NonNullable<ExternalRefund['lines']>) {
  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`, sql`order by r.sort, r.id`)
  const left = new Map(details.map((one) => [one.id, leftOf(one)]))
  return requested.flatMap(({ goodId, upc, quantity, amount }) => {
    let [pieces, cents] = [quantity, amount]
    const shares: { detailId: string; quantity: number; amount: number }[] = []
    for (const detail of details) {
      const is = left.get(detail.id)!
      if (!(goodId ? detail.goodId === goodId : isSameBarcode(detail.upc ?? '', upc)) || !pieces || !is.quantity)
        continue
      const part = Math.min(pieces, is.quantity)
      const money = Math.min(part === pieces ? cents : Math.round((cents * part) / pieces), is.amount)
      shares.push({ detailId: detail.id, quantity: part, amount: money })
      left.set(detail.id, { quantity: is.quantity - part, amount: is.amount - money })
      pieces -= part
      cents -= money
    }
    return shares
  })
}

/** Spreads an amount over the lines, beginning with the first that has something left. */
async function spread(db: Db, order: Order, cents: number) {
  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`, sql`order by r.sort, r.id`)
  let rest = cents
  return details.flatMap((detail) => {
    const amount = Math.min(rest, leftOf(detail).amount)
    rest -= amount
    return amount ? [{ detailId: detail.id, quantity: 0, amount }] : []
  })
}

const leftOf = ({ quantity, amount, refundQuantity, refundAmount }: OrderDetailRow) => ({
  quantity: quantity! - (refundQuantity ?? 0),
  amount: amount! - (refundAmount ?? 0),
})

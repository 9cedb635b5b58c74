import { parseYuanToCents } from '#kit/fields/money/cents.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { lockGoods, moveStock, countReturnedPieces, type StockMoveLine } from '#domains/catalogue/inventory/api.ts'
import { reverseQuoteRedemption } from '#domains/sales/marketing/api.ts'
import {
  endLevelsLostByRefund,
  takeBackPoints,
  changeCustomerAccount,
  reduceCustomerTotalSpent,
} from '#domains/sales/customers/api.ts'
import { endUncoveredShares } from '#domains/money/merchant-accounts/api.ts'
import { recomputeRefundedVisit } from '#domains/shops/visits/api.ts'
import { enqueueDeliveryCancel } from './close-order.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { refundLinesOf, type OrderDetailRow, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Allocation = { batchId: string; quantity: number; restored: number }

/**
 * Returns the stock batches a returned quantity goes back to: those it came from, each at most what was taken, with the
 * updated allocations.
 */
function givesBack(
  detail: OrderDetailRow,
  quantity: number,
): { shares: { batchId: string; quantity: number }[]; allocations: Allocation[] } {
  let left = quantity
  const shares: { batchId: string; quantity: number }[] = []
  const allocations = ((detail.allocations as Allocation[] | null) ?? []).map((one) => {
    const back = Math.min(left, one.quantity - one.restored)
    if (back <= 0) return one
    left -= back
    shares.push({ batchId: one.batchId, quantity: back })
    return { ...one, restored: one.restored + back }
  })
  return { shares, allocations }
}

const piecesOf = (shares: readonly { quantity: number }[]) => shares.reduce((sum, one) => sum + one.quantity, 0)

/**
 * Returns the pieces that have not come back yet, by product, since a customer may return some without a refund.
 * Removed products are left out. Locks the products.
 */
async function stillAway(db: Db, orderId: string, details: readonly OrderDetailRow[]): Promise<Map<string, number>> {
  const known = details.filter((line) => line.goodId)
  const goods = await lockGoods(db, [...new Set(known.map((line) => line.goodId!))])
  const returned = await countReturnedPieces(db, orderId)
  const away = new Map<string, number>()
  for (const { goodId, quantity, allocations } of known) {
    if (goods.get(goodId!)!.isRemoved) continue
    const restored = ((allocations as Allocation[] | null) ?? []).reduce((sum, one) => sum + one.restored, 0)
    away.set(goodId!, (away.get(goodId!) ?? -(returned.get(goodId!) ?? 0)) + quantity! - restored)
  }
  return away
}

type RefundPart = { channel: string; amount: number; state: string; channelRefundId: string | null }

/** Whether all money of a refund was sent. A refund of 0 has none to send. */
const hasAllGone = (refund: Refund, parts: readonly RefundPart[]): boolean =>
  parts.every(({ state }) => state === 'done') && (parts.length > 0 || refund.amount! <= 0)

/** The channels' refund numbers, as stored in the refund. */
const channelRefundIds = (parts: readonly RefundPart[]): string =>
  parts
    .map((part) => part.channelRefundId ?? '')
    .filter(Boolean)
    .join(',')
    .slice(0, 128)

/**
 * Completes a refund when all its money was sent: books stock, order and customer, once. Returns false when there is
 * nothing to complete. Locks refund, order, products, customer, campaigns, tickets, in this order.
 */
export async function succeedRefund(db: Db, refundId: string, now: Date): Promise<boolean> {
  const refund = await db.get(refunds, refundId, 'forUpdate')
  if (!refund || refund.status !== REFUND_STATE.processing) return false
  const parts = await db.query<RefundPart>(
    sql`select channel, amount, state, channel_refund_id from refund_payment
      where tenant_id = ${db.tenantId} and refund_id = ${refundId} order by id`,
  )
  if (!hasAllGone(refund, parts)) return false

  const order = (await db.get(shoppingOrder, refund.orderId, 'forUpdate'))!
  const details = await db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`)
  const goodsBefore = details.reduce((sum, line) => sum + (line.refundAmount ?? 0), 0)
  const stock = await countRefunded(db, refund, details)
  const refundAmount = (order.refundAmount ?? 0) + refund.amount!
  // An order that cost nothing counts as refunded when all its products came back.
  const isAllBack = details.every((line) => line.refundQuantity === line.quantity)
  const isRefunded = refundAmount === order.payAmount && (order.payAmount > 0 || isAllBack)

  const to = isRefunded ? 'refunded' : 'partlyRefunded'
  await requireTransition({ db }, shoppingOrder, order.id, 'refund', { refundAmount }, { to })
  if (isRefunded && order.visitId) await recomputeRefundedVisit(db, order.visitId)
  if (isRefunded && order.type === 'delivery') await enqueueDeliveryCancel(db, order.id)

  await moveStock(db, stock, { type: 'refund', refType: 'refund', refId: refund.id, operator: refund.auditUser })
  await repayCustomer(db, refund, parts)
  await reverseQuoteRedemption(db, { orderId: order.id, refundId: refund.id, isWhole: isRefunded, now })
  // After redeemed points came back: they can replace earned points that were spent meanwhile.
  await takeBackPoints(db, {
    orderId: order.id,
    refundId: refund.id,
    shopId: refund.shopId,
    wxUserId: refund.wxUserId,
    // Freight earned none.
    paid: order.payAmount! - (order.freight ?? 0),
    refundedBefore: goodsBefore,
    refunded: refund.amount! - (refund.freight ?? 0),
  })
  if (refund.wxUserId) await endLevelsLostByRefund(db, refund.wxUserId, formatShanghaiTime(now))
  await endUncoveredShares(db, order.id)

  await requireTransition({ db }, refunds, refund.id, 'succeed', {
    finishTime: formatShanghaiTime(now),
    failReason: null,
    channelNote: null,
    isAbnormal: false,
    channelRefundId: channelRefundIds(parts),
  })
  return true
}

/**
 * Completes a failed refund whose failed parts were paid after all: by hand, or at the platform under another number.
 * They are not sent again. The caller has locked the failed refund; failed parts were refused, so nothing is under way.
 */
export async function succeedFailedRefund(
  db: Db,
  refundId: string,
  paid: { numberThere: string } | 'byHand',
  now: Date,
): Promise<void> {
  const how = paid === 'byHand' ? sql`is_handed_over = true` : sql`channel_refund_id = ${paid.numberThere}`
  await db.run(sql`update refund_payment set state = 'done', done_time = now(), last_error = null, ${how}
    where tenant_id = ${db.tenantId} and refund_id = ${refundId} and state = 'failed'`)
  await requireTransition({ db }, refunds, refundId, 'handOver')
  await succeedRefund(db, refundId, now)
}

/**
 * Writes the refunded amounts and batches to the order's lines and returns the stock movements. `details` are the lines
 * as stored.
 */
async function countRefunded(db: Db, refund: Refund, details: readonly OrderDetailRow[]): Promise<StockMoveLine[]> {
  const stock: StockMoveLine[] = []
  const named = new Set(refundLinesOf(refund).map((line) => line.goodId))
  const away = refund.restock
    ? await stillAway(
        db,
        refund.orderId,
        details.filter((line) => named.has(line.goodId ?? '')),
      )
    : new Map<string, number>()
  for (const line of refundLinesOf(refund)) {
    const detail = details.find((one) => one.id === line.detailId)!
    const pieces = Math.min(line.quantity, away.get(detail.goodId ?? '') ?? 0)
    const back = pieces > 0 ? givesBack(detail, pieces) : undefined
    if (back?.shares.length) {
      away.set(detail.goodId!, away.get(detail.goodId!)! - pieces)
      stock.push({ goodId: detail.goodId!, change: piecesOf(back.shares), batches: back.shares })
    }
    Object.assign(
      detail,
      await db.update(shoppingOrderDetail, detail.id, {
        refundQuantity: (detail.refundQuantity ?? 0) + line.quantity,
        refundAmount: (detail.refundAmount ?? 0) + parseYuanToCents(line.amount)!,
        ...(back ? { allocations: back.allocations } : {}),
      }),
    )
  }
  return stock
}

async function repayCustomer(db: Db, refund: Refund, parts: readonly RefundPart[]): Promise<void> {
  if (!refund.wxUserId) return
  const balance = parts.reduce((sum, { channel, amount }) => (channel === 'balance' ? sum + amount : sum), 0)
  if (balance)
    await changeCustomerAccount(db, 'balance', {
      wxUserId: refund.wxUserId,
      change: balance,
      type: 'refund',
      refType: 'refund',
      refId: refund.id,
      shopId: refund.shopId,
    })
  await reduceCustomerTotalSpent(db, refund.wxUserId, refund.amount!)
}

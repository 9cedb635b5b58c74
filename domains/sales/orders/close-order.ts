import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition, transitionAll } from '#kit/server/resource/transition.ts'
import { releaseQuote } from '#domains/sales/marketing/api.ts'
import { ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Order = RowOf<typeof shoppingOrder>

const NOT_PAID = defineSystemText({ zh: '超时未支付', en: 'Not paid in time' })
const WAS_REFUNDED = defineSystemText({ zh: '订单已退款', en: 'The order was refunded' })

const orderExpiryQueue = defineQueue<{ orderId: string }>('order.expire')
const deliveryCancelQueue = defineQueue<{ orderId: string }>('delivery.stop')

/** Enqueues the cancelling of an unpaid order at its payment deadline. */
export const enqueueExpiry = (db: Db, order: { id: string; payDeadline: string }): Promise<void> =>
  db.enqueue(orderExpiryQueue, { orderId: order.id }, { key: order.id, runAt: parseShanghaiTime(order.payDeadline) })

const hearers: ((db: Db, order: Pick<Order, 'id'>, now: Date) => Promise<void>)[] = []
/** Registers what a dependent module does when an unpaid order is cancelled, in the same transaction. */
export const onOrderCancelled = (listener: (typeof hearers)[number]): void => void hearers.push(listener)

/**
 * Cancels an order that was not paid, and frees the tickets, budgets and points it held; call it with the order locked.
 */
export async function cancelUnpaid(db: Db, order: Order, cancelReason: string | null, now: Date): Promise<Order> {
  if (order.quoteId) await releaseQuote(db, order.quoteId, now)
  const row = await requireTransition({ db }, shoppingOrder, order.id, 'cancelUnpaid', { cancelReason })
  for (const listener of hearers) await listener(db, row, now)
  return row
}

export const expireOrderJob = defineModuleJob({
  queue: orderExpiryQueue,
  run: async ({ orderId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const order = await db.get(shoppingOrder, orderId, 'forUpdate')
      if (order?.status === ORDER_STATE.toPay) await cancelUnpaid(db, order, NOT_PAID, services.now())
    }),
})

/**
 * Whether all of an order was refunded or is being refunded; then it may not be handed over any more. The caller has
 * locked the order.
 */
export async function isWholeOrderRefundedOrPending(db: Db, order: Order): Promise<boolean> {
  if (order.status === ORDER_STATE.refunded) return true
  const row = await db.one<{ amount: number; hasSome: boolean }>(
    sql`select coalesce(sum(amount), 0) as amount, count(*) > 0 as has_some from refunds
      where tenant_id = ${db.tenantId} and order_id = ${order.id} and status <> ${REFUND_STATE.rejected}`,
  )
  return row!.hasSome && row!.amount >= order.payAmount!
}

/**
 * An order that was refunded needs no delivery any more. A step of its own, as a delivery is locked before its order.
 */
export const enqueueDeliveryCancel = (db: Db, orderId: string): Promise<void> =>
  db.enqueue(deliveryCancelQueue, { orderId }, { key: orderId })

export const cancelDeliveryJob = defineModuleJob({
  queue: deliveryCancelQueue,
  run: async ({ orderId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      await transitionAll(db, deliveryInfo, sql`r.order_id = ${orderId}`, 'fail', { failReason: WAS_REFUNDED })
    }),
})

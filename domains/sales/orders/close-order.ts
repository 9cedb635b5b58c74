import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { fromShanghai } from '#kit/server/time.ts'
import { releaseQuote } from '#domains/sales/marketing/api.ts'
import { DELIVERY, ORDER, REFUND } from './dictionaries.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Order = RowOf<typeof shoppingOrder>

const NOT_PAID = systemWords({ zh: '超时未支付', en: 'Not paid in time' })
const WAS_REFUNDED = systemWords({ zh: '订单已退款', en: 'The order was refunded' })

const EXPIRE_QUEUE = 'order.expire'
const STOP_QUEUE = 'delivery.stop'

/** Ends an order to pay at its deadline. */
export const enqueueExpiry = (db: Db, order: { id: string; payDeadline: string }): Promise<void> =>
  db.enqueue(EXPIRE_QUEUE, { orderId: order.id }, { key: order.id, runAt: fromShanghai(order.payDeadline) })

const hearers: ((db: Db, order: Pick<Order, 'id'>, now: Date) => Promise<void>)[] = []
/** Modules above say here what else an order that was not paid and is cancelled brings about, in its transaction. */
export const onOrderCancelled = (hear: (typeof hearers)[number]): void => void hearers.push(hear)

/**
 * Cancels an order that was not paid, and frees the tickets, budgets and points it held; call it with the order locked.
 */
export async function cancelUnpaid(db: Db, order: Order, cancelReason: string | null, now: Date): Promise<Order> {
  if (order.quoteId) await releaseQuote(db, order.quoteId, now)
  const row = await db.update(shoppingOrder, order.id, { status: ORDER.cancelled, cancelReason })
  for (const hear of hearers) await hear(db, row, now)
  publishChanged({ db }, shoppingOrder, [row])
  db.publish('home.changed', {}, { limits: { shop: order.shopId! } })
  return row
}

export const expireOrderJob = defineModuleJob<{ orderId: string }>({
  queue: EXPIRE_QUEUE,
  run: async ({ orderId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const order = await db.get(shoppingOrder, orderId, 'forUpdate')
      if (order?.status === ORDER.toPay) await cancelUnpaid(db, order, NOT_PAID, services.now())
    }),
})

/**
 * Whether all of an order went back or is about to: then nobody hands it over any more. Call it with the order locked.
 */
export async function isRefundInFlight(db: Db, order: Order): Promise<boolean> {
  if (order.status === ORDER.refunded) return true
  const row = await db.one<{ amount: number; hasSome: boolean }>(
    sql`select coalesce(sum(amount), 0) as amount, count(*) > 0 as has_some from refunds
      where tenant_id = ${db.tenantId} and order_id = ${order.id} and status <> ${REFUND.rejected}`,
  )
  return row!.hasSome && row!.amount >= order.payAmount!
}

/**
 * An order that was refunded needs no delivery any more. A step of its own, as a delivery is locked before its order.
 */
export const enqueueDeliveryCancel = (db: Db, orderId: string): Promise<void> =>
  db.enqueue(STOP_QUEUE, { orderId }, { key: orderId })

export const stopDeliveryJob = defineModuleJob<{ orderId: string }>({
  queue: STOP_QUEUE,
  run: async ({ orderId }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const open = await db.find(
        deliveryInfo,
        sql`r.order_id = ${orderId} and r.status in (${DELIVERY.waiting}, ${DELIVERY.accepted}, ${DELIVERY.pickedUp})`,
        sql`order by r.id for update`,
      )
      for (const { id } of open)
        publishChanged({ db }, deliveryInfo, [
          await db.update(deliveryInfo, id, { status: DELIVERY.failed, failReason: WAS_REFUNDED }),
        ])
    }),
})

import './refusals.ts'
import { sql } from '#kit/server/db.ts'
import { defineRoom, serve } from '#kit/server/room.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { expireOrderJob, stopDeliveryJob } from './close-order.ts'
import { deliveryAddressServer, deliveryInfoServer } from './deliveries.server.ts'
import { orderDictionaries } from './dictionaries.ts'
import { homeRoute } from './home.server.ts'
import { hoursRoute } from './hours.server.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { refundJob, refundSweepJob } from './refund.job.ts'
import { refundLimit } from './refund-limit.resource.ts'
import { refundRoutes, refundsServer } from './refunds.server.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'
import { wholeOrderRoute } from './whole-order.server.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(sql`select shop_id from shopping_order where tenant_id = ${db.tenantId} and shop_id = any(${ids as string[]}::bigint[]) limit 1`)
  return row && { shopId: row.shopId, code: 'shop_has_orders' }
})

export default defineRoom({
  name: 'orders',
  label: { zh: '订单', en: 'Orders' },
  resources: [
    shoppingOrderServer,
    shoppingOrderDetailServer,
    refundsServer,
    serve(refundLimit),
    deliveryInfoServer,
    deliveryAddressServer,
  ],
  routes: [...refundRoutes, wholeOrderRoute, homeRoute, hoursRoute],
  tables: [orderPaymentTable, refundPaymentTable],
  jobs: [refundJob, refundSweepJob, expireOrderJob, stopDeliveryJob],
  dictionaries: orderDictionaries,
  menus: [{ code: 'order', label: { zh: '订单', en: 'Orders' }, path: '/order', icon: 'file-text', sort: 30 }],
})

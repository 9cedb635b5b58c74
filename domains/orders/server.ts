import './refusals.ts'
import { sql } from '#kit/server/db.ts'
import { defineRoom, serve } from '#kit/server/room.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { expireOrderJob, stopDeliveryJob } from './close-order.ts'
import { deliveryAddressServer, deliveryInfoServer } from './deliveries.server.ts'
import { orderDictionaries } from './dictionaries.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { refundJob, refundSweepJob } from './refund.job.ts'
import { refundLimit } from './refund-limit.resource.ts'
import { refundRoutes, refundsServer } from './refunds.server.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'
import { wholeOrderRoute } from './whole-order.server.ts'
import { orderParams } from './params.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(sql`select shop_id from shopping_order where tenant_id = ${db.tenantId} and shop_id = any(${ids as string[]}::bigint[]) limit 1`)
  return row && { shopId: row.shopId, code: 'shop_has_orders' }
})

export default defineRoom({
  name: 'orders',
  label: { zh: '订单', en: 'Orders' },
  params: orderParams,
  resources: [
    shoppingOrderServer,
    shoppingOrderDetailServer,
    refundsServer,
    serve(refundLimit),
    deliveryInfoServer,
    deliveryAddressServer,
  ],
  routes: [...refundRoutes, wholeOrderRoute],
  tables: [orderPaymentTable, refundPaymentTable],
  jobs: [refundJob, refundSweepJob, expireOrderJob, stopDeliveryJob],
  dictionaries: orderDictionaries,
  needs: [
    { key: 'refundsWaiting', label: { zh: '退款待审核', en: 'Refunds to approve' }, resource: 'refunds', query: () => ({ status: '0' }), icon: 'audit', tone: 'warn', amount: 'amount' },
    { key: 'refundsFailed', label: { zh: '退款失败', en: 'Refunds failed' }, resource: 'refunds', query: () => ({ status: '4' }), icon: 'close-circle', tone: 'bad', amount: 'amount' },
    {
      key: 'flaggedOrders', label: { zh: '异常订单', en: 'Orders to look at' }, resource: 'shoppingOrder', icon: 'flag', tone: 'warn',
      query: ({ daysAgo }) => ({ flags: 'unknownGoods,price', createTime_datege: daysAgo(1) }),
    },
  ],
  menus: [{ code: 'order', label: { zh: '订单', en: 'Orders' }, path: '/order', icon: 'file-text', sort: 30 }],
})

import './refusals.ts'
import { sql } from '#kit/server/db.ts'
import { defineRoom } from '#kit/server/room.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { expireOrderJob, stopDeliveryJob } from './close-order.ts'
import { deliveryAddressServer, deliveryInfoServer } from './deliveries.server.ts'
import { orderDictionaries } from './dictionaries.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { refundJob, refundSweepJob } from './refund.job.ts'
import { refundLimitServer } from './refund-limit.server.ts'
import { refundRoutes, refundsServer } from './refunds.server.ts'
import { orderPaymentTable, refundPaymentTable } from './tables.ts'
import { wholeOrderRoute } from './whole-order.server.ts'
import { orderParams } from './params.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(sql`select shop_id from shopping_order where tenant_id = ${db.tenantId} and shop_id = any(${ids as string[]}::bigint[]) limit 1`)
  return row && { shopId: row.shopId, code: 'shop_has_orders' }
})

const orderPage = ({ orderId }: Record<string, unknown>) => `/order/shoppingOrder/${String(orderId)}`

export default defineRoom({
  name: 'orders',
  label: { zh: '订单', en: 'Orders' },
  params: orderParams,
  resources: [
    shoppingOrderServer,
    shoppingOrderDetailServer,
    refundsServer,
    refundLimitServer,
    deliveryInfoServer,
    deliveryAddressServer,
  ],
  routes: [...refundRoutes, wholeOrderRoute],
  tables: [orderPaymentTable, refundPaymentTable],
  jobs: [refundJob, refundSweepJob, expireOrderJob, stopDeliveryJob],
  dictionaries: orderDictionaries,
  needs: [
    {
      key: 'deliveries', label: { zh: '待配送', en: 'To deliver' }, resource: 'deliveryInfo', icon: 'car', tone: 'warn', sort: 10, can: 'deliveryInfo_deliver',
      query: () => ({ status: '0,1,2', carrier: 'self' }), order: { ascs: 'expectTime' }, line: { title: 'address', notes: ['statusName', 'name', 'riderName'], time: 'expectTime', due: true, to: orderPage },
    },
    {
      key: 'pickUps', label: { zh: '待取货', en: 'To hand over' }, resource: 'shoppingOrder', icon: 'shopping', tone: 'warn', sort: 11, can: 'shoppingOrder_handOver',
      query: () => ({ type: 'pickup', status: '1,3', finishTime_null: '1' }), order: { ascs: 'payTime' }, line: { title: 'summary', notes: ['wxUserName', 'payAmount'], time: 'payTime' },
    },
    { key: 'refundsWaiting', label: { zh: '退款待审核', en: 'Refunds to approve' }, resource: 'refunds', query: () => ({ status: '0' }), icon: 'audit', tone: 'warn', sort: 20, amount: 'amount', can: 'refunds_approve', line: { title: 'reason', notes: ['amount', 'shopName', 'createUserName'], time: 'createTime', to: orderPage } },
    { key: 'refundsFailed', label: { zh: '退款失败', en: 'Refunds failed' }, resource: 'refunds', query: () => ({ status: '4' }), icon: 'close-circle', tone: 'bad', amount: 'amount', can: 'refunds_retry', line: { title: 'failReason', notes: ['amount', 'shopName'], time: 'createTime', to: orderPage } },
    {
      key: 'flaggedOrders', label: { zh: '异常订单', en: 'Orders to look at' }, resource: 'shoppingOrder', icon: 'flag', tone: 'warn',
      query: ({ daysAgo }) => ({ flags: 'unknownGoods,price', createTime_datege: daysAgo(1) }), line: { title: 'summary', notes: ['flagsName', 'payAmount'], time: 'createTime' },
    },
  ],
  menus: [{ code: 'order', label: { zh: '订单', en: 'Orders' }, path: '/order', icon: 'file-text', sort: 30 }],
})

import './refusals.ts'
import './order-payable.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { expireOrderJob, stopDeliveryJob } from './close-order.ts'
import { deliveryAddressServer, deliveryInfoServer } from './deliveries.server.ts'
import { orderDictionaries } from './dictionaries.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { checkRefundNow, refundJob, refundSweepJob } from './refund.job.ts'
import { ceilings, type Ceiling } from '#domains/platform/identity/api.ts'
import { registerMoneyMove, onRefundNotification, type RedirectTo } from '#domains/money/payment-channels/api.ts'
import { REDIRECT, redirectNow } from './redirect-refund.ts'
import { isFullyApproved } from './refund-approval.ts'
import { refundLimitServer } from './refund-limit.server.ts'
import { refundRoutes, refundsServer } from './refunds.server.ts'
import { wholeOrderRoute } from './whole-order.server.ts'
import { orderParams } from './params.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

const orderPage = ({ orderId }: Record<string, unknown>) => `/order/shoppingOrder/${String(orderId)}`

export default defineModule({
  name: 'sales/orders',
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
  jobs: [refundJob, refundSweepJob, expireOrderJob, stopDeliveryJob],
  dictionaries: orderDictionaries,
  todos: [
    todoOf(deliveryInfo, {
      key: 'deliveries',
      label: { zh: '待配送', en: 'To be delivered' },
      icon: 'car',
      tone: 'warn',
      sort: 10,
      can: 'deliveryInfo_deliver',
      query: () => ({ status: '0,1,2', carrier: 'self' }),
      order: { ascs: 'expectTime' },
      line: {
        title: 'address',
        notes: ['status', 'name', 'riderName'],
        time: 'expectTime',
        due: true,
        to: orderPage,
      },
    }),
    todoOf(shoppingOrder, {
      key: 'pickUps',
      label: { zh: '待取货', en: 'Awaiting pickup' },
      icon: 'shopping',
      tone: 'warn',
      sort: 11,
      can: 'shoppingOrder_handOver',
      query: () => ({ type: 'pickup', status: '1,3', finishTime_null: '1' }),
      order: { ascs: 'payTime' },
      line: { title: 'summary', notes: ['wxUserId', 'payAmount'], time: 'payTime' },
    }),
    todoOf(refunds, {
      key: 'refundsWaiting',
      label: { zh: '退款待审核', en: 'Refunds pending approval' },
      query: () => ({ status: '0' }),
      icon: 'audit',
      tone: 'warn',
      sort: 20,
      amount: 'amount',
      can: 'refunds_approve',
      line: { title: 'reason', notes: ['amount', 'shopId', 'createUser'], time: 'createTime', to: orderPage },
    }),
    todoOf(refunds, {
      key: 'refundsFailed',
      label: { zh: '退款失败', en: 'Failed refunds' },
      query: () => ({ status: '4' }),
      icon: 'close-circle',
      tone: 'bad',
      amount: 'amount',
      can: 'refunds_retry',
      line: { title: 'failReason', notes: ['amount', 'shopId'], time: 'createTime', to: orderPage },
    }),
    todoOf(refunds, {
      key: 'refundsAbnormal',
      label: { zh: '退款到不了账', en: 'Undeliverable refunds' },
      query: () => ({ status: '2', isAbnormal: 'true' }),
      icon: 'credit-card',
      tone: 'bad',
      amount: 'amount',
      can: 'refunds_redirect',
      line: { title: 'refundNo', notes: ['amount', 'shopId'], time: 'createTime', to: orderPage },
    }),
    todoOf(shoppingOrder, {
      key: 'flaggedOrders',
      label: { zh: '异常订单', en: 'Order exceptions' },
      icon: 'flag',
      tone: 'warn',
      query: ({ daysAgo }) => ({ flags: 'unknownGoods,price,payType,delivery', createTime_datege: daysAgo(1) }),
      line: { title: 'summary', notes: ['flags', 'payAmount'], time: 'createTime' },
    }),
  ],
  menus: [{ code: 'order', label: { zh: '订单', en: 'Orders' }, path: '/order', icon: 'file-text', sort: 30 }],
  start: async (services) => {
    const refunds: Ceiling = async (call, { roleIds, rights }) =>
      !rights.permissions.has('refunds_approve') || isFullyApproved(call, roleIds)
    services.slots.add(ceilings, 'refunds', refunds)
    onRefundNotification(services, 'orders', checkRefundNow)
    registerMoneyMove(services, REDIRECT, (call, refundId, to) => redirectNow(call, refundId, to as RedirectTo))
  },
})

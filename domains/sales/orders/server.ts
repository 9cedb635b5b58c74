import './refusals.ts'
import './order-payable.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { expireOrderJob, cancelDeliveryJob } from './close-order.ts'
import { deliveryAddressServer, deliveryInfoServer } from './deliveries.server.ts'
import { orderDictionaries } from './dictionaries.ts'
import { shoppingOrderDetailServer, shoppingOrderServer } from './orders.server.ts'
import { checkRefundNow, sendRefundJob, requeueStalledRefundsJob } from './refund.job.ts'
import { roleCeilingsSlot, type RoleCeilingCheck } from '#domains/platform/identity/api.ts'
import {
  registerMoneyMove,
  onRefundNotification,
  type RefundRedirectTarget,
} from '#domains/money/payment-channels/api.ts'
import { REFUND_REDIRECT_MOVE, executeRefundRedirect } from './redirect-refund.ts'
import { canGrantRefundLimit } from './refund-approval.ts'
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
  jobs: [sendRefundJob, requeueStalledRefundsJob, expireOrderJob, cancelDeliveryJob],
  dictionaries: orderDictionaries,
  todos: [
    defineTodo(deliveryInfo, {
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
    defineTodo(shoppingOrder, {
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
    defineTodo(refunds, {
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
    defineTodo(refunds, {
      key: 'refundsFailed',
      label: { zh: '退款失败', en: 'Failed refunds' },
      query: () => ({ status: '4' }),
      icon: 'close-circle',
      tone: 'bad',
      amount: 'amount',
      can: 'refunds_retry',
      line: { title: 'failReason', notes: ['amount', 'shopId'], time: 'createTime', to: orderPage },
    }),
    defineTodo(refunds, {
      key: 'refundsAbnormal',
      label: { zh: '退款到不了账', en: 'Undeliverable refunds' },
      query: () => ({ status: '2', isAbnormal: 'true' }),
      icon: 'credit-card',
      tone: 'bad',
      amount: 'amount',
      can: 'refunds_redirect',
      line: { title: 'refundNo', notes: ['amount', 'shopId'], time: 'createTime', to: orderPage },
    }),
    defineTodo(shoppingOrder, {
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
    const refunds: RoleCeilingCheck = async (call, { roleIds, rights }) =>
      !rights.permissions.has('refunds_approve') || canGrantRefundLimit(call, roleIds)
    services.slots.add(roleCeilingsSlot, 'refunds', refunds)
    onRefundNotification(services, 'orders', checkRefundNow)
    registerMoneyMove(services, REFUND_REDIRECT_MOVE, (call, refundId, to) =>
      executeRefundRedirect(call, refundId, to as RefundRedirectTarget),
    )
  },
})

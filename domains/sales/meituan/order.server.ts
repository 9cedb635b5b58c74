import type { RowOf } from '#kit/resource/index.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { advanceShopDelivery } from '#domains/sales/orders/api.ts'
import {
  requestPlatformAction,
  refundOnPlatform,
  createPartialRefundAction,
  type PlatformActionKind,
} from '#domains/sales/delivery-platforms/api.ts'
import { meituanOrderDetail } from './meituan-order-detail.resource.ts'
import { meituanOrder } from './meituan-order.resource.ts'
import { meituanDeliveryPlatform } from './platform.ts'

type Order = RowOf<typeof meituanOrder>

const orderRefOf = ({ platformOrderId, orderId, meituanShopId, shopId }: Order) => ({
  platform: meituanDeliveryPlatform.name,
  orderNo: platformOrderId!,
  orderId,
  thereId: meituanShopId!,
  shopId: shopId!,
})

type More = { reason?: string; reasonCode?: string }
const askOf = (kind: PlatformActionKind, order: Order, more: More = {}) => {
  const { orderId: _own, ...about } = orderRefOf(order)
  const refundNo = kind === 'agreeRefund' || kind === 'refuseRefund' ? (order.refundAsked ?? '') : ''
  return { ...more, ...about, kind, refundNo }
}

/** Requests an action from the platform and returns its id. The outcome shows in the list of actions. */
const requestAction = async (kind: PlatformActionKind, order: Order, { db }: Call, more: More = {}) => ({
  id: await requestPlatformAction(db, askOf(kind, order, more)),
})

export const meituanOrderServer = serve(meituanOrder, {
  actions: {
    confirm: (order, _input, call) => requestAction('confirm', order, call),
    // Orders there are always paid, so cancelling one refunds all of it.
    cancel: (order, { reason, reasonCode }, call) => {
      const { orderId, userFee } = order
      return refundOnPlatform(call, askOf('cancel', order, { reason, reasonCode }), { orderId, amount: userFee ?? 0 })
    },
    agreeRefund: (order, _input, call) => {
      const { orderId, userFee } = order
      return refundOnPlatform(call, askOf('agreeRefund', order, { reason: '同意' }), { orderId, amount: userFee ?? 0 })
    },
    refuseRefund: (order, { reason }, call) => requestAction('refuseRefund', order, call, { reason }),
    packed: (order, _input, call) => requestAction('packed', order, call),
    sendOut: ({ orderId }, _input, call) => advanceShopDelivery(call, orderId, 'onWay'),
    arrived: ({ orderId }, _input, call) => advanceShopDelivery(call, orderId, 'arrived'),
  },
})

export const meituanOrderDetailServer = serve(meituanOrderDetail, {
  actions: {
    refund: async (line, input, call) => {
      const order = orderRefOf((await call.db.get(meituanOrder, line.meituanOrderId!))!)
      const action = await createPartialRefundAction(call.db, order, { ...line, code: line.platformSkuId }, input)
      return refundOnPlatform(call, action, { orderId: order.orderId, amount: (line.price ?? 0) * input.quantity })
    },
  },
})

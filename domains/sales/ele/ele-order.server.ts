import type { RowOf } from '#kit/resource/index.ts'
import { advanceShopDelivery } from '#domains/sales/orders/api.ts'
import {
  requestPlatformAction,
  refundOnPlatform,
  createPartialRefundAction,
  type PlatformActionKind,
} from '#domains/sales/delivery-platforms/api.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { eleOrderDetail } from './ele-order-parts.resource.ts'
import { eleOrder } from './ele-order.resource.ts'

type Order = RowOf<typeof eleOrder>
type More = { reason?: string; reasonCode?: string; refundNo?: string }

const orderRefOf = ({ platformOrderId, orderId, eleShopId, shopId }: Order) =>
  ({ platform: ELE_PLATFORM_NAME, orderNo: platformOrderId!, orderId, thereId: eleShopId!, shopId: shopId! }) as const

/**
 * Requests an action from the platform and returns its id. The outcome shows in the order and in the list of actions.
 */
async function requestAction(
  order: Order,
  { db }: Call,
  kind: PlatformActionKind,
  more: More = {},
): Promise<{ id: string }> {
  const { orderId: _own, ...about } = orderRefOf(order)
  return { id: await requestPlatformAction(db, { ...about, ...more, kind }) }
}

export const eleOrderServer = serve(eleOrder, {
  actions: {
    confirm: (order, _input, call) => requestAction(order, call, 'confirm'),
    // Orders there are always paid, so cancelling one refunds all of it.
    cancel: (order, { reason, reasonCode }, call) => {
      const { orderId, ...about } = orderRefOf(order)
      const ask = { ...about, kind: 'cancel', reason, reasonCode } as const
      return refundOnPlatform(call, ask, { orderId, amount: order.userFee ?? 0 })
    },
    agreeRefund: (order, _input, call) => {
      const { orderId, ...about } = orderRefOf(order)
      const agreed = { ...about, kind: 'agreeRefund', refundNo: order.refundAsked! } as const
      return refundOnPlatform(call, agreed, { orderId, amount: order.userFee ?? 0 })
    },
    refuseRefund: (order, { reason }, call) =>
      requestAction(order, call, 'refuseRefund', { refundNo: order.refundAsked!, reason }),
    agreeReturn: (order, _input, call) => requestAction(order, call, 'agreeReturn', { refundNo: order.refundAsked! }),
    refuseReturn: (order, { reason }, call) =>
      requestAction(order, call, 'refuseReturn', { refundNo: order.refundAsked!, reason }),
    packed: (order, _input, call) => requestAction(order, call, 'packed'),
    sendOut: ({ orderId }, _input, call) => advanceShopDelivery(call, orderId, 'onWay'),
    arrived: ({ orderId }, _input, call) => advanceShopDelivery(call, orderId, 'arrived'),
  },
})

export const eleOrderDetailServer = serve(eleOrderDetail, {
  actions: {
    refund: async (line, input, call) => {
      const order = orderRefOf((await call.db.get(eleOrder, line.eleOrderId!))!)
      const action = await createPartialRefundAction(call.db, order, { ...line, code: line.platformSkuId }, input)
      return refundOnPlatform(call, action, { orderId: order.orderId, amount: (line.price ?? 0) * input.quantity })
    },
  },
})

import { refuseHandEdit } from '#kit/server/hand-edit.ts'
import { serve, type Call } from '#kit/server/room.ts'
import { tellChanged } from '#kit/server/submit-of.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { ORDER } from './dictionaries.ts'
import type { Order } from './refund.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

async function turn(order: Order, patch: Partial<Order>, call: Call): Promise<void> {
  tellChanged(call, shoppingOrder, [await call.db.update(shoppingOrder, order.id, patch)])
  call.db.tell('home.changed', {}, { limits: { shop: order.shopId! } })
}

export const shoppingOrderServer = serve(shoppingOrder, {
  handEdit: true,
  beforeSave: (_draft, was, call) => refuseHandEdit(shoppingOrder, was, call.body),
  actions: {
    finish: (order, _input, call) =>
      turn(order, { status: ORDER.finished, finishTime: shanghaiText(call.services.now()) }, call),
    cancel: (order, input, call) =>
      turn(order, { status: ORDER.cancelled, cancelReason: input.cancelReason }, call),
  },
})

export const shoppingOrderDetailServer = serve(shoppingOrderDetail, {
  handEdit: true,
  beforeSave: (_draft, was, call) => refuseHandEdit(shoppingOrderDetail, was, call.body),
})

import { formatDecimal } from '#kit/fields/field-kind.ts'
import { refuseHandEdit } from '#kit/server/hand-edit.ts'
import { serve, type Call } from '#kit/server/room.ts'
import { tellChanged } from '#kit/server/submit-of.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { ORDER, type Benefit } from './dictionaries.ts'
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

/** Parts of a discount as the wire carries money. */
export const benefitsWire = (line: { benefits: unknown }) =>
  ((line.benefits as Benefit[] | null) ?? []).map((one) => ({ ...one, refId: one.refId ?? '', amount: formatDecimal(one.amount, 2) }))

export const shoppingOrderDetailServer = serve(shoppingOrderDetail, {
  handEdit: true,
  present: (wire, lines) => {
    for (const [at, line] of lines.entries()) wire[at]!.benefits = benefitsWire(line)
  },
  beforeSave: (_draft, was, call) => refuseHandEdit(shoppingOrderDetail, was, call.body),
})

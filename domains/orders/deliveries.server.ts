import type { RowOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { refuseHandEdit } from '#kit/server/resource/hand-edit.ts'
import { Refused } from '#kit/server/refused.ts'
import { serve, type Call } from '#kit/server/room.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { seenIn } from '#domains/members/doors.ts'
import { isGoingBack } from './close-order.ts'
import { DELIVERY, ORDER } from './dictionaries.ts'
import { deliveryAddress } from './delivery-address.resource.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { openDelivery } from './open-delivery.ts'
import { finishOrder } from './orders.server.ts'
import type { Order } from './refund.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Delivery = RowOf<typeof deliveryInfo>

/** Whoever is limited to shops sees the addresses of their customers alone. */
export const deliveryAddressServer = serve(deliveryAddress, {
  where: (call) => seenIn(call, sql`r.wx_user_id`),
})

const now = (call: Call) => shanghaiText(call.services.now())

/** The order of a delivery, locked after it; refuses when it is not to be brought any more. */
async function orderOf(delivery: Delivery, { db }: Call): Promise<Order> {
  const order = (await db.get(shoppingOrder, delivery.orderId!, 'lock'))!
  const isOpen = (order.status === ORDER.paid || order.status === ORDER.partlyRefunded) && !order.finishTime
  if (!isOpen || (await isGoingBack(db, order))) throw new Refused('order_going_back')
  return order
}

async function turn(call: Call, delivery: Delivery, patch: Partial<Delivery>): Promise<void> {
  publishChanged(call, deliveryInfo, [await call.db.update(deliveryInfo, delivery.id, patch)])
}

export const deliveryInfoServer = serve(deliveryInfo, {
  handEdit: true,
  beforeSave: (_draft, was) => refuseHandEdit(deliveryInfo, was),
  present: (wire, _rows, { lang }) => presentSystemWords(wire, 'failReason', lang),
  actions: {
    accept: async (delivery, { riderName, riderPhone }, call) => {
      await orderOf(delivery, call)
      await turn(call, delivery, {
        status: DELIVERY.accepted,
        acceptTime: now(call),
        riderName: riderName ?? call.caller.name,
        riderPhone,
      })
    },
    pickUp: async (delivery, _input, call) => {
      await orderOf(delivery, call)
      await turn(call, delivery, { status: DELIVERY.pickedUp, pickTime: now(call) })
    },
    deliver: async (delivery, { pictures }, call) => {
      await turn(call, delivery, { status: DELIVERY.delivered, finishTime: now(call), pictures })
      await finishOrder(await orderOf(delivery, call), call)
    },
    fail: (delivery, { failReason }, call) => turn(call, delivery, { status: DELIVERY.failed, failReason }),
    again: async (delivery, _input, call) => {
      const next = await openDelivery(call.db, await orderOf(delivery, call))
      return { id: next.id }
    },
    // A number is shown to who brings the goods, and the operation log says to whom.
    contact: async ({ name, phone, address }) => ({ name, phone, address }),
  },
})

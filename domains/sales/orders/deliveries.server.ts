import type { RowOf, UpdateOf } from '#kit/resource/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { personalOpeningsSlot } from '#kit/server/resource/open-personal.ts'
import { translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { visibleCustomersSql } from '#domains/sales/customers/api.ts'
import { isWholeOrderRefundedOrPending } from './close-order.ts'
import { DELIVERY_STATE, ORDER_STATE } from './dictionaries.ts'
import { deliveryAddress } from './delivery-address.resource.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { deliveryAdvancedSlot } from './delivery-turned.ts'
import { openDelivery } from './open-delivery.ts'
import { finishOrder } from './orders.server.ts'
import type { Order } from './refund.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

type Delivery = RowOf<typeof deliveryInfo>

const TO_BRING = defineSystemText({ zh: '联系顾客送货', en: 'Contact for delivery' })

/** Callers limited to shops see only addresses of customers of these. */
export const deliveryAddressServer = serve(deliveryAddress, {
  where: (call) => visibleCustomersSql(call, sql`r.wx_user_id`),
})

const now = (call: Call) => formatShanghaiTime(call.services.now())

/**
 * Locks and returns the order of a delivery, after the delivery itself. Refuses when it is no longer to be delivered.
 */
async function orderOf(delivery: Delivery, { db }: Call): Promise<Order> {
  const order = (await db.get(shoppingOrder, delivery.orderId!, 'forUpdate'))!
  const isOpen = (order.status === ORDER_STATE.paid || order.status === ORDER_STATE.partlyRefunded) && !order.finishTime
  if (!isOpen || (await isWholeOrderRefundedOrPending(db, order))) throw new Refused('order_going_back')
  return order
}

async function moveDelivery(
  call: Call,
  { id }: Delivery,
  move: 'accept' | 'pickUp' | 'leaveShop' | 'deliver' | 'fail',
  patch: UpdateOf<typeof deliveryInfo>,
): Promise<void> {
  const row = await requireTransition(call, deliveryInfo, id, move, patch)
  await call.services.slots.find(deliveryAdvancedSlot)?.(call.db, row)
}

/** Columns of a delivery that is under way; also sets the rider if nobody accepted it before. */
const pickedUp = (call: Call, { riderName, acceptTime }: Delivery) => ({
  pickTime: now(call),
  acceptTime: acceptTime ?? now(call),
  riderName: riderName ?? call.caller.name,
})

async function deliver(call: Call, delivery: Delivery, pictures?: Delivery['pictures']): Promise<void> {
  await moveDelivery(call, delivery, 'deliver', {
    finishTime: now(call),
    ...(pictures && { pictures }),
  })
  await finishOrder(await orderOf(delivery, call), call)
}

/** Moves a delivery by the shop's own staff to under way or delivered. Refuses when the order has none that is open. */
export async function advanceShopDelivery(call: Call, orderId: string | null, to: 'onWay' | 'arrived'): Promise<void> {
  const [delivery] = await call.db.find(
    deliveryInfo,
    sql`r.order_id = ${orderId} and r.carrier = 'self'
      and r.status in (${DELIVERY_STATE.waiting}, ${DELIVERY_STATE.accepted}, ${DELIVERY_STATE.pickedUp})`,
    sql`order by r.id for update`,
  )
  if (!delivery) throw new Refused('delivery_not_own')
  await orderOf(delivery, call)
  const isPickedUp = delivery.status === DELIVERY_STATE.pickedUp
  if (!isPickedUp) await moveDelivery(call, delivery, 'leaveShop', pickedUp(call, delivery))
  if (to === 'arrived') await deliver(call, delivery)
}

export const deliveryInfoServer = serve(deliveryInfo, {
  allowManualEdit: true,
  beforeSave: (_draft, was) => rejectManualCreate(deliveryInfo, was),
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'failReason', lang),
  actions: {
    accept: async (delivery, { riderName, riderPhone }, call) => {
      await orderOf(delivery, call)
      await moveDelivery(call, delivery, 'accept', {
        acceptTime: now(call),
        riderName: riderName ?? call.caller.name,
        riderPhone,
      })
    },
    pickUp: async (delivery, _input, call) => {
      await orderOf(delivery, call)
      await moveDelivery(call, delivery, 'pickUp', pickedUp(call, delivery))
    },
    deliver: (delivery, { pictures }, call) => deliver(call, delivery, pictures),
    fail: (delivery, { failReason }, call) => moveDelivery(call, delivery, 'fail', { failReason }),
    again: async (delivery, _input, call) => {
      const next = await openDelivery(call.db, await orderOf(delivery, call))
      return { id: next.id }
    },
    // Shows name and phone to whoever delivers. That is the reason recorded with the access, as for all personal data.
    contact: async ({ id, shopId, name, phone, address }, _input, call) => {
      const fields = ['name', 'phone']
      const owners = { shop: shopId ? [shopId] : [] }
      const opening = { family: deliveryInfo.name, rowId: id, title: address ?? '', fields, reason: TO_BRING, owners }
      await call.services.slots.find(personalOpeningsSlot)?.note(call.db, call, opening)
      return { name, phone, address }
    },
  },
})

import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { DELIVERY_STATE } from './dictionaries.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import type { DeliverTo } from './place-order.ts'
import type { shoppingOrder } from './shopping-order.resource.ts'

type Brought = Pick<RowOf<typeof shoppingOrder>, 'id' | 'shopId' | 'wxUserId' | 'freight'> & { deliverTo: unknown }

/**
 * Creates the delivery of an order. Refuses while another one is open or delivered. The caller has locked the order.
 */
export async function openDelivery(db: Db, order: Brought): Promise<RowOf<typeof deliveryInfo>> {
  const to = order.deliverTo as DeliverTo | null
  if (!to) throw new Refused('delivery_missing')
  const open = await db.one(
    sql`select 1 from delivery_info where tenant_id = ${db.tenantId} and order_id = ${order.id}
      and status <> ${DELIVERY_STATE.failed}`,
  )
  if (open) throw new Refused('delivery_open')
  const row = await db.insert(deliveryInfo, {
    orderId: order.id,
    shopId: order.shopId,
    wxUserId: order.wxUserId,
    status: DELIVERY_STATE.waiting,
    carrier: to.carrier ?? 'self',
    name: to.name,
    phone: to.phone,
    address: to.address,
    longitude: to.longitude ?? null,
    latitude: to.latitude ?? null,
    distance: to.distance ?? null,
    expectTime: to.expectTime ?? null,
    fee: to.fee ?? order.freight ?? 0,
  })
  publishRowsChanged({ db }, deliveryInfo, [row])
  return row
}

import { sql, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { DELIVERY_STATE, type deliveryInfo } from '#domains/sales/orders/index.ts'
import { deliveryAdvancedSlot } from '#domains/sales/orders/api.ts'
import { requestPlatformAction } from './actions.ts'
import { platformsOf, type Platform, type DeliveryStep, type PlatformRow } from './platform.ts'

type Delivery = RowOf<typeof deliveryInfo>

const KINDS: Readonly<Record<number, DeliveryStep>> = {
  [DELIVERY_STATE.accepted]: 'rider',
  [DELIVERY_STATE.pickedUp]: 'sendOut',
  [DELIVERY_STATE.delivered]: 'arrived',
  [DELIVERY_STATE.failed]: 'rideFailed',
}

/** Reports each step of a delivery by the shop's own staff to the platform that sold the order, once per step. */
async function sendDeliveryUpdate(services: Services, db: Db, delivery: Delivery): Promise<void> {
  const { id, orderId, status, carrier, shopId } = delivery
  const kind = KINDS[status!]
  if (carrier !== 'self' || !kind) return
  for (const platform of platformsOf(services)) {
    const platformOrder = await findPlatformOrder(db, platform, orderId)
    if (!platformOrder || !platform.order.deliverySteps.includes(kind)) continue
    await requestPlatformAction(db, {
      platform: platform.name,
      kind,
      orderNo: platformOrder.platformOrderId as string,
      thereId: platformOrder[platform.shopKey] as string,
      shopId: shopId!,
      refundNo: id,
      reason: delivery.failReason ?? '',
      rider: { name: delivery.riderName ?? '', phone: delivery.riderPhone ?? '' },
    })
  }
}

async function findPlatformOrder(db: Db, platform: Platform, orderId: string | null): Promise<PlatformRow | undefined> {
  const [row] = (await db.find(platform.order.resource, sql`r.order_id = ${orderId}`)) as PlatformRow[]
  return row
}

/** At startup: reports every delivery that moves on. */
export const registerDeliveryUpdates = (services: Services): void =>
  services.slots.fill(deliveryAdvancedSlot, (db, delivery) => sendDeliveryUpdate(services, db, delivery))

import type { Call } from '#kit/server/room.ts'
import { invalidField } from '#kit/server/room.ts'
import type { Field } from '#kit/fields/field-kind.ts'

/** The shop an office deed is booked in: whoever is limited to shops names one of his own, or has only one. */
export function bookingShop(call: Call, shopId: string | null, fields: Record<string, Field>): string | null {
  const own = call.caller.limits.shop
  if (!own) return shopId
  const shop = shopId ?? (own.length === 1 ? own[0]! : null)
  if (!shop) throw invalidField({ fields }, 'shopId', 'required')
  if (!own.includes(shop)) throw invalidField({ fields }, 'shopId', 'not_found')
  return shop
}

import type { Field } from '#kit/fields/field-kind.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField, type Call } from '#kit/server/room.ts'
import { wxUser } from './wx-user.resource.ts'

/** The shop an office deed is booked in: whoever is limited to shops names one of his own, or has only one. */
export async function bookingShop(call: Call, shopId: string | null, fields: Record<string, Field>): Promise<string | null> {
  const own = call.caller.limits.shop
  const shop = shopId ?? (own?.length === 1 ? own[0]! : null)
  if (!shop) {
    if (own) throw invalidField({ fields }, 'shopId', 'required')
    return null
  }
  const known = await call.db.one(
    sql`select 1 from basic_shop_info where id = ${shop} and tenant_id = ${call.db.tenantId} and is_deleted = 0`,
  )
  if (!known || (own && !own.includes(shop))) throw invalidField({ fields }, 'shopId', 'not_found')
  return shop
}

/** Refuses a customer whom the caller does not see: one who has never been in any of his shops. */
export async function requireCustomer(call: Call, wxUserId: string): Promise<void> {
  const own = call.caller.limits.shop
  if (!own) return
  const seen = await call.db.one(
    sql`select 1 from wx_user_shop where tenant_id = ${call.db.tenantId} and wx_user_id = ${wxUserId} and shop_id = any(${own as string[]}::bigint[])`,
  )
  if (!seen) throw new Refused('not_found', { label: wxUser.label })
}

/** From now on the people of a shop see this customer. */
export const becomesCustomerOf = (db: Db, wxUserId: string, shopId: string): Promise<number> =>
  db.run(sql`insert into wx_user_shop (tenant_id, shop_id, wx_user_id) values (${db.tenantId}, ${shopId}, ${wxUserId}) on conflict do nothing`)

import type { Field } from '#kit/fields/base/field-kind.ts'
import { empty, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { invalidFieldRefusal, type Call } from '#kit/server/module/module.ts'

/**
 * Returns the shop an office action is booked in, null for none. A caller limited to shops must name one of their own;
 * with only one, that is the default. Refuses other shops.
 */
export async function resolveBookingShopId(
  call: Call,
  shopId: string | null,
  fields: Record<string, Field>,
): Promise<string | null> {
  const own = call.caller.limits.shop
  const shop = shopId ?? (own?.length === 1 ? own[0]! : null)
  if (!shop) {
    if (own) throw invalidFieldRefusal({ fields }, 'shopId', 'required')
    return null
  }
  const known = await call.db.one(
    sql`select 1 from basic_shop_info where id = ${shop} and tenant_id = ${call.db.tenantId} and is_deleted = 0`,
  )
  if (!known || (own && !own.includes(shop))) throw invalidFieldRefusal({ fields }, 'shopId', 'not_found')
  return shop
}

/**
 * SQL condition on rows `r`: customers the caller may see, where column `customer` holds the customer's id. A caller
 * limited to shops sees only customers of those shops.
 */
export const visibleCustomersSql = ({ caller }: Pick<Call, 'caller'>, customer: Sql): Sql =>
  caller.limits.shop
    ? sql` and exists (select 1 from wx_user_shop c where c.tenant_id = r.tenant_id and c.wx_user_id = ${customer}
      and c.shop_id = any(${caller.limits.shop}::bigint[]))`
    : empty

/** Adds a customer to a shop, so that staff limited to that shop see them. No effect when already there. */
export const addCustomerToShop = (db: Db, wxUserId: string, shopId: string): Promise<number> =>
  db.run(
    sql`insert into wx_user_shop (tenant_id, shop_id, wx_user_id) values (${db.tenantId}, ${shopId}, ${wxUserId})
      on conflict do nothing`,
  )

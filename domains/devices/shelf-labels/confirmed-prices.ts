import { sql, type Db } from '#kit/server/database/db.ts'

/**
 * Returns the lowest price that tags are confirmed to show, by goods. Only in shops with the setting that nobody is
 * charged more than that, and without goods that have no confirmed tag.
 */
export async function findConfirmedTagPrices(
  db: Db,
  shopId: string,
  goodIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ goodId: string; price: number }>(
    sql`select t.good_id, min(t.shown_price) as price from price_tag t
      join shop_conf c on c.tenant_id = t.tenant_id and c.shop_id = t.shop_id and c.is_deleted = 0
      where t.tenant_id = ${db.tenantId} and t.shop_id = ${shopId} and t.good_id = any(${[...goodIds]}::bigint[])
      and t.is_deleted = 0 and t.shown_price is not null and c.charge_confirmed_tag group by t.good_id`,
  )
  return new Map(rows.map(({ goodId, price }) => [goodId, price]))
}

import { sql, type Db } from '#kit/server/database/db.ts'
import { extend } from '#kit/server/room.ts'
import { goodInfo } from '#domains/goods/index.ts'
import { collectedAt, pushLater } from './push-later.ts'
import { TAG } from './dictionaries.ts'

/** What a tag shows of some goods. */
const SHOWN = ['salePrice', 'vipPrice', 'name', 'spec', 'unit', 'upc'] as const

/**
 * Every tag of these goods waits for what it should show now. In the transaction that changes it, with the goods
 * locked: whoever binds a tag locks the goods as well, so none is left with the old price. Answers how many.
 */
export async function queueTags(db: Db, goodIds: readonly string[], now: Date): Promise<number> {
  const queued = await db.query<{ id: string; shopId: string }>(
    sql`update price_tag t set
        status = case when t.status = ${TAG.lost} then ${TAG.lost}::int else ${TAG.waiting}::int end,
      wanted_price = g.sale_price, upc = g.upc, wanted_time = ${now.toISOString()}, tries = 0,
      next_time = ${collectedAt(now).toISOString()}, update_time = now(), update_user = ${db.userId},
      version = t.version + 1
      from good_info g where g.id = t.good_id and g.tenant_id = t.tenant_id and t.tenant_id = ${db.tenantId}
      and t.good_id = any(${goodIds}::bigint[]) and t.is_deleted = 0 returning t.id, t.shop_id`,
  )
  for (const shop of new Set(queued.map((one) => one.shopId)))
    db.publish(
      'priceTag.changed',
      {
        ids: queued
          .filter((one) => one.shopId === shop)
          .map((one) => one.id)
          .slice(0, 100),
      },
      { permission: 'priceTag', limits: { shop } },
    )
  if (queued.length) await pushLater(db, collectedAt(now))
  return queued.length
}

/** Tags follow the goods they show. */
export const goodTags = extend(goodInfo, {
  afterSave: async (row, was, { db, services }) => {
    if (was && SHOWN.some((key) => was[key] !== row[key])) await queueTags(db, [row.id], services.now())
  },
  // A tag of goods that are gone shows nothing any more.
  afterRemove: async (rows, { db }) => {
    await db.run(
      sql`update price_tag set status = ${TAG.unbound}, good_id = null, upc = null, wanted_price = null,
        wanted_time = null, next_time = null, command_id = null, update_time = now(), version = version + 1
        where tenant_id = ${db.tenantId} and good_id = any(${rows.map((row) => row.id)}::bigint[]) and is_deleted = 0`,
    )
  },
})

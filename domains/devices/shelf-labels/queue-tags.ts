import type { Sql } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { nextTagPushTime, enqueueTagPush } from './push-later.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

/** Queues an update of the bound tags that match. A lost tag stays lost until it is heard again. Returns how many. */
export async function queueMatchingTags(db: Db, where: Sql, now: Date): Promise<number> {
  const queued = await db.query<{ id: string; shopId: string }>(
    sql`update price_tag t set
        status = case when t.status = ${PRICE_TAG_STATE.lost} then ${PRICE_TAG_STATE.lost}::int
          else ${PRICE_TAG_STATE.waiting}::int end,
      wanted_price = g.sale_price, upc = g.upc, wanted_time = ${now.toISOString()}, tries = 0,
      next_time = ${nextTagPushTime(now).toISOString()}, update_time = now(), update_user = ${db.userId},
      version = t.version + 1
      from good_info g where g.id = t.good_id and g.tenant_id = t.tenant_id and t.tenant_id = ${db.tenantId}
      and t.is_deleted = 0 and ${where} returning t.id, t.shop_id`,
  )
  for (const shop of new Set(queued.map((one) => one.shopId)))
    db.publish(
      changedTopicOf('priceTag'),
      {
        ids: queued
          .filter((one) => one.shopId === shop)
          .map((one) => one.id)
          .slice(0, 100),
      },
      { permission: 'priceTag', limits: { shop } },
    )
  if (queued.length) await enqueueTagPush(db, nextTagPushTime(now))
  return queued.length
}

/**
 * Queues an update of all tags of these goods. Call it in the transaction that changes the goods, with the goods
 * locked: binding locks them too, so no tag is left with the old price. Returns how many.
 */
export const queueTagsOfGoods = (db: Db, goodIds: readonly string[], now: Date): Promise<number> =>
  queueMatchingTags(db, sql`t.good_id = any(${[...goodIds]}::bigint[])`, now)

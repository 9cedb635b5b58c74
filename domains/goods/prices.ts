import { sql, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { TAG } from './dictionaries.ts'
import type { goodInfo } from './good-info.resource.ts'
import { goodPriceLog } from './good-price-log.resource.ts'

type Goods = RowOf<typeof goodInfo>

const PRICES = ['salePrice', 'vipPrice', 'costPrice'] as const
/** What a tag shows of some goods. */
const SHOWN = ['salePrice', 'vipPrice', 'name', 'spec', 'unit', 'upc'] as const

/** Writes what goods cost from now on, when that changed; `was` absent for goods that are new. */
export async function notePrices(db: Db, was: Goods | undefined, row: Goods | string): Promise<void> {
  const now =
    typeof row === 'string'
      ? (await db.one<Goods>(
          sql`select id, shop_id, upc, sale_price, vip_price,
            cost_price from good_info where id = ${row} and tenant_id = ${db.tenantId}`,
        ))!
      : row
  if (was && PRICES.every((key) => was[key] === now[key])) return
  await db.insert(goodPriceLog, {
    shopId: now.shopId,
    goodId: now.id,
    upc: now.upc,
    oldPrice: was?.salePrice ?? null,
    newPrice: now.salePrice,
    oldVipPrice: was?.vipPrice ?? null,
    newVipPrice: now.vipPrice,
    oldCostPrice: was?.costPrice ?? null,
    newCostPrice: now.costPrice,
    operator: db.userId === '0' ? null : db.userId,
  })
}

/**
 * Every tag of these goods waits for what it should show now. In the transaction that changes it, with the goods
 * locked: whoever binds a tag locks the goods as well, so none is left with the old price. Answers how many.
 */
export async function queueTags(db: Db, goodIds: readonly string[]): Promise<number> {
  const queued = await db.query<{ id: string; shopId: string }>(
    sql`update price_tag t set status = ${TAG.waiting}, wanted_price = g.sale_price, upc = g.upc, wanted_time = now(),
      update_time = now(), update_user = ${db.userId}, version = t.version + 1
      from good_info g where g.id = t.good_id and g.tenant_id = t.tenant_id and t.tenant_id = ${db.tenantId}
      and t.good_id = any(${goodIds}::bigint[]) and t.is_deleted = 0 returning t.id, t.shop_id`,
  )
  for (const shop of new Set(queued.map((one) => one.shopId)))
    db.tell(
      'priceTag.changed',
      {
        ids: queued
          .filter((one) => one.shopId === shop)
          .map((one) => one.id)
          .slice(0, 100),
      },
      { permission: 'priceTag', limits: { shop } },
    )
  return queued.length
}

/** After goods were saved: their price history, and their tags when these show something else now. */
export async function followPrices(db: Db, was: Goods | undefined, row: Goods): Promise<void> {
  await notePrices(db, was, row)
  if (was && SHOWN.some((key) => was[key] !== row[key])) await queueTags(db, [row.id])
}

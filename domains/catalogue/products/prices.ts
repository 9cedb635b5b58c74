import { sql, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { goodInfo } from './good-info.resource.ts'
import { goodPriceLog } from './good-price-log.resource.ts'

const PRICES = ['salePrice', 'vipPrice', 'costPrice'] as const

type PricedGoods = Pick<RowOf<typeof goodInfo>, 'id' | 'shopId' | 'upc' | (typeof PRICES)[number]>

/** Logs the prices of a product if they changed; `was` is undefined for a new product, `row` may be its id. */
export async function recordPriceChange(
  db: Db,
  was: PricedGoods | undefined,
  row: PricedGoods | string,
): Promise<void> {
  const now =
    typeof row === 'string'
      ? (await db.one<PricedGoods>(
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

import { normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { TagPromotion } from '#domains/devices/shelf-labels/api.ts'
import { parseCampaignRule, campaignPromiseText } from './campaign-rules.ts'
import { discountConf } from './discount-conf.resource.ts'
import { findGoodsByUpc, runningCampaignSql, toGoodsScope, type Campaign } from './offers.ts'
import { createScopeMatcher } from './match-basket.ts'

/** Returns the texts of the campaigns running in a shop by product, highest priority first. */
export async function findTagPromotions(
  db: Db,
  shopId: string,
  goodIds: readonly string[],
  now: Date,
): Promise<Map<string, TagPromotion[]>> {
  const running = await db.find(
    discountConf,
    runningCampaignSql(shopId, formatShanghaiTime(now)),
    sql`order by coalesce(r.priority, 0) desc, r.id`,
  )
  if (!running.length) return new Map()
  const upcs = await db.query<{ upc: string }>(
    sql`select upc from good_info where tenant_id = ${db.tenantId} and id = any(${[...goodIds]}::bigint[])`,
  )
  const goods = await findGoodsByUpc(
    db,
    shopId,
    upcs.map(({ upc }) => upc),
  )
  const all = running.map((row) => ({
    isMeant: createScopeMatcher(toGoodsScope(row)),
    said: { id: row.id, text: textOf(row) },
  }))
  return new Map(
    goods.map((good) => [good.id, all.filter(({ isMeant }) => isMeant(labelled(good))).map(({ said }) => said)]),
  )
}

/** A product with its barcode normalised, as scopes compare it. */
const labelled = <T extends { upc: string }>(good: T): T => ({ ...good, upc: normalizeBarcode(good.upc) })

/** Always Chinese, because the tags are in shops in China. */
const textOf = (row: Campaign): string => {
  const rule = parseCampaignRule(row.type, row.rules)
  const promise = rule ? campaignPromiseText(rule).zh : row.name
  return row.membersOnly ? `会员 ${promise}` : promise
}

/** Returns the products with tags, in the shops of a campaign, to which it applies. */
export async function findTaggedGoodsOfCampaign(db: Db, row: Campaign): Promise<string[]> {
  const tagged = await db.query<{ shopId: string; goodId: string; upc: string }>(
    sql`select distinct t.shop_id, t.good_id, g.upc from price_tag t
      join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
      where t.tenant_id = ${db.tenantId} and t.is_deleted = 0
      and (${!row.shopIds?.length} or t.shop_id = any(${row.shopIds ?? []}::bigint[]))`,
  )
  const meant: string[] = []
  const isMeant = createScopeMatcher(toGoodsScope(row))
  for (const [shopId, tags] of Map.groupBy(tagged, (tag) => tag.shopId)) {
    const goods = await findGoodsByUpc(
      db,
      shopId,
      tags.map(({ upc }) => upc),
    )
    for (const good of goods) if (isMeant(labelled(good))) meant.push(good.id)
  }
  return meant
}

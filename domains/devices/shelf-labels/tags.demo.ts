import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { priceTag } from './price-tag.resource.ts'
import { queueTagsOfGoods } from './queue-tags.ts'
import { tagAccount } from './tag-account.resource.ts'
import { DEFAULT_TAG_SIZE } from './tag-templates.ts'

/** A simulated provider: its address and credentials, which change with every start of the demo, and its tags. */
export type DemoEslProvider = {
  brand: 'openEPaperLink' | 'cloudEsl'
  name: string
  endpoint: string
  user?: string
  secret?: string
  tagIds: readonly string[]
}

/**
 * Connects each simulated provider to one of the tenant's open shops, the last ones, and queues their tags: restarted
 * simulators show nothing.
 */
export async function seedEslProviders(
  db: Db,
  services: Services,
  carriers: readonly DemoEslProvider[],
): Promise<void> {
  const shops = await db.find(basicShopInfo, sql`r.status = 1`, sql`order by r.shop_code desc, r.id limit 20`)
  const goodIds: string[] = []
  for (const [at, carrier] of carriers.entries()) {
    const shop = shops[at % Math.max(1, shops.length)]
    if (shop) goodIds.push(...(await connect(db, services, shop.id, carrier)))
  }
  await queueTagsOfGoods(db, goodIds, services.now())
}

async function connect(
  db: Db,
  services: Services,
  shopId: string,
  { brand, secret, tagIds, ...account }: DemoEslProvider,
): Promise<string[]> {
  const [was] = await db.find(tagAccount, sql`r.brand = ${brand} and r.name = ${account.name}`)
  const draft = {
    ...account,
    secretKey: secret ? secretCipherOf(services).seal(secret) : null,
    storeNo: brand === 'cloudEsl' ? `S-${db.tenantId}` : null,
    mayBeInside: true,
    accessToken: null,
    enabled: true,
  }
  const row = was
    ? await db.update(tagAccount, was.id, draft)
    : await db.insert(tagAccount, { ...draft, brand, shopId, state: 'unknown' })
  const goods = await db.find(
    goodInfo,
    sql`r.shop_id = ${row.shopId} and r.on_sale`,
    sql`order by r.id desc limit ${tagIds.length}::int`,
  )
  const known = await db.find(priceTag, sql`r.account_id = ${row.id}`)
  for (const [at, tagId] of tagIds.entries()) {
    const good = goods[at]
    if (!good || known.some((one) => one.tagId === tagId)) continue
    const { id: goodId, upc } = good
    const bound = { shopId: row.shopId, accountId: row.id, goodId, upc, status: PRICE_TAG_STATE.waiting }
    await db.insert(priceTag, { ...bound, tagId, template: 'standard', model: DEFAULT_TAG_SIZE })
  }
  await db.run(sql`update price_tag set shown_hash = null, carrier_mark = null where tenant_id = ${db.tenantId}
    and account_id = ${row.id}`)
  return [...goods.map(({ id }) => id), ...known.flatMap(({ goodId }) => goodId ?? [])]
}

import { sameBarcodeSql } from '#domains/catalogue/products/api.ts'
import { parseYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import {
  processEachRow,
  isSkippedRowsNote,
  skippedRowsNote,
  invalidValueError,
  UNREADABLE_ROW_TEXT,
} from '#kit/server/database/each-alone.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  findPlatformAccount,
  resolveDifferencesNotFound,
  recordDifferences,
  enqueueSync,
  type PlatformDifference,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { createMeituanShopClient, type MeituanShopClient } from './connection.ts'
import { refreshMeituanGoodsReviews, refreshMeituanShopStatus } from './audits.ts'
import { codeOf, requireCode } from './good-code.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const compareMeituanShopQueue = defineQueue<{ id: string }>('meituan.compare')
const PAGE = 200

type ListedProduct = { code: string; upc: string; name: string; cents: number; stock: number; soldOut: number }

export const enqueueMeituanComparison = (db: Db, id: string): Promise<void> =>
  db.enqueue(compareMeituanShopQueue, { id }, { key: id })

/** Compares a shop at the platform with ours. Differences are recorded and synced again. */
export const compareMeituanShopJob = defineModuleJob({
  queue: compareMeituanShopQueue,
  run: async ({ id }, { tenantId, services }) => {
    const { shop, account } = await services.unit({ tenantId }, async (db) => ({
      shop: (await db.get(meituanShopInfo, id)) as PlatformRow | undefined,
      account: await findPlatformAccount(db, services, 'meituan'),
    }))
    if (!shop || !account) return
    const connection = createMeituanShopClient(services, account, shop)
    await refreshMeituanShopStatus(services, tenantId, connection)
    await refreshMeituanGoodsReviews(services, tenantId, connection)
    const begunAt = formatShanghaiTime(services.now())
    const { goods, unreadable } = await readListedProducts(services, connection)
    await services.unit({ tenantId }, async (db) => {
      await markUnreadable(db, shop, { goods, unreadable })
      await compareGoods(db, services, shop, { goods, begunAt })
    })
  },
})

/** A product that could not be read, with its code if it has one. */
type UnreadableProduct = { code: string; name: string; reason: string }

/**
 * Reads all products of a shop, each by itself, so that an unreadable one does not stop the comparison of the others.
 */
async function readListedProducts(
  { log }: Pick<Services, 'log'>,
  { calls, code: shopCode }: MeituanShopClient,
): Promise<{ goods: ListedProduct[]; unreadable: UnreadableProduct[] }> {
  const goods: ListedProduct[] = []
  const unreadable: UnreadableProduct[] = []
  for (let offset = 0; ; offset += PAGE) {
    const { data } = await calls.goods(shopCode, offset, PAGE)
    const page = data as Record<string, any>[]
    await processEachRow(page, {
      handle: (one) => void goods.push(readGood(one)),
      failed: (one, reason, err) => {
        log.warn({ err, shop: shopCode }, 'Goods at Meituan could not be read')
        unreadable.push({
          code: codeOf(one) ?? '',
          name: truncateText(typeof one?.name === 'string' ? one.name : '?', 40),
          reason,
        })
      },
    })
    if (page.length < PAGE) return { goods, unreadable }
  }
}

/** Reads the values to compare. Throws when one is invalid, with its name. */
function readGood(one: Record<string, any>): ListedProduct {
  const code = requireCode(one)
  const skus: unknown = (typeof one.skus === 'string' ? parseUntrustedJson(one.skus) : one.skus) ?? []
  if (!Array.isArray(skus)) throw invalidValueError('skus', skus)
  const sku = (skus[0] ?? {}) as Record<string, unknown>
  const price = sku.price ?? one.price ?? 0
  const cents = parseYuanToCents(price)
  if (cents === undefined || !Number.isSafeInteger(cents)) throw invalidValueError('price', price)
  const whole = (key: string, value: unknown) => {
    const number = value === '' ? 0 : Number(value ?? 0)
    if (typeof value === 'object' || Math.abs(number) > INT_MAX || !Number.isInteger(number))
      throw invalidValueError(key, value)
    return number
  }
  return {
    code,
    upc: typeof sku.upc === 'string' || typeof sku.upc === 'number' ? String(sku.upc) : '',
    name: String(one.name ?? ''),
    cents,
    stock: whole('stock', sku.stock ?? undefined),
    soldOut: whole('is_sold_out', one.is_sold_out ?? undefined),
  }
}

const INT_MAX = 2_147_483_647

/**
 * Marks unreadable products with the reason; they count neither as gone nor as changed. Readable again, they are in
 * sync.
 */
async function markUnreadable(
  db: Db,
  shop: PlatformRow,
  { goods, unreadable }: { goods: readonly ListedProduct[]; unreadable: readonly UnreadableProduct[] },
) {
  const mine = sql`tenant_id = ${db.tenantId} and meituan_shop_id = ${shop.id} and is_deleted = 0`
  await db.run(sql`update meituan_sku_info set sync_status = ${SYNC_STATE.done}, sync_error = null
    where ${mine} and sync_status = ${SYNC_STATE.failed} and starts_with(sync_error, ${UNREADABLE_ROW_TEXT})
      and platform_sku_id = any(${goods.map(({ code }) => code)})`)
  for (const { code, reason } of unreadable)
    if (code)
      await db.run(sql`update meituan_sku_info set sync_status = ${SYNC_STATE.failed}, sync_error = ${reason}
        where ${mine} and (platform_sku_id = ${code} or platform_sku_id is null and good_id::text = ${code})`)
  const note = skippedRowsNote(unreadable.map(({ name, code }) => (name === '?' ? code || name : name)))
  const was = (shop.syncError as string | null) ?? null
  if (note === was || (!note && !isSkippedRowsNote(was))) return
  await db.run(sql`update meituan_shop_info set sync_error = ${note} where tenant_id = ${db.tenantId}
    and id = ${shop.id} and sync_status = ${SYNC_STATE.done}`)
  publishRowsChanged({ db }, meituanShopInfo, [shop])
}

/**
 * Matches products to our rows by code, or by barcode where we have no code yet. Rows that differ lose their confirmed
 * values, so that all values are sent again.
 */
async function compareGoods(
  db: Db,
  services: Services,
  shop: PlatformRow,
  { goods, begunAt }: { goods: readonly ListedProduct[]; begunAt: string },
): Promise<void> {
  const goodsJson = JSON.stringify(goods)
  await db.run(sql`update meituan_sku_info s set platform_sku_id = t.code
    from jsonb_to_recordset(${goodsJson}::jsonb) as t(code text, upc text)
    where s.tenant_id = ${db.tenantId} and s.meituan_shop_id = ${shop.id} and s.is_deleted = 0
      and s.platform_sku_id is null and (t.code = s.good_id::text
        or t.upc <> '' and ${sameBarcodeSql(sql`t.upc`, sql`s.upc`)})`)
  await noteFound(db, services, shop, goods)
  await resolveDifferencesNotFound(db, shop.id, begunAt, services.now())
  const differ = await db.query<{ id: string; shopId: string }>(sql`
    update meituan_sku_info s set sync_status = ${SYNC_STATE.waiting}, sync_error = null, update_time = now()
    where s.tenant_id = ${db.tenantId} and s.meituan_shop_id = ${shop.id} and s.is_deleted = 0
      and s.sync_status = ${SYNC_STATE.done} and not exists (
        select 1 from jsonb_to_recordset(${goodsJson}::jsonb) as t(code text, cents bigint, stock int, "soldOut" int)
        where t.code = s.platform_sku_id and t.cents = s.sale_price and t.stock = s.stock
          and t."soldOut" = coalesce(s.status, 0))
    returning s.id, s.shop_id`)
  if (!differ.length) return
  await db.run(sql`update platform_step set told = null where tenant_id = ${db.tenantId}
    and row_id = any(${differ.map(({ id }) => id)}::bigint[])`)
  publishRowsChanged({ db }, meituanShopInfo, [shop])
  await enqueueSync(db, services.now())
}

type Compared = {
  id: string
  goodId: string
  name: string
  upc: string
  code: string
  price: number
  stock: number
  status: number
}

/** Records the differences of rows in sync: changed values, missing products, and products we do not know. */
async function noteFound(
  db: Db,
  services: Services,
  shop: PlatformRow,
  goods: readonly ListedProduct[],
): Promise<void> {
  const ours = await db.query<Compared>(sql`select id, good_id, name, coalesce(upc, '') as upc, platform_sku_id as code,
      sale_price as price, coalesce(stock, 0) as stock, coalesce(status, 0) as status from meituan_sku_info
    where tenant_id = ${db.tenantId} and meituan_shop_id = ${shop.id} and is_deleted = 0
      and platform_sku_id is not null and sync_status = ${SYNC_STATE.done}`)
  const known = await db.query<{ code: string }>(sql`select platform_sku_id as code from meituan_sku_info
    where tenant_id = ${db.tenantId} and meituan_shop_id = ${shop.id} and platform_sku_id is not null`)
  const codes = new Set(known.map(({ code }) => code))
  const byCode = new Map(goods.map((one) => [one.code, one]))
  const found = [
    ...ours.flatMap((one) => differencesOf(one, byCode.get(one.code))),
    ...goods.filter(({ code }) => !codes.has(code)).map(unknownHere),
  ]
  await recordDifferences(
    db,
    services,
    { platform: 'meituan', shopThere: shop.id, shopId: shop.shopId as string },
    found,
  )
}

const unknownHere = ({ code, name, upc }: ListedProduct): PlatformDifference => ({
  kind: 'unknown',
  rowKey: null,
  goodId: null,
  name,
  upc,
  ours: '',
  theirs: code,
})

function differencesOf(
  { id, goodId, name, upc, ...ours }: Compared,
  listed: ListedProduct | undefined,
): PlatformDifference[] {
  const about = { rowKey: id, goodId, name, upc }
  if (!listed) return [{ ...about, kind: 'missing', ours: ours.code, theirs: '' }]
  const pairs: [PlatformDifference['kind'], string, string][] = [
    ['price', formatYuan(ours.price), formatYuan(listed.cents)],
    ['stock', String(ours.stock), String(listed.stock)],
    ['onSale', ON_SALE[ours.status] ?? '', ON_SALE[listed.soldOut] ?? ''],
  ]
  return pairs.flatMap(([kind, here, theirs]) => (here === theirs ? [] : [{ ...about, kind, ours: here, theirs }]))
}

/** Texts by the platform's code: 0 on sale, 1 not on sale. */
const ON_SALE = ['✓', '✗']

import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import { processEachRow, invalidValueError } from '#kit/server/database/each-alone.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { storeWebhookEvent } from '#domains/platform/external-apis/api.ts'
import {
  resolveDifferencesNotFound,
  findLocalProduct,
  recordDifferences,
  computePlatformStock,
  readSnapshotStartTime,
  lockLocalShop,
  enqueueSync,
  type PlatformAccount,
  type PlatformDifference,
} from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { eleGoodType } from './ele-good-type.resource.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { eleSkuInfo } from './ele-sku-info.resource.ts'
import { createEleCaller, toEleShopRef } from './connection.ts'
import type { OrderBrief, Shelf, SkuFacts } from './ele-wire.ts'
import { saveEleShopStatus } from './shop-facts.ts'

type Shop = RowOf<typeof eleShopInfo>
/**
 * Result of a part: rows seen, different and unknown here, and where the next part begins (`next` absent: the step
 * ends). `failed` names the rows that could not be read or stored.
 */
type PullStepResult = { seen: number; different: number; unknown: number; next?: string; failed?: string[] }
/** Where a comparison continues in its step, and when it began. */
type PullCursor = { bookmark: string; begunAt: string }
/** A part that was read: `total` is the number of rows the step is known to have, `write` stores them. */
type Part = { total: number; write: (db: Db) => Promise<PullStepResult> }

const PAGE = 100
const ORDERS_SECONDS = 86_400
const WAITS = { syncStatus: SYNC_STATE.waiting, syncError: null }
const NOTHING: PullStepResult = { seen: 0, different: 0, unknown: 0 }

type Pull = (services: Services, account: PlatformAccount, shop: Shop, place: PullCursor) => Promise<Part>

const pullShop: Pull = async (services, account, shop) => {
  const begun = await services.unit({ tenantId: account.tenantId }, readSnapshotStartTime)
  const facts = await createEleCaller(services, account)('shop.get', toEleShopRef(shop))
  return {
    total: 1,
    write: async (db) => {
      await saveEleShopStatus(db, services, shop.id, { facts, begun })
      const platformShopId = String(facts.baidu_shop_id)
      if (platformShopId !== shop.platformShopId)
        publishRowsChanged({ db }, eleShopInfo, [await db.update(eleShopInfo, shop.id, { platformShopId })])
      return { ...NOTHING, seen: 1 }
    },
  }
}

const pullShelves: Pull = async (services, account, shop) => {
  const { categorys } = await createEleCaller(services, account)('sku.shop.category.get', toEleShopRef(shop))
  return {
    total: categorys.length,
    write: async (db) => {
      let different = 0
      const failed: string[] = []
      await processEachRow(categorys, {
        handle: async (shelf) => {
          if (await db.savepoint(() => alignShelf(db, services, shop, readShelf(shelf)))) different++
        },
        failed: (shelf, reason, err) => {
          services.log.warn({ err, shop: shop.id }, 'A type of goods at Ele could not be taken in')
          failed.push(`${nameOf(shelf)} (${reason})`)
        },
      })
      return { seen: categorys.length, different, unknown: 0, failed }
    },
  }
}

/** Name of an unreadable row, for the note users see. */
function nameOf(row: unknown): string {
  const { name, sku_id } = (row ?? {}) as Record<string, unknown>
  const text = [name, sku_id].find((one) => typeof one === 'string' && one !== '')
  return truncateText(typeof text === 'string' ? text : '?', 40)
}

function numberIn(row: Record<string, unknown>, key: string): number {
  const value = row[key]
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value)
  if (typeof value === 'object' || !Number.isSafeInteger(number)) throw invalidValueError(key, value)
  return number
}

function textIn(row: Record<string, unknown>, key: string): string {
  const value = row[key]
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidValueError(key, value)
  return String(value)
}

function readShelf(row: Shelf): Shelf {
  const { rank } = row
  const facts = row as unknown as Record<string, unknown>
  const number = rank === undefined || rank === null ? 1 : numberIn(facts, 'rank')
  return { ...row, category_id: textIn(facts, 'category_id'), name: textIn(facts, 'name'), rank: number }
}

/** Reads the values to compare. Throws when one is invalid, with its name. */
function readSku(row: SkuFacts): Sku {
  const facts = row as unknown as Record<string, unknown>
  const given = (key: 'custom_sku_id' | 'upc') => ((facts[key] ?? '') === '' ? '' : textIn(facts, key))
  return {
    ...row,
    sku_id: textIn(facts, 'sku_id'),
    custom: given('custom_sku_id'),
    upc: given('upc'),
    name: textIn(facts, 'name'),
    sale_price: numberIn(facts, 'sale_price'),
    left_num: numberIn(facts, 'left_num'),
    status: numberIn(facts, 'status'),
  }
}

type Sku = SkuFacts & { custom: string; upc: string }

/** Marks a product that could not be compared with the reason. It still counts as being at the platform. */
async function markUnreadable(
  db: Db,
  shop: Shop,
  row: unknown,
  { reason, syncTime }: { reason: string; syncTime: string },
) {
  const { sku_id, custom_sku_id } = (row ?? {}) as Record<string, unknown>
  const numbers = [sku_id, custom_sku_id].flatMap((one) =>
    ['string', 'number'].includes(typeof one) ? String(one) : [],
  )
  await db.run(sql`update ele_sku_info set sync_status = ${SYNC_STATE.failed},
    sync_error = ${truncateText(reason, 500)},
      sync_time = ${syncTime}
    where tenant_id = ${db.tenantId} and ele_shop_id = ${shop.id} and is_deleted = 0
      and (platform_sku_id = any(${numbers}) or good_id::text = any(${numbers}))`)
}

/** Aligns a category of the platform with our row, by its number or else its name. Returns whether they differ. */
async function alignShelf(db: Db, services: Services, shop: Shop, { category_id, name, rank = 1 }: Shelf) {
  const number = String(category_id)
  const synced = { syncStatus: SYNC_STATE.done, syncTime: formatShanghaiTime(services.now()), syncError: null }
  const [row] = await db.find(
    eleGoodType,
    sql`r.ele_shop_id = ${shop.id} and (r.platform_category_id = ${number}
      or r.platform_category_id is null and r.name = ${name})`,
    sql`order by r.platform_category_id is null, r.id limit 1`,
  )
  if (!row) {
    const facts = { name: name.slice(0, 50), rank: Math.max(1, Number(rank)), platformCategoryId: number }
    await db.insert(eleGoodType, { ...facts, ...synced, eleShopId: shop.id, shopId: shop.shopId })
    return false
  }
  const isSame = row.name === name && Number(rank) === row.rank
  await db.update(eleGoodType, row.id, { platformCategoryId: number, ...(isSame ? synced : WAITS) })
  if (!isSame) await clearConfirmedFields(db, [row.id])
  return !isSame
}

const pullGoods: Pull = async (services, account, shop, { bookmark, begunAt }) => {
  const page = Number(bookmark || 1)
  const { list, total } = await createEleCaller(services, account)('sku.list', {
    ...toEleShopRef(shop),
    page,
    pagesize: PAGE,
  })
  return {
    total: Number(total),
    write: async (db) => {
      const found = await alignSkus(db, services, shop, list)
      if (list.length === PAGE) return { ...found, next: `${page + 1}` }
      const missing = await markMissing(db, services, shop, begunAt)
      await resolveDifferencesNotFound(db, shop.id, begunAt, services.now())
      return { ...found, different: found.different + missing }
    },
  }
}

type ComparedSku = { id: string; goodId: string; name: string; upc: string | null }
const placeOf = (shop: Shop) => ({ platform: ELE_PLATFORM_NAME, shopThere: shop.id, shopId: shop.shopId }) as const
const aboutOf = ({ id, goodId, name, upc }: ComparedSku) => ({ rowKey: id, goodId, name, upc: upc ?? '' })

const unknownHere = ({ sku_id, name, upc }: SkuFacts): PlatformDifference => ({
  kind: 'unknown',
  rowKey: null,
  goodId: null,
  name,
  upc: upc ?? '',
  ours: '',
  theirs: sku_id,
})

function differencesOf(row: RowOf<typeof eleSkuInfo>, sku: SkuFacts): PlatformDifference[] {
  const pairs: [PlatformDifference['kind'], string, string][] = [
    ['name', row.name, sku.name],
    ['price', formatYuan(row.salePrice), formatYuan(Number(sku.sale_price))],
    ['stock', String(row.stock), String(Number(sku.left_num))],
    ['onSale', ON_SALE[row.status] ?? '', ON_SALE[Number(sku.status)] ?? ''],
  ]
  const about = aboutOf(row)
  return pairs.flatMap(([kind, ours, theirs]) => (ours === theirs ? [] : [{ ...about, kind, ours, theirs }]))
}

/** Texts by the platform's code: 0 not on sale, 1 on sale. */
const ON_SALE = ['✗', '✓']

/**
 * Aligns products of the platform with our rows. Products the shop does not have are left alone and counted as unknown.
 */
async function alignSkus(db: Db, services: Services, shop: Shop, list: readonly SkuFacts[]): Promise<PullStepResult> {
  const syncTime = formatShanghaiTime(services.now())
  const failed: string[] = []
  const noteFailed = async (sku: SkuFacts, reason: string, err: unknown) => {
    services.log.warn({ err, shop: shop.id }, 'Goods at Ele could not be compared')
    failed.push(nameOf(sku))
    await markUnreadable(db, shop, sku, { reason, syncTime })
  }

  const skus: Sku[] = []
  await processEachRow(list, { handle: (one) => void skus.push(readSku(one)), failed: noteFailed })
  const rows = await db.find(
    eleSkuInfo,
    sql`r.ele_shop_id = ${shop.id} and (r.platform_sku_id = any(${skus.map((one) => one.sku_id)})
      or r.good_id::text = any(${skus.map((one) => one.custom)}) or ${hasBarcodeSql(
        sql`r.upc`,
        skus.flatMap((one) => one.upc || []),
      )})`,
  )

  const found: PullStepResult = { seen: list.length, different: 0, unknown: 0, failed }
  const differ: string[] = []
  const noted: PlatformDifference[] = []
  const align = async (sku: Sku) => {
    const row =
      rows.find((one) => one.platformSkuId === sku.sku_id) ??
      rows.find((one) => one.goodId === sku.custom) ??
      rows.find((one) => !!one.upc && !!sku.upc && isSameBarcode(one.upc, sku.upc))
    if (!row) {
      const taken = await takeOver(db, shop, sku, syncTime)
      if (!taken) {
        found.unknown++
        noted.push(unknownHere(sku))
      }
      if (taken && !taken.isSame) found.different++
      return
    }
    const isSame =
      row.name === sku.name &&
      row.salePrice === sku.sale_price &&
      row.stock === sku.left_num &&
      row.status === sku.status
    // Does not increase `version`: sync columns are no user edit.
    await db.run(sql`update ele_sku_info set platform_sku_id = ${sku.sku_id}, sync_time = ${syncTime},
      sync_status = ${isSame ? SYNC_STATE.done : SYNC_STATE.waiting}, sync_error = null
      where tenant_id = ${db.tenantId} and id = ${row.id}`)
    if (!isSame) differ.push(row.id)
    // A row that waits for a sync differs only because of that.
    if (!isSame && row.syncStatus === SYNC_STATE.done) noted.push(...differencesOf(row, sku))
  }

  await processEachRow(skus, { handle: (sku) => db.savepoint(() => align(sku)), failed: noteFailed })
  await clearConfirmedFields(db, differ)
  await recordDifferences(db, services, placeOf(shop), noted)
  return { ...found, different: found.different + differ.length }
}

/** Aligns one product with what was just read (`undefined`: it is gone). Differences are synced again. */
export async function reconcileEleSku(
  db: Db,
  services: Services,
  shop: Shop,
  which: { sku_id?: string; custom_sku_id?: string },
  sku: SkuFacts | undefined,
): Promise<void> {
  const found = sku ? await alignSkus(db, services, shop, [sku]) : NOTHING
  const gone = sku
    ? []
    : await db.query<{
        id: string
      }>(sql`update ele_sku_info set sync_status = ${SYNC_STATE.waiting}, platform_sku_id = null
        where tenant_id = ${db.tenantId} and ele_shop_id = ${shop.id} and is_deleted = 0
          and platform_sku_id is not null and (platform_sku_id = ${which.sku_id ?? ''}
          or good_id::text = ${which.custom_sku_id ?? ''}) returning id`)
  const ids = gone.map((one) => one.id)
  await clearConfirmedFields(db, ids)
  if (!found.different && !ids.length) return
  publishRowsChanged({ db }, eleShopInfo, [shop])
  await enqueueSync(db, services.now())
}

/**
 * Takes over a product that was put on sale by hand, if the shop has it: the price stays, the stock becomes ours.
 * Returns undefined if the shop does not have it.
 */
async function takeOver(db: Db, shop: Shop, sku: SkuFacts, syncTime: string): Promise<{ isSame: boolean } | undefined> {
  const own = sku.upc
    ? await db.one<{ id: string }>(sql`select id from good_info where tenant_id = ${db.tenantId}
        and shop_id = ${shop.shopId} and ${hasBarcodeSql(sql`upc`, sku.upc)} and is_deleted = 0
        order by upc = ${sku.upc} desc, id limit 1`)
    : undefined
  const place = own && (await lockLocalShop(db, eleShopInfo, shop.id))
  const good = own && (await findLocalProduct(db, own.id, true))
  if (!good || !place) return undefined
  const stock = computePlatformStock(good, place)
  const isSame = stock === Number(sku.left_num)
  await db.insert(eleSkuInfo, {
    eleShopId: shop.id,
    shopId: shop.shopId,
    goodId: own.id,
    name: sku.name.slice(0, 100),
    upc: good.upc,
    platformSkuId: sku.sku_id,
    salePrice: Number(sku.sale_price),
    stock,
    status: Number(sku.status) ? 1 : 0,
    syncTime,
    ...(isSame ? { syncStatus: SYNC_STATE.done } : WAITS),
  })
  return { isSame }
}

/** Marks products that were not found at the platform, so that the sync creates them again. Returns how many. */
async function markMissing(db: Db, services: Services, shop: Shop, begunAt: string): Promise<number> {
  const gone = await db.query<ComparedSku>(sql`
    update ele_sku_info set sync_status = ${SYNC_STATE.waiting}, platform_sku_id = null
    where tenant_id = ${db.tenantId} and ele_shop_id = ${shop.id} and is_deleted = 0 and platform_sku_id is not null
      and sync_time < ${begunAt} returning id, good_id, name, upc`)
  await clearConfirmedFields(
    db,
    gone.map((one) => one.id),
  )
  const noted = gone.map((one): PlatformDifference => ({
    ...aboutOf(one),
    kind: 'missing',
    ours: one.name,
    theirs: '',
  }))
  await recordDifferences(db, services, placeOf(shop), noted)
  return gone.length
}

/** Forgets the confirmed values of rows that differ, so that all their values are sent again. */
async function clearConfirmedFields(db: Db, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await db.run(sql`update platform_step set told = null, next_time = null where tenant_id = ${db.tenantId}
    and row_id = any(${ids}::bigint[])`)
}

const pullOrders: Pull = async (services, account, shop, { bookmark }) => {
  const end = Math.floor(services.now().getTime() / 1000)
  const page = Number(bookmark || 1)
  const window = { start_time: end - ORDERS_SECONDS, end_time: end, page }
  const { list, total, pages } = await createEleCaller(services, account)('order.list', {
    ...toEleShopRef(shop),
    ...window,
  })
  return {
    total: Number(total),
    write: async (db) => {
      const failed: string[] = []
      const briefs: Brief[] = []
      await processEachRow(list, {
        handle: (one) => void briefs.push(briefOf(one)),
        failed: (one, reason, err) => {
          services.log.warn({ err, shop: shop.id }, 'An order at Ele could not be read')
          const orderNo: unknown = one?.order_id
          failed.push(`${typeof orderNo === 'string' ? truncateText(orderNo, 40) : '?'} (${reason})`)
        },
      })
      const different = await noteOrders(db, briefs)
      return { seen: list.length, different, unknown: 0, failed, ...(page < Number(pages) && { next: `${page + 1}` }) }
    },
  }
}

/** Number and state of a listed order, to tell whether we know it; `body` is stored as an event if we do not. */
type Brief = { order_id: string; status: number; body: string }

function briefOf(row: OrderBrief): Brief {
  const facts = row as unknown as Record<string, unknown>
  const [order_id, status] = [textIn(facts, 'order_id'), numberIn(facts, 'order_status')]
  if (order_id.length > 64) throw invalidValueError('order_id', order_id)
  return { body: JSON.stringify({ baidu_shop_id: row.baidu_shop_id }), order_id, status }
}

/**
 * Stores an event for each order that is unknown or has another state here, as if the platform had reported it. Returns
 * how many.
 */
async function noteOrders(db: Db, briefs: readonly Brief[]): Promise<number> {
  if (!briefs.length) return 0
  const rows = await db.query<{ platformOrderId: string; status: number }>(
    sql`select platform_order_id, status from ele_order where tenant_id = ${db.tenantId}
      and platform_order_id = any(${briefs.map((one) => one.order_id)})`,
  )
  const known = new Map(rows.map((one) => [one.platformOrderId, one.status]))
  const news = briefs.filter((one) => known.get(one.order_id) !== one.status)
  for (const { order_id, status, body } of news) {
    const eventKey = `found ${order_id} ${status}`
    await storeWebhookEvent(db, { system: ELE_PLATFORM_NAME, kind: 'order.found', eventKey, subject: order_id, body })
  }
  return news.length
}

export const eleComparisonSteps: Readonly<Record<string, Pull>> = {
  shop: pullShop,
  shelves: pullShelves,
  goods: pullGoods,
  orders: pullOrders,
}

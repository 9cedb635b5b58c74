import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import type { Lang, Resource } from '#kit/resource/index.ts'
import { empty, raw, sql, type Db } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module/module.ts'
import { SYNC_STATE } from './dictionaries.ts'
import type { Platform, PlatformRow } from './platform.ts'
import { enqueueSync } from './enqueue-sync.ts'
import { presentPlatformShopStatus, type PlatformShopStatusFacts } from './standing.ts'

const STOCK_MAX = 99_999

type PlatformShopLink = { shopId: string; isThere: boolean; stockBuffer: number | null }
type LocalProduct = { shopId: string; upc: string; name: string; stock: number; onSale: boolean }

/**
 * Returns our shop behind a row of a platform shop and locks the row against removal (`for share`); undefined for none.
 */
export const lockLocalShop = (db: Db, shop: Resource<any, any>, id: string): Promise<PlatformShopLink | undefined> =>
  db.one<PlatformShopLink>(
    sql`select shop_id, sync_status <> ${SYNC_STATE.not} as is_there, stock_buffer
      from ${raw(`"${shop.table}"`)} where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0 for share`,
  )

/** Returns our row of the shop with this platform number; undefined for none. */
export const shopAt = async (db: Db, platform: Platform, platformShopId: string): Promise<PlatformRow | undefined> =>
  (await db.find(platform.shop, sql`r.platform_shop_id = ${platformShopId}`))[0] as PlatformRow | undefined

/**
 * Returns our product behind a product at a platform; undefined for none. `begins` locks it until the new row is
 * written. For an existing row it is not locked: stock movements lock the product first, then that row.
 */
export const findLocalProduct = (db: Db, id: string, begins: boolean): Promise<LocalProduct | undefined> =>
  db.one<LocalProduct>(
    sql`select shop_id, upc, name, coalesce(stock, 0) as stock, on_sale is not false as on_sale
      from good_info where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0
      ${begins ? sql`for no key update` : empty}`,
  )

/** How many pieces may be sold at the platform; the trigger in `follow-goods.ts` computes the same. */
export const computePlatformStock = (good: LocalProduct, shop: PlatformShopLink): number =>
  Math.min(STOCK_MAX, Math.max(0, good.onSale ? good.stock - (shop.stockBuffer ?? 0) : 0))

/** Whether a shop should be open at its platform now: wanted by the user and not paused as unsafe. */
export const shouldBeOpen = ({ opensThere, pausedTime }: PlatformRow): boolean => opensThere !== false && !pausedTime

/** Sends a shop's open state to the platform again, whatever was confirmed before. */
export async function repushOpenState(db: Db, shop: Resource<any, any>, id: string, now: Date): Promise<void> {
  await db.run(sql`update platform_step set told = told - 'open' where tenant_id = ${db.tenantId} and row_id = ${id}`)
  await db.run(sql`update ${raw(`"${shop.table}"`)} set sync_status = ${SYNC_STATE.waiting}
    where tenant_id = ${db.tenantId}
    and id = ${id}`)
  await enqueueSync(db, now)
}

/** Replaces the pause reason by the English one for English readers. */
function presentPause(wire: Record<string, unknown>[], rows: readonly ShopRow[], { lang }: { lang: Lang }): void {
  if (lang === 'en') rows.forEach((row, at) => row.pausedWhyEn && (wire[at]!.pausedWhy = row.pausedWhyEn))
}

/**
 * The columns of `platformOpeningFields` and `syncFields` that shops of every platform have and `presentShop` reads.
 */
type ShopRow = { pausedTime: string | null; pausedWhyEn: string | null; syncStatus: number | null }

/**
 * Makes the `present` hook of platform shops: writes status, next step, pause reason and sync error in the reader's
 * language. `factsOf` translates the platform's own codes.
 */
export const presentShop = <R extends ShopRow>(
  factsOf: (row: R) => Omit<PlatformShopStatusFacts, 'isPaused' | 'syncStatus'>,
): ((wire: Record<string, unknown>[], rows: R[], call: Pick<Call, 'lang'>) => void) => {
  const standing = presentPlatformShopStatus((row: R) => ({
    ...factsOf(row),
    isPaused: !!row.pausedTime,
    syncStatus: row.syncStatus,
  }))
  return (wire, rows, call) => {
    presentPause(wire, rows, call)
    standing(wire, rows, call)
    translateSystemTextField(wire, 'syncError', call.lang)
  }
}

const wake = ({ db, services }: Call) => enqueueSync(db, services.now())

/** Hooks for `serve`: changed, removed and restored rows are synced to the platform. */
export const createPlatformSyncHooks = (resource: Resource<any, any>) => ({
  present: (wire: Record<string, unknown>[], _rows: unknown, { lang }: Pick<Call, 'lang'>) =>
    translateSystemTextField(wire, 'syncError', lang),
  afterSave: async (row: PlatformRow, _was: unknown, call: Call) => {
    if (row.syncStatus === SYNC_STATE.waiting) await wake(call)
  },
  afterRemove: (_rows: PlatformRow[], call: Call) => wake(call),
  afterRestore: async ({ id }: PlatformRow, call: Call) => {
    const { db } = call
    await db.run(sql`update ${raw(`"${resource.table}"`)} set sync_status = ${SYNC_STATE.waiting}
      where tenant_id = ${db.tenantId} and id = ${id}`)
    await wake(call)
  },
})

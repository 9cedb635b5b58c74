import { translateSystemTextField } from '#kit/server/system-words.ts'
import type { Lang, Resource } from '#kit/resource/index.ts'
import { empty, raw, sql, type Db } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module.ts'
import { SYNC_STATE } from './dictionaries.ts'
import type { Platform, PlatformRow } from './platform.ts'
import { enqueueSync } from './enqueue-sync.ts'
import { presentPlatformShopStatus, type PlatformShopStatusFacts } from './standing.ts'

const STOCK_MAX = 99_999

type PlatformShopLink = { shopId: string; isThere: boolean; stockBuffer: number | null }
type LocalProduct = { shopId: string; upc: string; name: string; stock: number; onSale: boolean }

/** The shop of ours behind one at a platform; nobody removes it meanwhile. */
export const lockLocalShop = (db: Db, shop: Resource<any, any>, id: string): Promise<PlatformShopLink | undefined> =>
  db.one<PlatformShopLink>(
    sql`select shop_id, sync_status <> ${SYNC_STATE.not} as is_there, stock_buffer
      from ${raw(`"${shop.table}"`)} where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0 for share`,
  )

/** Our row of the shop a platform knows by a number; nothing where there is none. */
export const shopAt = async (db: Db, platform: Platform, platformShopId: string): Promise<PlatformRow | undefined> =>
  (await db.find(platform.shop, sql`r.platform_shop_id = ${platformShopId}`))[0] as PlatformRow | undefined

/**
 * Goods of ours that are sold there. Of a row that begins they stay as they are read until it is written; one that is
 * there is locked itself, and who moves its goods comes to it after them.
 */
export const findLocalProduct = (db: Db, id: string, begins: boolean): Promise<LocalProduct | undefined> =>
  db.one<LocalProduct>(
    sql`select shop_id, upc, name, coalesce(stock, 0) as stock, on_sale is not false as on_sale
      from good_info where tenant_id = ${db.tenantId} and id = ${id} and is_deleted = 0
      ${begins ? sql`for no key update` : empty}`,
  )

/** How many pieces may be sold there: as the database says it when they move (`follow-goods.ts`). */
export const computePlatformStock = (good: LocalProduct, shop: PlatformShopLink): number =>
  Math.min(STOCK_MAX, Math.max(0, good.onSale ? good.stock - (shop.stockBuffer ?? 0) : 0))

/** Whether a shop is to be open at its platform now: somebody wants it to, and nothing in it is unsafe. */
export const shouldBeOpen = ({ opensThere, pausedTime }: PlatformRow): boolean => opensThere !== false && !pausedTime

/**
 * A shop that may be open, or is not as it was told to be, is told so once more: whatever it was told of that before
 * counts no longer.
 */
export async function repushOpenState(db: Db, shop: Resource<any, any>, id: string, now: Date): Promise<void> {
  await db.run(sql`update platform_step set told = told - 'open' where tenant_id = ${db.tenantId} and row_id = ${id}`)
  await db.run(sql`update ${raw(`"${shop.table}"`)} set sync_status = ${SYNC_STATE.waiting} where tenant_id =
    ${db.tenantId}
    and id = ${id}`)
  await enqueueSync(db, now)
}

/** Says why a shop is paused in the reader's language. */
function presentPause(wire: Record<string, unknown>[], rows: readonly ShopRow[], { lang }: { lang: Lang }): void {
  if (lang === 'en') rows.forEach((row, at) => row.pausedWhyEn && (wire[at]!.pausedWhy = row.pausedWhyEn))
}

/**
 * The columns of `platformOpeningFields` and `syncFields` that shops of every platform have and `presentShop` reads.
 */
type ShopRow = { pausedTime: string | null; pausedWhyEn: string | null; syncStatus: number | null }

/**
 * Makes `present` of shops, which says in the reader's language how each stands there, what to do next, why it is
 * paused and what went wrong. `factsOf` says what the platform's own numbers mean.
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

/** For `serve`: what changes of rows that stand at a platform is brought there. */
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

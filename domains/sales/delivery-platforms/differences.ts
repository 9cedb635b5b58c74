import { sql, type Db } from '#kit/server/database/db.ts'
import { truncateText } from '#kit/server/foreign-text.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { formatShanghaiTime } from '#kit/server/time.ts'
import { PLATFORM_DIFFERENCE_STATE } from './dictionaries.ts'
import { platformDifference } from './platform-difference.resource.ts'
import type { PlatformName } from './platform.ts'

type DifferenceKind = 'price' | 'stock' | 'onSale' | 'name' | 'missing' | 'unknown'
/** What of goods stands otherwise there, in words of both sides; `rowKey` is our row of them, where there is one. */
export type PlatformDifference = {
  kind: DifferenceKind
  rowKey: string | null
  goodId: string | null
  name: string
  upc: string
  ours: string
  theirs: string
}
type ShopThere = { platform: PlatformName; shopThere: string; shopId: string }

const markOf = ({ rowKey, upc, name, kind }: Pick<PlatformDifference, 'rowKey' | 'upc' | 'name' | 'kind'>) =>
  `${kind} ${rowKey ?? `${upc} ${name}`}`

/** Cuts the texts of a difference before it is looked for: a long name is found again by what is stored of it. */
const asStored = (one: PlatformDifference): PlatformDifference => ({
  ...one,
  name: truncateText(one.name, 100),
  upc: truncateText(one.upc, 64),
  ours: truncateText(one.ours, 100),
  theirs: truncateText(one.theirs, 100),
})

/** Writes down what a comparison found; what is known already only says what it is by now. */
export async function recordDifferences(
  db: Db,
  services: Services,
  { platform, shopThere, shopId }: ShopThere,
  found: readonly PlatformDifference[],
): Promise<void> {
  if (!found.length) return
  await db.advisoryLock(`platform differences/${shopThere}`)
  const known = await db.find(
    platformDifference,
    sql`r.shop_there = ${shopThere} and r.state = ${PLATFORM_DIFFERENCE_STATE.open}`,
  )
  const byMark = new Map(known.map((one) => [markOf(one as unknown as PlatformDifference), one]))
  const foundTime = formatShanghaiTime(services.now())
  for (const one of found.map(asStored)) {
    const was = byMark.get(markOf(one))
    if (was) await db.update(platformDifference, was.id, { ours: one.ours, theirs: one.theirs, foundTime })
    else
      await db.insert(platformDifference, {
        ...one,
        platform,
        shopThere,
        shopId,
        state: PLATFORM_DIFFERENCE_STATE.open,
        foundTime,
      })
  }
  publishRowsChanged({ db }, platformDifference, [])
}

/** A row that stands there as it does here differs no more. */
export const resolveDifferencesOfRow = (db: Db, rowKey: string, now: Date): Promise<number> =>
  db.run(sql`update platform_difference set state = ${PLATFORM_DIFFERENCE_STATE.over}, done_time =
    ${formatShanghaiTime(now)}, version =
    version + 1, update_time = now() where tenant_id = ${db.tenantId} and row_key = ${rowKey}
    and state = ${PLATFORM_DIFFERENCE_STATE.open}`)

/** What a whole comparison that began then did not find again is over. */
export const resolveDifferencesNotFound = (db: Db, shopThere: string, begunAt: string, now: Date): Promise<number> =>
  db.run(sql`update platform_difference set state = ${PLATFORM_DIFFERENCE_STATE.over}, done_time =
    ${formatShanghaiTime(now)}, version =
    version + 1, update_time = now() where tenant_id = ${db.tenantId} and shop_there = ${shopThere}
    and state = ${PLATFORM_DIFFERENCE_STATE.open} and found_time < ${begunAt}`)

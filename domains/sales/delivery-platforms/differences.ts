import { sql, type Db } from '#kit/server/database/db.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transitionAll } from '#kit/server/resource/transition.ts'
import { PLATFORM_DIFFERENCE_STATE } from './dictionaries.ts'
import { platformDifference } from './platform-difference.resource.ts'
import type { PlatformName } from './platform.ts'

type DifferenceKind = 'price' | 'stock' | 'onSale' | 'name' | 'missing' | 'unknown'
/**
 * A difference of one product, with our text and theirs. `rowKey` is our row of the product at the platform, null when
 * there is none.
 */
export type PlatformDifference = {
  kind: DifferenceKind
  rowKey: string | null
  goodId: string | null
  name: string
  upc: string
  ours: string
  theirs: string
}
type PlatformShopRef = { platform: PlatformName; shopThere: string; shopId: string }

const markOf = ({ rowKey, upc, name, kind }: Pick<PlatformDifference, 'rowKey' | 'upc' | 'name' | 'kind'>) =>
  `${kind} ${rowKey ?? `${upc} ${name}`}`

/** Cuts the texts to their column lengths before comparing, so that a long name matches the stored one. */
const asStored = (one: PlatformDifference): PlatformDifference => ({
  ...one,
  name: truncateText(one.name, 100),
  upc: truncateText(one.upc, 64),
  ours: truncateText(one.ours, 100),
  theirs: truncateText(one.theirs, 100),
})

/** Stores the differences a comparison found. Known open ones only get their present texts and time. */
export async function recordDifferences(
  db: Db,
  services: Services,
  { platform, shopThere, shopId }: PlatformShopRef,
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

/** Closes the differences of a row that is in sync again. */
export const resolveDifferencesOfRow = (db: Db, rowKey: string, now: Date): Promise<unknown> =>
  transitionAll(db, platformDifference, sql`r.row_key = ${rowKey}`, 'resolve', { doneTime: formatShanghaiTime(now) })

/** Closes the differences of a shop that a full comparison, begun at `begunAt`, did not find again. */
export const resolveDifferencesNotFound = (
  db: Db,
  platformShopId: string,
  begunAt: string,
  now: Date,
): Promise<unknown> =>
  transitionAll(
    db,
    platformDifference,
    sql`r.shop_there = ${platformShopId} and r.found_time < ${begunAt}`,
    'resolve',
    {
      doneTime: formatShanghaiTime(now),
    },
  )

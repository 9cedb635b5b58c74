import { sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'

type Shopped = { name?: string | null; shopIds?: string[] | null }

/**
 * Rows that hold for some shops, or for all: whoever is limited to shops sees what counts in theirs, and writes what
 * counts in theirs alone; a new one says in which (`requiredOf`).
 */
export const shopListScope = {
  where: ({ caller }: Call): Sql =>
    caller.limits.shop
      ? sql` and (coalesce(cardinality(r.shop_ids), 0) = 0
        or r.shop_ids && ${caller.limits.shop}::bigint[])`
      : sql``,
  requireOwnRows,
}

function requireOwnRows(rows: readonly Shopped[], call: Call): void {
  const own = call.caller.limits.shop
  const other = own && rows.find(({ shopIds }) => !shopIds?.length || !shopIds.every((id) => own.includes(id)))
  if (other) throw new Refused('campaign_not_yours', { name: other.name ?? '' })
}

import { sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'

type Shopped = { name?: string | null; shopIds?: string[] | null }

/**
 * Access rules of rows that apply to some shops or to all. Callers limited to shops see what applies in theirs, may
 * write only what applies to theirs alone, and must name the shops of a new row (`requiredOf`).
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

import { sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'

type Shopped = { shopId?: string | null }

/**
 * Rules of rows that hold for one shop or, without one, for all: whoever is limited to shops reads the common ones too,
 * and writes those of their own shops only; a new one says which (`requiredOf`).
 */
export const optionalShopScope = {
  where: ({ caller }: Call): Sql =>
    caller.limits.shop ? sql` and (r.shop_id is null or r.shop_id = any(${caller.limits.shop}::bigint[]))` : sql``,
  requireOwnRows: (rows: readonly Shopped[], call: Call): void => {
    const own = call.caller.limits.shop
    if (own && rows.some((row) => !row.shopId || !own.includes(row.shopId))) throw new Refused('common_to_shops')
  },
}

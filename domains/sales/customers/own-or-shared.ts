import { sql, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'

type Shopped = { shopId?: string | null }

/**
 * Access rules of rows that belong to one shop or, without a shop, to all. Callers limited to shops also read the
 * common rows but write only rows of their own shops, and must name the shop of a new row (`requiredOf`).
 */
export const optionalShopScope = {
  where: ({ caller }: Call): Sql =>
    caller.limits.shop ? sql` and (r.shop_id is null or r.shop_id = any(${caller.limits.shop}::bigint[]))` : sql``,
  requireOwnRows: (rows: readonly Shopped[], call: Call): void => {
    const own = call.caller.limits.shop
    if (own && rows.some((row) => !row.shopId || !own.includes(row.shopId))) throw new Refused('common_to_shops')
  },
}

import { sql, type Db, type Sql } from '#kit/server/database/db.ts'

/**
 * Subquery with `good_id` and `grown`: by how much stock has risen since its lowest point after `since`, for goods of
 * these shops that moved since then. Demo data uses it to date earlier sales only of pieces that were there all along.
 */
export const stockGrowthSinceSql = ({ tenantId }: Db, shopIds: readonly string[], since: Date): Sql => sql`
  (select good_id, greatest(0, max(later))::int as grown from (
    select good_id, sum(change) over (partition by good_id order by create_time desc, seq desc) as later
    from storage_log where tenant_id = ${tenantId} and shop_id = any(${shopIds}::bigint[])
    and create_time >= ${since.toISOString()}::timestamptz
  ) told group by 1)`

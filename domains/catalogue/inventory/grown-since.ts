import { sql, type Db, type Sql } from '#kit/server/database/db.ts'

/**
 * A subquery with `good_id` and `grown`: how many more pieces there are now than when there were fewest since then, of
 * the goods of these shops that moved, by the order of time. For stories, which tell the past after what came behind
 * it: what is sold in it has to have been there.
 */
export const stockGrowthSinceSql = ({ tenantId }: Db, shopIds: readonly string[], since: Date): Sql => sql`
  (select good_id, greatest(0, max(later))::int as grown from (
    select good_id, sum(change) over (partition by good_id order by create_time desc, seq desc) as later
    from storage_log where tenant_id = ${tenantId} and shop_id = any(${shopIds}::bigint[])
    and create_time >= ${since.toISOString()}::timestamptz
  ) told group by 1)`

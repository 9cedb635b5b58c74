import { sql, type Sql } from '#kit/server/database/db.ts'

/** Of a shop that says nothing of it. */
const WARN_DAYS = 7

/**
 * ` and …` for batches, alias `r`, of which something is left and that have expired or soon will: within the days their
 * shop's settings say, short-lived goods only in the last quarter of their life.
 */
export const expiringBatchesSql = (today: string): Sql =>
  sql` and r.remaining > 0 and exists (
    select 1 from basic_shop_info b left join shop_conf c on c.tenant_id = b.tenant_id and c.shop_id = b.id
    and c.is_deleted = 0
    where b.tenant_id = r.tenant_id and b.id = r.shop_id
    and r.expiry_date <= ${today}::date + least(coalesce(c.expiry_warn_days, ${WARN_DAYS}::int),
    ceil((r.expiry_date - r.production_date) / 4.0)::int))`

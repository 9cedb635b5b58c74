import { sql, type Sql } from '#kit/server/database/db.ts'

/** Days of warning for shops that have not set their own. */
const WARN_DAYS = 7

/**
 * Adds ` and …` for batches with alias `r` that have pieces left and are expired or about to: within the warning days
 * of their shop, for short-lived goods only in the last quarter of their shelf life.
 */
export const expiringBatchesSql = (today: string): Sql =>
  sql` and r.remaining > 0 and exists (
    select 1 from basic_shop_info b left join shop_conf c on c.tenant_id = b.tenant_id and c.shop_id = b.id
    and c.is_deleted = 0
    where b.tenant_id = r.tenant_id and b.id = r.shop_id
    and r.expiry_date <= ${today}::date + least(coalesce(c.expiry_warn_days, ${WARN_DAYS}::int),
    ceil((r.expiry_date - r.production_date) / 4.0)::int))`

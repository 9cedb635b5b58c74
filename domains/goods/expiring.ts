import { sql, type Sql } from '#kit/server/db.ts'

/** Batches that expire within so many days are pointed out; short-lived goods only in the last quarter of their life. */
const WARN_DAYS = 7

/** ` and …` for batches, alias `r`, of which something is left and that have expired or soon will. */
export const expiringAt = (today: string): Sql =>
  sql` and r.remaining > 0 and r.expiry_date <= ${today}::date + least(${WARN_DAYS}::int, coalesce(ceil((r.expiry_date - r.production_date) / 4.0)::int, ${WARN_DAYS}::int))`

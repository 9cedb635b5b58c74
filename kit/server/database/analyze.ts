import { asLogin } from './as-login.ts'
import { raw, sql, type Db } from './db.ts'

/** Fewer rows are read through faster than they are looked at here. */
const WORTH_ROWS = 500
/** A small sample tells full from empty; what is more, the database finds out itself after the end. */
const STATISTICS_TARGET = '10'
/** Tables that have grown by less since they were looked at are planned for as they were. */
const GROWN_BY = 1.1

/**
 * Shows the planner what this transaction has written so far. Until it commits nothing else does, and plans made for
 * empty tables take seconds on full ones. For stories: the tables stay closed to schema changes and vacuum until the
 * end.
 */
export async function analyzeWritten(db: Db): Promise<void> {
  // A table in parts is looked at as a whole: its parts come with it.
  const written = await db.query<{ name: string }>(sql`
    select distinct coalesce(pg_partition_root(w.relid), w.relid)::regclass::text as name
    from pg_stat_xact_user_tables w join pg_class c on c.oid = w.relid
    where w.schemaname = 'public' and w.n_tup_ins >= ${WORTH_ROWS}::bigint
    and w.n_tup_ins > c.reltuples * ${GROWN_BY}::float8 order by 1`)
  if (!written.length) return
  await db.run(sql`select set_config('default_statistics_target', ${STATISTICS_TARGET}, true)`)
  await asLogin(db, (own) => own.run(sql`analyze ${raw(written.map(({ name }) => name).join(', '))}`))
}

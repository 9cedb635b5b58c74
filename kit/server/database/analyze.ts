import { runAsLoginRole } from './as-login.ts'
import { raw, sql, type Db } from './db.ts'

/** Tables with fewer new rows are not analyzed; scanning them is faster. */
const WORTH_ROWS = 500
/** Small sample for ANALYZE: enough to tell full tables from empty ones; autovacuum refines it after the commit. */
const STATISTICS_TARGET = '10'
/** A table is analyzed again when it has grown by this factor. */
const GROWN_BY = 1.1
/** Transaction-local setting that holds the row counts at the last ANALYZE, by table; gone with the transaction. */
const LOOKED_AT = 'app.looked_at'

/**
 * Runs ANALYZE on tables this transaction has filled. Autovacuum cannot see the rows before the commit, and plans made
 * for empty tables take seconds on full ones. For demo data: the tables stay locked against schema changes and vacuum
 * until the end.
 *
 * Row counts in the catalogue are no help: they survive a rolled-back transaction, while all other statistics are lost
 * with it.
 */
export async function analyzeWrittenTables(db: Db): Promise<void> {
  // A partitioned table is analyzed as a whole, which includes its partitions.
  const written = await db.query<{ name: string; rows: number; known: string | null }>(sql`
    select coalesce(pg_partition_root(w.relid), w.relid)::regclass::text as name, sum(w.n_tup_ins)::float8 as rows,
      current_setting(${LOOKED_AT}, true) as known
    from pg_stat_xact_user_tables w where w.schemaname = 'public' and w.n_tup_ins > 0
    group by 1 having sum(w.n_tup_ins) >= ${WORTH_ROWS}::bigint order by 1`)
  const lookedAt = JSON.parse(written[0]?.known || '{}') as Record<string, number>
  const grown = written.filter(({ name, rows }) => rows > (lookedAt[name] ?? 0) * GROWN_BY)
  if (!grown.length) return
  for (const { name, rows } of grown) lookedAt[name] = rows
  await db.run(sql`select set_config('default_statistics_target', ${STATISTICS_TARGET}, true),
    set_config(${LOOKED_AT}, ${JSON.stringify(lookedAt)}, true)`)
  await runAsLoginRole(db, (own) => own.run(sql`analyze ${raw(grown.map(({ name }) => name).join(', '))}`))
}

import { runAsLoginRole } from './as-login.ts'
import { raw, sql, type Db } from './db.ts'

/** Fewer rows are read through faster than they are looked at here. */
const WORTH_ROWS = 500
/** A small sample tells full from empty; what is more, the database finds out itself after the end. */
const STATISTICS_TARGET = '10'
/** Tables that have grown by less since they were looked at are planned for as they were. */
const GROWN_BY = 1.1
/** Rows written until a table was looked at, by its name: with the transaction it is forgotten. */
const LOOKED_AT = 'app.looked_at'

/**
 * Shows the planner what this transaction has written so far. Until it commits nothing else does, and plans made for
 * empty tables take seconds on full ones. For stories: the tables stay closed to schema changes and vacuum until the
 * end.
 *
 * What the catalogue says of a table's rows tells nothing here: it stays as it was said in a transaction that was lost,
 * where all else that was seen is lost with it.
 */
export async function analyzeWrittenTables(db: Db): Promise<void> {
  // A table in parts is looked at as a whole: its parts come with it.
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

import { openClient } from './connections.ts'

/** Advisory lock: only one server builds indexes at a time. */
const LOCK = 727_403

export type CustomFieldIndex = { table: string; name: string; tail: string }

/**
 * Creates the indexes on spare columns that some tenant's list needs, and drops all others. Builds them concurrently;
 * half-built ones left by a crash are rebuilt. No migration can contain them, as tenants add fields at run time; there
 * are at most as many as spare columns. Returns the names built and dropped. Throws if another server is doing it.
 */
export async function syncCustomFieldIndexes(
  url: string,
  wanted: readonly CustomFieldIndex[],
): Promise<{ built: string[]; gone: string[] }> {
  const client = await openClient({ connectionString: url })
  try {
    // Not waiting inside a statement: that would hold a snapshot, which an index build waits for.
    const { rows: locked } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
      LOCK,
    ])
    if (!locked[0]!.isMine) throw new Error('another server is at the indexes')
    const { rows } = await client.query<{ name: string; isValid: boolean }>(
      `select c.relname as name, i.indisvalid as "isValid" from pg_class c join pg_index i on i.indexrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relname ~ '_own_[a-z][0-9]+$'`,
    )
    const existing = new Set(rows.filter(({ isValid }) => isValid).map(({ name }) => name))
    const gone = rows.filter(({ name, isValid }) => !isValid || !wanted.some((one) => one.name === name))
    for (const { name } of gone) await client.query(`drop index concurrently if exists "${name}"`)
    const missing = wanted.filter(({ name }) => !existing.has(name))
    for (const { table, name, tail } of missing)
      await client.query(`create index concurrently "${name}" on "${table}" ${tail}`)
    return { built: missing.map(({ name }) => name), gone: gone.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

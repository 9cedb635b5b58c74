import { openClient } from './connections.ts'

/** Of one server at a time. */
const LOCK = 727_403

export type CustomFieldIndex = { table: string; name: string; tail: string }

/**
 * Sees that spare columns have the indexes that some tenant's list wants, and no others. Built while everybody reads
 * and writes; what a crash left half built is built anew. They stand in no migration, as nobody knows before what
 * tenants will add; there are at most as many as there are spare columns. Answers what was built and taken away.
 */
export async function syncCustomFieldIndexes(
  url: string,
  wanted: readonly CustomFieldIndex[],
): Promise<{ built: string[]; gone: string[] }> {
  const client = await openClient({ connectionString: url })
  try {
    // Who waited inside a statement would hold a snapshot, and an index being built waits for that.
    const { rows: locked } = await client.query<{ isMine: boolean }>('select pg_try_advisory_lock($1) as "isMine"', [
      LOCK,
    ])
    if (!locked[0]!.isMine) throw new Error('another server is at the indexes')
    const { rows } = await client.query<{ name: string; isValid: boolean }>(
      `select c.relname as name, i.indisvalid as "isValid" from pg_class c join pg_index i on i.indexrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relname ~ '_own_[a-z][0-9]+$'`,
    )
    const there = new Set(rows.filter(({ isValid }) => isValid).map(({ name }) => name))
    const gone = rows.filter(({ name, isValid }) => !isValid || !wanted.some((one) => one.name === name))
    for (const { name } of gone) await client.query(`drop index concurrently if exists "${name}"`)
    const missing = wanted.filter(({ name }) => !there.has(name))
    for (const { table, name, tail } of missing)
      await client.query(`create index concurrently "${name}" on "${table}" ${tail}`)
    return { built: missing.map(({ name }) => name), gone: gone.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

import { runAsLoginRole } from './as-login.ts'
import { raw, sql, type Db } from './db.ts'

/**
 * The indexes of tables and of their parts, each with what makes it again, parts first: made so, the index of a whole
 * table takes those of its parts by their names. What keys stand on stays.
 */
export const selectIndexesSql = (tables: readonly string[]) => `
  select i.oid::regclass::text as name, i.relispartition as "isPart",
    replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ') as definition
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where coalesce(pg_partition_root(t.oid), t.oid) in (${tables.map((name) => `'"${name}"'::regclass`).join(', ')})
    and not exists (select from pg_constraint c where c.conindid = i.oid)
  order by i.relispartition desc, t.relispartition desc, 1`

type Index = { name: string; isPart: boolean; definition: string }

/**
 * Writes many rows into tables without their indexes, which are made from the rows afterwards, in a third of the time.
 * Nobody else reads or writes these tables until the transaction ends.
 *
 * @param kept What an index begins with that stays, as "tenant_id, order_id": triggers find rows by it meanwhile. A
 *   table that is empty is quickly read without, but not one that holds what another transaction wrote and lost.
 */
export async function withoutIndexes<T>(
  db: Db,
  { tables, kept }: { tables: readonly string[]; kept: readonly string[] },
  work: () => Promise<T>,
): Promise<T> {
  const all = await db.query<Index>(sql`${raw(selectIndexesSql(tables))}`)
  const indexes = all.filter(({ definition }) => !kept.some((columns) => definition.includes(`(${columns}`)))
  const whole = indexes.filter(({ isPart }) => !isPart).map(({ name }) => name)
  if (!whole.length) return work()
  await runAsLoginRole(db, (own) => own.run(sql`drop index ${raw(whole.join(', '))}`))
  const result = await work()
  await runAsLoginRole(db, async (own) => {
    // Where the login may: our own database lets it.
    await own.savepoint(() => own.run(sql`set local wal_compression = off`)).catch(() => {})
    for (const { definition } of indexes) await own.run(sql`${raw(definition)}`)
  })
  return result
}

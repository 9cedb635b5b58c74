import { runAsLoginRole } from './as-login.ts'
import { raw, sql, type Db } from './db.ts'

/**
 * Query for the indexes of tables and their partitions, with the SQL that recreates them. Those of partitions come
 * first: an index created on the whole table then adopts them. Excludes indexes of constraints.
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
 * Runs `work`, which writes many rows, without the tables' indexes and rebuilds them afterwards, which takes a third of
 * the time. Locks the tables until the transaction ends.
 *
 * @param kept First columns of indexes that stay, such as "tenant_id, order_id", since triggers search by them
 * meanwhile. Even an empty table needs them if a rolled-back transaction left dead rows in it.
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
    // Only if the login role may; in our own database it may.
    await own.savepoint(() => own.run(sql`set local wal_compression = off`)).catch(() => {})
    for (const { definition } of indexes) await own.run(sql`${raw(definition)}`)
  })
  return result
}

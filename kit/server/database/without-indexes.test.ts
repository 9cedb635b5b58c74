import { afterAll, beforeAll, expect, test } from 'vitest'
import { scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import { sql, unitOfWork } from './db.ts'
import { withoutIndexes, selectIndexesSql } from './without-indexes.ts'

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await scratchDatabase(`
    create table entry (id bigint primary key, no text, kind text) partition by range (id);
    create table entry_past partition of entry for values from (minvalue) to (1000);
    create table entry_2026_12 partition of entry for values from (1000) to (2000);
    create unique index entry_uq_no_past on entry_past (no);
    create index entry_of_kind_past on entry_past (kind);
    create index entry_of_kind on entry (kind, id desc);
    create table note (id bigint primary key, text text);
    create index note_of_text on note (text)`)
})
afterAll(() => scratch?.drop())

const known = async () => {
  const { rows } = await scratch.pool.query(`
    select i.oid::regclass::text as name, x.indisvalid as "isValid", pg_get_indexdef(i.oid) as definition,
      h.inhparent::regclass::text as parent
    from pg_index x join pg_class i on i.oid = x.indexrelid left join pg_inherits h on h.inhrelid = i.oid
    where i.relnamespace = 'public'::regnamespace order by 1`)
  return rows
}

test('indexes of whole tables, of tables in parts and of single parts come back as they were', async () => {
  const before = await known()
  const { rows } = await scratch.pool.query(selectIndexesSql(['entry', 'note']))
  const whole = rows.filter(({ isPart }) => !isPart).map(({ name }) => name)
  expect(whole).toEqual(['entry_of_kind_past', 'entry_uq_no_past', 'entry_of_kind', 'note_of_text'])
  await scratch.pool.query(`drop index ${whole.join(', ')}`)
  expect((await known()).map(({ name }) => name)).toEqual([
    'entry_2026_12_pkey',
    'entry_past_pkey',
    'entry_pkey',
    'note_pkey',
  ])
  for (const { definition } of rows) await scratch.pool.query(definition)
  expect(await known()).toEqual(before)
  expect(before.every(({ isValid }) => isValid)).toBe(true)
})

test('what is found by an index meanwhile keeps it, and afterwards all are there', async () => {
  const before = await known()
  const meanwhile = await unitOfWork(scratch.pool, { tenantId: '100001' }, { userId: '0', deptId: null }, (db) =>
    withoutIndexes(db, { tables: ['entry', 'note'], kept: ['kind'] }, async () =>
      (
        await db.query<{ name: string }>(sql`select i.relname::text as name from pg_index x
          join pg_class i on i.oid = x.indexrelid where i.relnamespace = 'public'::regnamespace order by 1`)
      ).map(({ name }) => name),
    ),
  )
  expect(meanwhile.filter((name) => !name.endsWith('_pkey'))).toEqual([
    'entry_2026_12_kind_id_idx',
    'entry_of_kind',
    'entry_of_kind_past',
    'entry_past_kind_id_idx',
  ])
  expect(await known()).toEqual(before)
})

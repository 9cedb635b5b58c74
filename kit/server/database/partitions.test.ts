import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createTableArchiver, loadArchiveIntoTable } from './archive.ts'
import { DatabaseUnavailableError } from './connections.ts'
import { createPool, sql, systemActor, unitOfWork } from './db.ts'
import {
  dropOldPartitions,
  createUpcomingPartitions,
  enableOnDemandPartitions,
  partitionMonthStartMs,
} from './partition-maintenance.ts'
import { NO_TRANSACTION_MARKER, migrate } from './migrate.ts'
import { defineTable, proposeNoTransactionMigration, proposeMigration, schemaOf, schemaSql } from './schema.ts'
import type { Table } from './table.ts'
import { firstIdAtTime, newId } from './snowflake.ts'

const DAY = 86_400_000
const entry: Table = {
  name: 'entry',
  tenancy: 'tenant',
  appendOnly: true,
  busy: true,
  columns: {
    id: 'bigint not null',
    tenant_id: 'text not null',
    no: 'text not null',
    amount: 'bigint not null check (amount > 0)',
    create_time: 'timestamptz(3) not null default now()',
  },
  indexes: { entry_by_time: '(tenant_id, create_time)', entry_uq_no: '(tenant_id, no)' },
}
const total = defineTable({
  name: 'total',
  tenancy: 'tenant',
  primaryKey: ['tenant_id'],
  columns: { tenant_id: 'text not null', amount: 'bigint not null' },
  after: {
    follow: `create or replace function follow() returns trigger language plpgsql as $$
begin
  insert into total as t select tenant_id, sum(amount) from fresh group by 1
    on conflict (tenant_id) do update set amount = t.amount + excluded.amount;
  return null;
end $$;
create or replace trigger follow after insert on "entry" referencing new table as fresh for each
  statement execute function follow();`,
  },
})
const whole = schemaOf([defineTable(entry), total])
const inMonths = schemaOf([defineTable({ ...entry, partitioned: 'month' }), total])
const tables = Object.values(inMonths)

let database: TestDatabase
let folder: string
let client: pg.Client

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'months-'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterEach(async () => {
  vi.useRealTimers()
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const apply = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  await migrate(database.url, pathToFileURL(`${folder}/`))
}
const add = (no: string, id = newId()) =>
  client.query('insert into entry (id, tenant_id, no, amount) values ($1, $2, $3, 5)', [id, '100001', no])
const one = async (text: string) => (await client.query(text)).rows[0] as Record<string, unknown>
const partsOf = async () =>
  (
    await client.query<{ name: string }>(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'entry'::regclass order by 1",
    )
  ).rows.map(({ name }) => name)

test('a table that is there becomes the first part as it is, and keeps rules, rights, keys and triggers', async () => {
  await apply('0001-first.sql', schemaSql(whole))
  await add('A1')
  const file = await one("select pg_relation_filenode('entry') as n")
  expect(proposeMigration(whole, inMonths)).toEqual([])
  const statements = proposeNoTransactionMigration(whole, inMonths)
  // Simulates a crash after two statements, then a new start.
  for (const statement of statements.slice(0, 2)) await client.query(statement)
  await apply('0002-second.sql', [NO_TRANSACTION_MARKER, ...statements].join('\n'))

  expect(await partsOf()).toEqual(['entry_past'])
  expect(await one("select pg_relation_filenode('entry_past') as n")).toEqual(file)
  expect(await one('select no from entry')).toEqual({ no: 'A1' })
  await add('A2')
  expect(await one('select amount from total')).toEqual({ amount: '10' })
  await expect(add('A2')).rejects.toMatchObject({ code: '23505', constraint: 'entry_uq_no_past' })
  await expect(client.query("insert into entry values (1, '100001', 'A3', 0)")).rejects.toThrow('entry_amount_check')
  await client.query("set role store_app; set app.tenant = '100002'")
  expect(await one('select count(*)::int as n from entry')).toEqual({ n: 0 })
  for (const text of ['delete from entry', 'select from entry_past'])
    await expect(client.query(text)).rejects.toThrow('permission denied')
  await client.query('reset role')
  // Running the statements again changes nothing.
  for (const statement of statements) await client.query(statement)
  expect(await one('select count(*)::int as n from entry')).toEqual({ n: 2 })
})

test('an index of a table in months is built month by month, also after a crash on the way', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  // In the last days of a month the first partition ends with the next month, so ask for a later one.
  await createUpcomingPartitions(database.url, tables, new Date(Date.now() + 31 * DAY))
  await add('A1')
  const indexes = { ...entry.indexes, entry_by_no: '(tenant_id, no)', entry_uq_amount: '(tenant_id, no, amount)' }
  const wanted = schemaOf([defineTable({ ...entry, partitioned: 'month', indexes }), total])
  expect(proposeMigration(inMonths, wanted)).toEqual([])
  const statements = proposeNoTransactionMigration(inMonths, wanted)
  await client.query('create index if not exists "entry_by_no" on only "entry" (tenant_id, no)')
  // A different index of this name, as a crash may leave one half-built.
  await client.query('create index "entry_by_no_past" on "entry_past" (amount)')
  await apply('0002-second.sql', [NO_TRANSACTION_MARKER, ...statements].join('\n'))
  const built = await client.query<{ name: string; isGood: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as "isGood" from pg_index
      where indexrelid::regclass::text ~ '^entry_(by_no|uq_amount)' order by 1`,
  )
  const parts = (await partsOf()).map((name) => name.slice('entry'.length))
  expect(parts.length).toBeGreaterThan(1)
  expect(built.rows).toEqual(
    ['entry_by_no', ...parts.map((part) => `entry_by_no${part}`), ...parts.map((part) => `entry_uq_amount${part}`)].map(
      (name) => ({ name, isGood: true }),
    ),
  )
  expect(await one("select indexdef from pg_indexes where indexname = 'entry_by_no_past'")).toEqual({
    indexdef: expect.stringContaining('(tenant_id, no)') as string,
  })
  await apply('0003-third.sql', [NO_TRANSACTION_MARKER, ...proposeNoTransactionMigration(wanted, inMonths)].join('\n'))
  expect(await one("select count(*)::int as n from pg_indexes where indexname ~ '^entry_(by_no|uq_a)'")).toEqual({
    n: 0,
  })
})

test('a table waits for those who write to it, and refuses none of them while it is cut', async () => {
  await apply('0001-first.sql', schemaSql(whole))
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  const cut = (async () => {
    for (const statement of proposeNoTransactionMigration(whole, inMonths)) await other.query(statement)
  })()
  for (let n = 0; n < 200; n++) await add(`B${n}`)
  await cut
  await add('B200')
  expect(await one('select count(*)::int as n from entry')).toEqual({ n: 201 })
  await other.end()
})

test('months are added before they come, however many servers see to it, and none twice', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  const now = new Date()
  const added = (await Promise.all([1, 2, 3].map(() => createUpcomingPartitions(database.url, tables, now)))).flat()
  expect(new Set(added).size).toBe(added.length)
  const last = partitionMonthStartMs(now.getTime(), 2)
  await add('C1', firstIdAtTime(last - 1))
  await expect(add('C2', firstIdAtTime(last))).rejects.toThrow('no partition of relation')
  await createUpcomingPartitions(database.url, tables, new Date(last))
  await add('C2', firstIdAtTime(last))
  await expect(add('C2', firstIdAtTime(last + 1))).rejects.toMatchObject({ constraint: /^entry_uq_no_\d{4}_\d\d$/ })
  const { rows } = await client.query('explain select from entry where tenant_id = $1 and id = $2', ['100001', newId()])
  expect(JSON.stringify(rows).match(/ on entry_\w+/g)).toHaveLength(1)
})

test('months a wrong clock asked for are made there and nowhere else, and those that are due still are', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  const now = new Date()
  const far = partitionMonthStartMs(now.getTime(), 36)
  expect(await createUpcomingPartitions(database.url, tables, new Date(far + DAY))).toHaveLength(2)
  await createUpcomingPartitions(database.url, tables, now)
  for (const at of [now.getTime(), partitionMonthStartMs(now.getTime(), 1), far, partitionMonthStartMs(far, 1)])
    await add(`F${at}`, firstIdAtTime(at))
  // A partition before the far ones ends where they begin.
  expect(await createUpcomingPartitions(database.url, tables, new Date(far - 1))).toHaveLength(1)
  await add('F', firstIdAtTime(far - 1))
})

test('a unit of work that meets a month without a part is told to come again, and then finds it', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  const pool = createPool(database.url)
  enableOnDemandPartitions([pool], { url: database.url, tables, log: { info() {}, warn() {}, error() {} } })
  const save = () =>
    unitOfWork(pool, { tenantId: '100001' }, systemActor, (db) =>
      db.run(sql`insert into entry values (${newId()}::bigint, '100001', 'G1', 5)`),
    )
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 200 * DAY })
  await expect(save()).rejects.toBeInstanceOf(DatabaseUnavailableError)
  expect(await save()).toBe(1)
  await pool.end()
})

test('quarters follow the months there were, end with the year’s, and leave no month without a part', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  const [october, january] = [
    partitionMonthStartMs(Date.UTC(2027, 9, 15)),
    partitionMonthStartMs(Date.UTC(2028, 0, 15)),
  ]
  await createUpcomingPartitions(database.url, tables, new Date(october))
  const inQuarters = [defineTable({ ...entry, partitioned: 'quarter' })]
  await createUpcomingPartitions(database.url, inQuarters, new Date(january))
  expect((await partsOf()).slice(-5)).toEqual(
    ['2027_10', '2027_11', '2027_12', '2028_01', 'past'].map((part) => `entry_${part}`),
  )
  for (const at of [january - 1, january, partitionMonthStartMs(january, 3) - 1]) await add(`Q${at}`, firstIdAtTime(at))
  await expect(add('Q', firstIdAtTime(partitionMonthStartMs(january, 3)))).rejects.toThrow('no partition of relation')
  // In the last month of a quarter the next quarter is added.
  expect(await createUpcomingPartitions(database.url, inQuarters, new Date(partitionMonthStartMs(january, 2)))).toEqual(
    ['entry_2028_04'],
  )
  expect(await createUpcomingPartitions(database.url, inQuarters, new Date(partitionMonthStartMs(january, 3)))).toEqual(
    [],
  )
  const { rows } = await client.query('select no from entry order by id')
  expect(rows).toHaveLength(3)
})

test('a month leaves as a whole once nobody keeps it, not sooner, into a file that can be read again', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  const now = new Date()
  await createUpcomingPartitions(database.url, tables, new Date(now.getTime() + 90 * DAY))
  const end = partitionMonthStartMs(now.getTime() + 7 * DAY, 1)
  await add('D1')
  await add('D2', firstIdAtTime(end))
  const archive = createTableArchiver(join(folder, 'archive'))
  expect(await dropOldPartitions(database.url, 'entry', new Date(end - 1), archive)).toEqual([])

  // An open reader does not block the dropping.
  const reader = new pg.Client({ connectionString: database.url })
  await reader.connect()
  expect(await dropOldPartitions(database.url, 'entry', new Date(end), archive)).toEqual(['entry_past'])
  expect((await reader.query('select no from entry')).rows).toEqual([{ no: 'D2' }])
  await reader.end()

  expect(await readdir(join(folder, 'archive'))).toEqual(['entry_past.jsonl.gz'])
  await client.query('alter table entry add column remark text not null default 0')
  const file = join(folder, 'archive', 'entry_past.jsonl.gz')
  expect(await loadArchiveIntoTable(client, file, 'archive_entry_past', 'entry')).toBe(1)
  expect(await one('select no, amount, remark from archive_entry_past')).toEqual({
    no: 'D1',
    amount: '5',
    remark: null,
  })
})

test('a month that a crash left half way out goes with the next night, its file first', async () => {
  await apply('0001-first.sql', schemaSql(inMonths))
  await createUpcomingPartitions(database.url, tables, new Date())
  await add('E1')
  await client.query('alter table entry detach partition entry_past concurrently')
  const failing = async () => {
    throw new Error('the disk is full')
  }
  const long = new Date(0)
  await expect(dropOldPartitions(database.url, 'entry', long, failing)).rejects.toThrow('the disk is full')
  expect(await one('select no from entry_past')).toEqual({ no: 'E1' })
  expect(await dropOldPartitions(database.url, 'entry', long, createTableArchiver(folder))).toEqual(['entry_past'])
  expect(await loadArchiveIntoTable(client, join(folder, 'entry_past.jsonl.gz'), 'again', 'entry')).toBe(1)
})

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '#kit/server/database/db.ts'
import { partitionMonthLabel, partitionMonthStartMs } from '#kit/server/database/partition-maintenance.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { productModules } from './modules.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const DAY = 86_400_000
let server: TestServer
let now = new Date()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'))
  server = await testServer({ now: () => now })
})
afterAll(async () => {
  await server?.close()
  await rm(folder, { recursive: true })
})

const tables = tablesOfModules(productModules)
const inMonths = new Set(tables.filter(({ partitioned }) => partitioned).map(({ name }) => name))
const retentionRules = productModules.flatMap((module) => module.retention ?? [])
const rowRetentionRules = () => retentionRules.filter(({ table }) => !inMonths.has(table))
const night = async (queue = 'logs.forget') => {
  await server.services.unit({ tenantId: '000000' }, (db) => db.enqueue(defineQueue(queue), {}))
  await server.jobs.runDue()
}
const platform = <T>(work: Parameters<typeof server.services.unit<T>>[1]) =>
  server.services.unit({ crossTenantReason: 'looks at all tenants' }, work)

/** Inserts a row with a suitable value in every required column. */
async function addRow(table: string, age: number, more: Record<string, unknown>): Promise<string> {
  const id = newId()
  const values: Record<string, unknown> = {
    id,
    tenant_id: '100001',
    create_time: new Date(server.services.now().getTime() - age * DAY).toISOString(),
    ...more,
  }
  const { rows } = await server.services.systemPool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns where table_name = $1
      and is_nullable = 'NO' and column_default is null`,
    [table],
  )
  for (const { name, type } of rows)
    values[name] ??=
      type === 'jsonb'
        ? '{}'
        : type === 'ARRAY'
          ? '{}'
          : type.startsWith('timestamp')
            ? values.create_time
            : type === 'text'
              ? id
              : '1'
  const names = Object.keys(values)
  await server.services.systemPool.query(
    `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
      values (${names.map((_one, at) => `$${at + 1}`).join(', ')})`,
    Object.values(values),
  )
  return id
}

test(
  'what is older than its parameter says is gone after the night, whatever ' + 'tenant’s it is, and nothing younger',
  async () => {
    const state: Record<string, Record<string, unknown>[]> = {
      price_quote: [{ state: 'freed' }, { state: 'used' }],
      bulk_run: [{ finish_time: new Date(0).toISOString() }],
      device_command: [{ state: 'done' }],
      tally_line: [{ source: 'trade' }],
      guard_case: [{ status: 2 }],
    }
    const made: { table: string; old: string; young: string }[] = []
    for (const table of new Set(rowRetentionRules().map((one) => one.table))) {
      const days = rowRetentionRules()
        .filter((one) => one.table === table)
        .map(({ param }) => Number(param.value))
      for (const [at, more] of (state[table] ?? [{}]).entries())
        made.push({
          table,
          old: await addRow(table, days[at]! + 1, more),
          young: await addRow(table, days[at]! - 1, more),
        })
    }
    const open = await addRow('price_quote', 5000, {
      state: 'open',
      valid_until: new Date(Date.now() + 365 * DAY).toISOString(),
    })
    const running = await addRow('bulk_run', 5000, {})
    await night()
    for (const { table, old, young } of [
      ...made,
      { table: 'price_quote', old: '', young: open },
      { table: 'bulk_run', old: '', young: running },
    ]) {
      const left = await platform((db) =>
        db.query<{ id: string }>(
          sql`select id::text as id from ${raw(`"${table}"`)} where id = any(${[old || '0', young]}::bigint[])`,
        ),
      )
      expect([table, left]).toEqual([table, [{ id: young }]])
    }
  },
)

test('of what is cut into months nothing goes before its parameter says, and what is old goes as a whole', async () => {
  const kept = retentionRules.filter(({ table }) => inMonths.has(table))
  expect(kept.length).toBeGreaterThan(5)
  // Partitions are dropped whole, so a condition on rows is impossible.
  expect(kept.filter(({ where }) => where)).toEqual([])
  const { config, systemPool } = server.services
  const partsOf = async () =>
    (
      await systemPool.query<{ table: string; part: string }>(
        `select inhparent::regclass::text as table, inhrelid::regclass::text as part from pg_inherits i
          join pg_class c on c.oid = i.inhparent where c.relkind = 'p' and c.relnamespace = 'public'::regnamespace`,
      )
    ).rows
  const today = now.getTime()
  const first = partitionMonthStartMs(today + 7 * DAY, 1)
  const isFirst = ({ part }: { part: string }) => part.endsWith('_past')
  // Before the end of the first partition's month.
  now = new Date(first - DAY)
  await night('logs.months')
  expect((await partsOf()).filter(isFirst)).toHaveLength(inMonths.size)
  expect(new Set((await partsOf()).map(({ part }) => part.slice(-7)))).toContain(partitionMonthLabel(first))

  config.archiveDir = folder
  const byDays = Map.groupBy(kept, ({ param }) => Number(param.value))
  for (const [days, some] of [...byDays].toSorted(([one], [other]) => one - other)) {
    const names = some.map(({ table }) => table)
    const left = async () => (await partsOf()).filter((one) => isFirst(one) && names.includes(one.table)).length
    now = new Date(first + days * DAY - 1)
    await night()
    expect([names, await left()]).toEqual([names, names.length])
    now = new Date(now.getTime() + 1)
    await night()
    expect([names, await left()]).toEqual([names, 0])
  }
  // Tables without a retention period keep their first partition.
  expect((await partsOf()).filter(isFirst)).toHaveLength(inMonths.size - kept.length)
  expect(await readdir(folder)).toEqual(expect.arrayContaining(kept.map(({ table }) => `${table}_past.jsonl.gz`)))
}, 60_000)

test('a log stays append-only for the product’s own people: no call and no tenant may remove from it', async () => {
  await expect(server.services.unit({ tenantId: '100001' }, (db) => db.run(sql`delete from log_api`))).rejects.toThrow(
    /permission denied/,
  )
})

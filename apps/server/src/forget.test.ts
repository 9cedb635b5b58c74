import { afterAll, beforeAll, expect, test } from 'vitest'
import { raw, sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { testServer, type TestServer } from '#kit/testing/server.ts'

const DAY = 86_400_000
let server: TestServer
beforeAll(async () => (server = await testServer()))
afterAll(() => server?.close())

const forgets = () => server.services.registry.rooms.flatMap((room) => room.forgets ?? [])
const platform = <T>(work: Parameters<typeof server.services.unit<T>>[1]) =>
  server.services.unit({ across: 'looks at all tenants' }, work)

/** Columns that must say something, with something that fits. */
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
    }
    const made: { table: string; old: string; young: string }[] = []
    for (const table of new Set(forgets().map((one) => one.table))) {
      const days = forgets()
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
    await server.services.unit({ tenantId: '000000' }, (db) => db.later('logs.forget', {}))
    await server.jobs.runDue()
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

test('a log stays append-only for the product’s own people: no call and no tenant may remove from it', async () => {
  await expect(server.services.unit({ tenantId: '100001' }, (db) => db.run(sql`delete from log_api`))).rejects.toThrow(
    /permission denied/,
  )
})

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, sortedMigrationFiles } from '#kit/server/database/migrate.ts'
import { storedFields } from '#kit/server/database/row-sql.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { productModules } from './modules.ts'

// Upgrades a database of the first release, whose rows leave out every column that could be left out then.

const folder = new URL('../../../migrations/', import.meta.url)
const resources = productModules.flatMap((module) => (module.resources ?? []).map(({ resource }) => resource))
let database: TestDatabase
let client: pg.Client
let first: string

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  first = await mkdtemp(join(tmpdir(), 'first-release-'))
  for (const name of sortedMigrationFiles(await readdir(folder)).filter((one) => /^\d{4}-/.test(one)))
    await writeFile(join(first, name), await readFile(new URL(name, folder)))
  await migrate(database.url, pathToFileURL(`${first}/`))
}, 120_000)
afterAll(async () => {
  await client.end()
  await database.drop()
  await rm(first, { recursive: true })
})

const required = () =>
  resources.flatMap((resource) =>
    storedFields(resource)
      .filter(([, field]) => field.required)
      .map(([key]) => ({ table: resource.table, column: toSqlName(key) })),
  )

test('an old database with empty columns comes up, what is required is filled, and stays so', async () => {
  const known = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  // Resources added later have no old rows.
  const old = new Set(known.rows.map(({ name }) => name))
  const tables = [...new Set(required().map(({ table }) => table))].filter((table) => old.has(table))
  expect(tables.length).toBeGreaterThan(60)
  for (const table of tables) {
    const resource = resources.find((one) => one.table === table)!
    for (const id of [-7, -8])
      await client.query(
        resource.tenancy === 'platform'
          ? `insert into "${table}" (id) values (${id})`
          : `insert into "${table}" (id, tenant_id) values (${id}, '000000')`,
      )
  }
  expect((await migrate(database.url, folder)).length).toBeGreaterThan(2)
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and is_nullable = 'YES'`,
  )
  const nullable = new Set(rows.map(({ table, column }) => `${table}.${column}`))
  expect(required().filter(({ table, column }) => nullable.has(`${table}.${column}`))).toEqual([])
  for (const table of tables)
    expect([table, (await client.query(`select 1 from "${table}" where id in (-7, -8)`)).rowCount]).toEqual([table, 2])
  const keys = await client.query<{ table: string; first: string }>(
    `select i.indrelid::regclass::text as table, a.attname as first from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'tenant_id'
      where i.indisprimary and i.indrelid::regclass::text <> 'job'`,
  )
  expect(keys.rows.length).toBeGreaterThan(100)
  expect(keys.rows.filter(({ first }) => first !== 'tenant_id')).toEqual([])
}, 120_000)

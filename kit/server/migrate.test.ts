import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { defineResource, f } from '../resource/index.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'
import { defineTable, proposeMigration, schemaOf, schemaSql, tableOfResource } from './schema.ts'

const label = { zh: '名', en: 'Name' }
const resource = (more: object = {}) => defineResource({ name: 'sample', path: '/s', label, tenancy: 'tenant', fields: { name: f.text({ label }), ...more }, list: { columns: ['name'] }, unique: [['name']] })

let database: TestDatabase
let folder: string
let client: pg.Client
const url = () => pathToFileURL(`${folder}/`)
const write = (name: string, text: string) => writeFile(join(folder, name), text)

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

describe('migrations', () => {
  test('are applied in order, once, by however many processes start together', async () => {
    await write('0001-first.sql', 'create table a (n int); insert into a values (1);')
    await write('0002-second.sql', 'insert into a select n + 1 from a;')
    const applied = await Promise.all([migrate(database.url, url()), migrate(database.url, url()), migrate(database.url, url())])
    expect(applied.flat().sort()).toEqual(['0001-first.sql', '0002-second.sql'])
    expect((await client.query('select n from a order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
    expect(await migrate(database.url, url())).toEqual([])
  })

  test('leave nothing behind when they fail, and say which one failed', async () => {
    await write('0001-first.sql', 'create table a (n int); select 1 / 0;')
    await expect(migrate(database.url, url())).rejects.toThrow(/0001-first\.sql failed: division by zero/)
    expect((await client.query("select to_regclass('a') as a")).rows[0].a).toBeNull()
  })

  test('refuse a database whose applied migration was edited, or that a newer version wrote', async () => {
    await write('0001-first.sql', 'create table a (n int);')
    await migrate(database.url, url())
    await write('0001-first.sql', 'create table a (n bigint);')
    await expect(migrate(database.url, url())).rejects.toThrow(/changed after/)
    await client.query("insert into migration values ('0009-later.sql', 'x')")
    await expect(migrate(database.url, url())).rejects.toThrow(/newer version/)
  })

  test('proposed step by step end in the same schema as one made at once', async () => {
    const first = schemaOf([tableOfResource(resource())])
    const second = schemaOf([tableOfResource(resource({ price: f.money({ label }), shopId: f.number({ label }) })), defineTable({ name: 'link', tenancy: 'tenant', columns: { tenant_id: 'text not null', a: 'bigint not null' }, primaryKey: ['tenant_id', 'a'] })])
    await write('0001-first.sql', schemaSql(first))
    await migrate(database.url, url())
    await write('0002-second.sql', proposeMigration(first, second).join('\n'))
    await migrate(database.url, url())
    const columns = await client.query<{ list: string }>("select string_agg(table_name || '.' || column_name || ' ' || data_type, ',' order by table_name, column_name) as list from information_schema.columns where table_name in ('sample', 'link')")
    expect(columns.rows[0]!.list).toContain('sample.price bigint')
    expect(columns.rows[0]!.list).toContain('link.a bigint')
    expect(proposeMigration(second, second)).toEqual([])
  })

  test('never drop what holds data: that is a comment for a person', () => {
    const wide = schemaOf([tableOfResource(resource({ price: f.money({ label }) }))])
    const narrow = schemaOf([tableOfResource(resource())])
    expect(proposeMigration(wide, narrow)).toEqual(['-- decide: alter table "sample" drop column "price";'])
    expect(proposeMigration(wide, {})).toEqual(['-- decide: drop table "sample";'])
  })

  test('give an append-only table no way to change or remove a row', async () => {
    const ledger = schemaOf([defineTable({ name: 'ledger', tenancy: 'tenant', columns: { id: 'bigint', tenant_id: 'text not null', n: 'int' }, appendOnly: true })])
    await write('0001-first.sql', schemaSql(ledger))
    await migrate(database.url, url())
    for (const role of ['store_app', 'store_platform']) {
      for (const change of ["update ledger set n = 2", 'delete from ledger', 'truncate ledger']) {
        await client.query('begin')
        await client.query(`set local role ${role}`)
        await expect(client.query(change)).rejects.toThrow(/permission denied/)
        await client.query('rollback')
      }
    }
  })
})

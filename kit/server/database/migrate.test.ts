import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defineResource, f } from '../../resource/index.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { NO_TRANSACTION_MARKER, migrate } from './migrate.ts'
import {
  defineTable,
  proposeNoTransactionMigration,
  proposeMigration,
  schemaOf,
  schemaSql,
  tableOfResource,
} from './schema.ts'

const label = { zh: '名', en: 'Name' }
const resource = (more: object = {}) =>
  defineResource({
    name: 'sample',
    path: '/api/s',
    label,
    tenancy: 'tenant',
    fields: { name: f.text({ label }), ...more },
    list: { columns: ['name'] },
    unique: [['name']],
  })

let database: TestDatabase
let folder: string
let client: pg.Client
const url = () => pathToFileURL(`${folder}/`)
const writeMigration = (name: string, text: string) => writeFile(join(folder, name), text)

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
    await writeMigration('0001-first.sql', 'create table a (n int); insert into a values (1);')
    await writeMigration('0002-second.sql', 'insert into a select n + 1 from a;')
    const applied = await Promise.all([
      migrate(database.url, url()),
      migrate(database.url, url()),
      migrate(database.url, url()),
    ])
    expect(applied.flat().sort()).toEqual(['0001-first.sql', '0002-second.sql'])
    expect((await client.query('select n from a order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
    expect(await migrate(database.url, url())).toEqual([])
  })

  test('that still ask somebody to decide are not applied, nor is what stands behind them', async () => {
    await writeMigration('0001-first.sql', 'create table a (n int);')
    await writeMigration(
      '202611221030-drop-n.sql',
      '-- decide: alter table "a" drop column "n";\nalter table a add column m int;',
    )
    await writeMigration('202611221031-later.sql', 'create table b (n int);')
    await expect(migrate(database.url, url())).rejects.toThrow(
      '202611221030-drop-n.sql still asks: -- decide: alter table "a" drop column "n";',
    )
    expect(
      (
        await client.query(
          "select to_regclass('b') as b, (select count(*)::int from information_schema.columns where table_name = " +
            "'a') as columns",
        )
      ).rows,
    ).toEqual([{ b: null, columns: 1 }])
    await writeMigration('202611221030-drop-n.sql', 'alter table a add column m int;')
    expect(await migrate(database.url, url())).toEqual(['202611221030-drop-n.sql', '202611221031-later.sql'])
  })

  test('leave nothing behind when they fail, and say which one failed', async () => {
    await writeMigration('0001-first.sql', 'create table a (n int); select 1 / 0;')
    await expect(migrate(database.url, url())).rejects.toThrow(/0001-first\.sql failed: division by zero/)
    expect((await client.query("select to_regclass('a') as a")).rows[0].a).toBeNull()
  })

  test('refuse a database whose applied migration was edited, or that a newer version wrote', async () => {
    await writeMigration('0001-first.sql', 'create table a (n int);')
    await migrate(database.url, url())
    await writeMigration('0001-first.sql', 'create table a (n bigint);')
    await expect(migrate(database.url, url())).rejects.toThrow(/changed after/)
    await client.query("insert into migration values ('0009-later.sql', 'x')")
    await expect(migrate(database.url, url())).rejects.toThrow(/newer version/)
  })

  test('refuse a database whose dump came without our roles, say the way, and make the roles', async () => {
    await writeMigration(
      '0001-first.sql',
      `create table a (n int); alter table a enable row level security;
      create policy every_row on a to store_platform using (true); grant select on a to store_platform;`,
    )
    await migrate(database.url, url())
    await client.query('drop policy every_row on a')
    await expect(migrate(database.url, url())).rejects.toThrow(
      /loaded from a dump into a server without the roles .*1 tables .*\(a…\)\. The roles are made now\. Empty/,
    )
    await client.query('create policy every_row on a to store_platform using (true)')
    expect(await migrate(database.url, url())).toEqual([])
    await client.query('revoke select on a from store_platform')
    await expect(migrate(database.url, url())).rejects.toThrow('loaded from a dump')
  })

  test('proposed step by step end in the same schema as one made at once', async () => {
    const first = schemaOf([tableOfResource(resource())])
    const second = schemaOf([
      tableOfResource(resource({ price: f.money({ label }), shopId: f.number({ label }) })),
      defineTable({
        name: 'link',
        tenancy: 'tenant',
        columns: { tenant_id: 'text not null', a: 'bigint not null' },
        primaryKey: ['tenant_id', 'a'],
      }),
    ])
    await writeMigration('0001-first.sql', schemaSql(first))
    await migrate(database.url, url())
    await writeMigration('0002-second.sql', proposeMigration(first, second).join('\n'))
    await migrate(database.url, url())
    const columns = await client.query<{ list: string }>(
      "select string_agg(table_name || '.' || column_name || ' ' || data_type, ',' order by table_name, " +
        "column_name) as list from information_schema.columns where table_name in ('sample', 'link')",
    )
    expect(columns.rows[0]!.list).toContain('sample.price bigint')
    expect(columns.rows[0]!.list).toContain('link.a bigint')
    expect(proposeMigration(second, second)).toEqual([])
  })

  test('fill what was empty before they forbid it, in columns that are there and in new ones', async () => {
    const unique = { unique: [['code']] }
    const loose = schemaOf([
      tableOfResource({ ...resource({ code: f.text({ label }), fee: f.money({ label }) }), ...unique }),
    ])
    const strict = schemaOf([
      tableOfResource({
        ...resource({
          code: f.text({ label, required: true }),
          fee: f.money({ label, required: true }),
          shops: f.refs('shop', { label, required: true }),
          since: f.datetime({ label, required: true }),
        }),
        ...unique,
      }),
    ])
    await writeMigration('0001-first.sql', schemaSql(loose))
    await migrate(database.url, url())
    await client.query(
      `insert into sample (id, tenant_id, code, fee, create_time)
      values (1, 't', null, null, '2026-01-02 03:04:05+08'), (2, 't', null, null, now()), (3, 't', 'c', 7, now())`,
    )
    await writeMigration('0002-second.sql', proposeMigration(loose, strict).join('\n'))
    const apart = proposeNoTransactionMigration(loose, strict)
    await writeMigration('0003-second_apart.sql', `${[NO_TRANSACTION_MARKER, ...apart].join('\n')}\n`)
    await migrate(database.url, url())
    // After a crash at any statement the migration starts again from the top.
    for (const done of [1, 2, 3, 4, 5]) for (const statement of apart.slice(0, done)) await client.query(statement)
    const { rows } = await client.query(
      'select code, fee::int, shops::text, since = create_time as "isThen" from sample order by id',
    )
    expect(rows).toEqual([
      { code: '1', fee: 0, shops: '{}', isThen: true },
      { code: '2', fee: 0, shops: '{}', isThen: true },
      { code: 'c', fee: 7, shops: '{}', isThen: true },
    ])
    for (const name of ['code', 'fee', 'shops', 'since'])
      await expect(client.query(`update sample set ${name} = null`)).rejects.toThrow(/violates not-null/)
    expect(proposeMigration(strict, loose)).toEqual([
      'alter table "sample" alter column "code" drop not null;',
      'alter table "sample" alter column "fee" drop not null;',
      '-- decide: alter table "sample" drop column "shops";',
      '-- decide: alter table "sample" drop column "since";',
    ])
  })

  test('change a key while others wait to migrate, and again after a crash in between', async () => {
    const keyed = (primaryKey: readonly string[]) =>
      schemaOf([
        defineTable({
          name: 'keyed',
          tenancy: 'tenant',
          columns: { id: 'bigint not null', tenant_id: 'text not null' },
          primaryKey,
        }),
      ])
    const [was, wanted] = [keyed(['id']), keyed(['tenant_id', 'id'])]
    await writeMigration('0001-first.sql', schemaSql(was))
    await migrate(database.url, url())
    await client.query(`insert into keyed values (1, 'a'), (2, 'b')`)
    const statements = proposeNoTransactionMigration(was, wanted)
    expect(proposeMigration(was, wanted)).toEqual([])
    for (const done of [1, 2, 3]) for (const statement of statements.slice(0, done)) await client.query(statement)
    await writeMigration('0002-keys.sql', `${[NO_TRANSACTION_MARKER, ...statements].join('\n')}\n`)
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, url())))
    expect(applied.flat()).toEqual(['0002-keys.sql'])
    const { rows } = await client.query(
      `select conname, pg_get_constraintdef(oid) as key from pg_constraint
        where conrelid = 'keyed'::regclass and contype = 'p'`,
    )
    expect(rows).toEqual([{ conname: 'keyed_pkey', key: 'PRIMARY KEY (tenant_id, id)' }])
    await client.query(`insert into keyed values (1, 'b')`)
    await expect(client.query(`insert into keyed values (1, 'b')`)).rejects.toThrow(/keyed_pkey/)
  })

  test('let everybody pass while the table they change is in use, and change it when it is free', async () => {
    await writeMigration('0001-first.sql', 'create table a (n int);')
    await migrate(database.url, url())
    await writeMigration('0002-second.sql', 'alter table a add column m int;')
    await writeMigration('0003-third.sql', `${NO_TRANSACTION_MARKER}\nalter table a add column o int;\n`)
    const reader = new pg.Client({ connectionString: database.url })
    await reader.connect()
    await reader.query('begin; select from a')
    const migrating = migrate(database.url, url())
    const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%alter table a%'"
    await vi.waitFor(async () => expect((await client.query(waits)).rowCount).toBe(1), { timeout: 10_000 })
    // This read queues behind the ALTER TABLE only until that gives up.
    await client.query("set lock_timeout = '10s'")
    expect((await client.query('select from a')).rowCount).toBe(0)
    await reader.query('rollback')
    await reader.end()
    expect(await migrating).toEqual(['0002-second.sql', '0003-third.sql'])
    expect((await client.query('select n, m, o from a')).rowCount).toBe(0)
  }, 60_000)

  test('never drop what holds data: that is a comment for a person', () => {
    const wide = schemaOf([tableOfResource(resource({ price: f.money({ label }) }))])
    const narrow = schemaOf([tableOfResource(resource())])
    expect(proposeMigration(wide, narrow)).toEqual(['-- decide: alter table "sample" drop column "price";'])
    expect(proposeMigration(wide, {})).toEqual(['-- decide: drop table "sample";'])
  })

  test('give an append-only table no way to change or remove a row', async () => {
    const ledger = schemaOf([
      defineTable({
        name: 'ledger',
        tenancy: 'tenant',
        columns: { id: 'bigint', tenant_id: 'text not null', n: 'int' },
        appendOnly: true,
      }),
    ])
    await writeMigration('0001-first.sql', schemaSql(ledger))
    await migrate(database.url, url())
    for (const role of ['store_app', 'store_platform']) {
      for (const change of ['update ledger set n = 2', 'delete from ledger', 'truncate ledger']) {
        await client.query('begin')
        await client.query(`set local role ${role}`)
        await expect(client.query(change)).rejects.toThrow(/permission denied/)
        await client.query('rollback')
      }
    }
  })
})

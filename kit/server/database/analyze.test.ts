import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { defineResource, f } from '../../resource/index.ts'
import { defineRoom, serve } from '../room.ts'
import { sampleApp, type Sample } from '../sample-app.ts'
import { analyzeWritten } from './analyze.ts'
import { bulkInsert } from './bulk-insert.ts'
import { sql, type Db } from './db.ts'
import { newId } from './snowflake.ts'

const label = { zh: '便条', en: 'Note' }
const note = defineResource({
  name: 'note',
  path: '/api/t/note',
  label,
  tenancy: 'tenant',
  fields: { text: f.text({ label }) },
  list: { columns: ['text'] },
})

let database: TestDatabase
let sample: Sample
beforeAll(async () => {
  database = await testDatabase({ empty: true })
  sample = await sampleApp(
    database.url,
    [defineRoom({ name: 'notes', label, resources: [serve(note)] })],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

const write = (db: Db, count: number) =>
  bulkInsert(
    db,
    'note',
    { id: 'bigint', text: 'text' },
    Array.from({ length: count }, () => [newId(), 'x']),
  )
const known = async (db: Db) =>
  (await db.one<{ rows: number }>(sql`select reltuples::int as rows from pg_class where oid = 'note'::regclass`))!.rows
const rights = (db: Db) => db.query(sql`select current_user::text as role, (select count(*)::int from note) as seen`)

test('the planner knows what a transaction wrote before it ends, and the handle keeps its own rights', async () => {
  const { unit } = sample.services
  await unit({ tenantId: '100002' }, (db) => write(db, 7))
  await unit({ tenantId: '100001' }, async (db) => {
    await write(db, 1200)
    await analyzeWritten(db)
    expect(await known(db)).toBe(1207)
    expect(await rights(db)).toEqual([{ role: 'store_app', seen: 1200 }])
  })
  await unit({ tenantId: '000000', across: 'a test looks' }, async (db) => {
    await write(db, 900)
    await analyzeWritten(db)
    expect(await rights(db)).toEqual([{ role: 'store_platform', seen: 2107 }])
  })
})

test('a table with few new rows is left as it is', async () => {
  await sample.services.unit({ tenantId: '100001' }, async (db) => {
    const before = await known(db)
    await write(db, 20)
    await analyzeWritten(db)
    expect(await known(db)).toBe(before)
  })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openNotes, type Notes } from '#tests/support/notes.ts'
import { analyzeWrittenTables } from './analyze.ts'
import { runAsLoginRole } from './as-login.ts'
import { bulkInsert } from './bulk-insert.ts'
import { sql, type Db } from './db.ts'
import { newId } from './snowflake.ts'

let notes: Notes
beforeAll(async () => {
  notes = await openNotes()
})
afterAll(() => notes?.close())

const insertNotes = (db: Db, count: number) =>
  bulkInsert(
    db,
    'note',
    { id: 'bigint', text: 'text' },
    Array.from({ length: count }, () => [newId(), 'x']),
  )
const known = async (db: Db) =>
  (await db.one<{ rows: number }>(sql`select reltuples::int as rows from pg_class where oid = 'note'::regclass`))!.rows
const rights = (db: Db) => db.query(sql`select current_user::text as role, (select count(*)::int from note) as seen`)

/** Makes the server count what this connection did before, so that the next transaction starts from zero. */
const asAnotherProcess = () =>
  notes.sample.services.unit({ tenantId: '100001' }, (db) => db.run(sql`select pg_stat_force_next_flush()`))
beforeEach(asAnotherProcess)

test('what another transaction showed and lost is shown again', async () => {
  const { unit } = notes.sample.services
  const looks = async (db: Db) => {
    await insertNotes(db, 4000)
    await analyzeWrittenTables(db)
    let kinds: unknown
    await runAsLoginRole(db, async (own) => {
      kinds = (await own.one<{ n: number }>(sql`select count(*)::int as n from pg_stats where tablename = 'note'`))!.n
    })
    return kinds
  }
  const lost = unit({ tenantId: '100001' }, async (db) => {
    expect(await looks(db)).toBeGreaterThan(0)
    throw new Error('broken off')
  })
  await expect(lost).rejects.toThrow('broken off')
  await asAnotherProcess()
  expect(await unit({ tenantId: '100001' }, looks)).toBeGreaterThan(0)
  await unit({ tenantId: '100001' }, (db) => db.run(sql`delete from note where tenant_id = '100001'`))
})

test('the planner knows what a transaction wrote before it ends, and the handle keeps its own rights', async () => {
  const { unit } = notes.sample.services
  await unit({ tenantId: '100002' }, (db) => insertNotes(db, 7))
  await unit({ tenantId: '100001' }, async (db) => {
    await insertNotes(db, 1200)
    await analyzeWrittenTables(db)
    expect(await known(db)).toBe(1207)
    expect(await rights(db)).toEqual([{ role: 'store_app', seen: 1200 }])
  })
  await unit({ tenantId: '000000', crossTenantReason: 'a test looks' }, async (db) => {
    await insertNotes(db, 900)
    await analyzeWrittenTables(db)
    expect(await rights(db)).toEqual([{ role: 'store_platform', seen: 2107 }])
  })
})

test('a table is looked at once more when it has grown by a tenth, and not before', async () => {
  await notes.sample.services.unit({ tenantId: '100001' }, async (db) => {
    await insertNotes(db, 1000)
    await analyzeWrittenTables(db)
    const before = await known(db)
    await insertNotes(db, 50)
    await analyzeWrittenTables(db)
    expect(await known(db)).toBe(before)
    // Also more than a tenth of what the connection wrote in earlier tests.
    await insertNotes(db, 3000)
    await analyzeWrittenTables(db)
    expect(await known(db)).toBe(before + 3050)
  })
})

test('a table with few new rows is left as it is', async () => {
  await notes.sample.services.unit({ tenantId: '100001' }, async (db) => {
    const before = await known(db)
    await insertNotes(db, 20)
    await analyzeWrittenTables(db)
    expect(await known(db)).toBe(before)
  })
})

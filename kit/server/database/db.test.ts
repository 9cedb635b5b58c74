import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropTenantFilters } from '#tests/support/drop-tenant-filters.ts'
import { noteResource, openNotes, type Notes } from '#tests/support/notes.ts'
import { sql, unitOfWork, type Db } from './db.ts'

let notes: Notes
const unit = <T>(tenantId: string, work: (db: Db) => Promise<T>) =>
  unitOfWork(notes.sample.services.pool, { tenantId }, { userId: '1', deptId: null }, work)
const seen = (db: Db) => db.query(sql`select tenant_id from note`)

beforeAll(async () => {
  notes = await openNotes(['100001', '100002'])
})
afterAll(() => notes?.close())

test('rights that were lent are given back, also when the work was refused and somebody caught that', async () => {
  const tenants = await unit('100001', async (db) => {
    expect((await db.acrossTenants('a test looks', seen)).length).toBe(2)
    await db
      .acrossTenants('a test fails', async () => {
        throw new Error('refused')
      })
      .catch(() => {})
    return seen(db)
  })
  expect(tenants).toEqual([{ tenantId: '100001' }])
})

test('what rides and fails fails its unit with its own error: nothing of it is kept, and nobody is told', async () => {
  const before = await unit('100001', seen)
  const insertDeferred = (db: Db) =>
    db.waitUntil(db.run(sql`insert into note (id, tenant_id, text) values (0, '100002', 'theirs')`))
  const notified = { name: 'nobody' }
  await expect(
    unit('100001', async (db) => {
      db.afterCommit(() => void (notified.name = 'somebody'))
      await db.insert(noteResource, { text: 'before' })
      insertDeferred(db)
    }),
  ).rejects.toMatchObject({ code: '42501' })
  await expect(
    unit('100001', async (db) => {
      insertDeferred(db)
      await db.insert(noteResource, { text: 'behind' })
    }),
  ).rejects.toMatchObject({ code: '42501' })
  await expect(
    unit('100001', async (db) => db.beforeCommit(sql`insert into note (id, tenant_id) values (0, '100002')`)),
  ).rejects.toMatchObject({ code: '42501' })
  await unit('100001', (db) =>
    expect(db.savepoint(async () => insertDeferred(db))).rejects.toMatchObject({ code: '42501' }),
  )
  expect(notified.name).toBe('nobody')
  expect(await unit('100001', seen)).toEqual(before)
})

test('what fails for the sake of a statement that is not waited for yet tells the error of that one', async () => {
  const fail = (db: Db) => void db.run(sql`select 1 / 0`).catch(() => {})
  const readAfterFailure = async (db: Db) => {
    fail(db)
    await seen(db)
  }
  await expect(unit('100001', readAfterFailure)).rejects.toMatchObject({ code: '22012' })
  // Also when later statements fail as a consequence; but not after a rollback to a savepoint.
  await expect(
    unit('100001', async (db) => {
      fail(db)
      db.waitUntil(seen(db))
      await seen(db)
    }),
  ).rejects.toMatchObject({ code: '22012' })
  await unit('100001', async (db) => {
    await expect(db.savepoint(() => readAfterFailure(db))).rejects.toMatchObject({ code: '22012' })
    expect(await seen(db)).toHaveLength(1)
  })
})

test('a statement whose failure nobody heard of is no commit: the unit fails, and nothing of it is kept', async () => {
  const before = await unit('100001', seen)
  await expect(
    unit('100001', async (db) => {
      await db.insert(noteResource, { text: 'before' })
      await db.run(sql`select 1 / 0`).catch(() => {})
    }),
  ).rejects.toThrow('rolled back')
  expect(await unit('100001', seen)).toEqual(before)
})

test(
  'a handle whose transaction an inner one uses refuses to be used, so that nothing runs ' +
    'with rights that are not its own',
  async () => {
    await expect(unit('100001', (db) => db.acrossTenants('a test errs', () => seen(db)))).rejects.toThrow(
      'use the inner one',
    )
    await expect(
      unit(
        '100001',
        async (db) =>
          (
            await Promise.all([
              db.acrossTenants('a test', (all) => all.query(sql`select pg_sleep(0.01)`)),
              seen(db).then(
                (rows) => rows,
                () => 'refused',
              ),
            ])
          )[1],
      ),
    ).resolves.not.toHaveLength(2)
  },
)

test('only a unit that may cross acts as another tenant', async () => {
  await expect(unit('100001', (db) => db.asTenant('100002', seen))).rejects.toThrow('only a unit across tenants')
  expect(await unit('100001', (db) => db.acrossTenants('a test', (all) => all.asTenant('100002', seen)))).toEqual([
    { tenantId: '100002' },
  ])
})

test('without the application’s own tenant conditions the database still shows a tenant its rows alone', async () => {
  const restore = dropTenantFilters()
  try {
    const found = await unit('100001', (db) =>
      db.query(sql`select r.tenant_id from note r where r.tenant_id = ${'100002'}`),
    )
    expect(found).toEqual([{ tenantId: '100001' }])
    expect(
      await unit('100001', (db) =>
        db.run(sql`update note r set text = 'mine' where r.tenant_id in (${'100002'}, '000000')`),
      ),
    ).toBe(1)
  } finally {
    restore()
  }
  expect(
    await unit('100001', (db) => db.query(sql`select r.tenant_id from note r where r.tenant_id = ${'100002'}`)),
  ).toEqual([])
})

test('a second unit inside a unit is refused before it takes a connection', async () => {
  await expect(unit('100001', () => unit('100002', seen))).rejects.toThrow('may not be opened inside another one')
})

test('an amount is a number however it is asked for, an id is text, what would be rounded is refused', async () => {
  const read = (db: Db) =>
    db.one(sql`select 7::bigint as shop_id, 1250::bigint as amount, sum(x) as total, count(*) as n,
      null::bigint as price,
      avg(x) as mean
      from (values (1250::bigint), (1)) v(x)`)
  expect(await unit('100001', read)).toEqual({
    shopId: '7',
    amount: 1250,
    total: 1251,
    n: 2,
    price: null,
    mean: 625.5,
  })
  const beyond = (value: string) => unit('100001', (db) => db.query(sql`select ${value}::bigint as amount`))
  expect(await beyond('9007199254740991')).toEqual([{ amount: Number.MAX_SAFE_INTEGER }])
  await expect(beyond('9007199254740993')).rejects.toMatchObject({ code: 'number_too_big' })
  await expect(
    unit('100001', (db) => db.query(sql`select sum(x) as total from (values (9007199254740991), (2)) v(x)`)),
  ).rejects.toMatchObject({ code: 'number_too_big' })
  expect(await unit('100001', (db) => db.query(sql`select 9007199254740993 as id`))).toEqual([
    { id: '9007199254740993' },
  ])
})

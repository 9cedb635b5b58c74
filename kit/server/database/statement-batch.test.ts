import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openNotes, type Notes } from '#tests/support/notes.ts'
import { withConnectionLimits, createPool, raw, readBatch, sql, unitOfWork, type Pool } from './db.ts'
import { newId } from './snowflake.ts'

const [ONE, OTHER] = ['100001', '100002']
const texts = sql`select text from note order by text`
const standing = sql`select current_setting('app.tenant', true) as tenant, current_user::text as role,
  current_setting('statement_timeout') as "longest", current_setting('lock_timeout') as "lockWait"`
const AT_REST = { tenant: '', role: 'store_app', longest: '1min', lockWait: '0' }

/** Runs in a context that holds no unit of work. */
const apart = AsyncLocalStorage.snapshot()

let notes: Notes
/** A single connection, so that settings left on it would be seen by the next reader. */
let pool: Pool

beforeAll(async () => {
  notes = await openNotes([ONE, OTHER])
})
beforeEach(() => {
  pool = createPool(notes.database.url, { max: 1 })
  return () => pool.end()
})
afterAll(() => notes?.close())

const read = async (tenantId: string, ...statements: Parameters<typeof readBatch>[2]) =>
  readBatch(pool, { tenantId }, statements)
/** Runs a unit of work beside one that is open. */
const unitOfWorkApart = (other: Pool, statement: Parameters<typeof readBatch>[2][number]) =>
  apart(() => unitOfWork(other, { tenantId: ONE }, { userId: '1', deptId: null }, (db) => db.run(statement)))
/** Settings of a connection that no unit has bound. */
const atRest = async () => (await pool.query(standing)).rows[0]

test('a reading finds its tenant’s rows alone, and leaves neither tenant nor limits on the connection', async () => {
  const [own, [how]] = (await withConnectionLimits({ lane: 'read', acquireTimeoutMs: 60_000 }, () =>
    read(ONE, texts, standing),
  )) as [unknown, [object]]
  expect(own).toEqual([{ text: ONE }])
  // What takes longer is asked again on a connection of its own, within the limit of requests.
  expect(how).toEqual({ tenant: ONE, role: 'store_app', longest: '250ms', lockWait: '10s' })
  expect(await atRest()).toEqual(AT_REST)
  expect((await pool.query(texts)).rows).toEqual([])
})

test('a reading that fails midway leaves no tenant on the connection, nor harms the next one', async () => {
  const after = sql`select text, 1 as one from note order by text`
  await expect(read(ONE, texts, sql`select 1 / (count(*) - 1) as n from note`, after)).rejects.toMatchObject({
    code: '22012',
  })
  expect(await atRest()).toEqual(AT_REST)
  expect((await pool.query(texts)).rows).toEqual([])
  // Statements after the failure were never prepared, and are not taken for prepared.
  expect(await read(OTHER, texts, after)).toEqual([[{ text: OTHER }], [{ text: OTHER, one: 1 }]])
})

test('readings of two tenants behind one another on one connection never see each other’s rows', async () => {
  const tenants = Array.from({ length: 30 }, (_none, index) => (index % 3 ? ONE : OTHER))
  const found = await Promise.all(
    tenants.map((tenantId, index) =>
      // Every seventh read fails, between others that succeed.
      read(tenantId, texts, ...(index % 7 === 6 ? [sql`select 1 / (count(*) - 1) from note`] : [])).catch(
        () => 'failed',
      ),
    ),
  )
  for (const [index, one] of found.entries())
    expect(one).toEqual(index % 7 === 6 ? 'failed' : [[{ text: tenants[index] }]])
  expect(await atRest()).toEqual(AT_REST)
})

test('seeing all tenants ends with the reading that may, also when it fails', async () => {
  const across = (...statements: Parameters<typeof readBatch>[2]) =>
    readBatch(pool, { tenantId: ONE, crossTenantReason: 'a test looks' }, statements)
  expect(await across(texts)).toEqual([[{ text: ONE }, { text: OTHER }]])
  expect(await read(OTHER, texts)).toEqual([[{ text: OTHER }]])
  await expect(across(texts, sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
  expect(await atRest()).toEqual(AT_REST)
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }]])
})

test('no statement of a call takes longer than calls may, and the limit is gone with the reading', async () => {
  const locked = sql`select set_config('statement_timeout', '50', true)`
  await expect(read(ONE, locked, sql`select pg_sleep(20)`)).rejects.toMatchObject({ code: '57014' })
  expect(await atRest()).toEqual(AT_REST)
})

test('a number that would be rounded refuses the reading, and a value that cannot be sent sends nothing', async () => {
  await expect(read(ONE, sql`select 9007199254740993 as amount`, texts)).rejects.toMatchObject({
    code: 'number_too_big',
  })
  const circular: Record<string, unknown> = {}
  circular.self = circular
  await expect(read(ONE, texts, sql`select ${circular}::jsonb as j`)).rejects.toThrow('circular')
  expect(await read(OTHER, texts)).toEqual([[{ text: OTHER }]])
})

test('a reading and a unit of work take turns on one connection, and know of each other’s statements', async () => {
  const unit = (tenantId: string) =>
    unitOfWork(pool, { tenantId }, { userId: '1', deptId: null }, (db) => db.query(texts))
  expect(await unit(ONE)).toEqual([{ text: ONE }])
  expect(await read(OTHER, texts)).toEqual([[{ text: OTHER }]])
  expect(await unit(ONE)).toEqual([{ text: ONE }])
  expect(await read(OTHER, texts, texts)).toEqual([[{ text: OTHER }], [{ text: OTHER }]])
})

test('a unit of work asks once a connection what columns a statement has, and counts what it changed', async () => {
  const client = await pool.connect()
  const described = vi.spyOn((client as unknown as { connection: { describe: () => void } }).connection, 'describe')
  client.release()
  const work = () =>
    unitOfWork(pool, { tenantId: ONE }, { userId: '1', deptId: null }, async (db) => [
      await db.query(texts),
      await db.run(sql`update note set text = text`),
      await db.run(sql`update note set text = text where text = ${'of nobody'}`),
    ])
  for (const _turn of [1, 2]) {
    expect(await work()).toEqual([[{ text: ONE }], 1, 0])
    // Three statements of the work, and BEGIN, tenant setting and COMMIT.
    expect(described).toHaveBeenCalledTimes(6)
  }
})

test('an error of a unit of work says who asked', async () => {
  const wrong = unitOfWork(pool, { tenantId: ONE }, { userId: '1', deptId: null }, (db) => db.query(sql`select 1 / 0`))
  const error = await wrong.catch((thrown: unknown) => thrown as Error)
  expect(error).toMatchObject({ code: '22012', stack: expect.stringContaining('db.ts') })
})

test('two tenants that keep a plan on one connection find their own rows each, and leave nothing kept', async () => {
  const unit = (tenantId: string) =>
    unitOfWork(pool, { tenantId, genericPlans: true }, { userId: '1', deptId: null }, (db) => db.query(texts))
  for (const tenantId of [ONE, OTHER, ONE, OTHER]) expect(await unit(tenantId)).toEqual([{ text: tenantId }])
  expect((await pool.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }])
})

const ACTOR = { userId: '1', deptId: null }
const add = (text: string) => sql`insert into note (id, tenant_id, text) values (${newId()}, ${ONE}, ${text})`
const wrong = sql`select 1 / (count(*) - count(*)) from note`

test('statements of one breath have one end, whatever their number: a unit of two breaths has two', async () => {
  const client = await pool.connect()
  const ended = vi.spyOn((client as unknown as { connection: { sync: () => void } }).connection, 'sync')
  client.release()
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    await Promise.all([db.query(texts), db.query(texts), db.query(texts)])
    db.waitUntil(db.query(texts))
    db.beforeCommit(sql`select 1`)
  })
  expect(ended).toHaveBeenCalledTimes(2)
})

test('of a breath those before a failure are answered, those behind it follow, and nothing of it stays', async () => {
  let ends: PromiseSettledResult<unknown>[] = []
  const unit = unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    ends = await Promise.allSettled([db.run(add('before')), db.query(wrong), db.run(add('behind'))])
  })
  await expect(unit).rejects.toThrow('rolled back instead of committed')
  expect(ends).toMatchObject([{ value: 1 }, { reason: { code: '22012' } }, { reason: { code: '25P02' } }])
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }]])
  expect(await atRest()).toEqual(AT_REST)
})

test('a failure nobody waits for keeps the COMMIT of its message from being done, and is what is thrown', async () => {
  const unit = unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    db.waitUntil(db.run(add('ridden')))
    db.waitUntil(db.query(wrong))
  })
  await expect(unit).rejects.toMatchObject({ code: '22012' })
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }]])
})

test('a unit that throws before anything was sent leaves no transaction on the connection', async () => {
  const unit = unitOfWork(pool, { tenantId: ONE }, ACTOR, (db) => {
    db.waitUntil(db.run(add('never')))
    throw new Error('at once')
  })
  await expect(unit).rejects.toThrow('at once')
  const moments = async () => (await pool.query('select now()::text as at, pg_sleep(0.001)')).rows[0].at as string
  expect(await moments()).not.toBe(await moments())
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }]])
})

test('an attempt that fails is undone also where what rode in it fails in its breath; the unit goes on', async () => {
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    const tried = db.savepoint(async () => {
      db.waitUntil(db.run(add('tried')))
      db.waitUntil(db.query(wrong))
      throw new Error('given up')
    })
    await expect(tried).rejects.toThrow('given up')
    await db.run(add('kept'))
  })
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }, { text: 'kept' }]])
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, (db) => db.run(sql`delete from note where text = 'kept'`))
})

test('what cannot be sent or read fails alone: the others of its breath are done', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    const ends = await Promise.allSettled([
      db.run(add('one')),
      db.query(sql`select ${circular}::jsonb as j`),
      db.query(sql`select 9007199254740993 as amount`),
      db.run(add('two')),
    ])
    expect(ends).toMatchObject([
      { value: 1 },
      { reason: { message: expect.stringContaining('circular') } },
      { reason: { code: 'number_too_big' } },
      { value: 1 },
    ])
  })
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }, { text: 'one' }, { text: 'two' }]])
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, (db) => db.run(sql`delete from note where text in ('one', 'two')`))
})

test('a unit that reads one moment sees nothing of what others save meanwhile, and may not write', async () => {
  const other = createPool(notes.database.url, { max: 1 })
  const looks = await unitOfWork(pool, { tenantId: ONE, repeatableRead: true }, ACTOR, async (db) => {
    const first = await db.query(texts)
    await unitOfWorkApart(other, add('meanwhile'))
    await expect(db.savepoint(() => db.run(add('mine')))).rejects.toMatchObject({ code: '25006' })
    return [first, await db.query(texts)]
  })
  expect(looks).toEqual([[{ text: ONE }], [{ text: ONE }]])
  await unitOfWork(pool, { tenantId: ONE }, ACTOR, (db) => db.run(sql`delete from note where text = 'meanwhile'`))
  await other.end()
})

test('a message that cannot be written refuses what it asked, ends its connection and nothing else', async () => {
  const client = await pool.connect()
  const wire = (client as unknown as { connection: { sync: () => void } }).connection
  vi.spyOn(wire, 'sync').mockImplementationOnce(() => {
    throw new Error('no room')
  })
  client.release()
  const unit = unitOfWork(pool, { tenantId: ONE }, ACTOR, (db) => db.run(add('half')))
  await expect(unit).rejects.toThrow('no room')
  expect(await read(ONE, texts)).toEqual([[{ text: ONE }]])
})

test('rights that are lent stay lent: a second borrower is refused and takes nothing back', async () => {
  const tenants = sql`select current_setting('app.tenant') as tenant, current_user::text as role`
  const looks = await unitOfWork(pool, { tenantId: ONE }, ACTOR, async (db) => {
    const first = db.acrossTenants('a test looks', async (all) => {
      await all.query(texts)
      return all.query(tenants)
    })
    await expect(db.acrossTenants('another one', (all) => all.query(tenants))).rejects.toThrow('use the inner one')
    return [await first, await db.query(tenants)]
  })
  expect(looks).toEqual([[{ tenant: ONE, role: 'store_platform' }], [{ tenant: ONE, role: 'store_app' }]])
})

// Must be the last test, as it uses up all names of prepared statements.
test('a unit of work that keeps its plans plans nothing anew, also where too many texts were asked', async () => {
  const unit = (genericPlans: boolean, ...statements: Parameters<typeof readBatch>[2]) =>
    unitOfWork(pool, { tenantId: ONE, genericPlans }, { userId: '1', deptId: null }, async (db) => {
      for (const statement of statements) await db.query(statement)
    })
  await unit(false, ...Array.from({ length: 900 }, (_none, n) => sql`select ${raw(`${n} as n`)}`))
  const selectAs = (name: string) => sql`select ${raw(name)}.text from note ${raw(name)} where text = ${ONE}`
  for (let turn = 0; turn < 4; turn++) {
    await unit(true, selectAs('of_kept'))
    await unit(false, selectAs('of_others'))
  }
  const { rows } = await pool.query(`select statement, custom_plans::int as anew, generic_plans::int as kept
    from pg_prepared_statements where statement ~ 'of_(kept|others)'`)
  expect(rows).toEqual([{ statement: selectAs('of_kept').text, anew: 0, kept: 4 }])
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openNotes, type Notes } from '../../testing/notes.ts'
import { countRoundTrips } from '../../testing/round-trips.ts'
import { createTrace } from '../trace.ts'
import { withConnectionLimits, createPool, raw, readBatch, sql, unitOfWork, type Pool } from './db.ts'

const [ONE, OTHER] = ['100001', '100002']
const texts = sql`select text, pg_backend_pid() as pid from note order by text`
const who = sql`select pg_backend_pid() as pid, current_setting('app.tenant', true) as tenant`

/** Makes each test's statement text unique, since read times are remembered by text. */
let fresh = 0
const asleep = () => {
  const name = raw(`pid${fresh++}`)
  return (seconds: number) => sql`select pg_backend_pid() as ${name}, pg_sleep(${seconds})`
}

type Client = { connection: { stream: { destroy: () => void } } }
/** Waits until everything requested in this event-loop turn has been sent. */
const sent = async () => {
  for (const _turn of [1, 2]) await new Promise((resolve) => setImmediate(resolve))
}

let notes: Notes
let pool: Pool

beforeAll(async () => {
  notes = await openNotes([ONE, OTHER])
})
beforeEach(() => {
  // Three places, of which one may be shared.
  pool = createPool(notes.database.url, { max: 3 })
  return () => pool.end()
})
afterAll(() => notes?.close())

type Statements = Parameters<typeof readBatch>[2]
const read = async (tenantId: string, ...statements: Statements) => {
  const found = await readBatch(pool, { tenantId }, statements)
  return found.map(([row]) => row as Record<string, any>)
}

/** Runs each read once by itself, so that it has a measured time: unmeasured ones get a dedicated connection. */
const timed = async (...readings: Statements[]) => {
  for (const statements of readings) await read(ONE, ...statements)
}

test('readings of one breath share a connection, and each sees its own tenant’s rows alone', async () => {
  await timed([texts, who])
  const sharing = Array.from({ length: 8 }, (_none, index) => (index % 3 ? ONE : OTHER))
  const found = await Promise.all(sharing.map((tenantId) => read(tenantId, texts, who)))
  for (const [index, [own, at]] of found.entries()) {
    expect([own!.text, at!.tenant]).toEqual([sharing[index], sharing[index]])
    expect(at!.pid).toBe(found[0]![0]!.pid)
  }
  expect((await pool.query(texts)).rows).toEqual([])
})

test('what fails in a line fails alone: nobody behind it is refused, or sees with its rights', async () => {
  const never = sql`select text, ${raw(`1 as behind_${fresh++}`)} from note order by text`
  const failing = (at: number) => [sql`select 1 / (count(*) - ${at}) from note`, never]
  await timed(failing(0), [never, who])
  // New connections without prepared statements: the statement after the failing one was to be prepared for all.
  const [before] = [pool, (pool = createPool(notes.database.url, { max: 3 }))]
  await before.end()
  const [failed, ...others] = await Promise.allSettled([
    read(ONE, ...failing(1)),
    read(OTHER, never, who),
    read(ONE, never, who),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  expect(others).toMatchObject([
    { value: [{ text: OTHER }, { tenant: OTHER }] },
    { value: [{ text: ONE }, { tenant: ONE }] },
  ])
})

test('a value that cannot be sent refuses its own reading, and who waits in its line is still watched', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const given = (value: unknown) => sql`select ${value}::jsonb as j`
  const slow = asleep()
  await timed([texts], [given({})], [slow(0)])
  let isAwake = false
  const [, between, behind] = await Promise.allSettled([
    read(ONE, slow(1)).then(() => (isAwake = true)),
    read(ONE, given(circular)),
    read(OTHER, texts).then(([row]) => ({ ...row, isAwake })),
  ])
  expect(between).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('circular') } })
  expect(behind).toMatchObject({ value: { text: OTHER, isAwake: false } })
})

test('nobody waits behind a reading that turns out slow, and it is asked alone from then on', async () => {
  const slow = asleep()
  await timed([slow(0)], [texts])
  const ended: string[] = []
  const both = () =>
    countRoundTrips(() =>
      Promise.all([
        read(ONE, slow(1)).then(() => ended.push('slow')),
        read(OTHER, texts).then(([row]) => ended.push(row!.text as string)),
      ]),
    )
  // Two reads of two statements; the one behind the slow one is repeated with its end time (3 more). After that the
  // slow one is sent by itself, with its end time.
  expect((await both()).statements).toBe(7)
  expect((await both()).statements).toBe(5)
  expect(ended).toEqual([OTHER, 'slow', OTHER, 'slow'])
})

test('nobody waits long behind several that are each a little slow', async () => {
  const lazy = asleep()
  await timed([lazy(0)], [texts])
  const ended: string[] = []
  const end = (what: string) => () => ended.push(what)
  const lazies = (from: number, to: number) =>
    Array.from({ length: to - from }, (_none, index) => read(`30000${from + index}`, lazy(0.04)).then(end('lazy')))
  // Runs as people's requests, since background work may use only half of the places.
  await withConnectionLimits({ lane: 'read', acquireTimeoutMs: 60_000 }, () =>
    Promise.all([...lazies(0, 4), read(OTHER, texts).then(end('quick')), ...lazies(4, 7)]),
  )
  // It was queued behind four reads of 40 ms.
  expect(ended.indexOf('quick')).toBeLessThan(4)
})

test('nobody stands behind a reading that was never timed', async () => {
  await timed([texts])
  const { statements } = await countRoundTrips(() => Promise.all([read(ONE, asleep()(0.2)), read(OTHER, texts)]))
  expect(statements).toBe(5)
})

test('a slow reading does not keep the connection that is there to be shared', async () => {
  const slow = asleep()
  await timed([slow(0)], [texts])
  let isAwake = false
  const slowRead = read(ONE, slow(0.5)).then(() => (isAwake = true))
  await sent()
  const [found] = await read(OTHER, texts)
  expect([found!.text, isAwake]).toEqual([OTHER, false])
  await slowRead
})

test('what takes more than ten milliseconds on average is asked alone until it is quick again', async () => {
  const lazy = asleep()
  await timed([lazy(0)], [who])
  const isShared = async (seconds: number) => {
    const [[one], [other]] = (await Promise.all([read(ONE, lazy(seconds)), read(OTHER, who)])) as [any, any]
    return Object.values(one as object)[0] === other.pid
  }
  const turns = async (seconds: number) => {
    const shared: boolean[] = []
    for (let turn = 0; turn < 16; turn++) shared.push(await isShared(seconds))
    return shared
  }
  const slow = await turns(0.03)
  expect([slow[0], slow.at(-1)]).toEqual([true, false])
  const quick = await turns(0)
  expect([quick[0], quick.at(-1)]).toEqual([false, true])
})

test('who is asked anew takes the answer that comes first, also when the other try is refused', async () => {
  const slow = asleep()
  await timed([slow(0)], [texts])
  // Writes take two of the three places, so there is none left to repeat a read on.
  const held = Array.from({ length: 2 }, (_none, index) =>
    unitOfWork(pool, { tenantId: `20000${index}` }, { userId: '1', deptId: null }, (db) =>
      db.query(sql`select pg_sleep(0.6)`),
    ),
  )
  await sent()
  const [, quick] = await Promise.allSettled([
    read(ONE, slow(0.3)),
    withConnectionLimits({ lane: 'read', acquireTimeoutMs: 100 }, () => read(OTHER, texts)),
  ])
  expect(quick).toMatchObject({ value: [{ text: OTHER }] })
  await Promise.all(held)
})

test('waiting behind another reading counts as waiting, not as time of the database', async () => {
  const slow = asleep()
  await timed([slow(0)], [texts])
  const trace = createTrace('1'.repeat(32))
  await Promise.all([
    read(ONE, slow(0.04)),
    withConnectionLimits({ lane: 'read', acquireTimeoutMs: 60_000 }, () => read(OTHER, texts), trace),
  ])
  expect(trace.waitedMs).toBeGreaterThan(30)
  expect(trace.databaseMs).toBeLessThan(30)
})

test('readings that share a connection which is lost are all asked once more', async () => {
  const slow = asleep()
  await timed([slow(0), who], [texts])
  const answers = Promise.all([read(ONE, slow(0.3), who), read(OTHER, texts), read(ONE, texts)])
  await sent()
  for (const { connection } of (pool as unknown as { _clients: Client[] })._clients) connection.stream.destroy()
  expect(await answers).toMatchObject([[{}, { tenant: ONE }], [{ text: OTHER }], [{ text: ONE }]])
})

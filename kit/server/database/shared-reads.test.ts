import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openNotes, type Notes } from '#tests/support/notes.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { createTrace } from '../base/trace.ts'
import { withConnectionLimits, createPool, raw, readBatch, sql, type Pool } from './db.ts'

const [ONE, OTHER] = ['100001', '100002']
const texts = sql`select text, pg_backend_pid() as pid from note order by text`
const who = sql`select pg_backend_pid() as pid, current_setting('app.tenant', true) as tenant`

/** Makes each test's statement text unique, since slow reads are remembered by text. */
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

test('readings of one breath share a connection, and each sees its own tenant’s rows alone', async () => {
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

test('a value that cannot be sent refuses its own reading, and who waits behind a slow one is answered', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const given = (value: unknown) => sql`select ${value}::jsonb as j`
  const slow = asleep()
  let isAwake = false
  const [, between, last] = await Promise.allSettled([
    read(ONE, slow(1)).then(() => (isAwake = true)),
    read(ONE, given(circular)),
    read(OTHER, texts).then(([row]) => ({ ...row, isAwake })),
  ])
  expect(between).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('circular') } })
  expect(last).toMatchObject({ value: { text: OTHER, isAwake: false } })
})

test('nobody waits behind a reading that turns out slow, and it is asked alone from then on', async () => {
  const slow = asleep()
  const ended: string[] = []
  const both = () =>
    countRoundTrips(() =>
      Promise.all([
        read(ONE, slow(1)).then(() => ended.push('slow')),
        read(OTHER, texts).then(([row]) => ended.push(row!.text as string)),
      ]),
    )
  // Two reads of two statements; the slow one is cancelled and sent again by itself, after that by itself at once.
  expect((await both()).statements).toBe(6)
  expect((await both()).statements).toBe(4)
  expect(ended).toEqual([OTHER, 'slow', OTHER, 'slow'])
})

test('a slow reading does not keep the connection that is there to be shared', async () => {
  const slow = asleep()
  let isAwake = false
  const slowRead = read(ONE, slow(0.5)).then(() => (isAwake = true))
  await sent()
  const [found] = await read(OTHER, texts)
  expect([found!.text, isAwake]).toEqual([OTHER, false])
  await slowRead
})

test('what takes long alone too is asked alone until it is quick again, for its tenant', async () => {
  const lazy = asleep()
  const isShared = async (seconds: number, tenantId = ONE) => {
    const [[one], [other]] = (await Promise.all([read(tenantId, lazy(seconds)), read(OTHER, who)])) as [any, any]
    return Object.values(one as object)[0] === other.pid
  }
  expect(await isShared(0.01)).toBe(true)
  await isShared(0.3)
  expect(await isShared(0, OTHER)).toBe(true)
  expect([await isShared(0), await isShared(0)]).toEqual([false, true])
})

test('what was held up once goes on sharing a connection', async () => {
  const owner = new pg.Client({ connectionString: notes.database.url })
  await owner.connect()
  await owner.query('create sequence turns; grant usage on sequence turns to public')
  await owner.end()
  // A sequence does not go back when its statement is cancelled.
  const heldUpOnce = sql`select pg_backend_pid() as pid, case nextval('turns') when 1 then pg_sleep(1) end`
  const both = async () => (await Promise.all([read(ONE, heldUpOnce), read(OTHER, who)])).map(([row]) => row!.pid)
  await both()
  const [one, other] = await both()
  expect(one).toBe(other)
})

test('waiting behind another reading counts as waiting, not as time of the database', async () => {
  const slow = asleep()
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
  const answers = Promise.all([read(ONE, slow(0.3), who), read(OTHER, texts), read(ONE, texts)])
  await sent()
  for (const { connection } of (pool as unknown as { _clients: Client[] })._clients) connection.stream.destroy()
  expect(await answers).toMatchObject([[{}, { tenant: ONE }], [{ text: OTHER }], [{ text: ONE }]])
})

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { countTrips } from '../../testing/trips.ts'
import { testDatabase, type TestDatabase } from '../../testing/database.ts'
import { defineResource, f } from '../../resource/index.ts'
import { createPool, raw, readTogether, sql, unitOfWork, type Pool } from './db.ts'
import { defineRoom, serve } from '../room.ts'
import { sampleApp, type Sample } from '../sample-app.ts'

const label = { zh: '便条', en: 'Note' }
const note = defineResource({
  name: 'note',
  path: '/api/t/note',
  label,
  tenancy: 'tenant',
  fields: { text: f.text({ label }) },
  list: { columns: ['text'] },
})
const [ONE, OTHER] = ['100001', '100002']
const texts = sql`select text, pg_backend_pid() as pid from note order by text`
const who = sql`select pg_backend_pid() as pid, current_setting('app.tenant', true) as tenant`

type Client = { connection: { stream: { destroy: () => void } } }
/** What was asked in this breath has left. */
const sent = async () => {
  for (const _turn of [1, 2]) await new Promise((resolve) => setImmediate(resolve))
}

let database: TestDatabase
let sample: Sample
let pool: Pool
/** Statements are known by their text, and what was learned of one is kept: each test has its own. */
let fresh = 0
const asleep = (seconds: number) => {
  const name = raw(`pid${fresh++}`)
  return () => sql`select pg_backend_pid() as ${name}, pg_sleep(${seconds})`
}

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  sample = await sampleApp(
    database.url,
    [defineRoom({ name: 'notes', label, resources: [serve(note)] })],
    pathToFileURL(`${mkdtempSync(join(tmpdir(), 'no-migrations-'))}/`),
  )
  for (const tenantId of [ONE, OTHER])
    await unitOfWork(sample.services.pool, { tenantId }, { userId: '1', deptId: null }, (db) =>
      db.insert(note, { text: tenantId }),
    )
})
beforeEach(() => {
  // Three places, of which one may be shared.
  pool = createPool(database.url, { max: 3 })
  return () => pool.end()
})
afterAll(async () => {
  await sample?.stop()
  await database?.drop()
})

type Statements = Parameters<typeof readTogether>[2]
const read = async (tenantId: string, ...statements: Statements) => {
  const found = await readTogether(pool, { tenantId }, statements)
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
  const [failed, ...others] = await Promise.allSettled([
    // What stands behind the failure was to be prepared for all.
    readTogether(pool, { tenantId: ONE, across: 'a test fails' }, [sql`select 1 / (count(*) - 2) from note`, never]),
    read(OTHER, never, who),
    read(ONE, never, who),
  ])
  expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
  const rows = others.map((one) => (one as PromiseFulfilledResult<Record<string, any>[]>).value)
  expect(rows).toMatchObject([
    [{ text: OTHER }, { tenant: OTHER }],
    [{ text: ONE }, { tenant: ONE }],
  ])
})

test('a value that cannot be sent refuses its own reading in the middle of a line', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const [before, between, behind] = await Promise.allSettled([
    read(ONE, texts),
    read(ONE, sql`select ${circular}::jsonb as j`),
    read(OTHER, texts),
  ])
  expect(between).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('circular') } })
  expect([before, behind]).toMatchObject([{ value: [{ text: ONE }] }, { value: [{ text: OTHER }] }])
})

test('nobody waits behind a reading that turns out slow, and it is asked alone from then on', async () => {
  const slow = asleep(1)
  const ended: string[] = []
  const both = () =>
    countTrips(() =>
      Promise.all([
        read(ONE, slow()).then(() => ended.push('slow')),
        read(OTHER, texts).then(([row]) => ended.push(row!.text as string)),
      ]),
    )
  // Two readings of two statements each, and the second one asked again.
  expect((await both()).statements).toBe(6)
  expect((await both()).statements).toBe(4)
  expect(ended).toEqual([OTHER, 'slow', OTHER, 'slow'])
})

test('a slow reading does not keep the connection that is there to be shared', async () => {
  const lazy = asleep(0.5)
  let isAwake = false
  const slow = read(ONE, lazy()).then(() => (isAwake = true))
  await sent()
  const [found] = await read(OTHER, texts)
  expect([found!.text, isAwake]).toEqual([OTHER, false])
  await slow
  // Nobody stood behind it, and yet nobody is put there now.
  const { statements } = await countTrips(() => Promise.all([read(ONE, lazy()), read(OTHER, texts)]))
  expect(statements).toBe(4)
})

test('what takes more than ten milliseconds on average is asked alone for ten seconds, then tried again', async () => {
  const now = vi.spyOn(performance, 'now')
  const lazy = asleep(0.025)
  const isShared = async () => {
    const [[one], [other]] = (await Promise.all([read(ONE, lazy()), read(OTHER, who)])) as [any, any]
    return Object.values(one as object)[0] === other.pid
  }
  const shared: boolean[] = []
  for (let turn = 0; turn < 20; turn++) shared.push(await isShared())
  expect(shared.slice(0, 3)).toEqual([true, true, true])
  expect(shared.at(-1)).toBe(false)
  const at = performance.now()
  now.mockImplementation(() => at + 10_001)
  expect(await isShared()).toBe(true)
  now.mockRestore()
})

test('readings that share a connection which is lost are all asked once more', async () => {
  await read(ONE, texts)
  const answers = Promise.all([read(ONE, asleep(0.3)(), who), read(OTHER, texts), read(ONE, texts)])
  await sent()
  for (const { connection } of (pool as unknown as { _clients: Client[] })._clients) connection.stream.destroy()
  expect(await answers).toMatchObject([[{}, { tenant: ONE }], [{ text: OTHER }], [{ text: ONE }]])
})

import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPostgresListener, type PostgresListener } from '../shared/index.ts'
import { createPool } from '../database/db.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createLiveStreams, mayReceiveMessage, LIVE_STREAMS_MAX, type LiveStreams, type LiveMessage } from './live.ts'
import { createLog } from '../base/log.ts'
import { createSampleCaller } from '#tests/support/sample-app.ts'

const message = (more: Partial<LiveMessage> = {}): LiveMessage => ({
  topic: 'thing.changed',
  tenantId: '100001',
  data: { ids: ['1'] },
  ...more,
})

test('a message is heard inside its tenant alone, and by the platform', () => {
  expect(mayReceiveMessage(createSampleCaller({}), message())).toBe(true)
  expect(mayReceiveMessage(createSampleCaller({ tenantId: '100002' }), message())).toBe(false)
  expect(mayReceiveMessage(createSampleCaller({ tenantId: '' }), message())).toBe(false)
  expect(mayReceiveMessage(createSampleCaller({ tenantId: '000000', isPlatform: true }), message())).toBe(true)
})

test('a message that names a permission is heard only by who has it', () => {
  expect(mayReceiveMessage(createSampleCaller({}), message({ permission: 'thing' }))).toBe(false)
  expect(
    mayReceiveMessage(createSampleCaller({ permissions: new Set(['thing']) }), message({ permission: 'thing' })),
  ).toBe(true)
})

test('a message about one place is not heard by who is limited to others, nor by users it is not for', () => {
  const limited = createSampleCaller({ limits: { shop: ['7'] } })
  expect(mayReceiveMessage(limited, message({ limits: { shop: '7' } }))).toBe(true)
  expect(mayReceiveMessage(limited, message({ limits: { shop: '8' } }))).toBe(false)
  expect(mayReceiveMessage(createSampleCaller({ limits: { shop: [] } }), message({ limits: { shop: '7' } }))).toBe(
    false,
  )
  expect(mayReceiveMessage(createSampleCaller({ userId: '3' }), message({ userIds: ['4'] }))).toBe(false)
  expect(mayReceiveMessage(createSampleCaller({ userId: '4' }), message({ userIds: ['4'] }))).toBe(true)
})

let database: TestDatabase
let live: LiveStreams
let listener: PostgresListener
let client: pg.Client

beforeAll(async () => {
  database = await testDatabase({ empty: true })
  listener = createPostgresListener(createPool(database.url, { role: 'store_platform' }))
  live = await createLiveStreams(listener, createLog({ level: 'silent' }))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await live?.stop()
  await listener?.close()
  await client?.end()
  await database?.drop()
})

/** A fake browser connection that records what is sent to it. */
function browser() {
  const frames: string[] = []
  const response = Object.assign(new EventEmitter(), {
    writableLength: 0,
    writeHead: () => response,
    write: (text: string) => frames.push(text) > 0,
    end: () => void response.emit('close'),
    destroy: () => void response.emit('close'),
  })
  return { frames, response: response as unknown as ServerResponse }
}

test(
  'what is told in a transaction reaches the browsers that may hear it after the ' +
    'commit, and never after a rollback',
  async () => {
    const [mine, theirs] = [browser(), browser()]
    live.join(createSampleCaller({ sessionId: 'mine' }), mine.response)
    live.join(createSampleCaller({ sessionId: 'theirs', tenantId: '100002' }), theirs.response)
    const notify = (data: Record<string, unknown>) =>
      client.query('select pg_notify($1, $2)', ['live', JSON.stringify(message({ data }))])
    await client.query('begin')
    await notify({ n: 'rolled back' })
    await client.query('rollback')
    await client.query('begin')
    await notify({ n: 'kept' })
    expect(mine.frames.join('')).not.toContain('kept')
    await client.query('commit')
    await vi.waitFor(() => expect(mine.frames.join('')).toContain('event: thing.changed\ndata: {"n":"kept"}'))
    expect(mine.frames.join('')).not.toContain('rolled back')
    expect(theirs.frames.join('')).not.toContain('thing.changed')
  },
)

test('a session that died is cut off, a browser that stops reading as well', async () => {
  const [dead, slow] = [browser(), browser()]
  live.join(createSampleCaller({ sessionId: 'dead' }), dead.response)
  live.join(createSampleCaller({ sessionId: 'slow' }), slow.response)
  const before = live.size()
  live.drop((caller) => caller.sessionId === 'dead')
  expect(live.size()).toBe(before - 1)
  Object.assign(slow.response, { writableLength: 5_000_000 })
  await client.query('select pg_notify($1, $2)', ['live', JSON.stringify(message())])
  await vi.waitFor(() => expect(live.size()).toBe(before - 2))
})

test('a message that cannot be read disturbs nobody', async () => {
  const one = browser()
  live.join(createSampleCaller({}), one.response)
  await client.query(`select pg_notify('live', 'no json')`)
  await client.query('select pg_notify($1, $2)', ['live', JSON.stringify(message({ data: { n: 'after' } }))])
  await vi.waitFor(() => expect(one.frames.join('')).toContain('after'))
})

test('a cut listening connection comes back, tells browsers that they missed something, and hears again', async () => {
  const one = browser()
  live.join(createSampleCaller({ sessionId: 'patient' }), one.response)
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> ' +
      'pg_backend_pid()',
  )
  await vi.waitFor(() => expect(one.frames.join('')).toContain('event: missed'), { timeout: 10_000 })
  await client.query('select pg_notify($1, $2)', ['live', JSON.stringify(message({ data: { n: 'again' } }))])
  await vi.waitFor(() => expect(one.frames.join('')).toContain('again'), { timeout: 10_000 })
})

test('a session, a person and a tenant have a ceiling of streams, and nobody else’s are refused for it', () => {
  const session = createSampleCaller({ sessionId: 'greedy', tenantId: '100003' })
  const streams = Array.from({ length: LIVE_STREAMS_MAX.session }, () => browser())
  for (const { response } of streams) {
    live.admit(session)
    live.join(session, response)
  }
  expect(() => live.admit(session)).toThrow('too_many_streams')
  expect(() => live.admit(createSampleCaller({ sessionId: 'modest', tenantId: '100003' }))).not.toThrow()
  streams[0]!.response.emit('close')
  expect(() => live.admit(session)).not.toThrow()
  // A person with many sessions does not use up the places of colleagues.
  for (let n = 0; n < LIVE_STREAMS_MAX.person; n++)
    live.join(createSampleCaller({ sessionId: `p${n}`, userId: '77', tenantId: '100003' }), browser().response)
  expect(() => live.admit(createSampleCaller({ sessionId: 'again', userId: '77', tenantId: '100003' }))).toThrow(
    'too_many_streams',
  )
  expect(() =>
    live.admit(createSampleCaller({ sessionId: 'colleague', userId: '78', tenantId: '100003' })),
  ).not.toThrow()
  expect(() =>
    live.admit(createSampleCaller({ sessionId: 'namesake', userId: '77', tenantId: '100004' })),
  ).not.toThrow()
  for (let n = 0; n < LIVE_STREAMS_MAX.tenant; n++)
    live.join(createSampleCaller({ sessionId: `s${n}`, userId: `${1000 + n}`, tenantId: '100003' }), browser().response)
  expect(() => live.admit(createSampleCaller({ sessionId: 'late', userId: '79', tenantId: '100003' }))).toThrow(
    'too_many_streams',
  )
  expect(() => live.admit(createSampleCaller({ sessionId: 'other', tenantId: '100004' }))).not.toThrow()
})

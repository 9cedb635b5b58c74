import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresSharedStore, sharedTablesSql } from './postgres-shared.ts'
import { createRedisSharedStore } from './redis-shared.ts'
import { redisAnswers, redisUrl, scratchDatabase, type ScratchDatabase } from '#tests/support/scratch-database.ts'
import { defineGlobalSharedKey, tenantSharedKey } from './keys.ts'
import type { Json, SharedStore } from './shared.ts'

const key = (name: string) => tenantSharedKey('000001', name)

let database: ScratchDatabase
beforeAll(async () => {
  database = await scratchDatabase(sharedTablesSql)
})
afterAll(() => database?.drop())

const prefix = `test-${randomUUID()}:`
const stores = [
  { name: 'PostgreSQL', there: true, open: () => createPostgresSharedStore(database.pool) },
  { name: 'Redis', there: redisAnswers, open: () => createRedisSharedStore(redisUrl, { prefix }) },
]

describe.each(stores)('what processes share through $name', ({ there, open }) => {
  let here: SharedStore
  let elsewhere: SharedStore
  beforeAll(() => {
    if (!there) return
    here = open()
    elsewhere = open()
  })
  afterAll(() => Promise.all([here?.close(), elsewhere?.close()]))

  const promise = there ? it : it.skip

  promise('a message reaches every process, the sender included, and no other channel', async () => {
    const received: Json[] = []
    await here.subscribe('notices', (message) => received.push({ at: 'here', message }))
    await elsewhere.subscribe('notices', (message) => received.push({ at: 'elsewhere', message }))
    await elsewhere.subscribe('other', () => received.push('wrong channel'))
    await here.publish('notices', { title: '停电通知' })
    await vi.waitFor(() => expect(received).toHaveLength(2))
    expect(received).toContainEqual({ at: 'here', message: { title: '停电通知' } })
    expect(received).toContainEqual({ at: 'elsewhere', message: { title: '停电通知' } })
  })

  promise('a message of 200 kB arrives whole', async () => {
    const long = '货'.repeat(70_000)
    const received: Json[] = []
    await elsewhere.subscribe('long', (message) => received.push(message))
    await here.publish('long', long)
    await vi.waitFor(() => expect(received).toEqual([long]))
  })

  promise('whoever unsubscribed hears nothing more', async () => {
    const received: Json[] = []
    const unsubscribe = await here.subscribe('leave', (message) => received.push(`gone ${String(message)}`))
    await here.subscribe('leave', (message) => received.push(message))
    unsubscribe()
    await elsewhere.publish('leave', 1)
    await vi.waitFor(() => expect(received).toEqual([1]))
  })

  promise('a subscriber that throws does not silence the others', async () => {
    const received: Json[] = []
    await here.subscribe('throws', () => {
      throw new Error('broken subscriber')
    })
    await here.subscribe('throws', (message) => received.push(message))
    await elsewhere.publish('throws', 'still here')
    await vi.waitFor(() => expect(received).toEqual(['still here']))
  })

  promise('fifty hits at once from two processes are counted as fifty', async () => {
    const hits = Array.from({ length: 50 }, (_, i) => (i % 2 ? here : elsewhere).increment(key('hits'), 60))
    expect((await Promise.all(hits)).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
    expect(await elsewhere.count(key('hits'))).toBe(50)
    await here.forget(key('hits'))
    expect(await elsewhere.count(key('hits'))).toBe(0)
  })

  promise('a counter begins anew after its window', async () => {
    expect(await here.increment(key('short'), 0.1)).toBe(1)
    await vi.waitFor(async () => expect(await here.count(key('short'))).toBe(0))
    expect(await here.increment(key('short'), 60)).toBe(1)
  })

  promise('a fixed window keeps its end, a sliding one moves it', async () => {
    await here.increment(key('fixed'), 0.2)
    await here.increment(key('fixed'), 60)
    await here.increment(key('sliding'), 0.2, 'sliding')
    await here.increment(key('sliding'), 60, 'sliding')
    await vi.waitFor(async () => expect(await here.count(key('fixed'))).toBe(0))
    expect(await here.count(key('sliding'))).toBe(2)
  })

  promise('of twenty who take a value at once exactly one gets it', async () => {
    await here.put(key('once'), { code: 'x7k2p' }, 60)
    const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? here : elsewhere).take(key('once'))))
    expect(taken.filter((value) => value !== undefined)).toEqual([{ code: 'x7k2p' }])
    expect(await here.read(key('once'))).toBeUndefined()
  })

  promise('reading leaves the value, expiry removes it, also for takers', async () => {
    await here.put(key('kept'), [1, 'zwei'], 60)
    expect(await elsewhere.read(key('kept'))).toEqual([1, 'zwei'])
    expect(await elsewhere.read(key('kept'))).toEqual([1, 'zwei'])
    await here.put(key('kept'), 'brief', 0.1)
    await vi.waitFor(async () => expect(await here.read(key('kept'))).toBeUndefined())
    expect(await here.take(key('kept'))).toBeUndefined()
  })

  promise('of twenty who claim a key exactly one holds it, until it is forgotten', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, i) => here.claim(key('lock'), i, 60)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    await elsewhere.forget(key('lock'))
    expect(await elsewhere.claim(key('lock'), 'next', 60)).toBe(true)
  })
})

describe('a key', () => {
  it('of one tenant is never another tenant’s, nor one of those kept for all', () => {
    const forAll = defineGlobalSharedKey('rate', 'a reason')
    const keys = [
      tenantSharedKey('1', 'a', 'b/c'),
      tenantSharedKey('1', 'a/b', 'c'),
      tenantSharedKey('1', 'a%2Fb', 'c'),
      tenantSharedKey('1/a', 'b', 'c'),
      tenantSharedKey('1', 'a', 'b', 'c'),
      forAll('1', 'a', 'b', 'c'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(() => tenantSharedKey('', 'a')).toThrow('of no tenant')
    expect(() => defineGlobalSharedKey('of', 'a reason')).toThrow('kind')
    expect(() => defineGlobalSharedKey('rate', '')).toThrow('reason')
  })
})

describe('the listening connection', () => {
  it('comes back after the database cut it, and tells that calls were missed', async () => {
    const shared = createPostgresSharedStore(database.pool)
    const received: Json[] = []
    let gaps = 0
    await shared.subscribe(
      'after',
      (message) => received.push(message),
      () => gaps++,
    )
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query ilike 'listen%'`,
    )
    await vi.waitFor(() => expect(gaps).toBe(1), { timeout: 5_000 })
    await shared.publish('after', 'back')
    await vi.waitFor(() => expect(received).toEqual(['back']))
    await shared.close()
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { DatabaseUnavailableError } from './connections.ts'
import { withConnectionLimits, createPool, readBatch, sql, unitOfWork, type Pool } from './db.ts'
import { createPostgresListener } from '../shared/listener.ts'
import { createLog } from '../base/log.ts'
import { migrate } from './migrate.ts'
import { startHealthCheck, type HealthCheck } from './health-check.ts'

let database: TestDatabase
let door: TcpProxy
let pool: Pool
let healthCheck: HealthCheck
const log = createLog({ level: 'silent' })

afterEach(async () => {
  await healthCheck?.stop()
  door?.release()
  await pool?.end()
  door?.shut()
  await database?.drop()
})

const bound = { tenantId: '100001' }
const read = () =>
  withConnectionLimits({ lane: 'read', acquireTimeoutMs: 60_000 }, () => readBatch(pool, bound, [sql`select 1 as one`]))
const writeUnit = () =>
  withConnectionLimits({ lane: 'write', acquireTimeoutMs: 60_000 }, () =>
    unitOfWork(pool, bound, { userId: '1', deptId: null }, (db) => db.query(sql`select 1 as one`)),
  )

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  // Creates the database roles.
  await migrate(database.url, new URL('../no-migrations/', import.meta.url)).catch(() => [])
  door = await openTcpProxy(database.url, 5432)
  pool = createPool(door.urlOf(database.url), { max: 4 })
})

/**
 * Uses the product's time limit unless something hangs on purpose: a busy machine may be silent for longer than a short
 * one.
 */
const startCheck = (timeoutMs?: number) =>
  (healthCheck = startHealthCheck({ url: door.urlOf(database.url), pools: [pool], log, intervalMs: 20, timeoutMs }))

test(
  'when the database hangs, who waits and who comes is refused soon, also in the queue; ' +
    'when it answers again, all are served',
  async () => {
    expect(await read()).toEqual([[{ one: 1 }]])
    startCheck(300)
    door.hold()
    const waiting = [...Array.from({ length: 6 }, writeUnit), ...Array.from({ length: 6 }, read)]
    for (const one of await Promise.allSettled(waiting))
      expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) })
    await vi.waitFor(() => expect(healthCheck.isHealthy()).toBe(false), { timeout: 30_000 })
    await expect(read()).rejects.toBeInstanceOf(DatabaseUnavailableError)
    door.release()
    await vi.waitFor(() => expect(healthCheck.isHealthy()).toBe(true), { timeout: 30_000 })
    await vi.waitFor(async () => expect(await read()).toEqual([[{ one: 1 }]]))
    await vi.waitFor(async () => expect(await writeUnit()).toEqual([{ one: 1 }]))
  },
)

test('a cut connection alone is no silence: nobody else is refused', async () => {
  startCheck()
  await read()
  door.cut()
  expect(await read()).toEqual([[{ one: 1 }]])
  await vi.waitFor(async () => expect(await read()).toEqual([[{ one: 1 }]]))
  expect(healthCheck.isHealthy()).toBe(true)
})

test('a connection that is cut while it is opened is no silence either', async () => {
  const complaints = vi.spyOn(log, 'error')
  startCheck()
  await door.cutNext()
  await vi.waitFor(() => expect(door.entered()).toBe(1))
  expect(await read()).toEqual([[{ one: 1 }]])
  expect(complaints).not.toHaveBeenCalled()
})

test('who listens to a host that hangs is cut off too, and hears what the next one says', async () => {
  const { host } = new URL(database.url)
  const several = door.urlOf(database.url).replace(/@[^/]+/, (first) => `${first},${host}`)
  const listening = createPool(several)
  const listener = createPostgresListener(listening)
  const received = new Set<string>()
  await listener.listen('news', (word) => received.add(word))
  const outside = createPool(database.url)
  await outside.query("select pg_notify('news', 'before')")
  await vi.waitFor(() => expect([...received]).toEqual(['before']))
  healthCheck = startHealthCheck({ url: several, pools: [listening], log, intervalMs: 20, timeoutMs: 300 })
  door.hold()
  const expectDelivery = async () => {
    await outside.query("select pg_notify('news', 'after')")
    expect(received).toContain('after')
  }
  await vi.waitFor(expectDelivery, { timeout: 30_000 })
  door.release()
  await listener.close()
  await Promise.all([listening.end(), outside.end()])
})

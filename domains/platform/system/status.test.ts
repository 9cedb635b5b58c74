import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { prometheusText } from '#kit/server/meters/index.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import type { SystemStatus } from './status.ts'

const SECRET = '顾客13800138000'
let server: TestServer
let world: TestWorld
let platform: TestCaller

beforeAll(async () => {
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
})
afterAll(() => server?.close())

const statusOf = async (who: TestCaller = platform) => world.ask(who, 'GET', '/api/blade-system/status')
const fetchStatus = async () => (await statusOf()).data as SystemStatus
const NOTICES = '/api/blade-desk/notice/list'
const noticesIn = ({ routes }: SystemStatus) => routes.find(({ route }) => route === NOTICES)

test('the status is shown to the platform, and to no administrator of a tenant', async () => {
  expect(await statusOf()).toMatchObject({ code: 200 })
  const codes = new Set(['system_status', 'system'])
  expect(await statusOf(world.be({ tenantId: '990001', isAdmin: true, permissions: codes }))).toMatchObject({
    code: 403,
  })
  expect(await world.ask(undefined, 'GET', '/api/blade-system/status')).toMatchObject({ code: 401 })
})

test('each call counts under its route with what the database took of it, and no address is kept', async () => {
  const before = noticesIn(await fetchStatus())?.count ?? 0
  for (let n = 0; n < 3; n++) await world.ask(platform, 'GET', NOTICES, { query: { title: SECRET } })
  await world.ask(platform, 'GET', '/api/nowhere/13800138000')
  const status = await fetchStatus()
  const { count, p50, p99, databaseMs, failed } = noticesIn(status)!
  expect({ count: count - before, failed }).toEqual({ count: 3, failed: 0 })
  expect(databaseMs).toBeGreaterThan(0)
  expect(p99).toBeGreaterThanOrEqual(p50)
  expect(JSON.stringify(status)).not.toContain('13800138000')
  const text = await prometheusText(await server.services.meters.all())
  expect(text).toContain(`store_http_request_duration_seconds_count{method="GET",route="${NOTICES}",status="2xx"} `)
  expect(text).not.toContain('13800138000')
})

test('a job that waits and one that failed show by their queue, and not what the error said', async () => {
  await server.services.systemPool.query(sql`
    insert into job (tenant_id, queue, payload, state, run_at, max_attempts, last_error, finish_time) values
      ('990001', 'status.waits', ${JSON.stringify({ SECRET })}, 'asked', now() - interval '5 minutes', 1, '', null),
      ('990001', 'status.failed', '{}', 'failed', now(), 1, ${`TypeError: ${SECRET}`}, now()),
      ('990001', 'status.failed', '{}', 'failed', now(), 1, 'TypeError: long ago', now() - interval '3 days')`)
  const { queues } = await fetchStatus()
  expect(queues.filter(({ queue }) => queue.startsWith('status.'))).toEqual([
    { queue: 'status.failed', due: 0, later: 0, running: 0, failed: 1, oldestSeconds: 0, failure: 'TypeError' },
    {
      queue: 'status.waits',
      due: 1,
      later: 0,
      running: 0,
      failed: 0,
      oldestSeconds: expect.closeTo(300, -2) as number,
      failure: '',
    },
  ])
  expect(JSON.stringify(queues)).not.toMatch(/13800138000|990001/)
  const text = await prometheusText(await server.services.meters.all())
  expect(text).toContain('store_jobs{queue="status.failed",state="failed"} 1')
})

test('a statement that took long shows its text without its values, and no constant of it either', async () => {
  const text = `select $1::text as given, '${SECRET}' as written`
  server.services.meters.timed(60_000, { text, values: [SECRET] }, undefined)
  const { statements } = await fetchStatus()
  expect(statements[0]).toMatchObject({ text: "select $1::text as given, '?' as written", ms: 60_000, runs: 1 })
  expect(JSON.stringify(statements)).not.toMatch(/13800138000|990001/)
})

test('the database, the disk and this process are told of', async () => {
  const { database, disk, processes } = await fetchStatus()
  expect(database).toMatchObject({ standbys: [], waitingForLocks: 0 })
  expect(database!.bytes).toBeGreaterThan(1e6)
  expect(database!.connections.active).toBeGreaterThan(0)
  expect(disk.free).toBeLessThan(disk.size)
  expect(processes).toMatchObject([{ pid: process.pid, role: 'only', version: expect.stringMatching(/^\d/) }])
  expect(processes[0]!.memory).toBeGreaterThan(1e7)
})

test('how the installation is run is told in figures, on the page and to Prometheus alike', async () => {
  const before = (await fetchStatus()).installation
  server.services.meters.answered({ method: 'GET', route: '/x', status: 503, ms: 1 })
  server.services.meters.answered({ method: 'GET', route: '/x', status: 429, ms: 1 })
  const { installation, routes } = await fetchStatus()
  expect(installation).toMatchObject({
    version: expect.stringMatching(/^\d/),
    comeAgain: before.comeAgain + 1,
    tooMany: before.tooMany + 1,
    devices: expect.any(Array),
    commands: expect.any(Array),
  })
  expect(installation.uptimeSeconds).toBeGreaterThan(0)
  expect(Math.abs(installation.clockErrorSeconds!)).toBeLessThan(5)
  // A deferred call (503) does not count as failed, so it raises no alert.
  expect(routes.find(({ route }) => route === '/x')).toMatchObject({ count: 2, failed: 0 })
  const text = await prometheusText(await server.services.meters.all())
  for (const name of ['store_uptime_seconds', 'store_clock_error_seconds', 'store_disk_free_bytes'])
    expect(text).toMatch(new RegExp(`^${name} `, 'm'))
  // Unknown values are left out: without BACKUP_DIR there is no age of a backup.
  expect(text).not.toMatch(/^store_backup_age_seconds /m)
})

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { deviceBroker } from '#tests/support/device-broker.ts'
import { figuresOf } from '#tests/support/figures.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import type { ModuleJob } from '#kit/server/module/module.ts'
import { hurriedClock } from '#simulators/gateways/clock.ts'
import { productModules } from '../modules.ts'
import { serveSimulationControl } from './simulation-control.ts'
import { startDeviceSimulation } from './simulation.ts'

let broker: Awaited<ReturnType<typeof deviceBroker>>
let server: TestServer
let admin: CastMember
let others: CastMember
let close: (() => Promise<void>) | undefined

beforeAll(async () => {
  broker = await deviceBroker()
  server = await testServer({ listen: true, storyDays: 2, env: { ...broker.env, PRACTICE: 'on' } })
  broker.serve(server)
  await server.seed()
  admin = await server.as('admin')
  others = await server.as('wu', { tenantId: '100001' })
  const simulation = await startDeviceSimulation(server.services, {
    address: server.url,
    pace: '1/h',
    isStory: false,
    // Accelerated, to avoid waiting for the first customer of the morning.
    dayClock: hurriedClock(10),
  })
  close = await serveSimulationControl(simulation, server.services.config.dataDir)
}, 240_000)
afterAll(async () => {
  await close?.()
  await server?.close()
  await broker?.close()
})

const rows = async (text: string, values: unknown[] = []) =>
  (await server.services.systemPool.query<Record<string, any>>(text, values)).rows

/** Tables left out of the comparison: logs of all activity, and short-lived entries. */
const LOGS = /^(log_|job$|session|shared_entry)/

async function ofTables<T>(select: (table: string) => string): Promise<Map<string, T>> {
  const owner = createOwnerPool(server.databaseUrl)
  const { rows: tables } = await owner.query<{ name: string }>(`select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const answers = new Map<string, T>()
  for (const { name } of tables) answers.set(name, (await owner.query<{ told: T }>(select(name))).rows[0]!.told)
  await owner.end()
  return answers
}

/** Returns a digest of each table, over all tenants. */
const picture = async () =>
  Object.fromEntries(
    [
      ...(await ofTables<string>(
        (name) =>
          `select count(*) || ' ' || md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as told
            from ${name} t`,
      )),
    ].filter(([name]) => !LOGS.test(name)),
  )

/** Returns the tables that still contain a tenant's number; a region has the same number by chance. */
const holding = async (tenantId: string) =>
  [
    ...(await ofTables<number>(
      (name) => `select count(*)::int as told from ${name} t where t::text ~ '(^|[^0-9])${tenantId}([^0-9]|$)'`,
    )),
  ].flatMap(([name, count]) => (count && name !== 'region' ? [name] : []))

/** Runs one job only: other scheduled jobs would also change rows. */
const run = (queue: string, tenantId: string) =>
  productModules
    .flatMap((module): readonly ModuleJob[] => module.jobs ?? [])
    .find((job) => job.queue === queue)!
    .run({}, { services: server.services, signal: new AbortController().signal, tenantId, jobId: '1', attempt: 1 })

const call = (method: 'GET' | 'POST', path: string, body?: object) =>
  server.call(admin, method, `/api/street/${path}`, body && { body })
type Device = { clientId: string; tenantId: string; kind: string; isOnline: boolean; faults: object }
const devices = async (tenantId: string): Promise<Device[]> =>
  (await call('GET', 'board')).data.devices.filter((one: Device) => one.tenantId === tenantId)

test('a practice tenant lives, is broken, and goes without a trace', async () => {
  await flushLogs(server.services)
  const before = await picture()
  const home = async () => (await server.call(admin, 'GET', '/api/shop/home/today')).data
  const { platform: was } = await home()

  const made = await call('POST', 'practice')
  expect(made).toMatchObject({ status: 200, data: { account: 'admin' } })
  const { tenantId, password } = made.data
  await vi.waitFor(async () => expect((await devices(tenantId)).filter(({ isOnline }) => isOnline)).toHaveLength(8), {
    timeout: 30_000,
    interval: 250,
  })
  expect((await devices(tenantId)).map(({ kind }) => kind).toSorted()).toEqual(
    ['gateway', 'power', 'printer', 'register'].flatMap((kind) => [kind, kind]),
  )
  const own = await server.as('admin', { tenantId, password })
  const signedIn = await server.call(own, 'GET', '/api/shop/basicShopInfo/query')
  expect(signedIn.data).toHaveLength(2)
  expect((await home()).platform).toEqual(was)
  expect((await home()).shops.map(({ shopName }: { shopName: string }) => shopName)).not.toContain('练习一店')

  // Faults of other tenants' doors, and unknown faults, are refused.
  const gateway = `GW-${tenantId}-P1`
  const standsAs = (state: string) =>
    vi.waitFor(
      async () =>
        expect(await rows('select state from device_link where client_id = $1', [gateway])).toEqual([{ state }]),
      { timeout: 30_000, interval: 250 },
    )
  await standsAs('online')
  const fault = (clientId: string, faults: object) => call('POST', 'faults', { clientIds: [clientId], faults })
  expect((await fault(gateway, { offline: true })).status).toBe(200)
  expect((await fault('GW-100001-S001', { offline: true })).data.reason).toBe('street_fault')
  expect((await fault(gateway, { onFire: true })).data.reason).toBe('street_fault')
  await standsAs('offline')
  await fault(gateway, { offline: null })
  expect((await fault(`feie/7${tenantId}1`, { paperOut: true })).status).toBe(200)
  expect((await devices(tenantId)).find(({ clientId }) => clientId.startsWith('feie/'))!.faults).toEqual({
    paperOut: true,
  })

  expect((await call('POST', 'play', { tenantId, minutes: 1 })).status).toBe(200)
  expect((await call('POST', 'play', { tenantId, minutes: 1 })).data.reason).toBe('practice_played')
  const happened = async () =>
    (
      await rows(
        `select (select count(*) from shopping_order where tenant_id = $1)::int as sold,
          (select count(*) from customer_visit_log where tenant_id = $1)::int as came,
          (select count(*) from device_command where tenant_id = $1 and method = 'sub.power' and state = 'done')::int
          as lights, (select count(*) from price_tag where tenant_id = $1 and shown_price is not null)::int as shown`,
        [tenantId],
      )
    )[0]!
  await vi.waitFor(
    async () => {
      await run('tags.push', tenantId)
      const { sold, came, lights, shown } = await happened()
      expect([sold > 0, came > 0, lights > 0, shown > 0]).toEqual([true, true, true, true])
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await server.services.unit({ crossTenantReason: 'test' }, (db) => figuresOf(db))).toEqual([])
  expect((await home()).platform).toEqual(was)

  expect((await server.call(others, 'POST', '/api/street/remove', { body: { tenantId: '100002' } })).status).toBe(403)
  expect((await call('POST', 'remove', { tenantId: '100001' })).status).toBe(404)
  expect((await call('POST', 'remove', { tenantId })).status).toBe(200)
  expect((await server.call(own, 'GET', '/api/shop/basicShopInfo/query')).status).toBe(401)
  await vi.waitFor(
    async () => {
      await flushLogs(server.services)
      await run('system.tenantRemoval', '000000')
      expect(await rows('select state from tenant_removal where tenant_no = $1', [tenantId])).toEqual([])
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(await rows('select 1 from tenant where tenant_id = $1', [tenantId])).toEqual([])
  await flushLogs(server.services)
  expect(await picture()).toEqual(before)
  expect(await holding(tenantId)).toEqual([])
}, 240_000)

test('a server that is not asked for it has neither the calls nor the menu', async () => {
  const plain = await testServer({ storyDays: 2 })
  try {
    const person = await plain.as('admin')
    for (const path of ['board', 'faults', 'practice', 'play', 'remove'])
      for (const method of ['GET', 'POST'] as const)
        expect((await plain.call(person, method, `/api/street/${path}`)).status).toBe(404)
    expect(plain.services.registry.modules.map(({ name }) => name)).not.toContain('street')
    const { data } = await plain.call(person, 'GET', '/api/blade-system/menu/routes')
    expect(JSON.stringify(data)).not.toContain('/system/street')
  } finally {
    await plain.close()
  }
}, 120_000)

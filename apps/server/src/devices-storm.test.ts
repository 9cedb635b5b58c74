import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { markDatabaseSeeded } from '#kit/testing/process.ts'
import { basic, testServer, type TestServer } from '#kit/testing/server.ts'
import { digestOf, md5Hex } from '#kit/server/security/index.ts'
import { createTenant } from '#domains/system/doors.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'
import type { Gateway } from '#simulators/gateways/gateway.ts'
import { lies, type FinalCommand } from '#simulators/gateways/judge.ts'
import { makeNode } from '../../../bench/chaos-world.ts'
import { startOwnBroker, type DeviceBroker } from '../../../bench/devices-world.ts'

const TENANTS = ['100011', '100012', '100013', '100014']
/** Of each tenant: those that come back, and those that were there all the time, before whose doors people stand. */
const RETURNING = 50
const STAYING = 10
const DOORS_OPENED = 5
const PASSERS = 5
const limits = { timeout: 60_000, interval: 100 }

const folder = mkdtempSync(join(tmpdir(), 'store-storm-'))
let world: TestServer
let broker: DeviceBroker
let server: Awaited<ReturnType<typeof makeNode>>
let fleet: Fleet
let listener: MqttClient
/** What the broker has handed on, so that its sender was told that it came: by tenant, device and number. */
const delivered = new Set<string>()
const tokens = new Map<string, string>()

const namesOf = (kind: string, count: number) =>
  TENANTS.flatMap((tenantId) => Array.from({ length: count }, (_, n) => `GW-${kind}-${tenantId}-${n}`))
const returning = namesOf('back', RETURNING)
const staying = namesOf('there', STAYING)
const tenantOf = (clientId: string) => clientId.split('-')[2]!
const gateway = (clientId: string): Gateway => fleet.gateways.get(clientId)!

const rows = <R extends object>(statement: ReturnType<typeof sql>) =>
  world.services.unit({ crossTenantReason: 'what has become of what devices said' }, (db) => db.query<R>(statement))

async function online(): Promise<number> {
  const [found] = await rows<{ n: number }>(sql`select count(*)::int as n from device_link
    where tenant_id = any(${TENANTS}::text[]) and state = 'online'`)
  return found!.n
}

/** A tenant, its shops, and a gateway with a secret in each. */
async function layTenant(tenantId: string): Promise<void> {
  const own = [...returning, ...staying].filter((clientId) => tenantOf(clientId) === tenantId)
  await world.services.unit({ crossTenantReason: 'a tenant of devices' }, (db) =>
    createTenant(db, world.services, { tenantName: `街区${tenantId}` }, { tenantId, password: 'admin' }),
  )
  await world.services.unit({ tenantId }, async (db) => {
    for (const [n, clientId] of own.entries()) {
      const id = newId()
      await db.run(sql`insert into basic_shop_info (id, tenant_id, shop_name, shop_code, client_id, status)
        values (${id}, ${tenantId}, ${`${clientId}号店`}, ${`B${n}`}, ${clientId}, 1)`)
      await db.run(sql`insert into device_key (tenant_id, link_id, digest)
        values (${tenantId}, ${id}, ${digestOf(clientId)})`)
    }
  })
}

const address = (path: string) => `http://127.0.0.1:${server.port}${path}`

async function signIn(tenantId: string): Promise<void> {
  const login = { grant_type: 'password', tenantId, username: 'admin', password: md5Hex('admin') }
  const answer = await fetch(address(`/api/blade-auth/oauth/token?${new URLSearchParams(login)}`), {
    method: 'POST',
    headers: { authorization: basic('script', 'script_secret'), 'tenant-id': tenantId },
  })
  tokens.set(tenantId, ((await answer.json()) as { access_token: string }).access_token)
}

/** Somebody opens the door of a shop; answers the status and the sentence. */
async function open(clientId: string, more: object = {}): Promise<string> {
  const answer = await fetch(address('/api/shop/door/doorControl'), {
    method: 'POST',
    headers: { 'blade-auth': `bearer ${tokens.get(tenantOf(clientId))}`, 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, opt: 'open', ...more }),
  })
  const { msg } = (await answer.json()) as { msg: string }
  return answer.status === 200 ? 'opened' : `${answer.status} ${msg}`
}

beforeAll(async () => {
  world = await testServer()
  await markDatabaseSeeded(world.databaseUrl)
  for (const tenantId of TENANTS) await layTenant(tenantId)
  broker = await startOwnBroker(world.services.systemPool)
  listener = await connectAsync(broker.officeUrl)
  listener.on('message', (topic, payload) => {
    const [, , tenantId, clientId] = topic.split('/')
    delivered.add(`${tenantId}/${clientId}/${(JSON.parse(payload.toString()) as { eid: string }).eid}`)
  })
  await listener.subscribeAsync('ss/1/+/+/up/evt', { qos: 1 })
  server = await makeNode(1, folder, {
    DATABASE_URL: world.databaseUrl,
    MQTT_URL: broker.officeUrl,
    SIMULATORS: 'off',
    LOG_LEVEL: 'fatal',
    WORKERS: '1',
    RATE_LIMIT: '0',
  })
  await server.start()
  for (const tenantId of TENANTS) await signIn(tenantId)
  const credentials = [...returning, ...staying].map((clientId) => ({
    clientId,
    tenantId: tenantOf(clientId),
    secret: clientId,
    kind: 'gateway' as const,
  }))
  fleet = createFleet({ url: broker.deviceUrl, credentials, perSecond: 200 })
  fleet.start()
  await vi.waitFor(async () => expect(await online()).toBe(returning.length + staying.length), limits)
}, 240_000)
afterAll(async () => {
  fleet?.stop()
  await listener?.endAsync(true)
  await server?.kill()
  await broker?.close()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Each is at work with a command as its line breaks; then customers go through its door, and nobody is told. */
async function cutOff(): Promise<void> {
  const left = new Set(returning)
  const cutting = setInterval(() => {
    const clientIds = [...left].filter((clientId) => gateway(clientId).ledger.deeds.size > 0)
    for (const clientId of clientIds) left.delete(clientId)
    fleet.order({ faults: { offline: true }, clientIds })
  }, 20)
  try {
    for (let at = 0; at < returning.length; at += 20)
      await Promise.all(
        returning
          .slice(at, at + 20)
          .map(async (clientId) => expect(await open(clientId, { wait: false })).toBe('opened')),
      )
    await vi.waitFor(() => expect(left.size).toBe(0), limits)
  } finally {
    clearInterval(cutting)
  }
  await vi.waitFor(async () => expect(await online()).toBe(staying.length), limits)
  const events = () => returning.map((clientId) => gateway(clientId).figures().queued)
  for (let n = 1; n <= PASSERS; n++) {
    const before = Math.min(...events())
    for (const clientId of returning) gateway(clientId).parts.doors.openFor(1, { by: `passer ${n}` }, 0.2)
    await vi.waitFor(() => expect(Math.min(...events())).toBeGreaterThan(before + 1), limits)
  }
}

test('200 gateways come back at once: each of 200 doors opens meanwhile, all they say is kept once', async () => {
  await cutOff()
  const unsent = returning.reduce((sum, clientId) => sum + gateway(clientId).figures().queued, 0)
  expect(unsent).toBeGreaterThanOrEqual(returning.length * PASSERS * 2)

  fleet.order({ faults: { offline: null }, clientIds: returning })
  const answers = await Promise.all(
    staying.map(async (clientId) => {
      const results: string[] = []
      for (let n = 0; n < DOORS_OPENED; n++) results.push(await open(clientId))
      return results
    }),
  )
  expect(answers.flat()).toEqual(Array(staying.length * DOORS_OPENED).fill('opened'))

  await vi.waitFor(async () => expect(await online()).toBe(returning.length + staying.length), limits)
  await vi.waitFor(() => expect(fleet.figures().queued).toBe(0), limits)
  const stored = await rows<{ key: string }>(sql`select l.tenant_id || '/' || l.client_id || '/' || e.eid as key
    from device_event e join device_link l on l.tenant_id = e.tenant_id and l.id = e.link_id
    where e.tenant_id = any(${TENANTS}::text[])`)
  expect(stored.map(({ key }) => key).toSorted()).toEqual([...delivered].toSorted())
  expect(delivered.size).toBeGreaterThanOrEqual(unsent)

  const judged = () =>
    rows<FinalCommand>(sql`
      select c.id, c.method, c.state, (extract(epoch from c.expire_time) * 1000)::bigint as "expiresAt"
      from device_command c where c.tenant_id = any(${TENANTS}::text[])`)
  const executed = new Map([...fleet.gateways.values()].flatMap(({ ledger }) => [...ledger.deeds]))
  await vi.waitFor(async () => expect(lies(await judged(), executed)).toEqual([]), limits)
  const done = (await judged()).filter(({ method, state }) => method === 'door.control' && state === 'done')
  expect(done.length).toBe(returning.length + staying.length * DOORS_OPENED)
  expect(await rows(sql`select topic, reason from device_message_aside`)).toEqual([])
}, 120_000)

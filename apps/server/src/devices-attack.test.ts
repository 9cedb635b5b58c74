import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  requestCommand,
  findCommandDefinition,
  findGatewayOfShop,
  waitForCommand,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'
import type { Credentials } from '#simulators/gateways/protocol.ts'
import { testDevices, type TestDevices } from './test-devices.ts'

const [OURS, THEIRS] = ['100007', '100008']
type Device = Credentials & { shopId: string }
let devices: TestDevices
let neighbour: Device
let villain: Device
let other: Device
let fleet: Fleet
const open: MqttClient[] = []

beforeAll(async () => {
  devices = await testDevices({ messagesPerSecond: 5_000 })
  ;[neighbour, villain] = (await devices.tenant(OURS, ['GW-good-1', 'GW-bad-1'])) as [Device, Device]
  ;[other] = (await devices.tenant(THEIRS, ['GW-other-1'])) as [Device]
  fleet = createFleet({ url: devices.deviceUrl, credentials: [neighbour] })
  fleet.start()
  await vi.waitFor(async () => expect((await lineOf(neighbour)).state).toBe('online'), { timeout: 10_000 })
}, 60_000)
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.endAsync(true)))
})
afterAll(async () => {
  fleet?.stop()
  await devices?.close()
})

const rootOf = ({ tenantId, clientId }: Device) => `ss/1/${tenantId}/${clientId}`
const lineOf = ({ tenantId, shopId }: Device) =>
  devices.unit(tenantId, async (db) => (await db.get(deviceLink, shopId))!)
const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once('close', () => resolve()))

async function signIn(device: Device, more: IClientOptions = {}): Promise<MqttClient> {
  const { clientId, secret } = device
  const who = { clientId, username: clientId, password: secret, reconnectPeriod: 0, ...more }
  const client = await connectAsync(devices.deviceUrl, who)
  client.on('error', () => {})
  open.push(client)
  return client
}

/** Returns the milliseconds from a command to the neighbour's result. */
async function roundTrip(): Promise<number> {
  const { services } = devices.office
  const since = performance.now()
  const { id } = await devices.unit(OURS, async (db) => {
    const link = (await findGatewayOfShop(db, neighbour.shopId))!
    const params = { now: Date.now(), tz: 'Asia/Shanghai' }
    return requestCommand({ db, services }, findCommandDefinition('time.sync')!, link, params, { source: 'system' })
  })
  const { state } = await waitForCommand(services, OURS, id, { maxMs: 10_000 })
  expect(state).toBe('done')
  return performance.now() - since
}

async function roundTrips(count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) times.push(await roundTrip())
  return times.toSorted((a, b) => a - b)
}
const middle = (times: number[]) => times[Math.floor(times.length / 2)]!

const online = (connId: string) => JSON.stringify({ online: true, connId, bootId: 'b', ts: Date.now() })

test("a device neither says nor hears anything under another's topics, of its tenant or of another", async () => {
  for (const victim of [neighbour, other]) {
    const listener = await signIn(villain)
    for (const filter of [`${rootOf(victim)}/down/#`, `ss/1/${victim.tenantId}/+/up/#`, '#', '+/+/+/+/#'])
      await expect(listener.subscribeAsync(filter), filter).rejects.toThrow()
    const over = ended(listener)
    listener.publish(`${rootOf(victim)}/up/online`, online('stolen'), { qos: 1 })
    await over
    expect((await lineOf(victim)).conn).not.toBe('stolen')
  }
  // Its own number under another tenant is not accepted either.
  const stray = await signIn(villain)
  const over = ended(stray)
  stray.publish(`ss/1/${THEIRS}/${villain.clientId}/up/online`, online('stray'), { qos: 1 })
  await over
})

test('a stolen number, a wrong or a revoked secret lets nobody in, and each is counted', async () => {
  const before = (await devices.broker.counts()).refused
  const stolen = { clientId: neighbour.clientId, username: villain.clientId, password: villain.secret }
  const borrowed = { ...stolen, username: neighbour.clientId }
  const wrong = { ...borrowed, password: '' }
  for (const who of [stolen, borrowed, wrong])
    await expect(connectAsync(devices.deviceUrl, { ...who, reconnectPeriod: 0 })).rejects.toThrow()
  const [thrown] = (await devices.tenant('100009', ['GW-gone-1'])) as [Device]
  const client = await signIn(thrown)
  const over = ended(client)
  const admin = await devices.office.as('admin', { tenantId: '100009' })
  const revoked = await devices.office.call(admin, 'POST', '/api/shop/deviceLink/revoke', {
    query: { id: thrown.shopId },
  })
  expect(revoked.success).toBe(true)
  await over
  await expect(signIn(thrown)).rejects.toThrow()
  await vi.waitFor(async () => expect((await devices.broker.counts()).refused - before).toBe(4), { timeout: 5000 })
  expect((await devices.broker.counts()).refused - before).toBe(4)
  expect(fleet.gateways.get(neighbour.clientId)!.isOnline()).toBe(true)
})

test('a will that lies reaches nobody else, and ends no connection but the one it names', async () => {
  for (const topic of [`${rootOf(neighbour)}/up/online`, `${rootOf(other)}/up/online`]) {
    const payload = Buffer.from(JSON.stringify({ online: false, connId: (await lineOf(neighbour)).conn, ts: 1 }))
    const liar = await signIn(villain, { will: { topic, payload, qos: 1, retain: true } }).catch(() => undefined)
    liar?.stream.destroy()
  }
  const [first, second] = ['one', 'two']
  const late = Buffer.from(JSON.stringify({ online: false, connId: 'never', bootId: 'b', ts: Date.now() }))
  const own = `${rootOf(villain)}/up/online`
  const client = await signIn(villain, { will: { topic: own, payload: late, qos: 1, retain: true } })
  await client.publishAsync(own, online(first), { qos: 1 })
  await client.publishAsync(own, online(second), { qos: 1 })
  await vi.waitFor(async () => expect((await lineOf(villain)).conn).toBe(second))
  client.stream.destroy()
  await roundTrip()
  expect(await lineOf(villain)).toMatchObject({ state: 'online', conn: second })
  expect((await lineOf(neighbour)).state).toBe('online')
})

const NONSENSE: (() => string | Buffer)[] = [
  () => '{',
  () => '[]',
  () => 'null',
  () => '"words"',
  () => randomBytes(200),
  () => '['.repeat(5_000),
  () => JSON.stringify({ ts: 'yesterday', id: '1; drop table', eid: 7, type: {} }),
  () => JSON.stringify({ ts: -1, eid: '\0', type: '\0', data: '\0' }),
  () => JSON.stringify({ id: '9'.repeat(19), ok: true, code: 1e308, ts: 1, part: 1, parts: 1e9 }),
  () => JSON.stringify({ online: 'perhaps', connId: {}, bootId: [], caps: 'all', ts: 1e308 }),
]
const ABOUT = ['online', 'hello', 'hb', 'state', 'ack', 'res', 'prog', 'evt', 'ask', 'nothing', 'evt/deeper']

/** Sends random bytes instead of MQTT on new connections. */
async function throwBytes(count: number): Promise<void> {
  const { port } = devices.broker
  for (let n = 0; n < count; n++) {
    const socket = connectTcp(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const gone = once(socket, 'close')
    socket.resume().end(randomBytes(64))
    await gone
  }
}

test('ten thousand malformed or huge messages are counted, crash nothing, and disturb no neighbour', async () => {
  await roundTrips(3)
  const quiet = await roundTrips(15)
  const before = await devices.broker.counts()
  const flood = async () => {
    const client = await signIn(villain)
    for (let n = 0; n < 9_700; n++) {
      const topic = `${rootOf(villain)}/up/${ABOUT[n % ABOUT.length]}`
      const sent = client.publishAsync(topic, NONSENSE[n % NONSENSE.length]!(), { qos: n % 2 ? 1 : 0 })
      if (n % 100 === 99) await sent
    }
    await throwBytes(200)
    for (let n = 0; n < 100; n++) {
      const huge = await signIn(villain)
      const over = ended(huge)
      huge.publish(`${rootOf(villain)}/up/evt`, Buffer.alloc(100_000, 32))
      await over
    }
  }
  let isOver = false
  const flooding = flood().finally(() => (isOver = true))
  const loud: number[] = []
  while (!isOver) loud.push(await roundTrip())
  await flooding
  const after = await devices.broker.counts()
  expect(after.messages - before.messages).toBeGreaterThanOrEqual(9_700)
  expect(after.faults - before.faults).toBeGreaterThanOrEqual(200)
  const aside = await devices.office.services.unit({ crossTenantReason: 'test' }, (db) =>
    db.one<{ n: number; tenants: string[] }>(sql`select count(*)::int as n, array_agg(distinct a.tenant_id) as tenants
      from device_message_aside a`),
  )
  // A topic without a device belongs to no tenant.
  expect(aside!.tenants).toEqual([MANAGEMENT_TENANT, OURS])
  expect(aside!.n, 'of a flood, its beginning').toBeGreaterThanOrEqual(20)
  expect(aside!.n).toBeLessThanOrEqual(400)
  // Compares the same commands before and during the attack, since the test itself loads the machine.
  expect(loud.length).toBeGreaterThan(5)
  expect(middle(loud.toSorted((a, b) => a - b))).toBeLessThan(middle(quiet) * 10 + 250)
  expect((await lineOf(neighbour)).state).toBe('online')
}, 90_000)

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { createOpened } from '#tests/support/opened.ts'
import { markDatabaseSeeded } from '#tests/support/process.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { digestSecret } from '#kit/server/security/index.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'
import type { Gateway } from '#simulators/gateways/gateway.ts'
import { lies, type FinalCommand } from '#simulators/gateways/judge.ts'
import { makeNode } from '../../../bench/chaos-world.ts'
import { signIn, startOwnBroker } from '../../../bench/devices-world.ts'

const TENANTS = ['100011', '100012', '100013', '100014']
/** Devices per tenant that lose their connection and come back. */
const RETURNING = 50
/** Devices per tenant that stay connected while people use their doors. */
const STAYING = 10
const DOORS_OPENED = 5
const PASSERS = 5
/** Long timeouts, for a busy machine. */
const limits = { timeout: 120_000, interval: 100 }
/** Longer than the server waits for a door, so every caller gets an answer. */
const ANSWER_MS = 30_000

const opened = createOpened()
let world: TestServer
let server: Awaited<ReturnType<typeof makeNode>>
let fleet: Fleet
/** Messages whose sender got the broker's acknowledgement: by tenant, device and number. */
const delivered = new Set<string>()
const headersOf = new Map<string, Record<string, string>>()

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

/** Creates a tenant with shops, each with a gateway and its secret. */
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
        values (${tenantId}, ${id}, ${digestSecret(clientId)})`)
    }
  })
}

/** Reasons for which a door may stay shut, which must come with a sentence. */
const REFUSALS = ['crowded', 'device_busy', 'device_late', 'device_silent']
/** Time a device has to take a command before it counts as silent. */
const DEVICE_MS = 3_000

type DoorAnswer = { clientId: string; isOpened: boolean; reason?: string; msg: string; ms: number }

/** Asks for the door of a shop to be opened. */
async function askForDoor(clientId: string, more: object = {}): Promise<DoorAnswer> {
  const began = performance.now()
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/shop/door/doorControl`, {
    method: 'POST',
    headers: { ...headersOf.get(tenantOf(clientId)), 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, opt: 'open', ...more }),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const { msg, data } = (await answer.json()) as { msg: string; data?: { reason?: string } }
  return { clientId, isOpened: answer.status === 200, reason: data?.reason, msg, ms: performance.now() - began }
}

/**
 * Whether a door stayed shut without a sentence, for another reason, or as silent before the device could have
 * answered.
 */
const isUnfair = ({ isOpened, reason, msg, ms }: DoorAnswer): boolean =>
  !isOpened && (!msg || !REFUSALS.includes(reason ?? '') || (reason === 'device_silent' && ms < DEVICE_MS))

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-storm-'))
  await opened.keep('folder', folder, (path) => rmSync(path, { recursive: true, force: true }))
  world = await opened.keep('test server', testServer(), (one) => one.close())
  await markDatabaseSeeded(world.databaseUrl)
  for (const tenantId of TENANTS) await layTenant(tenantId)
  const broker = await opened.keep('broker', startOwnBroker(world.services.systemPool), (one) => one.close())
  const listener = await opened.keep('listener', connectAsync(broker.officeUrl), (one) => one.endAsync(true))
  listener.on('message', (topic, payload) => {
    const [, , tenantId, clientId] = topic.split('/')
    delivered.add(`${tenantId}/${clientId}/${(JSON.parse(payload.toString()) as { eid: string }).eid}`)
  })
  await listener.subscribeAsync('ss/1/+/+/up/evt', { qos: 1 })
  const node = makeNode(1, folder, {
    DATABASE_URL: world.databaseUrl,
    MQTT_URL: broker.officeUrl,
    SIMULATORS: 'off',
    LOG_LEVEL: 'fatal',
    WORKERS: '1',
    RATE_LIMIT: '0',
  })
  server = await opened.keep('server', node, (one) => one.kill())
  await server.start()
  for (const tenantId of TENANTS) headersOf.set(tenantId, await signIn(server.port, 'admin', tenantId))
  const credentials = [...returning, ...staying].map((clientId) => ({
    clientId,
    tenantId: tenantOf(clientId),
    secret: clientId,
    kind: 'gateway' as const,
  }))
  const devices = createFleet({ url: broker.deviceUrl, credentials, perSecond: 200 })
  fleet = await opened.keep('fleet', devices, (one) => one.stop())
  fleet.start()
  await vi.waitFor(async () => expect(await online()).toBe(returning.length + staying.length), limits)
}, 240_000)
afterAll(opened.end)

/** Lets customers pass all doors while the devices are offline. */
async function passUnseen(clientIds: readonly string[]): Promise<void> {
  const isShut = (clientId: string) => {
    const { contact, lock } = gateway(clientId).parts.doors.doorOf(1)!
    return contact === 'closed' && lock === 'locked'
  }
  const untilShut = () => vi.waitFor(() => expect(clientIds.filter((one) => !isShut(one))).toEqual([]), limits)
  await untilShut()
  const queued = clientIds.map((clientId) => gateway(clientId).figures().queued)
  for (let n = 1; n <= PASSERS; n++) {
    for (const clientId of clientIds) gateway(clientId).parts.doors.openFor(1, { by: `passer ${n}` }, 0.2)
    await untilShut()
  }
  // Each passer opens the door and lets it close, so there are at least two events each; devices report other things
  // too.
  const fewer = clientIds.filter((clientId, n) => gateway(clientId).figures().queued < queued[n]! + 2 * PASSERS)
  expect(fewer).toEqual([])
}

/** Cuts each device's connection while it executes a command, except those for which the server had no capacity. */
async function cutOff(): Promise<DoorAnswer[]> {
  const answers: DoorAnswer[] = []
  const left = new Set(returning)
  const cut = (clientIds: readonly string[]) => {
    for (const clientId of clientIds) left.delete(clientId)
    fleet.order({ faults: { offline: true }, clientIds: [...clientIds] })
  }
  const cutting = setInterval(() => cut([...left].filter((clientId) => gateway(clientId).ledger.commands.size > 0)), 20)
  try {
    for (let at = 0; at < returning.length; at += 20) {
      const some = returning.slice(at, at + 20).map((clientId) => askForDoor(clientId, { wait: false }))
      answers.push(...(await Promise.all(some)))
    }
    cut(answers.filter(({ isOpened }) => !isOpened).map(({ clientId }) => clientId))
    await vi.waitFor(() => expect(left.size).toBe(0), limits)
  } finally {
    clearInterval(cutting)
  }
  await vi.waitFor(async () => expect(await online()).toBe(staying.length), limits)
  return answers
}

/** Returns all events stored by the server, named as in `delivered`. */
async function storedEvents(): Promise<string[]> {
  const stored = await rows<{ key: string }>(sql`select l.tenant_id || '/' || l.client_id || '/' || e.eid as key
    from device_event e join device_link l on l.tenant_id = e.tenant_id and l.id = e.link_id
    where e.tenant_id = any(${TENANTS}::text[])`)
  return stored.map(({ key }) => key).toSorted()
}

type StoredCommand = FinalCommand & { clientId: string }
const judged = () =>
  rows<StoredCommand>(sql`
    select c.id, c.method, c.state, c.client_id as "clientId",
      (extract(epoch from c.expire_time) * 1000)::bigint as "expiresAt"
    from device_command c where c.tenant_id = any(${TENANTS}::text[])`)

/**
 * Lets silent devices reconnect, so that they are asked about their commands, until every command has a final state.
 */
async function untilAllHasAnEnd(): Promise<void> {
  const inStates = async (...states: string[]) => (await judged()).filter(({ state }) => states.includes(state))
  await vi.waitFor(async () => expect(await inStates('asked', 'sent', 'taken')).toEqual([]), limits)
  const unheard = new Set((await inStates('unknown')).map(({ clientId }) => clientId))
  fleet.order({ faults: { lateWill: 200 }, clientIds: [...unheard] })
  await vi.waitFor(async () => expect(await inStates('asked', 'sent', 'taken', 'unknown')).toEqual([]), limits)
}

test('200 gateways come back at once: doors of 40 shops open meanwhile or say why not, all is kept once', async () => {
  const begun = await cutOff()
  expect(begun.filter(isUnfair)).toEqual([])
  await passUnseen(returning)
  const unsent = returning.reduce((sum, clientId) => sum + gateway(clientId).figures().queued, 0)

  fleet.order({ faults: { offline: null }, clientIds: returning })
  const commands = await Promise.all(
    staying.map(async (clientId) => {
      const answers: DoorAnswer[] = []
      for (let n = 0; n < DOORS_OPENED; n++) answers.push(await askForDoor(clientId))
      return answers
    }),
  )
  expect(commands.flat().filter(isUnfair)).toEqual([])
  expect(commands.flat().filter(({ isOpened }) => isOpened)).not.toEqual([])

  await vi.waitFor(async () => expect(await online()).toBe(returning.length + staying.length), limits)
  await vi.waitFor(() => expect(fleet.figures().queued).toBe(0), limits)
  // Acknowledged messages are delivered to the listener, which may read them later; doors close meanwhile.
  await vi.waitFor(async () => expect(await storedEvents()).toEqual([...delivered].toSorted()), limits)
  expect(delivered.size).toBeGreaterThanOrEqual(unsent)
  expect(fleet.figures().eventsLost).toBe(0)

  await untilAllHasAnEnd()
  const executed = new Map([...fleet.gateways.values()].flatMap(({ ledger }) => [...ledger.commands]))
  expect(lies(await judged(), executed)).toEqual([])
  const done = (await judged()).filter(({ method, state }) => method === 'door.control' && state === 'done')
  const opened = [...begun, ...commands.flat()].filter(({ isOpened }) => isOpened)
  expect(done.length).toBeGreaterThanOrEqual(opened.length)
  // A device whose messages were refused for lack of capacity has sent them again.
  expect(await rows(sql`select topic, fault, reason from device_message_aside where fault <> 'crowded'`)).toEqual([])
}, 540_000)

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { requestCommand, findCommandDefinition, findGatewayOfShop } from '#domains/devices/device-messaging/api.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { realClock } from '#simulators/gateways/clock.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'
import { lies, type FinalCommand } from '#simulators/gateways/judge.ts'
import { testDevices, type TestDevices } from './test-devices.ts'

const GATEWAYS = 20
const COMMANDS = 300
const tenantId = '100007'
const names = Array.from({ length: GATEWAYS }, (_, n) => `GW-storm-${n}`)
let devices: TestDevices
let fleet: Fleet
let shops: string[]
/** How far the clocks of server and devices are ahead of the real one. */
let skewMs = 0
const now = () => Date.now() + skewMs

beforeAll(async () => {
  devices = await testDevices({ now: () => new Date(now()) })
  const credentials = await devices.tenant(tenantId, names)
  shops = credentials.map(({ shopId }) => shopId)
  fleet = createFleet({ url: devices.deviceUrl, credentials, perSecond: 50, clock: { ...realClock, now } })
  fleet.start()
  await vi.waitFor(async () => expect(await devices.online(tenantId)).toBe(GATEWAYS), {
    timeout: 30_000,
    interval: 250,
  })
}, 120_000)
afterAll(async () => {
  fleet?.stop()
  await devices?.close()
})

const sendCommand = (shopId: string, method: string, params: object) =>
  devices.unit(tenantId, async (db) => {
    const link = (await findGatewayOfShop(db, shopId))!
    const { services } = devices.office
    return requestCommand({ db, services }, findCommandDefinition(method)!, link, params, { source: 'system' })
  })
const commandNow = (id: string) => devices.unit(tenantId, async (db) => (await db.get(deviceCommand, id))!)
const KINDS: [method: string, params: () => object][] = [
  ['time.sync', () => ({ now: now(), tz: 'Asia/Shanghai' })],
  ['door.control', () => ({ doorNo: 1, opt: 'open' })],
  ['door.status', () => ({})],
  ['gw.reboot', () => ({ type: 1 })],
]
const judged = (ids: readonly string[]) =>
  devices.unit(tenantId, (db) =>
    db.query<FinalCommand>(sql`select c.id, c.method, c.state,
      (extract(epoch from c.expire_time) * 1000)::bigint as "expiresAt"
    from device_command c where c.tenant_id = ${tenantId} and c.id = any(${ids}::bigint[])`),
  )
const executions = () =>
  new Map(
    [...fleet.gateways.values()].flatMap(({ ledger }) => [...ledger.commands.values()].map((one) => [one.id, one])),
  )

test('in a storm each command ends: none is said done that was not, none is done twice or late', async () => {
  const random = createRandom(7)
  fleet.order({ faults: { drop: 0.1, duplicates: true }, share: 0.5 })
  fleet.order({ faults: { slow: 1_500 }, share: 0.2 })
  fleet.order({ faults: { reorder: true }, share: 0.2 })
  fleet.order({ faults: { clockError: 600_000 }, share: 0.2 })
  fleet.order({ faults: { deafAck: true }, share: 0.1 })
  const commandIds: string[] = []
  for (let n = 0; n < COMMANDS; n++) {
    const [method, params] = KINDS[n % 10 === 9 ? 3 : n % 3]!
    commandIds.push((await sendCommand(random.pick(shops), method, params())).id)
    if (n % 50 === 25) fleet.order({ faults: { powerCut: 1 }, clientIds: [random.pick(names)] })
  }
  const isOver = async (...states: string[]) =>
    expect((await judged(commandIds)).filter(({ state }) => states.includes(state))).toEqual([])
  // The faults end; devices that reconnect are asked about unconfirmed commands.
  fleet.order({ faults: { drop: null, duplicates: null, slow: null, reorder: null, deafAck: null } })
  const limits = { timeout: 60_000, interval: 500 }
  await vi.waitFor(() => isOver('asked', 'sent'), limits)
  fleet.order({ faults: { lateWill: 300 } })
  await vi.waitFor(() => isOver('asked', 'sent', 'taken', 'unknown'), limits)
  const all = await judged(commandIds)
  expect(all).toHaveLength(COMMANDS)
  expect(all.filter(({ state }) => state === 'done').length).toBeGreaterThan(COMMANDS / 6)
  expect(lies(all, executions())).toEqual([])
}, 120_000)

test('a lock that is back after eleven seconds with ten to live never opens, and its command has expired', async () => {
  const [shopId, clientId] = [shops[0]!, names[0]!]
  const open = () => sendCommand(shopId, 'door.control', { doorNo: 1, opt: 'open' })
  // Two ways to be late: the command was lost with the connection, or it took too long.
  fleet.order({ faults: { drop: 1 }, clientIds: [clientId] })
  const lost = await open()
  await vi.waitFor(async () => expect((await commandNow(lost.id)).state).toBe('sent'))
  skewMs += 11_000
  await vi.waitFor(async () => expect((await commandNow(lost.id)).state).toBe('unknown'), { timeout: 5_000 })
  fleet.order({ faults: { drop: null, slow: 1_000, lateWill: 100 }, clientIds: [clientId] })
  await vi.waitFor(async () => expect((await commandNow(lost.id)).state).toBe('expired'), { timeout: 10_000 })
  const late = await open()
  await vi.waitFor(async () => expect((await commandNow(late.id)).state).toBe('sent'))
  skewMs += 11_000
  await vi.waitFor(async () => expect((await commandNow(late.id)).state).toBe('expired'), { timeout: 10_000 })
  for (const { id } of [lost, late]) expect(executions().get(id)?.executed ?? 0).toBe(0)
}, 60_000)

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  createDevicePresence,
  deviceTransportSlot,
  handleDeviceMessage,
  type DevicePresence,
} from '#domains/devices/device-messaging/api.ts'
import { countRoundTrips, type RoundTrips } from '#tests/support/round-trips.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

const clientId = 'GW-trips-1'
let tenants: TestTenants
let presence: DevicePresence
const sent: { about: string; message: any }[] = []

beforeAll(async () => {
  tenants = await createTestTenants()
  presence = createDevicePresence(tenants.services)
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message) => void sent.push({ about: topic.split('/').at(-1)!, message }),
  })
  const [id] = tenants.north.shops as [string]
  const changed: unknown[] = []
  tenants.services.live.on(changedTopicOf('basicShopInfo'), ({ data }) => void changed.push(data.ids))
  const body = { id, clientId }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
  // Waits for the cache invalidation, which would otherwise come in the middle of a count.
  await vi.waitFor(() => expect(changed).toContainEqual([id]))
})
afterAll(() => tenants.close())

const sendFromDevice = (about: string, message: object) =>
  handleDeviceMessage(tenants.services, presence, `ss/1/100001/${clientId}/up/${about}`, { ts: Date.now(), ...message })
const ordered = () => sent.filter(({ about }) => about === 'cmd')

/** A person sends a command over HTTP, and the device acknowledges and executes it at once. */
async function command(): Promise<void> {
  const before = ordered().length
  const query = { clientId }
  const answer = tenants.call(tenants.north.admin, 'GET', '/api/shop/door/doorStatus', { query })
  await vi.waitFor(() => expect(ordered()).toHaveLength(before + 1), { interval: 1 })
  const { id } = ordered().at(-1)!.message
  await sendFromDevice('ack', { id, ok: true })
  await sendFromDevice('res', { id, code: 0, data: { doors: [] } })
  expect(await answer).toMatchObject({ status: 200, data: { stale: false } })
}

let asks = 0
const entry = () =>
  sendFromDevice('ask', { id: `a${++asks}`, type: 'entry', data: { doorNo: 1, phone: '13800000001' } })
/** Expected counts when one connection serves all messages, as on an idle server. */
const MESSAGES: [name: string, statements: number, roundTrips: number, speak: () => Promise<unknown>][] = [
  ['a device that comes', 7, 3, () => sendFromDevice('online', { online: true, connId: 'c' })],
  ['a greeting', 15, 5, () => sendFromDevice('hello', { connId: 'c', bootId: 'b', fw: '1' })],
  ['a state', 5, 2, () => sendFromDevice('state', { doors: [] })],
  ['a heartbeat', 0, 0, () => sendFromDevice('hb', { bootId: 'b' })],
  ['a question at a door', 8, 2, entry],
  ['a command, its acknowledgement and its end', 29, 15, command],
]
const textOf = ({ sent: statements }: RoundTrips) => statements.map(({ text }) => text).join('\n')

test.each(MESSAGES)(
  '%s asks no more of the database than %i statements in %i messages',
  async (_name, most, trips, speak) => {
    // Once before, to fill the caches.
    await speak()
    await speak()
    const counted = await countRoundTrips(speak)
    expect(counted.statements, textOf(counted)).toBeLessThanOrEqual(most)
    expect(counted.roundTrips, textOf(counted)).toBeLessThanOrEqual(trips)
  },
)

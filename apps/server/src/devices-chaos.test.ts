import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askCommand, authenticateDevice, commandOf, gatewayOf, grantOf } from '#domains/gateways/doors.ts'
import { deviceCommand } from '#domains/gateways/index.ts'
import { startBroker, type Broker } from '#kit/server/broker/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/random.ts'
import { testServer, type TestServer } from '#kit/testing/server.ts'
import { createTenant } from '#domains/system/doors.ts'
import { createFleet, type Fleet } from '#simulators/gateways/fleet.ts'

const GATEWAYS = 20
const COMMANDS = 300
const tenantId = '100007'
let broker: Broker
let office: TestServer
let fleet: Fleet
const shops: string[] = []

beforeAll(async () => {
  broker = await startBroker({
    authenticate: async (credentials) => {
      const found = office && (await authenticateDevice(office.services.systemPool, credentials))
      return found ? grantOf(found.tenantId, credentials.clientId) : null
    },
    messagesPerSecond: 1_000,
  })
  office = await testServer({ env: { MQTT_URL: broker.url } })
  await office.services.unit({ across: 'a tenant of devices' }, (db) =>
    createTenant(db, office.services, { tenantName: '风暴' }, { tenantId, password: 'admin' }),
  )
  const admin = await office.as('admin', { tenantId })
  const credentials = []
  for (let n = 0; n < GATEWAYS; n++) {
    const clientId = `GW-storm-${n}`
    const body = { shopName: `风暴${n}号店`, shopCode: `S${n}`, clientId }
    const shop = await office.call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body })
    const issued = await office.call(admin, 'POST', '/api/shop/deviceLink/issue', { query: { id: shop.data.id } })
    shops.push(shop.data.id)
    credentials.push({ clientId, tenantId, secret: issued.data.secret, kind: 'gateway' as const })
  }
  fleet = createFleet({ url: broker.url.replace(/\/\/.*@/, '//'), credentials, perSecond: 50 })
  fleet.start()
  await vi.waitFor(async () => expect(await online()).toBe(GATEWAYS), { timeout: 30_000, interval: 250 })
}, 120_000)
afterAll(async () => {
  fleet?.stop()
  await office?.close()
  await broker?.close()
})

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> => office.services.unit({ tenantId }, work)
const online = async () =>
  (await unit((db) => db.one<{ n: number }>(sql`select count(*)::int as n from device_link where state = 'online'`)))!.n
const ask = (shopId: string) =>
  unit(async (db) => {
    const link = (await gatewayOf(db, shopId))!
    const params = { now: Date.now(), tz: 'Asia/Shanghai' }
    return askCommand({ db, services: office.services }, commandOf('time.sync')!, link, params, { source: 'system' })
  })

test('in a storm each command ends: none is said done that was not, none is done twice or late', async () => {
  const random = createRandom(7)
  fleet.order({ faults: { drop: 0.1, duplicates: true }, share: 0.5 })
  fleet.order({ faults: { slow: 1_500 }, share: 0.2 })
  fleet.order({ faults: { reorder: true }, share: 0.2 })
  fleet.order({ faults: { clockError: 600_000 }, share: 0.2 })
  fleet.order({ faults: { deafAck: true }, share: 0.1 })
  const asked: string[] = []
  for (let n = 0; n < COMMANDS; n++) {
    asked.push((await ask(random.pick(shops))).id)
    const one = `GW-storm-${random.int(0, GATEWAYS - 1)}`
    if (n % 50 === 25) fleet.order({ faults: { powerCut: 1 }, clientIds: [one] })
  }
  const open = () =>
    unit((db) => db.find(deviceCommand, sql`r.id = any(${asked}::bigint[]) and r.state in ('asked', 'sent', 'taken')`))
  await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 60_000, interval: 500 })
  const rows = await unit((db) => db.find(deviceCommand, sql`r.id = any(${asked}::bigint[])`))
  const expiries = await unit((db) =>
    db.query<{ id: string; at: number }>(sql`select id, (extract(epoch from expire_time) * 1000)::bigint as at
      from device_command where tenant_id = ${tenantId} and id = any(${asked}::bigint[])`),
  )
  const deeds = new Map(
    [...fleet.gateways.values()].flatMap(({ ledger }) => [...ledger.deeds.values()].map((deed) => [deed.id, deed])),
  )
  expect(rows).toHaveLength(COMMANDS)
  expect(rows.filter(({ state }) => state === 'done').length).toBeGreaterThan(COMMANDS / 4)
  for (const { id, state } of rows) {
    const deed = deeds.get(id)
    if (state === 'done') expect(deed?.code, `${id} is said to be done`).toBe(0)
    if (state === 'expired' || state === 'refused') expect(deed?.executed ?? 0, `${id} is said to be undone`).toBe(0)
    expect(deed?.executed ?? 0, `${id} once at most`).toBeLessThanOrEqual(1)
  }
  for (const { id, at } of expiries) {
    const deed = deeds.get(id)
    if (deed?.executed) expect(deed.receivedAt, `${id} not after its end`).toBeLessThan(at + 50)
  }
}, 120_000)

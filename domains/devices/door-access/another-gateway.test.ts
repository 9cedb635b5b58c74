import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { requestCommand, findCommandDefinition, findGatewayOfShop } from '#domains/devices/device-messaging/api.ts'
import { deviceCommand } from '#domains/devices/device-messaging/index.ts'
import { wxUser } from '#domains/sales/customers/index.ts'

let now = new Date('2026-11-20T10:00:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
const openid = 'o-lin'
let tenants: TestTenants
let shopId: string
let count = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  shopId = tenants.north.shops[0]!
  await must('basicShopInfo/open', {}, { id: shopId })
  await unit((db) => db.insert(wxUser, { nickname: '林小满', phone: '13800000001', openid }))
})
afterAll(() => tenants?.close())
beforeEach(() => pass(120_000))

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const must = (path: string, body: object, query: Record<string, string> = {}) =>
  tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body, query }))
/** Installs another gateway in the shop and lets it connect for the first time. */
async function installed() {
  const clientId = `GW-new-${++count}`
  await must('basicShopInfo/submit', { id: shopId, clientId })
  const gateway = testGateway(tenants.services, { tenantId: tenants.north.tenantId, clientId })
  await gateway.say('online', { online: true, connId: `c${count}` })
  await gateway.say('hello', { connId: `c${count}`, bootId: `b${count}`, fw: '1.0.0' })
  return Object.assign(gateway, { clientId })
}
const requestTestCommand = (method: 'door.control' | 'gw.reboot' | 'gw.upgrade', params: object) =>
  unit(async (db) => {
    const link = (await findGatewayOfShop(db, shopId))!
    return requestCommand({ db, services: tenants.services }, findCommandDefinition(method)!, link, params, {
      source: 'office',
    })
  })
const stateOf = async (id: string) => (await unit((db) => db.get(deviceCommand, id)))?.state

it('tells nothing of what the one before was commanded: that stays unconfirmed', async () => {
  const old = await installed()
  const { id } = await requestTestCommand('door.control', { doorNo: 1, opt: 'open' })
  await old.told('door.control')
  await old.say('ack', { id, ok: true })
  pass(20_000)
  await old.lookAtDue()
  expect(await stateOf(id)).toBe('unknown')
  const other = await installed()
  expect(other.down('query')).toEqual([])
  await other.say('ack', { id, ok: false, code: 9 })
  await other.say('res', { id, code: 0 })
  await other.say('state', { doors: [{ doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'normal' }] })
  expect(await unit((db) => db.get(deviceCommand, id))).toMatchObject({ state: 'unknown', seenTime: null })
})

it('is no restart of the one before, and no upgrade of it', async () => {
  const old = await installed()
  const { id } = await requestTestCommand('gw.reboot', { type: 1 })
  await old.told('gw.reboot')
  await old.say('ack', { id, ok: true })
  await installed()
  pass(10 * 60_000)
  await old.lookAtDue()
  expect(await stateOf(id)).toBe('unknown')
})

it('keeps no place for what waits for the one before, and is not busy with it', async () => {
  const old = await installed()
  await old.say('online', { online: false, connId: `c${count}` })
  const upgrade = await requestTestCommand('gw.upgrade', { version: '2' })
  expect(upgrade.state).toBe('asked')
  const other = await installed()
  expect(await stateOf(upgrade.id)).toBe('canceled')
  expect([...old.down('cmd'), ...other.down('cmd')]).toEqual([])
  const { id } = await requestTestCommand('gw.upgrade', { version: '3' })
  expect((await other.told('gw.upgrade')).id).toBe(id)
})

it('counts its events and questions from the beginning, and each is heard for itself', async () => {
  const old = await installed()
  const first = (await old.ask({ openid }, 'q-same')).data
  await old.say('evt', { eid: 'e-same', type: 'visit.entered', data: { visitId: first.visitId } })
  const other = await installed()
  const second = (await other.ask({ openid }, 'q-same')).data
  expect(second.visitId).not.toBe(first.visitId)
  for (let n = 0; n < 2; n++)
    await other.say('evt', { eid: 'e-same', type: 'visit.entered', data: { visitId: second.visitId } })
  const kinds = await unit((db) =>
    db.query<{ kind: string }>(sql`select kind from visit_record where visit_id = ${second.visitId} order by time, id`),
  )
  expect(kinds.map(({ kind }) => kind)).toEqual(['scanned', 'entered'])
})

it('a question asked again under its number much later is another one: what is true by then is answered', async () => {
  const gateway = await installed()
  expect((await gateway.ask({ openid }, 'q-late')).data.allow).toBe(true)
  await must('basicShopInfo/pause', {}, { id: shopId })
  expect((await gateway.ask({ openid }, 'q-late')).data.allow).toBe(true)
  pass(3_600_000)
  expect((await gateway.ask({ openid }, 'q-late')).data).toMatchObject({ allow: false, reason: 'shopClosed' })
  await must('basicShopInfo/open', {}, { id: shopId })
  expect((await gateway.ask({ openid }, 'q-late')).data.allow).toBe(false)
})

it('a gateway whose number was taken away opens no door, and nobody is there by its word', async () => {
  const old = await installed()
  expect((await old.ask({ openid })).data.allow).toBe(true)
  await must('basicShopInfo/submit', { id: shopId, clientId: 'GW-after' })
  // The server removes the old number from its cache a moment later; until then messages are just ignored.
  const unheard = (answer: Promise<any>) =>
    answer.catch((error: Error) => {
      if (error.message !== 'nobody of this number') throw error
    })
  expect((await unheard(old.ask({ openid })))?.data?.allow).toBeUndefined()
  await unheard(old.say('hb', { bootId: 'b', uptime: 1, fw: '1' }))
  await unheard(old.say('online', { online: true, connId: 'x' }))
  await old.flush()
  expect((await unit((db) => findGatewayOfShop(db, shopId)))?.state).toBe('offline')
})

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { CastMember } from '#tests/support/server.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { deviceTransportSlot } from '#domains/devices/device-messaging/api.ts'
import { applyPowerSchedules } from './schedule.job.ts'

let now = new Date('2026-11-20T10:00:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
/** Sets the clock to a moment and signs the administrator in again. */
const until = async (text: string) => {
  now = new Date(`${text}+08:00`).getTime()
  admin = await tenants.server.as('admin', { tenantId })
}
const MINUTE = 60_000
const tenantId = '100001'
const clientId = 'EPA-north-1'

let tenants: TestTenants
let gateway: ReturnType<typeof testGateway>
let admin: CastMember
let gatewayId: string
let shopId: string
let lamp: string
let sent: { method: string; id: string; params: Record<string, unknown> }[] = []
/** How the simulated device answers a command; when undefined, it does not answer. */
let answers: ((command: { method: string; id: string; params: any }) => object) | undefined

const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
const sendFromDevice = (about: string, message: object) => gateway.say(about, message)
const post = (path: string, query: object, who = admin) =>
  tenants.call(who, 'POST', `/api/shop/${path}`, { query: query as Record<string, string> })
const get = (path: string, query: object) =>
  tenants.must(tenants.call(admin, 'GET', `/api/shop/${path}`, { query: query as any }))
const save = (resource: string, body: object) =>
  tenants.must(tenants.call(admin, 'POST', `/api/shop/${resource}/submit`, { body }))
const devices = async () => (await get('epaDevice/list', { gatewayId, size: 50, ascs: 'clientId' })).records as any[]
const device = async (id = lamp) => (await devices()).find((one) => one.id === id)
const report = (power: 'on' | 'off', energy: number, more = {}) =>
  sendFromDevice('state', {
    power: [{ clientId: 'S1', power, voltage: 220, current: 0.3, watts: 60, energy, ...more }],
  })

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  admin = tenants.north.admin
  shopId = tenants.north.shops[0]!
  tenants.services.slots.fill(deviceTransportSlot, {
    publish: async (topic, message: any) => {
      if (!topic.endsWith('/down/cmd')) return
      sent.push(message)
      if (!answers) return
      await sendFromDevice('ack', { id: message.id, ok: true })
      await sendFromDevice('res', { id: message.id, ...answers(message) })
    },
  })
  gateway = testGateway(tenants.services, { tenantId, clientId })
  gatewayId = (await save('epaGateway', { name: '北一用电', clientId, shopId })).id
  lamp = (await save('epaDevice', { name: '店内照明', clientId: 'S1', gatewayId, kind: 'light' })).id
})
beforeEach(async () => {
  pass(61_000)
  sent = []
  answers = () => ({ code: 0, data: { power: 'on' } })
  await unit((db) => db.run(sql`delete from device_command_due`))
  await sendFromDevice('online', { online: true, connId: 'c1' })
  await sendFromDevice('hello', { connId: 'c1', bootId: 'b1', fw: '2.1.0', ts: now + 4_000 })
})
afterAll(() => tenants.close())

describe('a power gateway', () => {
  it('shows what its line says of it, and is found by whether it is there', async () => {
    expect(await get('epaGateway/detail', { id: gatewayId })).toMatchObject({
      online: true,
      firmware: '2.1.0',
      timeDrift: 4,
      lastSeenTime: formatShanghaiTime(new Date(now)),
    })
    await sendFromDevice('online', { online: false, connId: 'c1' })
    expect(await get('epaGateway/list', { online: 'true' })).toMatchObject({ records: [] })
    expect((await get('epaGateway/list', { online: 'false' })).records).toMatchObject([
      { id: gatewayId, online: false },
    ])
  })

  it('has its clock set, and answers by how much it was off', async () => {
    answers = () => ({ code: 0, data: { offsetMs: 4000 } })
    expect(await tenants.must(post('epaGateway/syncTime', { clientId }))).toMatchObject({
      state: 'done',
      offsetMs: 4000,
    })
    expect(sent[0]).toMatchObject({ method: 'time.sync', params: { now, tz: 'Asia/Shanghai' } })
  })

  it('lists its devices in parts: new ones are added, missing ones lost until heard, none removed', async () => {
    const before = await devices()
    answers = undefined
    const syncResponse = tenants.must(post('epaGateway/syncInfo', { clientId }))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const { id } = sent[0]!
    await sendFromDevice('ack', { id, ok: true })
    expect(await syncResponse).toMatchObject({ cmdId: id, state: 'taken' })
    const part = (n: number, subs: object[]) =>
      sendFromDevice('res', { id, code: 0, part: n, parts: 2, data: { fw: '2.1.0', subs } })
    await part(2, [{ clientId: 'TAG1', kind: 'tag', address: 9, name: 'TAG1' }])
    expect(await devices()).toEqual(before)
    await part(1, [{ clientId: 'S2', kind: 'switch', address: 2, name: '空调' }])
    expect(await devices()).toMatchObject([
      { clientId: 'S1', name: '店内照明', lost: true },
      { clientId: 'S2', name: '空调', kind: 'other', address: '2', lost: false },
    ])
    await report('on', 1)
    expect(await device()).toMatchObject({ lost: false })
    expect(await get('epaGateway/detail', { id: gatewayId })).toMatchObject({ infoVersion: 1 })
  })
})

describe('a powered device', () => {
  it('is switched by whoever may, says so itself, and is seen when its state shows it', async () => {
    const answer = await tenants.must(post('epaDevice/power', { gatewayId, clientId: 'S1', opt: '1' }))
    expect(answer).toMatchObject({ state: 'done', power: 'on' })
    answers = undefined
    const switchResponse = tenants.must(
      post('epaDevice/power', { gatewayId, clientId: 'S1', opt: 'off', wait: 'false' }),
    )
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    await sendFromDevice('ack', { id: sent[1]!.id, ok: true })
    expect(await switchResponse).toMatchObject({ cmdId: sent[1]!.id, state: 'taken' })
    await sendFromDevice('res', { id: sent[1]!.id, code: 5 })
    expect((await get('deviceCommand/steps', { id: sent[1]!.id })).state).toBe('failed')
    sent.pop()
    expect(sent).toMatchObject([{ method: 'sub.power', params: { clientId: 'S1', opt: 'on' } }])
    const steps = () => get('deviceCommand/steps', { id: answer.cmdId })
    expect((await steps()).seen).toBeNull()
    await report('off', 1)
    expect((await steps()).seen).toBeNull()
    pass(1_000)
    await report('on', 1)
    expect((await steps()).seen).toBe(now)
    expect(await device()).toMatchObject({ power: true, watts: '60.0' })
  })

  it('is not switched without the right or a line, in another tenant or shop, or by an unknown word', async () => {
    const opt = { gatewayId, clientId: 'S1', opt: 'on' }
    const boss = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const viewer = await tenants.person(tenants.north, 'viewer', ['epaDevice', 'epaDevice_list'])
    expect((await post('epaDevice/power', opt, boss)).status).toBe(404)
    expect((await post('epaDevice/power', opt, viewer)).status).toBe(403)
    expect((await post('epaDevice/power', opt, tenants.south.admin)).status).toBe(404)
    expect((await post('epaDevice/power', { ...opt, opt: 'maybe' })).status).toBe(404)
    expect((await post('epaDevice/power', { ...opt, clientId: 'S9' })).status).toBe(404)
    await sendFromDevice('online', { online: false, connId: 'c1' })
    expect((await post('epaDevice/power', opt)).body).toMatchObject({ success: false })
    expect(sent).toEqual([])
  })

  it("counts what it uses once, by its hour's price, though its meter begins anew and words come late", async () => {
    await until('2026-11-20T23:50:00')
    await unit((db) => db.run(sql`update epa_device set energy = null, last_report_time = null where id = ${lamp}`))
    await save('powerTariff', { name: '谷', fromTime: '22:00', toTime: '06:00', price: 0.3 })
    await save('powerTariff', { name: '平', price: 0.8 })
    await report('on', 100)
    pass(MINUTE)
    await report('on', 101.5)
    const stale = now
    pass(MINUTE)
    await report('on', 102)
    await sendFromDevice('state', { ts: stale, power: [{ clientId: 'S1', power: 'on', energy: 101.5 }] })
    pass(MINUTE)
    await sendFromDevice('evt', {
      eid: 'e1',
      type: 'power.report',
      data: { clientId: 'S1', power: 'on', watts: 60, energy: 0.25 },
    })
    await sendFromDevice('evt', {
      eid: 'e1',
      type: 'power.report',
      data: { clientId: 'S1', power: 'on', watts: 60, energy: 0.25 },
    })
    await until('2026-11-21T09:00:00')
    await report('on', 1.25)
    const usage = (span: string, day: string) => get('epaDevice/usage', { id: lamp, span, day })
    expect(await usage('day', '2026-11-20')).toMatchObject({ totalUsed: 2, totalCost: '0.60' })
    expect((await usage('day', '2026-11-20')).used[23]).toBe(2)
    expect(await usage('day', '2026-11-21')).toMatchObject({ totalUsed: 1.25, totalCost: '1.00' })
    const month = await usage('month', '2026-11-30')
    expect([month.used[19], month.used[20], month.parts.length]).toEqual([2, 1.25, 30])
    expect(await usage('year', '2026-01-01')).toMatchObject({ totalUsed: 3.25, totalCost: '1.60' })
  })

  it('takes no figure that cannot be for power used, and shows it until one fits', async () => {
    await until('2026-11-23T10:00:00')
    const used = async () => (await get('epaDevice/usage', { id: lamp, span: 'day', day: '2026-11-23' })).totalUsed
    await unit((db) => db.run(sql`update epa_device set energy = null, last_report_time = null where id = ${lamp}`))
    const meter = async () => {
      const { energy, doubtfulEnergy } = await device()
      return [Number(energy), Number(doubtfulEnergy)]
    }
    await report('on', 15508.51)
    for (const energy of [0, 15508.51, 15508.5, 0, 0, 15508.61, 15508.71]) {
      pass(5 * MINUTE)
      await report('on', energy)
      expect([energy, await used()]).toEqual([energy, energy > 15508.7 ? 0.1 : 0])
    }
    expect(await meter()).toEqual([15508.71, -1])
    pass(5 * MINUTE)
    await report('on', 90_000)
    expect(await meter()).toEqual([15508.71, 90_000])
    expect(await used()).toBe(0.1)
  })
})

describe('a schedule', () => {
  beforeEach(async () => {
    await unit((db) => db.run(sql`update power_rule set enabled = false`))
    await applyPowerSchedules(tenants.services)
  })
  const keep = async () => {
    await applyPowerSchedules(tenants.services)
    const open = sql`select 1 from device_command where state in ('asked', 'sent', 'taken')`
    await vi.waitFor(async () => expect(await unit((db) => db.query(open))).toEqual([]))
  }
  const opts = () => sent.map(({ params }) => params.opt)

  it('switches once at its time, says what is next, and leaves a hand alone until the next switch', async () => {
    await until('2026-11-23T17:00:00')
    await report('off', 1)
    await save('powerRule', { deviceId: lamp, kind: 'times', fromTime: '18:00', toTime: '22:30' })
    await keep()
    expect(sent).toEqual([])
    expect(await device()).toMatchObject({ plan: '18:00 通电' })
    await until('2026-11-23T18:00:00')
    await sendFromDevice('online', { online: true, connId: 'c1' })
    await keep()
    expect(opts()).toEqual(['on'])
    await report('on', 1)
    expect(await device()).toMatchObject({ plan: '22:30 断电' })
    pass(MINUTE)
    await tenants.must(post('epaDevice/power', { gatewayId, clientId: 'S1', opt: 'off' }))
    await report('off', 1)
    expect((await device()).override).toMatch(/，到下次动作$/)
    await keep()
    expect(opts()).toEqual(['on', 'off'])
    await until('2026-11-23T22:30:00')
    await keep()
    expect((await device()).override).toBeFalsy()
  })

  it('rests until the time a hand named, then does what it wants by then', async () => {
    await until('2026-11-24T17:00:00')
    await save('powerRule', { deviceId: lamp, kind: 'times', fromTime: '08:00', toTime: '20:00' })
    await report('on', 1)
    await keep()
    const held = { gatewayId, clientId: 'S1', opt: 'off', until: '2026-11-24 18:00:00' }
    await tenants.must(post('epaDevice/power', held))
    await report('off', 1)
    expect((await device()).override).toMatch(/到 18:00$/)
    await until('2026-11-24T17:59:00')
    await keep()
    expect(opts()).toEqual(['off'])
    await until('2026-11-24T18:00:00')
    await keep()
    expect(opts()).toEqual(['off', 'on'])
  })

  it('lights up when somebody comes in, and goes dark a while after the last has left', async () => {
    await until('2026-11-25T03:00:00')
    await report('off', 1)
    const rule = await save('powerRule', { deviceId: lamp, kind: 'visits', lingerMinutes: 5, offsetMinutes: null })
    // Not -1, as an empty number travels.
    expect(await get('powerRule/detail', { id: rule.id })).toMatchObject({ offsetMinutes: 0 })
    await keep()
    expect(await device()).toMatchObject({ plan: '有人时通电' })
    const moment = (ms: number) => new Date(ms).toISOString()
    await unit((db) =>
      db.run(sql`insert into customer_visit_log (id, tenant_id, shop_id, enter_time)
        values (${now}, ${tenantId}, ${shopId}, ${moment(now)})`),
    )
    await keep()
    expect(opts()).toEqual(['on'])
    await report('on', 1)
    pass(MINUTE)
    await unit((db) => db.run(sql`update customer_visit_log set leave_time = ${moment(now)} where leave_time is null`))
    pass(4 * MINUTE)
    await keep()
    expect(opts()).toEqual(['on'])
    pass(MINUTE)
    await keep()
    expect(opts()).toEqual(['on', 'off'])
  })

  it('waits for a gateway that is away, and gives up on one that never does it', async () => {
    await until('2026-11-26T09:00:00')
    await report('on', 1)
    await save('powerRule', { deviceId: lamp, kind: 'times', fromTime: '22:00', toTime: '23:00' })
    await sendFromDevice('online', { online: false, connId: 'c1' })
    await keep()
    expect(sent).toEqual([])
    await sendFromDevice('online', { online: true, connId: 'c1' })
    answers = () => ({ code: 5 })
    for (let minute = 0; minute < 8; minute++) {
      pass(MINUTE)
      await keep()
    }
    expect(opts()).toEqual(['off', 'off', 'off', 'off', 'off'])
  })

  it('goes by the sunset of a place that is known, and is not made for one that is not', async () => {
    const rule = { deviceId: lamp, kind: 'sunset', offsetMinutes: -10 }
    expect((await tenants.call(admin, 'POST', '/api/shop/powerRule/submit', { body: rule })).success).toBe(false)
    await save('basicShopInfo', { id: shopId, longitude: 120.15, latitude: 30.28 })
    await save('powerRule', rule)
    await until('2026-12-21T12:00:00')
    // Hangzhou, at the winter solstice: the sun sets at 17:02.
    expect((await device()).plan).toMatch(/^16:5[0-4] 通电$/)
    await until('2026-12-21T20:00:00')
    // It rises at 6:52.
    expect((await device()).plan).toMatch(/^12-22 06:5\d 断电$/)
  })

  it("follows the hours of light in the shop's own settings", async () => {
    await until('2026-11-27T12:00:00')
    const conf = (await get('shopConf/list', { shopId })).records[0]
    await save('shopConf', { id: conf.id, lightSchedule: [{ from: '18:00', to: '02:00', days: [5] }] })
    await save('powerRule', { deviceId: lamp, kind: 'hours' })
    expect((await device()).plan).toBe('18:00 通电')
    await until('2026-11-27T23:00:00')
    expect((await device()).plan).toBe('11-28 02:00 断电')
  })
})

describe('removing all devices of a gateway', () => {
  beforeEach(async () => void (admin = await tenants.server.as('admin', { tenantId })))

  it('asks it first, and keeps them when it refuses', async () => {
    answers = () => ({ code: 5 })
    expect((await post('epaDevice/removeAll', { clientId })).success).toBe(false)
    expect((await devices()).length).toBe(2)
  })

  it('that is away removes them at once, and the gateway forgets them when it is back', async () => {
    await sendFromDevice('online', { online: false, connId: 'c1' })
    sent = []
    expect(await tenants.must(post('epaDevice/removeAll', { clientId }))).toEqual({ count: 2 })
    expect(await devices()).toEqual([])
    expect(sent).toEqual([])
    pass(86_400_000)
    await sendFromDevice('online', { online: true, connId: 'c2' })
    await sendFromDevice('hello', { connId: 'c2', bootId: 'b1', fw: '2.1.0' })
    await vi.waitFor(() => expect(sent).toMatchObject([{ method: 'sub.clear' }]))
    expect(await tenants.must(post('epaDevice/removeAll', { clientId }))).toEqual({ count: 0 })
    expect(sent).toHaveLength(1)
  })
})

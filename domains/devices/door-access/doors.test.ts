import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { writeDoorLog } from './door-log.server.ts'

let now = new Date('2026-11-20T10:00:00+08:00').getTime()
const pass = (ms: number) => void (now += ms)
const clientId = 'GW-doors'
let tenants: TestTenants
let shopId: string
let gateway: ReturnType<typeof testGateway>
let boss: CastMember
let stranger: CastMember

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date(now) })
  shopId = tenants.north.shops[0]!
  gateway = await atShop(shopId, clientId)
  boss = await tenants.boss(tenants.north, shopId)
  stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
})
afterAll(() => tenants?.close())
beforeEach(async () => {
  gateway.forget()
  pass(61_000)
  await unit((db) => db.run(sql`delete from device_command_due`))
  await gateway.say('online', { online: true, connId: 'c1' })
})

const atShop = async (id: string, number: string) => {
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/submit', { body: { id, clientId: number } }),
  )
  return testGateway(tenants.services, { tenantId: tenants.north.tenantId, clientId: number })
}
const unit = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (who: CastMember | undefined, call: string, body: object, lang: 'zh' | 'en' = 'zh') =>
  tenants.call(who, 'POST', `/api/shop/door/${call}`, { body: { clientId, ...body }, lang })
const control = (opt: string | number, more: object = {}, who: CastMember | undefined = boss) =>
  post(who, 'doorControl', { opt, ...more })
const logOf = async (commandId: string) =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/doorControlLog/list', { query: { commandId, ascs: 'id' } }),
    )
  ).records as Record<string, unknown>[]
const lastCommand = () =>
  unit((db) =>
    db.one<{ id: string; state: string }>(sql`select id, state from device_command
      where method in ('door.control', 'door.forceClose') order by id desc limit 1`),
  )
const eventsOf = (type: string) =>
  unit((db) =>
    db.query<{ status: number; count: number; content: string }>(sql`select status, count, content from shop_event
      where shop_id = ${shopId} and type = ${type} order by id`),
  )

describe('a door command', () => {
  it('answers what the lock says, and is written down as done by whom', async () => {
    const call = control('open', { reason: '送货', durationSec: 8 })
    const command = await gateway.told('door.control')
    expect(command).toMatchObject({ params: { doorNo: 1, opt: 'open', seconds: 8 }, exp: now + 10_000 })
    await gateway.say('ack', { id: command.id, ok: true })
    await gateway.say('res', { id: command.id, code: 0, data: { lock: 'unlocked', mode: 'normal' } })
    expect((await call).data).toMatchObject({ cmdId: command.id, state: 'done', lock: 'unlocked' })
    expect(await logOf(command.id)).toMatchObject([
      { action: 'open', result: 'done', source: 'office', userId: boss.userId, reason: '送货', doorNo: '1' },
    ])
  })

  it.each([
    [1, 'open'],
    ['0', 'close'],
    [2, 'hold'],
    ['3', 'keepClosed'],
    ['normal', 'release'],
    ['keepOpen', 'hold'],
    ['keepClose', 'keepClosed'],
  ])('spelt %s is %s on the wire', async (spelt, opt) => {
    const { data } = await control(spelt, { doorNo: 2, wait: false })
    expect(await gateway.told('door.control')).toMatchObject({ id: data.cmdId, params: { doorNo: 2, opt } })
  })

  it('of another word, or an opening of an hour, is refused and nothing is sent', async () => {
    expect((await control('explode')).status).toBe(400)
    expect((await control('open', { durationSec: 3600 })).status).toBe(400)
    expect(gateway.down('cmd')).toEqual([])
  })

  it('for an offline lock that is back after eleven seconds never opens it: it has run out', async () => {
    const call = control('open')
    const { id } = await gateway.told('door.control')
    pass(11_000)
    await gateway.lookAtDue()
    const answer = await call
    expect([answer.status, answer.body.msg]).toEqual([expect.any(Number), expect.stringContaining('未确认')])
    expect(await logOf(id)).toMatchObject([{ result: 'unknown' }])
    await gateway.say('hello', { connId: 'c2', bootId: 'b1', fw: '1.0' })
    expect(gateway.down('query').at(-1).ids).toContain(id)
    await gateway.say('ack', { id, ok: false, code: 11 })
    expect((await lastCommand())!.state).toBe('expired')
    expect(gateway.down('cmd').filter((one) => one.method === 'door.control')).toHaveLength(1)
    expect(await logOf(id)).toMatchObject([{ result: 'unknown' }, { result: 'expired' }])
  })

  it('that nobody confirms is unknown, never done or failed, and the doors are asked how they are', async () => {
    const call = control('open')
    const { id } = await gateway.told('door.control')
    await gateway.say('ack', { id, ok: true })
    pass(9_000)
    await gateway.lookAtDue()
    expect((await call).body.msg).toContain('未确认')
    const status = await gateway.told('door.status')
    const doors = [{ doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'normal' }]
    await gateway.say('ack', { id: status.id, ok: true })
    await gateway.say('res', { id: status.id, code: 0, data: { doors } })
    const steps = await tenants.call(boss, 'GET', '/api/shop/deviceCommand/steps', { query: { id } })
    expect(steps.data).toMatchObject({ state: 'unknown', seen: expect.any(Number) })
    await gateway.say('res', { id, code: 0 })
    expect(await logOf(id)).toMatchObject([
      { result: 'unknown' },
      { result: 'done', message: '先前未确认，设备后来说明' },
    ])
  })

  it('to a gateway that is away is refused at once, and written down', async () => {
    await gateway.say('online', { online: false, connId: 'c1', reason: 'lwt' })
    expect((await control('open')).body.msg).toContain('离线')
    expect(gateway.down('cmd')).toEqual([])
    const { id } = (await lastCommand())!
    expect(await logOf(id)).toMatchObject([{ result: 'refused', message: '设备离线', costMs: 0 }])
  })

  it('of one door waits for no other, and not for itself: a second one is refused as busy', async () => {
    await control('open', { wait: false })
    expect((await control('close', { wait: false })).body.msg).toContain('还在执行')
    expect((await control('open', { doorNo: 2, wait: false })).status).toBe(200)
  })

  it('to a register of the shop is none: it has no door, and its word would be written down', async () => {
    const { sn } = await tenants.register(tenants.north, shopId)
    for (const call of ['doorControl', 'focusClose'])
      expect((await post(tenants.north.admin, call, { clientId: sn, opt: 'open', wait: false })).status).toBe(404)
    expect(await unit((db) => db.query(sql`select 1 from device_command where client_id = ${sn}`))).toEqual([])
  })

  it('is taken six times a minute from one person', async () => {
    for (let doorNo = 1; doorNo <= 6; doorNo++)
      expect((await control('open', { doorNo, wait: false })).status).toBe(200)
    expect((await control('open', { doorNo: 7, wait: false })).body.msg).toContain('6')
    expect((await control('open', { doorNo: 7, wait: false }, tenants.north.admin)).status).toBe(200)
  })

  it('is seen by the sensors, apart from what the lock says', async () => {
    const { data } = await control('close', { wait: false })
    await gateway.told('door.control')
    await gateway.say('ack', { id: data.cmdId, ok: true })
    await gateway.say('res', { id: data.cmdId, code: 0 })
    const seen = async () =>
      (await tenants.call(boss, 'GET', '/api/shop/deviceCommand/steps', { query: { id: data.cmdId } })).data.seen
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'open', lock: 'locked', mode: 'normal' }] })
    expect(await seen()).toBeNull()
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' }] })
    expect(await seen()).toEqual(expect.any(Number))
  })

  it('to hold for a while is released by the office where the gateway forgot to', async () => {
    const { data } = await control('hold', { durationSec: 60, wait: false })
    await gateway.told('door.control')
    await gateway.say('ack', { id: data.cmdId, ok: true })
    await gateway.say('res', { id: data.cmdId, code: 0, data: { mode: 'hold' } })
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'hold' }] })
    pass(76_000)
    await tenants.server.jobs.runDue()
    expect(await gateway.told('door.control', 1)).toMatchObject({ params: { doorNo: 1, opt: 'release' } })
    const { id } = (await lastCommand())!
    await gateway.say('ack', { id, ok: true })
    await gateway.say('res', { id, code: 0 })
    expect(await logOf(id)).toMatchObject([{ action: 'release', source: 'schedule', result: 'done' }])
  })
})

describe('forcing a door closed', () => {
  it('has a right of its own, and is written down as what it was', async () => {
    const clerk = await tenants.person(tenants.north, 'guard', ['doorControlLog', 'doorControlLog_control'])
    expect((await post(clerk, 'focusClose', { doorNo: 1 })).status).toBe(403)
    expect((await control('open', { wait: false, doorNo: 3 }, clerk)).status).toBe(200)
    const call = post(boss, 'focusClose', { doorNo: 1 })
    const { id } = await gateway.told('door.forceClose')
    await gateway.say('ack', { id, ok: true })
    await gateway.say('res', { id, code: 0, data: { lock: 'locked', mode: 'normal' } })
    expect((await call).data).toMatchObject({ state: 'done', lock: 'locked' })
    expect(await logOf(id)).toMatchObject([{ action: 'focusClose', result: 'done' }])
  })
})

describe('who may command a door', () => {
  it('are the people of its shop who hold the right; others find no door, and nothing is sent', async () => {
    const noRight = await tenants.person(tenants.north, 'reader', ['doorControlLog', 'goodInfo'])
    const platform = await tenants.server.as('admin', { tenantId: '000000' })
    const answers = {
      nobody: (await post(undefined, 'doorControl', { opt: 'open' })).status,
      noRight: (await control('open', {}, noRight)).status,
      otherShop: (await control('open', {}, stranger)).status,
      otherTenant: (await control('open', {}, tenants.south.admin)).status,
    }
    expect(answers).toEqual({ nobody: 401, noRight: 403, otherShop: 404, otherTenant: 404 })
    expect(gateway.down('cmd')).toEqual([])
    for (const [doorNo, who] of [boss, tenants.north.admin, platform].entries())
      expect((await control('open', { doorNo: doorNo + 1, wait: false }, who)).status).toBe(200)
  })

  it('hears of the doors of its own shops alone', async () => {
    const ofShop = (who: CastMember) => tenants.call(who, 'GET', '/api/shop/door/ofShop', { query: { shopId } })
    const { shopName } = await tenants.must(
      tenants.call(boss, 'GET', '/api/shop/basicShopInfo/detail', { query: { id: shopId } }),
    )
    // People confirm an opening by the shop's name, so the response has it.
    expect((await ofShop(boss)).data.of).toMatchObject({ shopName, clientId, online: true })
    for (const who of [stranger, tenants.south.admin]) expect((await ofShop(who)).data.of).toBeUndefined()
  })
})

describe('the state of the doors', () => {
  const status = (who = boss) => tenants.call(who, 'GET', '/api/shop/door/doorStatus', { query: { clientId } })

  it('is what the gateway answers now', async () => {
    const call = status()
    const { id } = await gateway.told('door.status')
    await gateway.say('ack', { id, ok: true })
    const until = now + 60_000
    const doors = [
      { doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'hold', until },
      { doorNo: 2, contact: 'closed', lock: 'fault', mode: 'normal' },
    ]
    await gateway.say('res', { id, code: 0, data: { doors } })
    expect((await call).data).toMatchObject({
      clientId,
      online: true,
      stale: false,
      ageSeconds: 0,
      doors: [
        { doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'keepOpen', keepUntil: until },
        { doorNo: 2, contact: 'closed', lock: 'fault', mode: 'normal' },
      ],
    })
  })

  it('is what the gateway said last while it is away, as old as it is', async () => {
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' }] })
    await gateway.say('online', { online: false, connId: 'c1' })
    pass(30_000)
    expect((await status()).data).toMatchObject({ online: false, stale: true, ageSeconds: 30 })
    expect((await status(stranger)).status).toBe(404)
  })
})

describe('what doors report', () => {
  it('held open is one event however often it is said, over when the door is closed', async () => {
    await gateway.event('door.held', { doorNo: 1 })
    await gateway.event('door.held', { doorNo: 1 })
    expect(await eventsOf('doorLeftOpen')).toMatchObject([{ status: 0, count: 2 }])
    await gateway.event('door.closed', { doorNo: 2 })
    expect(await eventsOf('doorLeftOpen')).toMatchObject([{ status: 0 }])
    await gateway.event('door.closed', { doorNo: 1 })
    expect(await eventsOf('doorLeftOpen')).toMatchObject([{ status: 2 }])
  })

  it('forced is one urgent event, which says when the door is closed again and stays to be looked at', async () => {
    await gateway.event('door.forced', { doorNo: 1 })
    await gateway.event('door.closed', { doorNo: 1 })
    expect(await eventsOf('doorForced')).toMatchObject([
      { status: 0, count: 1, content: expect.stringContaining('已关上') },
    ])
  })

  it('of a door is of that door, also where its number is a text; of what is no door it is kept aside', async () => {
    for (const doorNo of [100, 101, 1e15, -4, 'x'])
      await expect(gateway.event('door.held', { doorNo })).rejects.toThrow('doorNo')
    const open = async () => (await eventsOf('doorLeftOpen')).filter(({ status }) => status === 0)
    expect(await open()).toEqual([])
    await gateway.event('door.held', { doorNo: '2' })
    expect(await open()).toMatchObject([{ count: 1, content: expect.stringContaining('2 号门') }])
    await gateway.event('door.closed', { doorNo: 1 })
    expect(await open()).toHaveLength(1)
    await gateway.event('door.closed', { doorNo: 2 })
    expect(await open()).toEqual([])
  })

  it('a lock out of order is over when the state shows it working', async () => {
    await gateway.event('lock.fault', { doorNo: 1 })
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'closed', lock: 'fault', mode: 'normal' }] })
    expect(await eventsOf('lockFault')).toMatchObject([{ status: 0 }])
    await gateway.say('state', { doors: [{ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' }] })
    expect(await eventsOf('lockFault')).toMatchObject([{ status: 2 }])
  })

  it('opened by the button inside is in the log; opened by the office it is there once', async () => {
    const openings = () =>
      unit((db) =>
        db.query<{ source: string }>(sql`select source from door_control_log where shop_id = ${shopId}
          and action = 'open' order by id`),
      )
    const before = (await openings()).length
    await gateway.event('door.opened', { doorNo: 1 })
    expect((await openings()).slice(before)).toEqual([{ source: 'button' }])
    const { data } = await control('open', { wait: false })
    await gateway.told('door.control')
    await gateway.say('ack', { id: data.cmdId, ok: true })
    await gateway.event('door.opened', { doorNo: 1, by: data.cmdId })
    await gateway.say('res', { id: data.cmdId, code: 0 })
    expect((await openings()).slice(before + 1)).toEqual([{ source: 'office' }])
  })
})

it('the log keeps refused commands too, and nobody edits it', async () => {
  const id = await unit((db) =>
    writeDoorLog(db, {
      shopId,
      doorNo: '1',
      action: 'open',
      source: 'customer',
      result: 'refused',
      message: 'blocked',
      costMs: 12,
    }),
  )
  const row = (lang: 'zh' | 'en') =>
    tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/doorControlLog/detail', { query: { id }, lang }))
  expect(await row('zh')).toMatchObject({ resultName: '已拒绝', message: '暂时不能进店，请联系门店' })
  expect(await row('en')).toMatchObject({ message: 'You cannot enter right now. Contact the store.' })
  await expect(unit((db) => db.run(sql`update door_control_log set reason = '' where id = ${id}`))).rejects.toThrow(
    /permission denied/,
  )
})

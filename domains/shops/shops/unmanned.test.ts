import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { endUnmanned, startUnmanned } from './unmanned.ts'
import { findTimeWindowAt } from './hours.ts'
import { applyUnmannedHours } from './unmanned.server.ts'

const NOON = new Date('2026-11-20T12:00:00+08:00')
let tenants: TestTenants
let register: Register
let here: string

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOON })
  here = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, here)
})
afterAll(() => tenants?.close())

const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: '100001' }, work)
const list = async (shopId = here) =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/unmannedLog/list', { query: { shopId, size: 100 } }),
    )
  ).records as Record<string, any>[]
const open = async (shopId = here) => (await list(shopId)).filter((row) => row.status === 1)

describe('an unattended period', () => {
  test('is one per shop at most, whoever begins and ends it at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), async (steps) => {
        const at = NOON
        await Promise.all(
          steps.map((isStart) =>
            inNorth(async (db) => {
              const period = await startUnmanned(db, { shopId: here, trigger: 'staff', at })
              if (!isStart) await endUnmanned(db, period.id, { at })
            }),
          ),
        )
        expect((await open()).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 8 },
    )
    for (const { id } of await open()) await inNorth((db) => endUnmanned(db, id, { at: NOON }))
  })

  test('counts what was paid for in it when it ends, and nothing before or after', async () => {
    const { upc } = await tenants.good(tenants.north, here)
    const sell = (time: string, quantity: number) =>
      tenants.must(
        tenants.beep(register, 'POST', 'sales', { body: { sales: [saleBodyOf(upc, { saleTime: time }, quantity)] } }),
      )
    await sell('2026-11-20 09:59:59', 1)
    await sell('2026-11-20 10:00:00', 2)
    await sell('2026-11-20 10:30:00', 3)
    await sell('2026-11-20 11:00:00', 4)
    const period = await inNorth((db) =>
      startUnmanned(db, { shopId: here, trigger: 'staff', at: new Date('2026-11-20T10:00:00+08:00') }),
    )
    await inNorth((db) => endUnmanned(db, period.id, { at: new Date('2026-11-20T11:00:00+08:00') }))
    const again = await inNorth((db) => endUnmanned(db, period.id, { at: new Date('2026-11-20T12:00:00+08:00') }))
    expect(again.endTime).toBe('2026-11-20 11:00:00')
    expect((await list()).find(({ id }) => id === period.id)).toMatchObject({ status: 2, orders: 2, amount: '25.00' })
  })

  test('is begun by somebody who has the shop, once, and ended by hand', async () => {
    const boss = await tenants.boss(tenants.north, here)
    const start = (who = boss, shopId = here) =>
      tenants.call(who, 'POST', '/api/shop/unmannedLog/start', { body: { shopId } })
    // Another's shop is answered like one that does not exist, and nothing begins there.
    const [others, nobodys] = [await start(boss, tenants.north.shops[1]), await start(boss, '999')]
    expect([others.status, others.body.msg]).toEqual([nobodys.status, nobodys.body.msg])
    expect(others.status).toBe(400)
    expect(await open(tenants.north.shops[1])).toEqual([])
    const { data } = await start()
    expect((await start()).data.reason).toBe('unmanned_open')
    expect((await tenants.call(boss, 'POST', '/api/shop/unmannedLog/end', { query: { id: data.id } })).status).toBe(200)
    expect(
      (await tenants.call(boss, 'POST', '/api/shop/unmannedLog/end', { query: { id: data.id } })).data.reason,
    ).toBe('action_not_now')
  })

  test('keeps the hours of the shop, and is not begun again in a night somebody ended', async () => {
    const shopId = tenants.north.shops[1]!
    const { admin } = tenants.north
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/basicShopInfo/submit', {
        body: { id: shopId, unmannedStart: '22:00', unmannedEnd: '07:00' },
      }),
    )
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/basicShopInfo/open', { query: { id: shopId } }))
    const [conf] = (await tenants.must(tenants.call(admin, 'GET', '/api/shop/shopConf/list', { query: { shopId } })))
      .records
    const moment = (time: string) => new Date(`2026-11-${time}:00+08:00`)
    const at = (time: string) => applyUnmannedHours({ ...tenants.services, now: () => moment(time) })
    await at('20T23:00')
    expect(await open(shopId)).toEqual([])
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/shopConf/submit', { body: { id: conf.id, unmannedEnabled: true } }),
    )
    await at('20T21:59')
    expect(await open(shopId)).toEqual([])
    await Promise.all([at('20T22:00'), at('20T22:00')])
    const [night] = await open(shopId)
    expect(night).toMatchObject({ trigger: 'schedule', startTime: '2026-11-20 22:00:00' })
    await inNorth((db) => endUnmanned(db, night!.id, { at: moment('21T02:00'), userId: admin.userId }))
    await at('21T03:00')
    expect(await open(shopId)).toEqual([])
    await at('21T22:00')
    await at('22T07:00')
    expect(await list(shopId)).toMatchObject([
      { startTime: '2026-11-21 22:00:00', endTime: '2026-11-22 07:00:00', status: 2 },
      { status: 2 },
    ])
  })
})

describe('settings of a shop', () => {
  test('are there from its first day, once, and want to reach the gateway when it acts by them', async () => {
    const { admin } = tenants.north
    const confs = async () =>
      (await tenants.must(tenants.call(admin, 'GET', '/api/shop/shopConf/list', { query: { shopId: here } })))
        .records as Record<string, any>[]
    const [conf, ...more] = await confs()
    expect([more.length, conf!.wantedVersion, conf!.reportedVersion]).toEqual([0, 1, 0])
    const save = (body: object) =>
      tenants.call(admin, 'POST', '/api/shop/shopConf/submit', { body: { id: conf!.id, ...body } })
    await tenants.must(save({ lowStockThreshold: 8 }))
    expect((await confs())[0]!.wantedVersion).toBe(1)
    await tenants.must(save({ doorHoldSeconds: 9, lightSchedule: [{ from: '18:00', to: '23:00', days: [1, 7] }] }))
    expect((await confs())[0]!.wantedVersion).toBe(2)
    for (const lights of [
      [{ from: '18:00', to: '18:00', days: [1] }],
      [{ from: '25:00', to: '18:00', days: [1] }],
      [{ from: '10:00', to: '18:00', days: [8] }],
      { from: '10:00' },
    ])
      expect(JSON.stringify((await save({ lightSchedule: lights })).data.fields.lightSchedule)).toContain('20 段')
    for (const doors of [[{ doorNo: 1 }, { doorNo: 1 }], [{ doorNo: 1, heldSeconds: 1 }]])
      expect(JSON.stringify((await save({ doorSettings: doors })).data.fields.doorSettings)).toContain('10–3600 秒')
    expect((await save({ alertPhones: '110' })).data.fields).toHaveProperty('alertPhones')
    expect((await confs())[0]!.wantedVersion).toBe(2)
  })
})

describe('the WeChat of a boss', () => {
  test('gives the account it is tied to its shops, no others, and takes them away again', async () => {
    const boss = await tenants.person(tenants.north, 'boss')
    const shops = async () =>
      (await tenants.must(tenants.call(boss, 'GET', '/api/shop/basicShopInfo/query'))).map(
        ({ id }: { id: string }) => id,
      )
    expect(await shops()).toEqual([])
    const { id } = await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/wxShoper/submit', {
        body: { nickname: '老板', openid: 'o-1', role: 'boss', userId: boss.userId, shopIds: here },
      }),
    )
    expect(await shops()).toEqual([here])
    expect(
      await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/wxShoper/detail', { query: { id } })),
    ).toMatchObject({ bindTime: expect.stringMatching(/^2026/) })
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/wxShoper/remove', { query: { ids: id } }))
    expect(await shops()).toEqual([])
    const { rows } = await tenants.services.systemPool.query(
      'select count(*)::int as n from wx_shoper where is_deleted = 0',
    )
    expect(rows[0].n).toBe(0)
  })
})

test('a window of hours contains its start and not its end', () => {
  const at = (time: string) => new Date(`2026-11-20T${time}:00+08:00`)
  expect(findTimeWindowAt(at('22:00'), '22:00', '07:00')).toEqual({
    from: at('22:00'),
    to: new Date('2026-11-21T07:00:00+08:00'),
  })
  expect(findTimeWindowAt(at('07:00'), '22:00', '07:00')).toBeUndefined()
  expect(findTimeWindowAt(at('12:00'), '09:00', '18:00')).toEqual({ from: at('09:00'), to: at('18:00') })
})

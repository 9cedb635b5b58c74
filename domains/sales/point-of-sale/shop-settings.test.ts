import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { payOrder, placeOrder } from '#domains/sales/orders/api.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { createBench } from '#simulators/gateways/test-bench.ts'

const NOW = new Date('2026-11-20T09:00:00+08:00')
const tenantId = '100001'
let tenants: TestTenants
let shopId: string
let register: Register
let good: { id: string; upc: string }

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => NOW })
  shopId = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shopId)
  good = await tenants.good(tenants.north, shopId)
  await tenants.receive(tenants.north, shopId, good.id, 500)
})
afterAll(() => tenants.close())

const conf = async () =>
  (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/shopConf/list', { query: { shopId } })))
    .records[0]
const set = async (settings: Record<string, unknown>) =>
  tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/shopConf/submit', {
      body: { id: (await conf()).id, ...settings },
    }),
  )
const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) => tenants.services.unit({ tenantId }, work)
const sell = async (more: Record<string, unknown>) =>
  tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, more) }))
const flagged = async () =>
  (
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/shop/shoppingOrder/web/boss/list', {
        query: { flags: 'payType' },
      }),
    )
  ).records

describe('a shop that takes no cash', () => {
  it(
    'records cash that was taken all the same, with a note on its order, ' + 'and says nothing of what it takes',
    async () => {
      await set({ payTypes: 'wechat,balance' })
      const cash = await sell({ payType: 'cash' })
      expect(cash.flags).toEqual(['payType'])
      expect((await sell({ payType: 'wechat' })).flags).toEqual([])
      expect(await flagged()).toMatchObject([
        { id: cash.orderId, payType: 'cash', payAmount: '5.00', flagsName: '收款方式未开通' },
      ])
    },
  )

  it('that names no payments takes any', async () => {
    await set({ payTypes: '' })
    expect((await sell({ payType: 'cash' })).flags).toEqual([])
  })

  it('notes it too where an order is paid later', async () => {
    await set({ payTypes: 'wechat' })
    const line = { goodId: good.id, upc: good.upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }
    const order = await inNorth((db) =>
      placeOrder(db, { shopId, source: 'mini', type: 'pickup', status: 0, lines: [line], payAmount: 500 }),
    )
    expect(order.flags).toEqual([])
    const paid = await inNorth((db) => payOrder(db, order.id, { payType: 'cash', payTime: '2026-11-20 09:00:00' }, NOW))
    expect(paid.flags).toEqual(['payType'])
  })
})

describe('a shop that does not deliver', () => {
  const line = () => ({
    goodId: good.id,
    upc: good.upc,
    name: '可乐',
    price: 500,
    quantity: 1,
    discount: 0,
    amount: 500,
  })
  const deliverTo = { name: '王小明', phone: '13800000000', address: '文一路 1 号' }
  const delivery = (draft: object) =>
    inNorth((db) =>
      placeOrder(db, {
        shopId,
        source: 'mini',
        type: 'delivery',
        lines: [line()],
        payAmount: 500,
        deliverTo,
        ...draft,
      } as never),
    )
  const paid = { status: 1, payType: 'wechat', payTime: '2026-11-20 09:00:00' }

  it('is not ordered from to the door, but what was paid is recorded with a note', async () => {
    await set({ deliveryEnabled: false, payTypes: '' })
    await expect(delivery({ status: 0 })).rejects.toMatchObject({ code: 'delivery_off' })
    expect((await delivery(paid)).flags).toEqual(['delivery'])
    await set({ deliveryEnabled: true })
    expect((await delivery({ status: 0 })).status).toBe(0)
    expect((await delivery(paid)).flags).toEqual([])
  })

  it('is still fetched from by a delivery platform, which has its own word on it', async () => {
    await set({ deliveryEnabled: false })
    expect((await delivery({ ...paid, source: 'meituan', payType: 'platform' })).flags).toEqual([])
  })
})

describe('the numbers for emergencies', () => {
  const noticesOf = async (eventId: string) =>
    (await tenants.must(tenants.call(tenants.north.admin, 'GET', '/api/shop/noticeLog/list', { query: { eventId } })))
      .records
  const happens = async (type: 'sos' | 'temperature') => {
    const id = await inNorth((db) =>
      raiseEvent(db, { shopId, type, subject: `n${Math.random()}`, content: { zh: '求助', en: 'Help' } }),
    )
    await tenants.server.jobs.runDue()
    return id
  }

  it('are texted at once when something urgent happens, and at nothing less', async () => {
    await set({ alertPhones: '13800000001,13800000002' })
    const urgent = await noticesOf(await happens('sos'))
    expect(urgent.map((row: Record<string, unknown>) => [row.channel, row.receiver]).sort()).toEqual([
      ['sms', '138****0001'],
      ['sms', '138****0002'],
    ])
    // No SMS provider is set up: the notice reports it and is kept.
    expect(urgent[0]).toMatchObject({ result: 'undeliverable', content: expect.stringContaining('求助') })
    expect(urgent[0].error).not.toBe('')
    expect(JSON.stringify(urgent)).not.toContain('13800000001')
    expect(await noticesOf(await happens('temperature'))).toEqual([])
  })
})

describe('the settings of a shop', () => {
  it('reach the machines in it, which say by which version they act, and by none they were never given', async () => {
    await set({ doorHoldSeconds: 9, payTypes: 'wechat', entryMode: 'face' })
    const wanted = (await conf()).wantedVersion
    const settings = await tenants.must(tenants.beep(register, 'GET', 'settings'))
    expect(settings).toMatchObject({
      version: wanted,
      doorHoldSeconds: 9,
      entryMode: 'face',
      payTypes: ['wechat'],
      unmanned: null,
    })
    const sendHeartbeat = (settingsVersion: number) =>
      tenants.must(
        tenants.beep(register, 'POST', 'heartbeat', { body: { time: '2026-11-20 09:00:00', settingsVersion } }),
      )
    expect(await sendHeartbeat(wanted + 5)).toMatchObject({ settingsVersion: wanted })
    expect((await conf()).reportedVersion).toBe(0)
    await sendHeartbeat(wanted)
    expect(await conf()).toMatchObject({ reportedVersion: wanted, reportedTime: '2026-11-20 09:00:00' })
  })

  it('say what each door does, also while the office is away; a gateway acts by them', async () => {
    const apart = [{ doorNo: 2, relockSeconds: 20, absentOffice: 'open' }]
    const before = (await conf()).wantedVersion
    await set({ doorHoldSeconds: 9, heldSeconds: 90, absentOffice: 'refuse', doorSettings: apart })
    expect((await conf()).wantedVersion).toBe(before + 1)
    const settings = await tenants.must(tenants.beep(register, 'GET', 'settings'))
    expect(settings).toMatchObject({
      relockSeconds: 9,
      heldSeconds: 90,
      absentOffice: 'refuse',
      doors: [{ doorNo: 2, relockSeconds: 20, heldSeconds: 90, absentOffice: 'open' }],
    })
    const bench = createBench({ doors: 2 }).begin()
    bench.deliver('desired', { ver: settings.version, conf: settings })
    bench.clock.pass(1_000)
    const doors = async (seconds: number) => {
      for (const doorNo of [1, 2]) bench.command('door.control', { doorNo, opt: 'open' })
      bench.clock.pass(seconds * 1_000)
      return [1, 2].map((doorNo) => bench.gateway.parts.doors.doorOf(doorNo)!.lock)
    }
    expect(await doors(12)).toEqual(['locked', 'unlocked'])
    for (const bad of [
      [{ doorNo: 0 }],
      [{ doorNo: 1 }, { doorNo: 1 }],
      [{ doorNo: 1, heldSeconds: 1 }],
      [{ doorNo: 1, x: 1 }],
    ])
      await expect(set({ doorSettings: bad })).rejects.toThrow('doorSettings')
  })

  it('are those of its own shop alone', async () => {
    const other = await tenants.register(tenants.north, tenants.north.shops[1]!)
    expect((await tenants.must(tenants.beep(other, 'GET', 'settings'))).doorHoldSeconds).toBe(5)
    const rows = await inNorth((db) =>
      db.query(sql`select reported_version from shop_conf where shop_id = ${tenants.north.shops[1]!}`),
    )
    expect(rows).toEqual([{ reportedVersion: 0 }])
  })
})

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { VendorError } from '#domains/platform/external-apis/api.ts'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { startMeituan, type MeituanSimulator } from '#simulators/meituan/meituan.simulator.ts'
import { createMeituanApi, type MeituanApp } from './client.ts'

const MINUTE = 60_000
let now = Date.parse('2026-11-20T10:00:00+08:00')
let tenants: TestTenants
let simulator: MeituanSimulator
let app: MeituanApp

beforeAll(async () => {
  ;[tenants, simulator] = await Promise.all([
    createTestTenants({ now: () => new Date(now) }),
    startMeituan({ now: () => now, perSecond: 1_000 }),
  ])
  simulator.know('1001', { secret: 'demo-secret' })
  simulator.know('1002', { secret: 'other-secret', isIsv: true })
  app = {
    tenantId: tenants.north.tenantId,
    appNo: '1001',
    secret: 'demo-secret',
    baseUrl: simulator.endpoint,
    mayBeInside: true,
  }
})
beforeEach(() => void (simulator.mood = 'well'))
afterAll(() => Promise.all([tenants.close(), simulator.close()]))

const shop = {
  app_poi_code: 'S-01',
  name: '一号店',
  address: '文二西路 1 号',
  latitude: '30.28',
  longitude: '120.12',
  phone: '0571-88000000',
  shipping_time: '08:00-22:00',
  is_online: 1,
}
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => error as VendorError,
  )
const meituan = (more: Partial<MeituanApp> = {}) => createMeituanApi(tenants.services, { ...app, ...more })

test('a shop is handed in, reviewed by the clock, and found with its number there', async () => {
  await meituan().saveShop(shop)
  expect((await meituan().shopAudits(['S-01'])).data).toMatchObject([{ status: 1 }])
  now += MINUTE
  expect((await meituan().shopAudits(['S-01'])).data).toMatchObject([{ status: 5 }])
  const [found] = (await meituan().shops(['S-01'])).data
  expect(found).toMatchObject({ name: '一号店', is_online: 3, latitude: 30_280_000 })
  expect((await meituan().boundShops('S-01')).data[0].wm_poi_id).toBe(simulator.pois.get('S-01')!.wmPoiNo)
})

test('a wrong secret, an old time and an unknown application are refused, and asked again they still are', async () => {
  expect(await errorOf(meituan({ secret: 'wrong' }).shopCodes())).toMatchObject({ code: '703', isRetryable: false })
  expect(await errorOf(meituan({ appNo: '9' }).shopCodes())).toMatchObject({ code: '702', isUndone: true })
  const was = now
  const late = createMeituanApi({ ...tenants.services, now: () => new Date(was - 20 * MINUTE) }, app)
  expect(await errorOf(late.shopCodes())).toMatchObject({ code: '703' })
})

test('of a broken line nobody knows what became, of a refusal everybody', async () => {
  simulator.mood = 'deaf after taking'
  expect(await errorOf(meituan().shopCodes())).toMatchObject({
    code: 'no_answer',
    isRetryable: true,
    isUndone: false,
  })
  simulator.mood = 'broken'
  expect(await errorOf(meituan().shopCodes())).toMatchObject({ code: 'no_json', isRetryable: true, isUndone: false })
  simulator.mood = 'failing'
  expect(await errorOf(meituan().shopCodes())).toMatchObject({ code: '700', isRetryable: true, isUndone: false })
  simulator.mood = 'well'
  expect(await errorOf(meituan().order('17'))).toMatchObject({ code: '806', isRetryable: false, isUndone: true })
})

test('asked too often it slows down, asks again, and says so in the end', async () => {
  simulator.mood = 'busy'
  const before = simulator.calledPaths.length
  const asking = errorOf(meituan().shopCodes())
  expect(await asking).toMatchObject({ code: '711', isRetryable: true, isUndone: true })
  expect(simulator.calledPaths.length - before).toBe(4)
})

test('goods that are not there are named beside those that are', async () => {
  const [one, two] = ['A-1', 'A-2']
  await meituan().saveGood({
    app_poi_code: 'S-01',
    app_spu_code: one,
    name: '可乐',
    skus: [{ sku_id: one, price: '3.50', stock: '7' }],
  })
  const food = [one, two].map((code) => ({ app_spu_code: code, skus: [{ sku_id: code, stock: '5' }] }))
  const { failed } = await meituan().setStocks('S-01', food)
  expect(failed).toEqual([{ appSpuCode: two, skuNo: '', code: '805', message: '不存在此商品：A-2' }])
  expect(simulator.goods.get('S-01')!.get(one)!.stock).toBe(5)
  expect(await errorOf(meituan().setStocks('S-01', food.slice(1)))).toMatchObject({ code: '805' })
})

test('the number of an order keeps every digit', async () => {
  const { orderNo } = simulator.place({ shopCode: 'S-01', lines: [{ code: 'A-1', quantity: 1 }] })
  expect((await meituan().order(orderNo)).data.order_id).toBe(orderNo)
})

test('the log of calls has the address and the code, and no signature, secret or customer', async () => {
  await meituan().order([...simulator.orders.keys()][0]!)
  await flushLogs(tenants.services)
  const { body } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/requestLog/list', {
    query: { system: 'meituan', size: 100 },
  })
  const text = JSON.stringify(body)
  expect(text).toContain('getOrderDetail')
  expect(text).not.toMatch(/demo-secret|王先生|13812345678|文二西路/)
})

test('a token that is over is renewed once, and the call asked again with the new one', async () => {
  const isv = { ...app, appNo: '1002', secret: 'other-secret' }
  simulator.knowShop(
    { code: 'I-01', appNo: '1002', wmPoiNo: '77', facts: {}, openLevel: 1, isOnline: 1 },
    { categories: new Map(), goods: [] },
  )
  const given = (await createMeituanApi(tenants.services, isv).authorise('I-01')).data
  let token: string = given.access_token
  const renewed = async () => {
    token = (await createMeituanApi(tenants.services, isv).renewToken(given.refresh_token)).data.access_token
    return token
  }
  const calls = createMeituanApi(tenants.services, isv, { read: async () => token, renew: renewed })
  expect((await calls.shopCodes()).data).toEqual(['I-01'])
  const first = token
  now += 8 * 24 * 60 * MINUTE
  expect((await calls.shopCodes()).data).toEqual(['I-01'])
  expect(token).not.toBe(first)
})

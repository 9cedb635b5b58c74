import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { raiseEvent, resolveEvents } from '#domains/shops/shop-events/api.ts'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'

const BY_THE_CLOCK = ['ele.watch', 'meituan.audits', 'platform.poll', 'platform.sweep', 'platform.safetySweep']
const MEITUAN = '1001'
let world: EleTestTenants
let meituan: Awaited<ReturnType<typeof startMeituan>>
let eleShop: string
let meituanShop: string

beforeAll(async () => {
  world = await createEleTestTenants()
  meituan = await startMeituan({ now: () => world.clock.now(), perSecond: 100_000 })
  const { tenants, tenantId, shopId, admin } = world
  const callbackUrl = `${tenants.server.url}/api/meituan/callback`
  meituan.know(MEITUAN, { secret: 'demo-secret', callbackUrl })
  const account = { tenantId, name: '美团', platform: 'meituan', appKey: MEITUAN, appSecret: 'demo-secret', status: 1 }
  await tenants.must(
    tenants.call(await tenants.server.as('admin'), 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { ...account, baseUrl: meituan.endpoint, callbackUrl, perSecond: 1000 },
    }),
  )
  eleShop = await world.openShop()
  const place = { phone: '0571-88000000', address: '文二西路 1 号', longitude: 120.12, latitude: 30.28 }
  const made = await post('meituan/meituanShopInfo/submit', {
    body: { shopId, name: '北街1号店', shippingTime: '08:00-22:00', ...place },
  })
  meituanShop = made.id
  await tenants.must(tenants.call(admin, 'POST', '/api/meituan/meituanShopInfo/apply', { query: { id: meituanShop } }))
  await world.run()
  await pass(60_000)
})
beforeEach(() => {
  meituan.mood = 'well'
  world.ele.mood = 'well'
})
afterAll(() => Promise.all([world.close(), meituan.close()]))

const post = (path: string, ask: object): Promise<any> =>
  world.tenants.must(world.tenants.call(world.admin, 'POST', `/api/${path}`, ask))
const get = (path: string, query: Record<string, string> = {}, lang: 'zh' | 'en' = 'zh'): Promise<any> =>
  world.tenants.must(world.tenants.call(world.admin, 'GET', `/api/${path}`, { query, lang }))
const unit = <T>(work: (db: Db) => Promise<T>) => world.unit(work)

/** Advances the clock and runs the scheduled jobs. */
async function pass(ms: number): Promise<void> {
  world.clock.pass(ms)
  await world.tenants.services.systemPool.query(
    `update job_schedule set next_at = clock_timestamp() where name = any($1)`,
    [BY_THE_CLOCK],
  )
  await world.run()
  await meituan.flush()
  await world.run()
}

/** Offers a product on both platforms. */
async function offer(pieces: number) {
  const { goodId, id, upc } = await world.offer(eleShop, pieces)
  const meituanSku = await post('meituan/meituanSkuInfo/submit', {
    body: { meituanShopId: meituanShop, goodId, name: `商品${upc}`, salePrice: '5.00' },
  })
  await world.run()
  return { goodId, upc, ele: id, meituan: meituanSku.id as string }
}

const rowsOf = async (goodId: string): Promise<Record<string, any>> => {
  const { records } = await get('thirdparty/parity/list', { size: '500' })
  const own = (records as Record<string, any>[]).filter((row) => row.goodId === goodId)
  return Object.fromEntries(own.map((row) => [row.platform, row]))
}
const eleSkus = () => [...world.ele.world.shops.values()][0]!.skus
const eleSku = (goodId: string) => [...eleSkus().values()].find((one) => one.custom_sku_id === goodId)!
const meituanGood = (goodId: string) => meituan.goods.get(world.shopId)!.get(goodId)!
const openStates = () => [
  [...world.ele.world.shops.values()][0]!.businessStatus === 1,
  meituan.pois.get(world.shopId)!.openLevel === 1,
]
const shopsHere = async (lang: 'zh' | 'en' = 'zh'): Promise<Record<string, any>[]> =>
  (await get('thirdparty/parity/shops', {}, lang)).filter((one: Record<string, any>) => one.isThere)

test('a shop that is let in is opened at both platforms, and nobody had to ask', async () => {
  expect(openStates()).toEqual([true, true])
  expect(meituan.pois.get(world.shopId)!.isOnline).toBe(1)
  expect((await shopsHere()).map(({ isOpen, pausedTime }) => [isOpen, pausedTime])).toEqual([
    [true, ''],
    [true, ''],
  ])
})

test('who has nothing left to sell rests at the platforms, and who does not want that stays open', async () => {
  await offer(0)
  await pass(60_000)
  expect(openStates()).toEqual([false, false])
  expect((await shopsHere())[0]!.pausedWhy).toBe('有货的商品只有 0 种，少于 1 种')
  await post('meituan/meituanShopInfo/submit', { body: { id: meituanShop, pausesItself: false } })
  await pass(60_000)
  expect(openStates()).toEqual([false, true])
  await post('meituan/meituanShopInfo/submit', { body: { id: meituanShop, pausesItself: true } })
  await offer(2)
  await pass(60_000)
  expect(openStates()).toEqual([true, true])
})

test('an unsafe door closes the shop at both platforms and says why; solved, it opens again', async () => {
  await offer(3)
  const about = { shopId: world.shopId, type: 'doorForced', subject: 'door/1' } as const
  await unit((db) => raiseEvent(db, { ...about, content: { zh: '1 号门被强行打开', en: 'Door 1 was forced' } }))
  await world.run()
  expect(openStates()).toEqual([false, false])
  expect((await shopsHere()).map(({ pausedWhy }) => pausedWhy)).toEqual(['1 号门被强行打开', '1 号门被强行打开'])
  expect((await shopsHere('en')).map(({ pausedWhy }) => pausedWhy)).toEqual(['Door 1 was forced', 'Door 1 was forced'])
  // Somebody opens it at the platform by hand: it is closed again as long as the door is not safe.
  meituan.pois.get(world.shopId)!.openLevel = 1
  await unit((db) =>
    db.run(sql`update meituan_shop_info set open_level = 1 where tenant_id = ${db.tenantId} and id = ${meituanShop}`),
  )
  await pass(60_000)
  expect(openStates()).toEqual([false, false])
  await unit((db) => resolveEvents(db, about))
  await world.run()
  expect(openStates()).toEqual([true, true])
  expect((await shopsHere()).map(({ pausedWhy, pausedTime }) => [pausedWhy, pausedTime])).toEqual([
    ['', ''],
    ['', ''],
  ])
})

test('a silent printer closes nothing, a shop without a line or without power does', async () => {
  const silent = (key: string) =>
    unit((db) =>
      raiseEvent(db, { shopId: world.shopId, type: 'offline', content: '失联', devices: [{ key, name: key }] }),
    )
  await silent('printer/1')
  await world.run()
  expect(openStates()).toEqual([true, true])
  await silent('epaDevice/1')
  await pass(60_000)
  expect(openStates()).toEqual([false, false])
  await unit((db) => resolveEvents(db, { shopId: world.shopId, type: 'offline' }))
  await world.run()
  expect(openStates()).toEqual([true, true])
})

test('a shop people want closed rests there, and no solved event opens it', async () => {
  await post('ele/eleShopInfo/submit', { body: { id: eleShop, opensThere: false } })
  await pass(60_000)
  expect(openStates()).toEqual([false, true])
  await post('ele/eleShopInfo/submit', { body: { id: eleShop, opensThere: true } })
  await pass(60_000)
  expect(openStates()).toEqual([true, true])
})

test('a platform that does not answer is told as soon as it does that a shop is unsafe', async () => {
  const about = { shopId: world.shopId, type: 'lockFault', subject: 'door/1' } as const
  meituan.mood = 'broken'
  world.ele.mood = 'down'
  await unit((db) => raiseEvent(db, { ...about, content: '门锁故障' }))
  await world.run(3)
  expect(openStates()).toEqual([true, true])
  expect((await shopsHere()).every(({ pausedTime }) => pausedTime)).toBe(true)
  meituan.mood = 'well'
  world.ele.mood = 'well'
  await pass(30_000)
  expect(openStates()).toEqual([false, false])
  await unit((db) => resolveEvents(db, about))
  await pass(30_000)
})

test.each([
  ['well', 'well'],
  ['busy', 'down'],
  ['broken', 'silent'],
  ['deaf after taking', 'deaf after doing'],
] as const)(
  'the board says what the platforms say half a minute after a change, with Meituan %s and Ele %s on the way',
  async (meituanMood, mood) => {
    const { goodId } = await offer(20)
    Object.assign(meituan, { mood: meituanMood })
    Object.assign(world.ele, { mood })
    await world.tenants.receive(world.tenants.north, world.shopId, goodId, 4)
    await post('shop/goodInfo/submit', { body: { id: goodId, salePrice: '7.30' } })
    await world.run(4)
    meituan.mood = 'well'
    world.ele.mood = 'well'
    await pass(30_000)
    const { ele, meituan: meituanRow } = await rowsOf(goodId)
    expect(ele).toMatchObject({ price: '7.30', priceThere: '7.30', stock: 24, stockThere: 24, nextTime: '' })
    expect(meituanRow).toMatchObject({ price: '7.30', priceThere: '7.30', stock: 24, stockThere: 24, nextTime: '' })
    expect(eleSku(goodId)).toMatchObject({ sale_price: 730, left_num: 24 })
    expect(meituanGood(goodId)).toMatchObject({ price: '7.30', stock: 24 })
  },
)

test('the board tells what waits, with both figures, and what is refused, with the field that is meant', async () => {
  const { goodId, meituan: skuId } = await offer(8)
  meituan.mood = 'broken'
  await world.tenants.receive(world.tenants.north, world.shopId, goodId, 1)
  await world.run(4)
  const waiting = (await rowsOf(goodId)).meituan
  expect(waiting).toMatchObject({ state: 'waiting', stock: 9, stockThere: 8, goodStock: 9, kept: 0 })
  expect(waiting.nextTime).toBeTruthy()
  meituan.mood = 'well'
  await post('meituan/meituanSkuInfo/submit', { body: { id: skuId, name: '敏感商品' } })
  await pass(30_000)
  expect((await rowsOf(goodId)).meituan).toMatchObject({
    state: 'refused',
    problemField: 'name',
    problemLabel: '商品名称',
    syncError: '商品名称：包含敏感词：敏感商品',
  })
  const off = await get('thirdparty/parity/list', { state: 'off', size: '500' })
  expect(off.records.every(({ state }: { state: string }) => state !== 'inStep' && state !== 'unlisted')).toBe(true)
  expect(off.total).toBe((off.sums.refused ?? 0) + (off.sums.waiting ?? 0) + (off.sums.incomplete ?? 0))
})

test('goods that are not at a platform yet stand on the board as not listed, once for each', async () => {
  const good = await world.tenants.good(world.tenants.north, world.shopId, {})
  expect(await rowsOf(good.id)).toMatchObject({
    ele: { state: 'unlisted', rowId: '', thereId: eleShop },
    meituan: { state: 'unlisted', rowId: '', thereId: meituanShop },
  })
})

test('a boss sees the board of the own shop alone, and who may not see goods there sees none', async () => {
  const { tenants } = world
  const path = '/api/thirdparty/parity/list'
  const total = async (who: Awaited<ReturnType<typeof tenants.boss>>) =>
    (await tenants.must(tenants.call(who, 'GET', path, {}))).total as number
  const bossOf = async (shopId: string) => {
    const boss = await tenants.person(tenants.north, 'boss', ['platformParity', 'eleSkuInfo', 'meituanSkuInfo'])
    const body = { id: shopId, staff: [{ userId: boss.userId, position: 'boss' }] }
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', { body }))
    return boss
  }
  expect(await total(await bossOf(world.shopId))).toBeGreaterThan(0)
  expect(await total(await bossOf(tenants.north.shops[1]!))).toBe(0)
  expect(await total(await tenants.person(tenants.north, 'reader', ['platformParity']))).toBe(0)
  expect(
    (await tenants.call(await tenants.person(tenants.north, 'other', ['eleSkuInfo']), 'GET', path, {})).status,
  ).toBe(403)
})

test('200 orders at once over shop, Ele and Meituan sell 50 of 50 pieces and not one more', async () => {
  const { goodId, upc } = await offer(50)
  world.ele.pushes.mood.isHeld = true
  meituan.push.isSilent = true
  const number = [...world.ele.world.shops.values()][0]!.baidu_shop_id
  const atEle = Array.from({ length: 50 }, () =>
    world.ele.order({ baidu_shop_id: number, lines: [{ custom_sku_id: goodId, quantity: 1 }] }),
  ).map(({ order_id }) => order_id)
  const atMeituan = Array.from(
    { length: 50 },
    () => meituan.place({ shopCode: world.shopId, lines: [{ code: goodId, quantity: 1 }] }).orderNo,
  )
  let sold = 0
  const refusals: unknown[] = []

  const sell = (n: number) =>
    unit((db) =>
      placeOrder(db, {
        shopId: world.shopId,
        source: 'mini',
        type: 'pickup',
        status: 1,
        payType: 'wechat',
        payTime: '2026-11-23 10:00:00',
        transactionNo: `W${n}`,
        payAmount: 500,
        onlyInStock: true,
        lines: [{ goodId, upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
      }),
    ).then(
      () => sold++,
      (error: { code?: string }) => refusals.push(error.code),
    )

  // Both platforms' orders are found by polling, while customers pay at the register.
  const customers = (async () => {
    for (let n = 0; n < 100; n += 5) await Promise.all(Array.from({ length: 5 }, (_, at) => sell(n + at)))
  })()
  await Promise.all([customers, pass(1_000)])
  world.ele.pushes.mood.isHeld = false
  meituan.push.isSilent = false
  await pass(180_000)

  const ours = await world.rows('shopping_order', sql`r.transaction_no = any(${[...atEle, ...atMeituan]})`)
  expect(sold + ours.length).toBe(50)
  expect(refusals).toEqual(Array.from({ length: 100 - sold }, () => 'order_short'))
  expect(await world.tenants.stock(world.tenants.north, goodId)).toBe(0)
  await pass(30_000)
  expect([eleSku(goodId).left_num, meituanGood(goodId).stock]).toEqual([0, 0])
  expect(await unit((db) => checkLedgers(db))).toEqual([])
}, 180_000)

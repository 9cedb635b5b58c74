import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { enqueueMeituanComparison } from './compare.ts'
import { createMeituanTestTenants } from './test-meituan.ts'

const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

type World = Awaited<ReturnType<typeof startWorld>>
let world: World
let shop: string
beforeAll(async () => {
  world = await startWorld()
  shop = await world.openShop()
})
beforeEach(() => void (world.meituan.mood = 'well'))
afterAll(() => world.close())

const shelf = () => world.meituan.goods.get(world.shopId)!
const skuNow = async (id: string) => (await world.rows('meituan_sku_info', sql`r.id = ${id}`))[0]!
const callCount = (path: string) => world.meituan.calledPaths.filter((one) => one === path).length

test('a shop applied for is made there, handed in, and has its number', async () => {
  const [row] = await world.rows('meituan_shop_info', sql`r.id = ${shop}`)
  expect(row).toMatchObject({ syncStatus: SYNC_STATE.done, auditStatus: 1, appPoiCode: world.shopId })
  expect(row!.platformShopId).toBe(world.meituan.pois.get(world.shopId)!.wmPoiNo)
})

test('a shop that is let in before the answer to its application is here stands so', async () => {
  const { meituan, tenants } = world
  const place = { address: '文三路 3 号', longitude: 120.13, latitude: 30.27, shippingTime: '08:00-22:00' }
  const draft = { shopId: tenants.north.shops[1], name: '早听小店', phone: '0571-88000003', ...place }
  const { id } = await world.call('meituanShopInfo/submit', draft)
  let saved = 0
  meituan.meanwhile = async (path) => {
    if (path !== 'poi/save' || ++saved !== 2) return
    world.pass(60_000)
    // By its next call the platform has reviewed the shop.
    await tenants.must(
      tenants.call(tenants.north.admin, 'GET', '/api/meituan/shop/status/get', { query: { ids: shop } }),
    )
    await meituan.flush()
    for (const { id: eventId } of await world.rows('vendor_event', sql`r.state = 'received'`))
      await world.one({ id: '1', queue: 'vendor.event', payload: { id: eventId } })
  }
  const apply = { query: { id } }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/meituan/meituanShopInfo/apply', apply))
  expect(await world.run()).toEqual([])
  meituan.meanwhile = undefined
  const [row] = await world.rows('meituan_shop_info', sql`r.id = ${id}`)
  expect(row).toMatchObject({ auditStatus: 5, isOnline: 1, openLevel: 1, syncStatus: SYNC_STATE.done })
})

test('goods and their type are made there once, and what is sold or repriced here follows by itself', async () => {
  const type = await world.call('meituanGoodType/submit', { meituanShopId: shop, name: '饮料', rank: 1 })
  const { id, goodId } = await world.offer(shop, 10)
  await world.call('meituanSkuInfo/submit', { id, meituanGoodTypeId: type.id })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, stock: 10, platformSkuId: goodId })
  expect(shelf().get(goodId)).toMatchObject({ price: '5.00', stock: 10, soldOut: 0 })
  const made = callCount('retail/initdata')
  await world.tenants.receive(world.tenants.north, world.shopId, goodId, 4)
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting, stock: 14 })
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ stock: 14 })
  await world.tenants.must(
    world.tenants.call(world.tenants.north.admin, 'POST', '/api/shop/goodInfo/submit', {
      body: { id: goodId, salePrice: '7.30' },
    }),
  )
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting, salePrice: 730 })
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ price: '7.30' })
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done })
  expect(callCount('retail/initdata')).toBe(made)
})

test('goods moved by who works for several tenants at once follow as well', async () => {
  const { id, goodId } = await world.offer(shop, 10)
  await world.tenants.services.unit({ crossTenantReason: 'goods of a test' }, (all) =>
    all.asTenant(world.tenantId, (db) =>
      db.run(sql`update good_info set stock = 4 where tenant_id = ${db.tenantId} and id = ${goodId}`),
    ),
  )
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting, stock: 4 })
  await world.run()
  expect(shelf().get(goodId)!.stock).toBe(4)
})

test('a shop that adds something there and keeps pieces back changes all its goods there', async () => {
  const { id, goodId } = await world.offer(shop, 8)
  await world.call('meituanShopInfo/submit', { id: shop, markup: 10, stockBuffer: 5 })
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting, stock: 3, salePrice: 550 })
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ price: '5.50', stock: 3 })
  await world.call('meituanShopInfo/submit', { id: shop, markup: 0, stockBuffer: 0 })
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ price: '5.00', stock: 8 })
})

test('a row changed while it is under way stays waiting, and what changed is brought next', async () => {
  const { id, goodId } = await world.offer(shop, 9)
  await world.call('meituanSkuInfo/submit', { id, name: '第一个名字' })
  const { setTurn } = await holdNext(world, async () => {
    await world.call('meituanSkuInfo/submit', { id, name: '第二个名字' })
  })
  await world.run()
  setTurn()
  expect(shelf().get(goodId)!.facts.name).toBe('第二个名字')
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, name: '第二个名字' })
})

/** Does something while the platform has the next call in its hands. */
async function holdNext({ meituan }: World, meanwhile: () => Promise<void>) {
  let isOver = false
  meituan.meanwhile = async (path) => {
    if (isOver || path !== 'retail/initdata') return
    isOver = true
    await meanwhile()
  }
  return { setTurn: () => void (meituan.meanwhile = undefined) }
}

test('what the platform refuses says so at the field, and put right it goes', async () => {
  const { id, goodId } = await world.offer(shop, 3)
  await world.call('meituanSkuInfo/submit', { id, name: '敏感商品' })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.failed, syncError: '商品名称：包含敏感词：敏感商品' })
  expect(shelf().get(goodId)!.facts.name).not.toBe('敏感商品')
  await world.call('meituanSkuInfo/submit', { id, name: '好商品' })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, syncError: null })
})

test.each(['busy', 'broken', 'failing', 'deaf after taking'] as const)(
  'a platform that is %s is tried again ever later, told as waiting and never as failed',
  async (mood) => {
    const { id, goodId } = await world.offer(shop, 6)
    await world.tenants.receive(world.tenants.north, world.shopId, goodId, 1)
    world.meituan.mood = mood
    await world.run()
    expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting })
    expect((await skuNow(id)).syncError).toBeTruthy()
    world.meituan.mood = 'well'
    world.pass(400_000)
    await world.run()
    expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, syncError: null })
    expect(shelf().get(goodId)!.stock).toBe(7)
  },
)

test('goods removed here are gone there, and brought back they are made anew', async () => {
  const { id, goodId } = await world.offer(shop, 2)
  await world.tenants.must(
    world.tenants.call(world.tenants.north.admin, 'POST', '/api/meituan/meituanSkuInfo/remove', { query: { ids: id } }),
  )
  await world.run()
  expect(shelf().has(goodId)).toBe(false)
  await world.tenants.must(
    world.tenants.call(world.tenants.north.admin, 'POST', '/api/kit/bin/meituanSkuInfo/restore', {
      query: { ids: id },
    }),
  )
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ stock: 2 })
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done })
})

test('goods somebody took away there, or changed, are put right by a comparison', async () => {
  const [one, two] = [await world.offer(shop, 5), await world.offer(shop, 5)]
  const goods = world.meituan.goods.get(world.shopId) as unknown as Map<string, { price: string }>
  goods.delete(one.goodId)
  goods.get(two.goodId)!.price = '1.00'
  await world.tenants.must(
    world.tenants.call(world.tenants.north.admin, 'POST', '/api/meituan/meituanShopInfo/sync', { query: { id: shop } }),
  )
  expect(await world.run()).toEqual([])
  expect(shelf().get(one.goodId)).toMatchObject({ stock: 5 })
  expect(shelf().get(two.goodId)).toMatchObject({ price: '5.00' })
  const [row] = await world.rows('meituan_shop_info', sql`r.id = ${shop}`)
  expect(row).toMatchObject({ auditStatus: 5, isOnline: 1, openLevel: 1 })
})

test('each night what differs there is written down, put right, and said to be over', async () => {
  const [one, two, three] = [await world.offer(shop, 5), await world.offer(shop, 5), await world.offer(shop, 5)]
  const goods = world.meituan.goods.get(world.shopId) as unknown as Map<string, any>
  const found = () =>
    world
      .rows('platform_difference', sql`r.shop_there = ${shop} and r.state = 'open'`)
      .then((all) => all.map(({ kind, ours, theirs }) => `${kind} ${ours} ${theirs}`).toSorted())
  Object.assign(goods.get(one.goodId), { price: '1.00', stock: 99 })
  goods.delete(two.goodId)
  goods.set('X1', { ...goods.get(three.goodId), code: 'X1', facts: { name: '手工上架', standard_upc: '' } })
  const night = world.tenants.services.registry.modules
    .flatMap((module) => module.jobs ?? [])
    .find(({ queue }) => queue === 'platform.compareAll')!
  const context = { services: world.tenants.services, tenantId: '', signal: new AbortController().signal }
  const compare = async () => {
    world.pass(1_000)
    await night.run({}, { ...context, jobId: '1', attempt: 1 })
    for (const job of await world.take()) await world.one(job)
  }
  await compare()
  expect(await found()).toEqual([`missing ${two.goodId} `, 'price 5.00 1.00', 'stock 5 99', 'unknown  X1'])
  expect(await world.run()).toEqual([])
  expect(shelf().get(one.goodId)).toMatchObject({ price: '5.00', stock: 5 })
  expect(shelf().has(two.goodId)).toBe(true)
  expect(await found()).toEqual(['unknown  X1'])
  await compare()
  expect(await found()).toEqual(['unknown  X1'])
  goods.delete('X1')
  await compare()
  expect(await found()).toEqual([])
})

test('without credentials in use nothing is sent, and nothing is lost', async () => {
  const before = world.meituan.calledPaths.length
  await world.unit((db) => db.run(sql`update third_api set status = 0 where tenant_id = ${world.tenantId}`))
  const { id } = await world.offer(shop, 4)
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting })
  expect(world.meituan.calledPaths.length).toBe(before)
  await world.unit((db) => db.run(sql`update third_api set status = 1 where tenant_id = ${world.tenantId}`))
  await world.call('meituanSkuInfo/submit', { id, name: '又有凭证了' })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done })
})

// Lets time pass until sessions expire, so it is the last of these tests.
test('a shop of somebody else gets its token itself, has it renewed in time, and shows it to nobody', async () => {
  const { meituan, tenants, tenantId } = world
  const app = { secret: 'demo-secret', callbackUrl: world.callbackUrl }
  meituan.know(world.appNo, { ...app, isIsv: true })
  const tokens = () => world.rows('meituan_token_info')
  const { goodId } = await world.offer(shop, 3)
  expect(shelf().get(goodId)).toMatchObject({ stock: 3 })
  const [first] = await tokens()
  expect(first).toMatchObject({ status: 1, appPoiCode: world.shopId, meituanShopId: shop })
  // The token is stored encrypted.
  expect(meituan.tokens.has(first!.accessToken)).toBe(false)
  const list = await tenants.call(tenants.north.admin, 'GET', '/api/meituan/meituanTokenInfo/list')
  for (const token of meituan.tokens.keys()) expect(JSON.stringify(list.body)).not.toContain(token)
  world.pass(6.5 * 86_400_000)
  const jobs = tenants.services.registry.modules.flatMap((module) => module.jobs ?? [])
  const sweep = jobs.find(({ queue }) => queue === 'meituan.tokens')!
  const { services } = tenants
  const look = () => sweep.run({}, { tenantId, services, signal: new AbortController().signal, jobId: '1', attempt: 1 })
  await look()
  expect(await world.run()).toEqual([])
  const [second] = await tokens()
  expect(second!.expireTime > first!.expireTime).toBe(true)
  // After so long a pause no token can be renewed: a new one is requested.
  world.pass(60 * 86_400_000)
  meituan.tokens.clear()
  await world.tenants.receive(tenants.north, world.shopId, goodId, 1)
  await world.run()
  expect(shelf().get(goodId)).toMatchObject({ stock: 4 })
  expect(await tokens()).toHaveLength(1)
  meituan.know(world.appNo, app)
})

test('goods whose price or skus cannot be read stop no comparison of the others, and say why', async () => {
  const [broken, well] = [await world.offer(shop, 5), await world.offer(shop, 5)]
  // Not through the API: sessions have expired while this file's clock moved on.
  const compare = () => world.unit((db) => enqueueMeituanComparison(db, shop))
  const price = shelf().get(broken.goodId)!.price
  Object.assign(shelf().get(broken.goodId)!, { price: 'twelve' })
  Object.assign(shelf().get(well.goodId)!, { price: '4.00' })
  await compare()
  expect(await world.run()).toEqual([])
  // The difference was found and synced.
  expect(shelf().get(well.goodId)).toMatchObject({ price: '5.00' })
  expect(await skuNow(broken.id)).toMatchObject({
    syncStatus: SYNC_STATE.failed,
    syncError: '内容无法识别 | price: "twelve"',
    platformSkuId: broken.goodId,
  })
  const [row] = await world.rows('meituan_shop_info', sql`r.id = ${shop}`)
  expect(row!.syncError).toMatch(/^有内容没能同步 \| 1: /)
  Object.assign(shelf().get(broken.goodId)!, { price })
  await compare()
  expect(await world.run()).toEqual([])
  expect(await skuNow(broken.id)).toMatchObject({ syncStatus: SYNC_STATE.done, syncError: null })
  expect((await world.rows('meituan_shop_info', sql`r.id = ${shop}`))[0]!.syncError).toBeNull()
})

test('an odd, doubled or endless code, name or state stops no review of the other goods of its page', async () => {
  const [broken, well, other] = [await world.offer(shop, 5), await world.offer(shop, 5), await world.offer(shop, 5)]
  const poi = world.meituan.pois.get(world.shopId)!
  const wares = shelf() as unknown as Map<string, { code: string }>
  const goods = [...wares.values()]
  const shopNow = async () => (await world.rows('meituan_shop_info', sql`r.id = ${shop}`))[0]!
  const [{ isOnline }, wasOnline] = [await shopNow(), poi.isOnline]
  // Random digits: a repetitive text would be compressed to fit into any index.
  const long = Array.from({ length: 1_000 }, (_, n) => Math.imul(n + 1, 2_654_435_761) >>> 0).join('')
  // The doubled code comes with the barcode of the odd goods, so that two of our rows end under it.
  const strange: Record<string, object> = {
    twice: {
      code: well.goodId,
      facts: { name: '双', standard_upc: broken.upc },
      audit: { status: 7, reason: 'the last row of it', due: 0 },
    },
    long: { code: long, facts: { name: '长', standard_upc: other.upc } },
    nested: { code: { a: 1 } },
    empty: { code: '' },
    also: { code: '' },
    half: { code: 'half', facts: { name: `${'名'.repeat(99)}😀` } },
    named: { code: 'named', facts: { name: { zh: '饮料' } } },
  }
  for (const [key, more] of Object.entries(strange))
    wares.set(key, { ...goods[0]!, audit: { status: 2, reason: '', due: 0 }, ...more } as { code: string })
  await world.unit((db) =>
    db.run(
      sql`update meituan_sku_info set platform_sku_id = null where tenant_id = ${db.tenantId}
        and id in (${broken.id}, ${other.id})`,
    ),
  )
  for (const { goodId } of [broken, other]) wares.delete(goodId)
  Object.assign(poi, { isOnline: 'yes' })
  await world.unit((db) => enqueueMeituanComparison(db, shop))
  expect(await world.run()).toEqual([])
  const audits = await world.rows('meituan_goods_audit_status', sql`r.meituan_shop_id = ${shop}`)
  const by = (code: string) => audits.filter(({ appSpuCode }) => appSpuCode === code)
  expect(by(well.goodId)).toMatchObject([{ auditStatus: 7, reason: 'the last row of it' }])
  expect(by('half')).toMatchObject([{ auditStatus: 2, name: '名'.repeat(99) }])
  expect(by('named')).toMatchObject([{ auditStatus: 0, reason: expect.stringMatching(/^内容无法识别 \| name: /) }])
  for (const none of ['', long, long.slice(0, 128), '[object Object]']) expect(by(none)).toEqual([])
  // A name that is too long is known again the next night.
  await world.unit((db) => enqueueMeituanComparison(db, shop))
  expect(await world.run()).toEqual([])
  expect(await world.rows('platform_difference', sql`r.theirs = 'half' and r.kind = 'unknown'`)).toHaveLength(1)
  // Unreadable values of the shop stay as they were.
  expect(await shopNow()).toMatchObject({ isOnline })
  for (const key of Object.keys(strange)) wares.delete(key)
  Object.assign(poi, { isOnline: wasOnline })
})

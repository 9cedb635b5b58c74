import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { readSnapshotStartTime } from '#domains/sales/delivery-platforms/api.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { saveEleShopStatus } from './shop-facts.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'

let world: EleTestTenants
let shop: string
beforeAll(async () => {
  world = await createEleTestTenants()
  shop = await world.openShop()
})
beforeEach(() => void (world.ele.mood = 'well'))
afterAll(() => world.close())

const shopAtEle = () => [...world.ele.world.shops.values()].find((one) => one.shop_id === shop)!
const rowOf = async (table: string, id: string) => (await world.rows(table, sql`r.id = ${id}`))[0]
const skuNow = (id: string) => rowOf('ele_sku_info', id)
const callCount = (cmd: string) => world.ele.calls.filter((one) => one.cmd === cmd).length

test('a shop applied for is made there once, looked at, and its row says what came of it', async () => {
  expect(callCount('shop.create')).toBe(1)
  expect(await rowOf('ele_shop_info', shop)).toMatchObject({
    syncStatus: SYNC_STATE.done,
    sysStatus: 6,
    platformShopId: shopAtEle().baidu_shop_id,
  })
  expect(shopAtEle().facts).toMatchObject({ coord_type: 'amap', business_time: [{ start: '08:00', end: '22:00' }] })
})

test('a shop that lacks what the platform asks for is not handed in', async () => {
  const { id } = await world.send('eleShopInfo/submit', { shopId: world.tenants.north.shops[1], name: '二号店' })
  expect((await world.call('eleShopInfo/apply', { query: { id } })).status).toBe(400)
  expect(callCount('shop.create')).toBe(1)
})

test('a shop that is refused says why, and put right it is let in', async () => {
  const [row] = await world.rows('ele_shop_info', sql`r.shop_id = ${world.tenants.north.shops[1]}`)
  const facts = { categoryId: '101', phone: '0571-88000001', address: '文三路 2 号', businessTime: '09:00-21:00' }
  const place = { longitude: 120.13, latitude: 30.27 }
  await world.send('eleShopInfo/submit', { id: row.id, name: '驳回小店', ...facts, ...place })
  await world.act('eleShopInfo/apply', { id: row.id })
  await world.run()
  world.clock.pass(world.ele.world.auditMs)
  await world.run()
  expect(await rowOf('ele_shop_info', row.id)).toMatchObject({ sysStatus: 8, syncError: '门店名称不符合规范' })
  const { tenants } = world
  const shown = await tenants.call(tenants.north.admin, 'GET', '/api/ele/eleShopInfo/detail', { query: { id: row.id } })
  expect(shown.data).toMatchObject({
    standing: '已驳回，没有营业',
    nextStep: '按驳回原因修改，再申请入驻',
  })
  await world.send('eleShopInfo/submit', { id: row.id, name: '北街2号店' })
  await world.run()
  world.clock.pass(world.ele.world.auditMs)
  await world.run()
  expect(await rowOf('ele_shop_info', row.id)).toMatchObject({ sysStatus: 6, syncError: null })
})

test('what came of a shop that is looked at is learnt although nobody told it', async () => {
  const [row] = await world.rows('ele_shop_info', sql`r.shop_id = ${world.tenants.north.shops[1]}`)
  world.ele.pushes.mood.isHeld = true
  await world.unit((db) =>
    db.run(sql`update ele_shop_info set sys_status = 7, business_status = 9 where tenant_id = ${db.tenantId}
      and id = ${row.id}`),
  )
  await world.look()
  world.ele.pushes.mood.isHeld = false
  expect(await rowOf('ele_shop_info', row.id)).toMatchObject({ sysStatus: 6, businessStatus: 1 })
})

/** Handles the platform's messages while other work is running. */
async function handleAllEvents() {
  const { services } = world.tenants
  const job = services.registry.modules
    .flatMap((module) => module.jobs ?? [])
    .find((one) => one.queue === 'vendor.event')!
  const { tenantId } = world
  const context = { tenantId, services, signal: new AbortController().signal, jobId: '1', attempt: 1 }
  for (const { id } of await world.rows('vendor_event', sql`r.state = 'received'`)) await job.run({ id }, context)
}

test.each([
  ['let in', '北街早听小店', { sysStatus: 6, businessStatus: 1, syncError: null }],
  ['refused', '驳回早听小店', { sysStatus: 8, syncError: '门店名称不符合规范' }],
] as const)(
  'a shop that is %s before the answer to its application is here stands so, and is opened or not',
  async (_word, name, end) => {
    const { id: shopId } = await world.tenants.must(
      world.tenants.call(world.admin, 'POST', '/api/shop/basicShopInfo/submit', {
        body: { shopName: name, shopCode: `E${Date.now()}` },
      }),
    )
    const facts = { categoryId: '101', phone: '0571-88000003', address: '文三路 3 号', businessTime: '09:00-21:00' }
    const { id } = await world.send('eleShopInfo/submit', {
      shopId,
      name,
      ...facts,
      longitude: 120.13,
      latitude: 30.27,
    })
    world.ele.meanwhile = async (cmd) => {
      if (cmd !== 'shop.create') return
      world.clock.pass(world.ele.world.auditMs)
      await world.ele.pushes.settled()
      await handleAllEvents()
    }
    await world.act('eleShopInfo/apply', { id })
    await world.run()
    world.ele.meanwhile = undefined
    expect(await rowOf('ele_shop_info', id)).toMatchObject({ ...end, syncStatus: SYNC_STATE.done })
    const atEle = [...world.ele.world.shops.values()].find((one) => one.shop_id === id)!
    expect(atEle.businessStatus).toBe(end.sysStatus === 6 ? 1 : 9)
    await world.act('eleShopInfo/remove', { ids: id })
    await world.run()
  },
)

test('what was read of a shop earlier does not undo what was read of it later', async () => {
  const [earlier, later] = [await world.unit(readSnapshotStartTime), await world.unit(readSnapshotStartTime)]
  const { services } = world.tenants
  const note = (begun: string, business_status: number) =>
    world.unit((db) => saveEleShopStatus(db, services, shop, { begun, facts: { sys_status: 6, business_status } }))
  await note(later, 1)
  await note(earlier, 3)
  expect(await rowOf('ele_shop_info', shop)).toMatchObject({ businessStatus: 1 })
  await note(await world.unit(readSnapshotStartTime), 3)
  expect(await rowOf('ele_shop_info', shop)).toMatchObject({ businessStatus: 3 })
  await note(await world.unit(readSnapshotStartTime), 1)
})

test('goods and their type are made there once, and what is sold or repriced here follows by itself', async () => {
  const type = await world.send('eleGoodType/submit', { eleShopId: shop, name: '饮料', rank: 2 })
  const { id, goodId } = await world.offer(shop, 10)
  await world.send('eleSkuInfo/submit', { id, eleGoodTypeId: type.id })
  await world.run()
  const sku = shopAtEle().skus.get(goodId)!
  const { platformCategoryId } = await rowOf('ele_good_type', type.id)
  expect(sku).toMatchObject({ sale_price: 500, left_num: 10, status: 1, category_id: platformCategoryId })
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, platformSkuId: sku.sku_id })
  const whole = callCount('sku.create') + callCount('sku.update')
  await world.tenants.receive(world.tenants.north, world.shopId, goodId, 4)
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting, stock: 14 })
  await world.run()
  await world.tenants.must(
    world.tenants.call(world.admin, 'POST', '/api/shop/goodInfo/submit', { body: { id: goodId, salePrice: '7.30' } }),
  )
  await world.run()
  expect(sku).toMatchObject({ sale_price: 730, left_num: 14 })
  await world.send('eleSkuInfo/submit', { id, status: 0 })
  await world.run()
  expect(sku.status).toBe(0)
  expect(callCount('sku.create') + callCount('sku.update')).toBe(whole)
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done })
})

test.each(['down', 'silent', 'deaf after doing', 'gate away', 'gate timeout'] as const)(
  'goods offered while the platform is %s are there once in the end, and never said to have failed',
  async (mood) => {
    world.ele.mood = mood
    const good = await world.tenants.good(world.tenants.north, world.shopId)
    const { id } = await world.send('eleSkuInfo/submit', {
      eleShopId: shop,
      goodId: good.id,
      name: '新品',
      salePrice: '5.00',
    })
    await world.run(3)
    expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.waiting })
    world.ele.mood = 'well'
    world.clock.pass(600_000)
    await world.run()
    expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, syncError: null })
    const skus = [...shopAtEle().skus.values()].filter((one) => one.custom_sku_id === good.id)
    expect(skus).toHaveLength(1)
    expect((await skuNow(id)).platformSkuId).toBe(skus[0]!.sku_id)
  },
)

test('what the platform refuses is said in its words, and put right it goes', async () => {
  const { id, goodId } = await world.offer(shop, 3)
  await world.send('eleSkuInfo/submit', { id, name: '违禁商品' })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.failed, syncError: '商品名称含有违禁词' })
  expect(shopAtEle().skus.get(goodId)!.name).not.toBe('违禁商品')
  await world.send('eleSkuInfo/submit', { id, name: '好商品' })
  await world.run()
  expect(await skuNow(id)).toMatchObject({ syncStatus: SYNC_STATE.done, syncError: null })
  expect(shopAtEle().skus.get(goodId)!.name).toBe('好商品')
})

test('goods and types removed here are gone there; goods taken away there are made anew when they change', async () => {
  const type = await world.send('eleGoodType/submit', { eleShopId: shop, name: '零食' })
  const [gone, kept] = [await world.offer(shop, 2), await world.offer(shop, 2)]
  await world.act('eleSkuInfo/remove', { ids: gone.id })
  await world.act('eleGoodType/remove', { ids: type.id })
  shopAtEle().skus.delete(kept.goodId)
  await world.tenants.receive(world.tenants.north, world.shopId, kept.goodId, 1)
  await world.run()
  expect(shopAtEle().skus.has(gone.goodId)).toBe(false)
  expect([...shopAtEle().shelves.values()].map((one) => one.name)).not.toContain('零食')
  expect(shopAtEle().skus.get(kept.goodId)).toMatchObject({ left_num: 3 })
  expect(await skuNow(kept.id)).toMatchObject({ syncStatus: SYNC_STATE.done })
})

test('papers are handed in with their pictures, each as the kind the platform knows', async () => {
  const { id } = await world.send('eleAptitude/submit', {
    eleShopId: shop,
    licenseName: '北街便利店',
    licenseNumber: '91330106MA2XK12345',
    isLongTerm: true,
    photos: ['https://img.example.com/1.jpg'],
    foodLicenseNumber: 'JY13301060012345',
    foodPhotos: ['https://img.example.com/2.jpg'],
    foodValidDate: '2027-05-01',
  })
  await world.run()
  expect(await rowOf('ele_aptitude', id)).toMatchObject({ syncStatus: SYNC_STATE.done })
  expect(shopAtEle().licences).toMatchObject([
    { type_2: '11', license_number: '91330106MA2XK12345', long_term_valid: 1 },
    { type_2: '21', license_number: 'JY13301060012345', long_term_valid: 0, license_validdate: '2027-05-01' },
  ])
})

test('a comparison finds what stands otherwise there and puts it right', async () => {
  const [dear, lost] = [await world.offer(shop, 5), await world.offer(shop, 5)]
  shopAtEle().skus.get(dear.goodId)!.sale_price = 1
  shopAtEle().skus.delete(lost.goodId)
  world.clock.pass(60_000)
  await world.act('eleShopInfo/sync', { id: shop })
  await world.run()
  expect(shopAtEle().skus.get(dear.goodId)).toMatchObject({ sale_price: 500 })
  expect(shopAtEle().skus.get(lost.goodId)).toMatchObject({ left_num: 5 })
  expect((await world.rows('ele_sync', sql`r.ele_shop_id = ${shop}`))[0]).toMatchObject({ state: 2, different: 2 })
  expect(await world.rows('ele_sku_info', sql`r.sync_status <> ${SYNC_STATE.done} and r.is_deleted = 0`)).toEqual([])
})

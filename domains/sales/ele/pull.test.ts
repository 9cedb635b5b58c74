import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createManualClock } from '#simulators/gateways/clock.ts'
import { startEle, type EleSimulator } from '#simulators/ele/ele.simulator.ts'
import { compareEleShopJob } from './pull.job.ts'

const clock = createManualClock()
const secret = 'secret of a test'
const source = '60001'
const platformShopNo = '32001'
let tenants: TestTenants
let ele: EleSimulator
let shopId: string
let eleShopId: string

const post = (path: string, ask: object) => tenants.call(tenants.north.admin, 'POST', `/api/ele/${path}`, ask)
const get = (path: string, query: object = {}) =>
  tenants.call(tenants.north.admin, 'GET', `/api/ele/${path}`, { query: { ...query } })
const unit = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const api = (body: object) => tenants.call(tenants.north.admin, 'POST', '/api/thirdparty/thirdApi/submit', { body })
const credentials = () =>
  tenants.must(api({ name: '饿了么零售', platform: 'ele', appKey: source, appSecret: secret, status: 1 }))

beforeAll(async () => {
  ;[tenants, ele] = await Promise.all([createTestTenants({ now: () => new Date(clock.now()) }), startEle({ clock })])
  ele.world.accounts.set(source, { secret })
  shopId = tenants.north.shops[0]!
  const shop = await tenants.must(post('eleShopInfo/submit', { body: { shopId, name: '北街1号店（超市便利）' } }))
  eleShopId = shop.id
})
beforeEach(() => Object.assign(ele, { mood: 'well', perSecond: 200 }))
afterAll(() => Promise.all([tenants.close(), ele.close()]))

const run = async (attempt = 1) => {
  const { id } = await tenants.must(post('eleShopInfo/sync', { query: { id: eleShopId } }))
  return compareEleShopJob.run(
    { id },
    {
      tenantId: tenants.north.tenantId,
      services: tenants.services,
      signal: AbortSignal.timeout(30_000),
      jobId: '1',
      attempt,
    },
  )
}
const status = async () =>
  (await tenants.must(get('eleShopInfo/sync_status', { id: eleShopId }))) as Record<string, any>
const skus = () =>
  unit((db) =>
    db.query<{ goodId: string; platformSkuId: string | null; salePrice: number; stock: number; syncStatus: number }>(
      sql`select good_id, platform_sku_id, sale_price, stock, sync_status from ele_sku_info
        where tenant_id = ${db.tenantId} and ele_shop_id = ${eleShopId} and is_deleted = 0 order by id`,
    ),
  )

test('without credentials nothing is asked, and a person is told what is missing', async () => {
  expect((await post('eleShopInfo/sync', { query: { id: eleShopId } })).body.msg).toContain('平台凭证')
  expect((await get('shop/status/get', { id: eleShopId })).body.msg).toContain('平台凭证')
  expect((await get('businesscategories')).status).toBe(400)
  expect(await status()).toMatchObject({ state: 0, total: 0, done: 0 })
  expect(ele.calls).toEqual([])
})

test('credentials of a tenant cannot point into the net the server stands in', async () => {
  const body = { name: '饿了么', platform: 'ele', appKey: '1', appSecret: 's', status: 1, baseUrl: ele.url }
  expect((await api(body)).status).toBe(400)
  const { id } = await credentials()
  const moved = { id, baseUrl: 'https://other.example.com' }
  expect((await api(moved)).body.data.reason).toBe('endpoint_without_secret')
  expect((await api({ ...moved, appSecret: secret })).status).toBe(200)
  // Changed like the vendor's staff would, directly in the database.
  await unit((db) =>
    db.run(sql`update third_api set base_url = ${ele.url}, may_be_inside = true where tenant_id = ${db.tenantId}
      and id = ${id}`),
  )
})

test('what shops trade in is asked for once a day, level by level', async () => {
  const before = ele.calls.length
  const top = await tenants.must(get('businesscategories'))
  expect(top).toMatchObject([{ categoryId: '100', categoryName: '超市便利' }, {}])
  expect(await tenants.must(get('businesscategories'))).toEqual(top)
  expect(await tenants.must(get('businesscategories', { categoryId: '100' }))).toMatchObject([
    { categoryId: '101' },
    { categoryId: '102' },
  ])
  expect(ele.calls.length - before).toBe(2)
})

test('a shop the platform does not know is said so, in its words', async () => {
  await run()
  expect(await status()).toMatchObject({ state: 3, message: '商户不存在', total: 0, done: 0 })
  expect((await get('shop/status/get', { id: eleShopId })).body.msg).toContain('商户不存在')
})

test('a shop, its types and its goods are compared part by part, and the sums say what was there', async () => {
  const at = ele.know({ source, baidu_shop_id: platformShopNo, shop_id: eleShopId, name: '北街1号店（超市便利）' })
  at.shelves.set('501', { category_id: '501', name: '饮料', rank: 3, parent: '0' })
  const cola = await tenants.good(tenants.north, shopId, { name: '可乐' })
  const tea = await tenants.good(tenants.north, shopId, { name: '绿茶' })
  for (const { id } of [cola, tea]) await tenants.receive(tenants.north, shopId, id, 7)
  const put = (custom_sku_id: string, upc: string, name: string) =>
    ele.putSku(at, { custom_sku_id, upc, name, sale_price: 500, left_num: 7 })
  put(cola.id, cola.upc, '可乐')
  put('theirs', tea.upc, '绿茶')
  for (let n = 0; n < 150; n++) put(`X${n}`, `U${n}`, `别家商品${n}`)
  await run()
  // Shop, one category and 152 products, no orders.
  expect(await status()).toMatchObject({ state: 2, total: 154, done: 154, unknown: 150, different: 0 })
  expect(await skus()).toMatchObject([
    { goodId: cola.id, salePrice: 500, stock: 7, syncStatus: 2 },
    { goodId: tea.id, syncStatus: 2 },
  ])
  const shop = await tenants.must(get('eleShopInfo/detail', { id: eleShopId }))
  expect(shop).toMatchObject({ platformShopId: platformShopNo, sysStatus: 6, businessStatus: 1 })
})

test('what differs waits to be brought there, and what is gone there is brought anew', async () => {
  const at = ele.world.shops.get(platformShopNo)!
  const [first, second] = await skus()
  at.skus.get(first!.goodId)!.sale_price = 480
  at.skus.delete('theirs')
  clock.pass(5_000)
  await run()
  expect(await status()).toMatchObject({ state: 2, different: 2, total: 153, done: 153 })
  expect(await skus()).toMatchObject([
    { goodId: first!.goodId, salePrice: 500, syncStatus: 1, platformSkuId: first!.platformSkuId },
    { goodId: second!.goodId, syncStatus: 1, platformSkuId: null },
  ])
})

test('what differed, is gone and is not known here is written down as what it was', async () => {
  const rows = await unit((db) =>
    db.query<{ kind: string; ours: string; theirs: string; state: string }>(
      sql`select kind, ours, theirs, state from platform_difference where tenant_id = ${db.tenantId}
        and shop_there = ${eleShopId}`,
    ),
  )
  const shown = rows.map(({ kind, ours, theirs }) => `${kind} ${ours} ${theirs}`)
  expect(shown.filter((one) => !one.startsWith('unknown')).toSorted()).toEqual(['missing 绿茶 ', 'price 5.00 4.80'])
  // The same difference found twice is one row.
  expect(shown.filter((one) => one.startsWith('unknown'))).toHaveLength(150)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['open']))
})

test('a comparison that is cut off goes on with the part it was at, and counts nothing twice', async () => {
  const real = ele.perSecond
  clock.pass(1_000)
  // Enough for the shop, the categories and the first page of products.
  ele.perSecond = 3
  await expect(run()).rejects.toThrow('频率')
  const half = await status()
  expect(half).toMatchObject({ state: 1, step: 'goods', total: 153, done: 102 })
  expect(half.message).toBeTruthy()
  ele.perSecond = real
  clock.pass(1_000)
  const before = ele.calls.length
  await run(2)
  expect(await status()).toMatchObject({ state: 2, total: 153, done: 153, message: null })
  expect(ele.calls.slice(before).map((one) => one.cmd)).toEqual(['sku.list', 'order.list'])
})

test('a platform that stays silent ends a comparison in the end, and says so', async () => {
  ele.mood = 'down'
  await expect(run()).rejects.toThrow()
  expect(await status()).toMatchObject({ state: 1 })
  await run(8)
  expect(await status()).toMatchObject({ state: 3 })
  expect((await get('shop/status/get', { id: eleShopId })).data.reason).toBe('platform_away')
})

test('how a shop stands is asked at the moment, and its row says the same', async () => {
  ele.world.shops.get(platformShopNo)!.businessStatus = 3
  expect(await tenants.must(get('shop/status/get', { id: eleShopId }))).toMatchObject({
    sysStatus: 6,
    sysStatusLabel: '正常营业',
    businessStatus: 3,
    businessStatusLabel: '休息中',
    busStatus: 1,
  })
  const shop = await tenants.must(get('eleShopInfo/detail', { id: eleShopId }))
  expect(shop).toMatchObject({ businessStatus: 3 })
})

test('nobody asks about a shop of somebody else', async () => {
  const asSouth = (path: string) =>
    tenants.call(tenants.south.admin, 'GET', `/api/ele/${path}`, { query: { id: eleShopId } })
  expect((await asSouth('shop/status/get')).status).toBe(404)
  expect((await asSouth('eleShopInfo/sync_status')).status).toBe(404)
})

test('goods and types that cannot be read are left out alone, say why, and are compared once right', async () => {
  await run()
  const at = ele.world.shops.get(platformShopNo)!
  const [first, second] = await skus()
  const kept = [...at.skus.values()].find((one) => one.custom_sku_id === first!.goodId)!
  const price = kept.sale_price
  const before = await skus()
  Object.assign(kept, { sale_price: 'twelve' })
  at.shelves.set('odd', { category_id: 'odd', name: { zh: '饮料' } as never, rank: 1, parent: '0' })
  at.shelves.set('well', { category_id: '77', name: '零食', rank: 1, parent: '0' })
  clock.pass(5_000)
  await run()
  const result = await status()
  expect(result.state).toBe(2)
  expect(result.message).toMatch(/^有内容没能同步 \| /)
  const detail = (lang?: 'en') =>
    tenants
      .must(
        tenants.call(tenants.north.admin, 'GET', '/api/ele/eleSkuInfo/list', { query: { eleShopId, size: 50 }, lang }),
      )
      .then(({ records }) => records.find((row: { goodId: string }) => row.goodId === first!.goodId))
  expect(await detail()).toMatchObject({ syncError: '内容无法识别 | sale_price: "twelve"' })
  expect((await detail('en')).syncError).toBe('Could not be read | sale_price: "twelve"')
  // It still counts as being there, and all others were compared.
  const after = await skus()
  expect(after.find(({ goodId }) => goodId === first!.goodId)!.platformSkuId).toBe(before[0]!.platformSkuId)
  expect(after.find(({ goodId }) => goodId === second!.goodId)).toMatchObject({ syncStatus: before[1]!.syncStatus })
  const types = await unit((db) =>
    db.query<{ name: string }>(sql`select name from ele_good_type where tenant_id = ${db.tenantId}
      and ele_shop_id = ${eleShopId} and is_deleted = 0`),
  )
  expect(types.map(({ name }) => name)).toContain('零食')
  Object.assign(kept, { sale_price: price })
  at.shelves.delete('odd')
  clock.pass(5_000)
  await run()
  expect((await status()).message ?? '').toBe('')
  expect((await detail()).syncError ?? '').toBe('')
})

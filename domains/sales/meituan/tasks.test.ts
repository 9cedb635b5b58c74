import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { SYNC_STATE } from '#domains/sales/delivery-platforms/index.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { MEITUAN_TASK_STATE } from './dictionaries.ts'
import { createMeituanTestTenants } from './test-meituan.ts'

const GOODS = 24
const MINUTE = 60_000
const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

let world: Awaited<ReturnType<typeof startWorld>>
let shop: string
type Sku = { id: string; goodId: string }
let skus: Sku[]
beforeAll(async () => {
  world = await startWorld()
  shop = await world.openShop()
  const { tenants } = world
  skus = []
  for (let n = 0; n < GOODS; n++) {
    const good = await tenants.good(tenants.north, world.shopId)
    const draft = { meituanShopId: shop, goodId: good.id, name: `商品${good.upc}`, salePrice: '5.00' }
    const { id } = await world.call('meituanSkuInfo/submit', draft)
    skus.push({ id, goodId: good.id })
  }
  await over()
})
beforeEach(() => {
  world.meituan.mood = 'well'
  world.meituan.meanwhile = undefined
})
afterAll(() => world.close())

const shelf = () => world.meituan.goods.get(world.shopId)!
const callCount = (path: string) => world.meituan.calledPaths.filter((one) => one === path).length
const ids = () => skus.map(({ id }) => id)
const rows = () => world.rows('meituan_sku_info', sql`r.id = any(${ids()}::bigint[])`)
const lastTask = async () => (await world.rows('meituan_task')).at(-1)!
/** Changes the shop's markup, and with it the prices of all its products. */
const markup = (percent: number) => world.call('meituanShopInfo/submit', { id: shop, markup: percent })
const priced = (price: string) => skus.filter(({ goodId }) => shelf().get(goodId)?.price === price).length
const over = async () => {
  for (let n = 0; n < 4; n++) {
    expect(await world.run()).toEqual([])
    world.pass(MINUTE)
  }
}

test('what a shop begins to sell there is made in one work', async () => {
  expect(callCount('retail/initdata')).toBe(0)
  expect(await lastTask()).toMatchObject({ status: MEITUAN_TASK_STATE.done, taskType: 'whole', success: GOODS })
  expect((await rows()).map(({ platformSkuId, goodId }) => platformSkuId === goodId)).toEqual(skus.map(() => true))
})

test('goods of a shop that change together are one work, whose end is theirs', async () => {
  const single = callCount('retail/sku/price')
  await markup(10)
  expect(await world.run()).toEqual([])
  await over()
  expect(callCount('retail/sku/price') - single).toBe(1)
  expect(await lastTask()).toMatchObject({
    status: MEITUAN_TASK_STATE.done,
    taskType: 'price',
    total: GOODS,
    success: GOODS,
    failed: 0,
  })
  expect((await lastTask()).taskId).toBe([...world.meituan.tasks.keys()].at(-1))
  expect(priced('5.50')).toBe(GOODS)
  expect(new Set((await rows()).map(({ syncStatus }) => syncStatus))).toEqual(new Set([SYNC_STATE.done]))
})

test('of a work that fails in part each of the goods says why, and the others are in step', async () => {
  const [bad, gone] = skus
  for (const { id } of skus) await world.call('meituanSkuInfo/submit', { id, name: `新名字${id.slice(-6)}` })
  await world.call('meituanSkuInfo/submit', { id: bad!.id, name: '敏感商品' })
  ;(shelf() as Map<string, unknown>).delete(gone!.goodId)
  const single = callCount('retail/initdata')
  await over()
  expect(await lastTask()).toMatchObject({
    status: MEITUAN_TASK_STATE.partly,
    taskType: 'whole',
    success: GOODS - 1,
    failed: 1,
  })
  expect((await lastTask()).failures).toEqual([
    { skuId: bad!.id, name: '敏感商品', reason: '包含敏感词：敏感商品', field: 'name' },
  ])
  const all = await rows()
  expect(all.find(({ id }) => id === bad!.id)).toMatchObject({
    syncStatus: SYNC_STATE.failed,
    syncError: '商品名称：包含敏感词：敏感商品',
  })
  expect(all.filter(({ syncStatus }) => syncStatus === SYNC_STATE.done)).toHaveLength(GOODS - 1)
  expect(callCount('retail/initdata')).toBe(single)
  await world.call('meituanSkuInfo/submit', { id: bad!.id, name: '好商品' })
  await over()
  expect(shelf().get(bad!.goodId)!.facts.name).toBe('好商品')
})

test('a work whose answer was lost is found under its number and never sent twice', async () => {
  const before = world.meituan.tasks.size
  world.meituan.meanwhile = async (path) => {
    if (path === 'retail/sku/price') world.meituan.mood = 'deaf after taking'
  }
  await markup(20)
  await world.run()
  expect(await lastTask()).toMatchObject({ status: MEITUAN_TASK_STATE.sent, taskId: null })
  world.meituan.mood = 'well'
  world.meituan.meanwhile = undefined
  await over()
  expect(world.meituan.tasks.size).toBe(before + 1)
  expect(await lastTask()).toMatchObject({
    status: MEITUAN_TASK_STATE.done,
    taskId: [...world.meituan.tasks.keys()].at(-1),
  })
  expect(priced('6.00')).toBe(GOODS)
})

test('a work the platform has never taken is sent once more, and a busy one waits', async () => {
  const before = world.meituan.tasks.size
  world.meituan.mood = 'busy'
  await markup(30)
  await world.run()
  expect(world.meituan.tasks.size).toBe(before)
  world.meituan.mood = 'broken'
  world.pass(MINUTE)
  await world.run()
  expect(world.meituan.tasks.size).toBe(before)
  world.meituan.mood = 'well'
  await over()
  expect(world.meituan.tasks.size).toBe(before + 1)
  expect(priced('6.50')).toBe(GOODS)
})

test('goods removed or changed while the work goes on end as they are by then', async () => {
  const [removed, changed] = skus
  await markup(40)
  await world.run()
  // Accepted by the platform, not done yet.
  const task = await lastTask()
  expect([MEITUAN_TASK_STATE.running, MEITUAN_TASK_STATE.done]).toContain(task.status)
  await markup(50)
  await world.call('meituanSkuInfo/submit', { id: changed!.id, salePrice: '9.90' })
  const { admin } = world.tenants.north
  const remove = { query: { ids: removed!.id } }
  await world.tenants.must(world.tenants.call(admin, 'POST', '/api/meituan/meituanSkuInfo/remove', remove))
  await over()
  expect(shelf().has(removed!.goodId)).toBe(false)
  expect(shelf().get(changed!.goodId)!.price).toBe('9.90')
  expect(priced('7.50')).toBe(GOODS - 2)
  skus = skus.filter(({ id }) => id !== removed!.id)
  expect(new Set((await rows()).map(({ syncStatus }) => syncStatus))).toEqual(new Set([SYNC_STATE.done]))
  const held = sql`select row_id from platform_step where tenant_id = ${world.tenantId} and task_id is not null`
  expect(await world.unit((db) => db.query(held))).toEqual([])
})

test('a work another application knows nothing of is given up, and its goods are brought one by one', async () => {
  await markup(60)
  // Sent and still running when the tenant changes to another application.
  const jobs = await world.take()
  for (const job of jobs) await world.one(job)
  world.pass(1_000)
  for (let n = 0; n < 3 && (await lastTask()).status !== MEITUAN_TASK_STATE.running; n++)
    for (const job of await world.take()) await world.one(job)
  expect(await lastTask()).toMatchObject({ status: MEITUAN_TASK_STATE.running })
  const { appNo } = world
  world.meituan.know('2002', { secret: 'demo-secret', callbackUrl: world.callbackUrl })
  for (const poi of world.meituan.pois.values()) poi.appNo = '2002'
  const signIn = (key: string) =>
    world.unit((db) => db.run(sql`update third_api set app_key = ${key} where tenant_id = ${world.tenantId}`))
  await signIn('2002')
  await over()
  expect(await lastTask()).toMatchObject({ status: MEITUAN_TASK_STATE.lost })
  expect(priced('8.00')).toBe(GOODS - 1)
  expect(new Set((await rows()).map(({ syncStatus }) => syncStatus))).toEqual(new Set([SYNC_STATE.done]))
  for (const poi of world.meituan.pois.values()) poi.appNo = appNo
  await signIn(appNo)
})

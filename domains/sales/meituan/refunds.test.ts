import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { createMeituanTestTenants } from './test-meituan.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

let world: Awaited<ReturnType<typeof startWorld>>
let shop: string
beforeAll(async () => {
  world = await startWorld()
  shop = await world.openShop()
})
beforeEach(() => void (world.meituan.mood = 'well'))
afterAll(() => world.close())

const stock = async (id: string) => (await world.rows('good_info', sql`r.id = ${id}`))[0]!.stock as number
const platformOrderOf = async (orderNo: string) =>
  (await world.rows('meituan_order', sql`r.platform_order_id = ${orderNo}`))[0]!
const ours = (orderNo: string) => world.rows('shopping_order', sql`r.transaction_no = ${orderNo}`)
const asks = (orderNo: string, kind: string) =>
  world.rows('platform_ask', sql`r.platform_order_no = ${orderNo} and r.kind = ${kind}`)
const act = (path: string, id: string, input: object = {}) =>
  world.tenants.call(world.tenants.north.admin, 'POST', `/api/meituan/${path}`, { body: { id, ...input } })
const handleCallbacks = async () => {
  await world.meituan.flush()
  await world.run()
  await world.meituan.flush()
  await world.run()
}
/** An order of three pieces that was accepted. */
async function accepted() {
  const { goodId } = await world.offer(shop, 10)
  const { orderNo } = world.meituan.place({ shopCode: world.shopId, lines: [{ code: goodId, quantity: 3 }] })
  await handleCallbacks()
  return { goodId, orderNo, id: (await platformOrderOf(orderNo)).id as string }
}

test('a refund a customer asks for is given when somebody agrees, once, with its goods', async () => {
  const { goodId, orderNo, id } = await accepted()
  world.meituan.askRefund(orderNo, [{ code: goodId, count: 1 }], '漏发')
  await handleCallbacks()
  const refundNo = (await platformOrderOf(orderNo)).refundAsked
  expect(refundNo).toBeTruthy()
  expect(await ours(orderNo)).toMatchObject([{ status: 1, refundAmount: 0 }])
  await world.tenants.must(act('meituanOrder/agreeRefund', id))
  await handleCallbacks()
  expect(await asks(orderNo, 'agreeRefund')).toMatchObject([{ state: 'done', refundNo }])
  expect(await ours(orderNo)).toMatchObject([{ status: 3, refundAmount: 500 }])
  expect(await stock(goodId)).toBe(8)
  expect((await platformOrderOf(orderNo)).refundAsked).toBeNull()
})

test('a refused refund moves neither money nor goods, and says so there', async () => {
  const { goodId, orderNo, id } = await accepted()
  world.meituan.askRefund(orderNo, [{ code: goodId, count: 2 }], '不新鲜')
  await handleCallbacks()
  expect((await act('meituanOrder/refuseRefund', id)).body).toMatchObject({ success: false })
  await world.tenants.must(act('meituanOrder/refuseRefund', id, { reason: '已核对，商品完好' }))
  await handleCallbacks()
  expect(await asks(orderNo, 'refuseRefund')).toMatchObject([{ state: 'done', reason: '已核对，商品完好' }])
  expect(world.meituan.orders.get(orderNo)!.refunds).toMatchObject([{ resType: 1 }])
  expect(await ours(orderNo)).toMatchObject([{ status: 1, refundAmount: 0 }])
  expect(await stock(goodId)).toBe(7)
})

test('a shop gives back for pieces once, although the answer got lost, and never for more than there are', async () => {
  const { goodId, orderNo, id } = await accepted()
  const [line] = await world.rows('meituan_order_detail', sql`r.meituan_order_id = ${id}`)
  // Only its answer is lost; the refunds before it were already read.
  world.meituan.meanwhile = async (path) => {
    if (path === 'order/applyPartRefund') world.meituan.mood = 'deaf after taking'
  }
  await world.tenants.must(act('meituanOrderDetail/refund', line!.id, { quantity: 2, reason: '少拿了' }))
  await world.run()
  const [unclear] = await asks(orderNo, 'refundPart')
  expect(unclear).toMatchObject({ state: 'unclear', known: [] })
  world.meituan.meanwhile = undefined
  world.meituan.mood = 'well'
  await world.unit((db) => db.enqueue(defineQueue<{ id: string }>('platform.ask'), { id: unclear!.id }))
  await handleCallbacks()
  const refundPart = await asks(orderNo, 'refundPart')
  expect(refundPart).toMatchObject([{ state: 'done', known: [] }])
  expect(world.meituan.orders.get(orderNo)!.refunds).toHaveLength(1)
  expect(await ours(orderNo)).toMatchObject([{ status: 3, refundAmount: 1000 }])
  expect(await stock(goodId)).toBe(9)
  const more = await act('meituanOrderDetail/refund', line!.id, { quantity: 2, reason: '再退' })
  expect(more.body).toMatchObject({ data: { reason: 'platform_fewer_left' } })
  await world.tenants.must(act('meituanOrderDetail/refund', line!.id, { quantity: 1, reason: '再退' }))
  await handleCallbacks()
  expect(world.meituan.orders.get(orderNo)!.refunds).toHaveLength(2)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('agreeing to give back more than one may takes a second person, and the platform is asked once', async () => {
  const { goodId, orderNo, id } = await accepted()
  const { tenants } = world
  const codes = ['moneyMove', 'moneyMove_confirm', 'meituanOrder', 'meituanOrder_agreeRefund']
  const other = await tenants.person(tenants.north, 'manager', codes)
  // All the customer paid is 20.00.
  const platform = await tenants.server.as('admin')
  const query = { paramKey: 'refund.secondSignatureAbove' }
  const { data } = await tenants.call(platform, 'GET', '/api/blade-system/param/list', { query })
  const { id: paramId, paramName, paramKey } = data.records[0]
  const body = { id: paramId, paramName, paramKey, paramValue: '8' }
  await tenants.must(tenants.call(platform, 'POST', '/api/blade-system/param/submit', { body }))
  world.meituan.askRefund(orderNo, undefined, '不想要了')
  await handleCallbacks()
  const answers = await Promise.all(Array.from({ length: 3 }, () => act('meituanOrder/agreeRefund', id)))
  const [waiting] = answers.filter(({ status }) => status === 200)
  expect(waiting!.data).toMatchObject({ waits: true })
  expect(answers.filter(({ data }) => data.reason === 'money_waits')).toHaveLength(2)
  await handleCallbacks()
  expect(await asks(orderNo, 'agreeRefund')).toEqual([])
  const confirm = (who: typeof other) =>
    tenants.call(who, 'POST', '/api/pay/moneyMove/confirm', { body: { id: waiting!.data.id, secondRemark: '' } })
  expect((await confirm(tenants.north.admin)).data.reason).toBe('money_other_person')
  await Promise.all([confirm(other), confirm(other)])
  await handleCallbacks()
  expect(await asks(orderNo, 'agreeRefund')).toMatchObject([{ state: 'done' }])
  const [order] = await ours(orderNo)
  expect(order!.refundAmount).toBe(order!.payAmount)
  expect(await stock(goodId)).toBe(10)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('a shop taken away from the application says so at its authorisation until it is bound again', async () => {
  const app = { secret: 'demo-secret', callbackUrl: world.callbackUrl }
  world.meituan.know(world.appNo, { ...app, isIsv: true })
  await world.offer(shop, 1)
  const token = async () => (await world.rows('meituan_token_info'))[0]!
  expect(await token()).toMatchObject({ status: 1 })
  const bind = async (opType: string) => {
    world.meituan.bind(world.shopId, opType)
    await handleCallbacks()
  }
  await bind('2')
  expect(await token()).toMatchObject({ status: 0, lastError: '门店已在平台解绑' })
  await bind('1')
  await world.offer(shop, 1)
  expect(await token()).toMatchObject({ lastError: null })
  world.meituan.know(world.appNo, app)
})

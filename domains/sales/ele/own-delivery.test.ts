import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'

let world: EleTestTenants
let shop: string
let goodId: string
beforeAll(async () => {
  world = await createEleTestTenants()
  shop = await world.openShop()
  goodId = (await world.offer(shop, 60)).goodId
})
beforeEach(() => void (world.ele.mood = 'well'))
afterAll(() => world.close())

const shopAtEle = () => [...world.ele.world.shops.values()].find((one) => one.shop_id === shop)!
/** An order at Ele that was accepted automatically. */
async function order(basket: { quantity?: number; isOwnDelivery?: boolean } = {}) {
  const { quantity = 1, isOwnDelivery = false } = basket
  const simOrder = world.ele.order({
    baidu_shop_id: shopAtEle().baidu_shop_id,
    lines: [{ custom_sku_id: goodId, quantity }],
    isOwnDelivery,
  })
  await world.run()
  const row = async () => (await world.rows('ele_order', sql`r.platform_order_id = ${simOrder.order_id}`))[0]
  const id = (await row()).id as string
  const ours = async () => (await world.rows('shopping_order', sql`r.transaction_no = ${simOrder.order_id}`))[0]
  return { simOrder, id, row, ours }
}
const press = (action: string, id: string, body: object = {}) =>
  world.call(`eleOrder/${action}`, { query: { id }, body })
const step = (name: string, id: string, body: object = {}) =>
  world.tenants.must(world.tenants.call(world.admin, 'POST', `/api/shop/deliveryInfo/${name}`, { query: { id }, body }))
const callCount = (cmd: string) => world.ele.calls.filter((one) => one.cmd === cmd && one.errno === 0).length
const stock = () => world.tenants.stock(world.tenants.north, goodId)

test('what a shop brings itself is packed, sent out with who brings it, and arrives', async () => {
  const one = await order({ isOwnDelivery: true })
  const [delivery] = await world.rows('delivery_info', sql`r.order_id = ${(await one.ours()).id}`)
  expect(delivery).toMatchObject({ carrier: 'self', status: 0 })
  expect((await press('packed', one.id)).status).toBe(200)
  await step('accept', delivery.id, { riderName: '小李', riderPhone: '13900001111' })
  await step('pickUp', delivery.id)
  await world.run()
  expect(one.simOrder).toMatchObject({ isPacked: true, knight: { name: '小李', phone: '13900001111' } })
  expect(one.simOrder.facts.order.status).toBe(8)
  expect((await press('arrived', one.id)).status).toBe(200)
  await world.run()
  expect(one.simOrder.facts.order.status).toBe(9)
  expect(await one.ours()).toMatchObject({ status: 2 })
  expect((await press('arrived', one.id)).status).toBe(400)
  expect([callCount('order.selfDeliveryStateSync'), callCount('order.sendout')]).toEqual([1, 0])
})

test('without a phone it is only said that it left, and a lost answer is not repeated', async () => {
  const one = await order({ isOwnDelivery: true })
  const before = callCount('order.sendout')
  world.ele.mood = 'deaf after doing'
  expect((await press('sendOut', one.id)).status).toBe(200)
  await world.run(2)
  world.ele.mood = 'well'
  await world.run()
  expect(one.simOrder.facts.order.status).toBe(8)
  expect(callCount('order.sendout') - before).toBe(1)
  const asks = await world.rows('platform_ask', sql`r.platform_order_no = ${one.simOrder.order_id}`)
  expect(asks.map(({ state }) => state)).toEqual(asks.map(() => 'done'))
})

test('a request of the newer flow waits for the shop, and what is answered is paid back once', async () => {
  const before = await stock()
  const one = await order({ quantity: 3 })
  const refundNo = world.ele.askReverse(one.simOrder, { parts: [{ custom_sku_id: goodId, number: 1 }] })
  await world.run()
  expect(await one.row()).toMatchObject({ refundAsked: refundNo, returnState: null })
  for (const _twice of [1, 2]) expect((await press('agreeRefund', one.id)).status).toBe(200)
  await world.run()
  expect(await one.row()).toMatchObject({ refundAsked: null })
  const ours = await one.ours()
  expect(Number(ours.refundAmount)).toBe(500)
  expect(callCount('order.reverse.process')).toBe(1)
  expect(await stock()).toBe(before - 2)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('goods that are to come back are agreed to first, and paid for when they are here', async () => {
  const before = await stock()
  const one = await order({ quantity: 2 })
  const refundNo = world.ele.askReverse(one.simOrder, {
    parts: [{ custom_sku_id: goodId, number: 2 }],
    isReturn: true,
  })
  await world.run()
  expect(await one.row()).toMatchObject({ refundAsked: refundNo, returnState: 1001 })
  expect((await press('agreeRefund', one.id)).status).toBe(400)
  expect((await press('agreeReturn', one.id)).status).toBe(200)
  await world.run()
  expect(await one.row()).toMatchObject({ refundAsked: refundNo, returnState: 1004 })
  expect(Number((await one.ours()).refundAmount)).toBe(0)
  world.ele.sendBack(one.simOrder, refundNo)
  await world.run()
  expect(await one.row()).toMatchObject({ returnState: 1005 })
  expect((await press('agreeRefund', one.id)).status).toBe(200)
  await world.run()
  expect(await one.row()).toMatchObject({ refundAsked: null, returnState: 1006 })
  const ours = await one.ours()
  expect(Number(ours.refundAmount)).toBe(Number(ours.payAmount))
  expect(await stock()).toBe(before)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('a refused return, one that never arrived, and one nobody told of end as the platform has them', async () => {
  const [refused, lost, untold] = [await order(), await order(), await order()]
  const ask = (one: typeof refused) => world.ele.askReverse(one.simOrder, { isReturn: true })
  ask(refused)
  const lostNo = ask(lost)
  await world.run()
  expect((await press('refuseReturn', refused.id, { reason: '已拆封' })).status).toBe(200)
  expect((await press('agreeReturn', lost.id)).status).toBe(200)
  await world.run()
  world.ele.sendBack(lost.simOrder, lostNo)
  world.ele.pushes.mood.isHeld = true
  const untoldNo = ask(untold)
  await world.look()
  world.ele.pushes.mood.isHeld = false
  expect((await press('refuseRefund', lost.id, { reason: '没有收到' })).status).toBe(200)
  await world.run()
  expect(await refused.row()).toMatchObject({ refundAsked: null, returnState: 1002 })
  expect(await lost.row()).toMatchObject({ refundAsked: null, returnState: 1007 })
  expect(await untold.row()).toMatchObject({ refundAsked: untoldNo, returnState: 1001 })
  for (const one of [refused, lost, untold]) expect(Number((await one.ours()).refundAmount)).toBe(0)
})

test('goods somebody changed there are put right as soon as the platform says so, and no others', async () => {
  const sku = () => shopAtEle().skus.get(goodId)
  world.ele.changeSku(shopAtEle(), goodId, { sale_price: 120 })
  await world.run()
  expect(sku()).toMatchObject({ sale_price: 500 })
  world.ele.changeSku(shopAtEle(), goodId, null)
  await world.run()
  expect(sku()).toMatchObject({ sale_price: 500, left_num: await stock() })
  const made = callCount('sku.create') + callCount('sku.update')
  world.ele.changeSku(shopAtEle(), goodId, {})
  await world.run()
  expect(callCount('sku.create') + callCount('sku.update')).toBe(made)
  const [row] = await world.rows('ele_sku_info', sql`r.good_id = ${goodId}`)
  expect(row).toMatchObject({ syncStatus: 2 })
})

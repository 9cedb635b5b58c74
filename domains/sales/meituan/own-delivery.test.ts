import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { createMeituanTestTenants } from './test-meituan.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const MINUTE = 60_000
const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

let world: Awaited<ReturnType<typeof startWorld>>
let goodId: string
beforeAll(async () => {
  world = await startWorld()
  goodId = (await world.offer(await world.openShop(), 50)).goodId
})
beforeEach(() => void (world.meituan.mood = 'well'))
afterAll(() => world.close())

/** Enqueues failed actions again, as the queue would. */
async function again(): Promise<void> {
  const open = await world.rows('platform_ask', sql`r.state in ('sent', 'unclear')`)
  await world.unit(async (db) => {
    for (const { id } of open)
      await db.enqueue(defineQueue<{ id: string }>('platform.ask'), { id: String(id) }, { key: String(id) })
  })
}
const handleCallbacks = async () => {
  const errors = []
  await again()
  for (let n = 0; n < 3; n++) {
    await world.meituan.flush()
    errors.push(...(await world.run()))
    world.pass(MINUTE)
  }
  return errors
}
const call = (path: string, query: object, body: object = {}) =>
  world.tenants.call(world.tenants.north.admin, 'POST', path, { query: { ...query }, body })
const must = (path: string, query: object, body: object = {}) => world.tenants.must(call(path, query, body))

/** An order of the platform, accepted, with its delivery. */
async function order(isOwnDelivery = true) {
  const { orderNo } = world.meituan.place({
    shopCode: world.shopId,
    lines: [{ code: goodId, quantity: 1 }],
    isOwnDelivery,
  })
  expect(await handleCallbacks()).toEqual([])
  const [row] = await world.rows('meituan_order', sql`r.platform_order_id = ${orderNo}`)
  const [delivery] = await world.rows('delivery_info', sql`r.order_id = ${row!.orderId}`)
  return { orderNo, id: String(row!.id), orderId: String(row!.orderId), deliveryId: String(delivery!.id), delivery }
}
const simOrder = (orderNo: string) => world.meituan.orders.get(orderNo)!
const asks = (orderNo: string) => world.rows('platform_ask', sql`r.platform_order_no = ${orderNo}`)
const step = (name: string, id: string, body: object = {}) => must(`/api/shop/deliveryInfo/${name}`, { id }, body)
const callCount = (path: string) => world.meituan.calledPaths.filter((one) => one === path).length

test('what a shop brings itself is told step by step, with who brings it, and each step once', async () => {
  const one = await order()
  expect(one.delivery).toMatchObject({ carrier: 'self', status: 0 })
  await must('/api/meituan/meituanOrder/packed', { id: one.id })
  await must('/api/meituan/meituanOrder/packed', { id: one.id })
  await step('accept', one.deliveryId, { riderName: '小李', riderPhone: '13900001111' })
  expect(await handleCallbacks()).toEqual([])
  expect(simOrder(one.orderNo)).toMatchObject({
    isPacked: true,
    rider: { name: '小李', phone: '13900001111', status: 5 },
  })
  await step('pickUp', one.deliveryId)
  expect(await handleCallbacks()).toEqual([])
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 20 })
  await step('deliver', one.deliveryId)
  expect(await handleCallbacks()).toEqual([])
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 40 })
  expect((await asks(one.orderNo)).map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(
    ['arrived done', 'confirm done', 'packed done', 'rider done', 'sendOut done'].toSorted(),
  )
  world.meituan.complete(one.orderNo)
  expect(await handleCallbacks()).toEqual([])
  const [ours] = await world.rows('shopping_order', sql`r.id = ${one.orderId}`)
  expect(ours).toMatchObject({ status: 2 })
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('who presses on the order there moves our delivery, and all steps arrive in their order', async () => {
  const one = await order()
  world.meituan.mood = 'failing'
  await must('/api/meituan/meituanOrder/arrived', { id: one.id })
  // The first step fails, the second waits for it.
  for (const job of await world.take()) await world.one(job).catch(() => {})
  expect((await asks(one.orderNo)).map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual(
    ['arrived asked', 'confirm done', 'sendOut unclear'].toSorted(),
  )
  world.meituan.mood = 'well'
  expect(await handleCallbacks()).toEqual([])
  const [delivery] = await world.rows('delivery_info', sql`r.id = ${one.deliveryId}`)
  expect(delivery).toMatchObject({ status: 3 })
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 40 })
  expect((await call('/api/meituan/meituanOrder/arrived', { id: one.id })).status).toBe(409)
})

test('a step whose answer was lost is told once', async () => {
  const one = await order()
  await step('accept', one.deliveryId)
  expect(await handleCallbacks()).toEqual([])
  const before = callCount('order/delivering')
  world.meituan.mood = 'deaf after taking'
  await step('pickUp', one.deliveryId)
  await handleCallbacks()
  world.meituan.mood = 'well'
  expect(await handleCallbacks()).toEqual([])
  expect(callCount('order/delivering') - before).toBe(1)
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 20 })
  expect((await asks(one.orderNo)).filter(({ state }) => state !== 'done')).toEqual([])
})

test('a delivery that fails and is begun again is told again', async () => {
  const one = await order()
  await must('/api/meituan/meituanOrder/sendOut', { id: one.id })
  expect(await handleCallbacks()).toEqual([])
  await step('fail', one.deliveryId, { failReason: '没有人' })
  expect(await handleCallbacks()).toEqual([])
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 100 })
  const { id } = await step('again', one.deliveryId)
  await step('accept', id, { riderName: '小王' })
  await step('pickUp', id)
  expect(await handleCallbacks()).toEqual([])
  expect(simOrder(one.orderNo).rider).toMatchObject({ status: 20, name: '小王' })
  expect((await asks(one.orderNo)).filter(({ kind, state }) => kind === 'sendOut' && state === 'done')).toHaveLength(2)
})

test('an order that was cancelled meanwhile says so; of one a rider brings nobody is told', async () => {
  const [mine, theirs] = [await order(), await order(false)]
  expect(theirs.delivery).toMatchObject({ carrier: 'meituan' })
  expect((await call('/api/meituan/meituanOrder/sendOut', { id: theirs.id })).status).toBe(400)
  world.meituan.push.isSilent = true
  world.meituan.cancel(mine.orderNo, '不要了')
  await step('accept', mine.deliveryId)
  expect(await handleCallbacks()).toEqual([])
  world.meituan.push.isSilent = false
  const [riderAction] = (await asks(mine.orderNo)).filter(({ kind }) => kind === 'rider')
  expect(riderAction).toMatchObject({ state: 'failed', failReason: expect.stringContaining('订单状态已变更') })
  // The order is read at once after the refusal and cancelled here as well.
  const [ours] = await world.rows('shopping_order', sql`r.id = ${mine.orderId}`)
  expect(Number(ours!.refundAmount)).toBe(Number(ours!.payAmount))
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

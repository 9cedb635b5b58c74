import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { createMeituanTestTenants } from './test-meituan.ts'

const AT_ONCE = 20
const CANCELLED = 9
const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

let world: Awaited<ReturnType<typeof startWorld>>
let shop: string
let people: CastMember[]
beforeAll(async () => {
  world = await startWorld()
  shop = await world.openShop({ isAutoAccepted: false })
  const { tenants } = world
  const codes = await tenants.services.systemPool.query<{ code: string }>(
    `select distinct code from menu where code like 'meituanOrder%'`,
  )
  const other = await tenants.person(
    tenants.north,
    'manager',
    codes.rows.map(({ code }) => code),
  )
  people = [tenants.north.admin, other]
})
afterAll(() => world.close())

const act = (person: CastMember, action: string, id: string, body: object = {}) =>
  world.tenants.call(person, 'POST', `/api/meituan/meituanOrder/${action}`, { query: { id }, body })
const stock = async (id: string) => (await world.rows('good_info', sql`r.id = ${id}`))[0]!.stock as number
const handleCallbacks = async () => {
  await world.meituan.flush()
  const errors = await world.run()
  await world.meituan.flush()
  return [...errors, ...(await world.run())]
}
type Placed = { orderNo: string; id: string }
async function placed(code: string): Promise<Placed[]> {
  const numbers = Array.from(
    { length: AT_ONCE },
    () => world.meituan.place({ shopCode: world.shopId, lines: [{ code, quantity: 2 }] }).orderNo,
  )
  expect(await handleCallbacks()).toEqual([])
  const rows = await world.rows('meituan_order', sql`r.platform_order_id = any(${numbers})`)
  return rows.map(({ id, platformOrderId }) => ({ id: String(id), orderNo: String(platformOrderId) }))
}
const oursOf = (orders: readonly Placed[]) =>
  world.rows('shopping_order', sql`r.transaction_no = any(${orders.map(({ orderNo }) => orderNo)})`)
const asksOf = (orders: readonly Placed[]) =>
  world.rows('platform_ask', sql`r.platform_order_no = any(${orders.map(({ orderNo }) => orderNo)})`)
const callCount = (path: string) => world.meituan.calledPaths.filter((one) => one === path).length

test('what two people accept while the platform cancels it ends as the platform has it', async () => {
  const { goodId } = await world.offer(shop, 100)
  const orders = await placed(goodId)
  expect(await stock(goodId)).toBe(100 - AT_ONCE * 2)
  const [early, late] = [orders.filter((_one, at) => at % 2), orders.filter((_one, at) => !(at % 2))]
  const before = callCount('order/confirm')
  const answers = await Promise.all(orders.flatMap((order) => people.map((person) => act(person, 'confirm', order.id))))
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  // Half are cancelled before the platform is called, the rest between the action and its answer.
  for (const { orderNo } of early) world.meituan.cancel(orderNo, '下错了')
  const left = new Set(late.map(({ orderNo }) => orderNo))
  world.meituan.meanwhile = async (path) => {
    if (path !== 'order/confirm') return
    for (const orderNo of left)
      if (world.meituan.orders.get(orderNo)!.status === 4) {
        left.delete(orderNo)
        world.meituan.cancel(orderNo, '不要了')
      }
  }
  await handleCallbacks()
  world.meituan.meanwhile = undefined
  expect(await handleCallbacks()).toEqual([])
  expect(left.size).toBe(0)
  const asks = await asksOf(orders)
  expect(asks).toHaveLength(AT_ONCE)
  expect(new Set(asks.map(({ state }) => state))).toEqual(new Set(['failed', 'done']))
  expect(callCount('order/confirm') - before).toBeLessThanOrEqual(AT_ONCE)
  const platformOrders = await world.rows(
    'meituan_order',
    sql`r.platform_order_id = any(${orders.map((o) => o.orderNo)})`,
  )
  expect(platformOrders.map(({ status }) => status)).toEqual(orders.map(() => CANCELLED))
  const ours = await oursOf(orders)
  expect(ours.map(({ payAmount, refundAmount }) => Number(payAmount) - Number(refundAmount))).toEqual(
    orders.map(() => 0),
  )
  expect(await stock(goodId)).toBe(100)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('a refund one person agrees to and another refuses at once ends as the platform has it, once', async () => {
  const { goodId } = await world.offer(shop, 100)
  const orders = await placed(goodId)
  await Promise.all(orders.map(({ id }) => act(people[0]!, 'confirm', id)))
  expect(await handleCallbacks()).toEqual([])
  for (const { orderNo } of orders) world.meituan.askRefund(orderNo, [{ code: goodId, count: 1 }], '少了一件')
  expect(await handleCallbacks()).toEqual([])
  const answers = await Promise.all(
    orders.flatMap(({ id }, at) => [
      act(people[at % 2]!, 'agreeRefund', id),
      act(people[(at + 1) % 2]!, 'refuseRefund', id, { reason: '没有少' }),
      act(people[at % 2]!, 'agreeRefund', id),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  await handleCallbacks()
  expect(await handleCallbacks()).toEqual([])
  const agreed = orders.filter(({ orderNo }) => world.meituan.orders.get(orderNo)!.refunds[0]!.resType === 2)
  const ours = await oursOf(orders)
  const refunded = ours.filter(({ refundAmount }) => Number(refundAmount) > 0)
  expect(refunded.map(({ transactionNo }) => String(transactionNo)).toSorted()).toEqual(
    agreed.map(({ orderNo }) => orderNo).toSorted(),
  )
  for (const { orderNo } of orders) {
    const asks = (await asksOf([{ orderNo, id: '' }])).filter(({ kind }) => String(kind).endsWith('Refund'))
    expect(asks.filter(({ state }) => state === 'done')).toHaveLength(1)
    expect(asks.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  }
  expect(await stock(goodId)).toBe(100 - AT_ONCE * 2 + agreed.length)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('all of an order given back in part, asked for while the shop gives one more, goes back once', async () => {
  const { goodId } = await world.offer(shop, 100)
  const orders = await placed(goodId)
  await Promise.all(orders.map(({ id }) => act(people[0]!, 'confirm', id)))
  expect(await handleCallbacks()).toEqual([])
  const lines = await world.rows(
    'meituan_order_detail',
    sql`r.meituan_order_id = any(${orders.map(({ id }) => id)}::bigint[])`,
  )
  const giveOne = (person: CastMember, { id }: Placed) =>
    world.tenants.call(person, 'POST', '/api/meituan/meituanOrderDetail/refund', {
      body: { id: lines.find((line) => String(line.meituanOrderId) === id)!.id, quantity: 1, reason: '少拿了' },
    })
  await Promise.all(orders.map((order) => giveOne(people[0]!, order)))
  expect(await handleCallbacks()).toEqual([])
  for (const { orderNo } of orders) world.meituan.askRefund(orderNo, undefined, '都不要了')
  expect(await handleCallbacks()).toEqual([])
  const answers = await Promise.all(
    orders.flatMap((order, at) => [
      act(people[at % 2]!, 'agreeRefund', order.id),
      act(people[(at + 1) % 2]!, 'agreeRefund', order.id),
      giveOne(people[0]!, order),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  await handleCallbacks()
  expect(await handleCallbacks()).toEqual([])
  const ours = await oursOf(orders)
  expect(ours.map(({ refundAmount }) => Number(refundAmount))).toEqual(ours.map(({ payAmount }) => Number(payAmount)))
  const booked = await world.rows('refunds', sql`r.order_id = any(${ours.map(({ id }) => id)}::bigint[])`)
  expect(booked.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(
    ours.reduce((sum, { payAmount }) => sum + Number(payAmount), 0),
  )
  expect(await stock(goodId)).toBe(100)
  const asks = await asksOf(orders)
  expect(asks.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  expect(asks.filter(({ kind, state }) => kind === 'agreeRefund' && state === 'done')).toHaveLength(AT_ONCE)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'
import { STATUS } from '#simulators/ele/ele.simulator.ts'

const AT_ONCE = 20
const PIECE = 500
let world: EleTestTenants
let shop: string
let goodId: string
let other: CastMember
beforeAll(async () => {
  world = await createEleTestTenants()
  // The simulator's clock does not move, so its limit per second must not apply.
  world.ele.perSecond = 100_000
  shop = await world.openShop()
  goodId = (await world.offer(shop, 200)).goodId
  const codes = await world.tenants.services.systemPool.query<{ code: string }>(
    `select distinct code from menu where code like 'eleOrder%'`,
  )
  other = await world.tenants.person(
    world.tenants.north,
    'manager',
    codes.rows.map(({ code }) => code),
  )
})
afterAll(() => world.close())

type SimulatedOrder = ReturnType<EleTestTenants['ele']['order']>
const press = (who: CastMember, path: string, ask: object) => world.tenants.call(who, 'POST', `/api/ele/${path}`, ask)
/** Pieces of an order that the platform has refunded. */
const backOf = ({ refunds, reverses }: SimulatedOrder) =>
  [
    ...[...refunds.values()].filter(({ state }) => state === 20),
    ...[...reverses.values()].filter(({ state }) => state === 50),
  ].reduce((sum, { parts = [] }) => sum + parts.reduce((pieces, { number }) => pieces + number, 0), 0)

test('a request two people answer otherwise while the shop gives back is paid as the platform has it', async () => {
  const before = await world.tenants.stock(world.tenants.north, goodId)
  const { baidu_shop_id } = [...world.ele.world.shops.values()].find((one) => one.shop_id === shop)!
  const simOrders = Array.from({ length: AT_ONCE }, () =>
    world.ele.order({ baidu_shop_id, lines: [{ custom_sku_id: goodId, quantity: 3 }] }),
  )
  await world.run()
  const numbers = simOrders.map(({ order_id }) => order_id)
  const rows = await world.rows('ele_order', sql`r.platform_order_id = any(${numbers})`)
  expect(rows).toHaveLength(AT_ONCE)
  const lines = await world.rows('ele_order_detail', sql`r.ele_order_id = any(${rows.map(({ id }) => id)}::bigint[])`)
  world.ele.pushes.mood.times = 2
  for (const order of simOrders)
    world.ele.askReverse(order, { parts: [{ custom_sku_id: goodId, number: 1 }], isReturn: false })
  await world.run()
  const { admin } = world
  const answers = await Promise.all(
    rows.flatMap(({ id }, at) => [
      press(at % 2 ? admin : other, 'eleOrder/agreeRefund', { query: { id } }),
      press(at % 2 ? other : admin, 'eleOrder/refuseRefund', { query: { id }, body: { reason: '没有破损' } }),
      press(admin, 'eleOrder/agreeRefund', { query: { id } }),
      press(other, 'eleOrderDetail/refund', {
        body: { id: lines.find((line) => line.eleOrderId === id)!.id, quantity: 1, reason: '少拿了' },
      }),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  // Riders move on meanwhile, and half of the platform's answers are lost.
  let turn = 0
  world.ele.meanwhile = (cmd) => {
    const isMeant = cmd === 'order.reverse.process' || cmd === 'order.partrefund'
    world.ele.mood = isMeant && turn++ % 2 ? 'deaf after doing' : 'well'
  }
  await world.run(6)
  world.ele.meanwhile = undefined
  world.ele.mood = 'well'
  world.ele.pushes.mood.times = 1
  await world.look()
  await world.run()
  const ours = await world.rows('shopping_order', sql`r.transaction_no = any(${numbers})`)
  const refunded = Object.fromEntries(ours.map(({ transactionNo, refundAmount }) => [transactionNo, refundAmount]))
  expect(refunded).toEqual(Object.fromEntries(simOrders.map((one) => [one.order_id, backOf(one) * PIECE])))
  for (const order of simOrders) expect(order.reverses.size + order.refunds.size).toBe(2)
  const asks = await world.rows('platform_ask', sql`r.platform_order_no = any(${numbers})`)
  expect(asks.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  const kept = simOrders.reduce((sum, one) => sum + 3 - backOf(one), 0)
  expect(await world.tenants.stock(world.tenants.north, goodId)).toBe(before - kept)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

test('a return of all after the platform settled an order given back in part takes what is left, once', async () => {
  const before = await world.tenants.stock(world.tenants.north, goodId)
  const { baidu_shop_id } = [...world.ele.world.shops.values()].find((one) => one.shop_id === shop)!
  const simOrders = Array.from({ length: AT_ONCE }, () =>
    world.ele.order({ baidu_shop_id, lines: [{ custom_sku_id: goodId, quantity: 3 }] }),
  )
  const numbers = simOrders.map(({ order_id }) => order_id)
  const here = () => world.rows('ele_order', sql`r.platform_order_id = any(${numbers})`)
  const idsBy = async () => new Map((await here()).map(({ platformOrderId, id }) => [platformOrderId as string, id]))
  await world.run()
  const ids = await idsBy()
  const lines = await world.rows('ele_order_detail', sql`r.ele_order_id = any(${[...ids.values()]}::bigint[])`)
  const lineOf = (orderNo: string) => lines.find((line) => line.eleOrderId === ids.get(orderNo))!.id
  const giveOne = (who: CastMember, { order_id }: SimulatedOrder) =>
    press(who, 'eleOrderDetail/refund', { body: { id: lineOf(order_id), quantity: 1, reason: '少拿了' } })
  await Promise.all(simOrders.map((one) => giveOne(other, one)))
  for (let step = 0; step < 3; step++) {
    world.clock.pass(world.ele.world.stepMs)
    await world.run()
  }
  expect(new Set(simOrders.map(({ facts }) => facts.order.status))).toEqual(new Set([STATUS.done]))
  const returns = new Map(simOrders.map((order) => [order.order_id, world.ele.askReverse(order, { isReturn: true })]))
  await world.run()
  const { admin } = world
  const agree = (path: string) =>
    Promise.all(
      simOrders.flatMap(({ order_id }) =>
        [admin, other].map((who) => press(who, `eleOrder/${path}`, { query: { id: ids.get(order_id) } })),
      ),
    )
  const answers = await agree('agreeReturn')
  await world.run()
  for (const order of simOrders) world.ele.sendBack(order, returns.get(order.order_id)!)
  await world.run()
  // The goods are back in the shop; for half of the orders one more piece is refunded at the same moment.
  const [paid, more] = await Promise.all([
    agree('agreeRefund'),
    Promise.all(simOrders.filter((_one, at) => at % 2).map((one) => giveOne(other, one))),
  ])
  expect([...answers, ...paid, ...more].filter(({ status }) => status >= 500)).toEqual([])
  let turn = 0
  world.ele.meanwhile = (cmd) => {
    world.ele.mood = cmd === 'order.reverse.process' && turn++ % 2 ? 'deaf after doing' : 'well'
  }
  await world.run(6)
  world.ele.meanwhile = undefined
  world.ele.mood = 'well'
  await world.look()
  await world.run()
  expect(simOrders.map(({ reverses }) => [...reverses.values()].map(({ state }) => state))).toEqual(
    simOrders.map(() => [50]),
  )
  const ours = await world.rows('shopping_order', sql`r.transaction_no = any(${numbers})`)
  expect(ours.map(({ refundAmount }) => refundAmount)).toEqual(ours.map(({ payAmount }) => payAmount))
  expect(ours).toHaveLength(AT_ONCE)
  const booked = await world.rows('refunds', sql`r.order_id = any(${ours.map(({ id }) => id)}::bigint[])`)
  const sums = Map.groupBy(booked, ({ orderId }) => orderId as string)
  const sumOf = (id: string) => sums.get(id)!.reduce((sum, { amount }) => sum + Number(amount), 0)
  expect(ours.map(({ id }) => sumOf(id))).toEqual(ours.map(({ payAmount }) => Number(payAmount)))
  expect(await world.tenants.stock(world.tenants.north, goodId)).toBe(before)
  const asks = await world.rows('platform_ask', sql`r.platform_order_no = any(${numbers})`)
  expect(asks.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { Person } from '#kit/testing/server.ts'
import { checkLedgers } from '#domains/orders/doors.ts'
import { eleStreet, type EleStreet } from '#kit/testing/ele-street.ts'

const AT_ONCE = 20
const PIECE = 500
let world: EleStreet
let shop: string
let goodId: string
let other: Person
beforeAll(async () => {
  world = await eleStreet()
  // Its clock stands still.
  world.there.perSecond = 100_000
  shop = await world.openShop()
  goodId = (await world.offer(shop, 200)).goodId
  const codes = await world.street.services.systemPool.query<{ code: string }>(
    `select distinct code from menu where code like 'eleOrder%'`,
  )
  other = await world.street.person(
    world.street.north,
    'manager',
    codes.rows.map(({ code }) => code),
  )
})
afterAll(() => world.close())

type There = ReturnType<EleStreet['there']['order']>
const press = (who: Person, path: string, ask: object) => world.street.call(who, 'POST', `/api/ele/${path}`, ask)
/** What the platform has paid back of an order, in pieces. */
const backOf = ({ refunds, reverses }: There) =>
  [
    ...[...refunds.values()].filter(({ state }) => state === 20),
    ...[...reverses.values()].filter(({ state }) => state === 50),
  ].reduce((sum, { parts = [] }) => sum + parts.reduce((pieces, { number }) => pieces + number, 0), 0)

test('a request two people answer otherwise while the shop gives back is paid as the platform has it', async () => {
  const before = await world.street.stock(world.street.north, goodId)
  const { baidu_shop_id } = [...world.there.world.shops.values()].find((one) => one.shop_id === shop)!
  const there = Array.from({ length: AT_ONCE }, () =>
    world.there.order({ baidu_shop_id, lines: [{ custom_sku_id: goodId, quantity: 3 }] }),
  )
  await world.run()
  const numbers = there.map(({ order_id }) => order_id)
  const rows = await world.rows('ele_order', sql`r.platform_order_id = any(${numbers})`)
  expect(rows).toHaveLength(AT_ONCE)
  const lines = await world.rows('ele_order_detail', sql`r.ele_order_id = any(${rows.map(({ id }) => id)}::bigint[])`)
  world.there.pushes.mood.times = 2
  for (const order of there)
    world.there.askReverse(order, { parts: [{ custom_sku_id: goodId, number: 1 }], isReturn: false })
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
  // The platform's riders go on meanwhile, and half of its answers are lost.
  let turn = 0
  world.there.meanwhile = (cmd) => {
    const isMeant = cmd === 'order.reverse.process' || cmd === 'order.partrefund'
    world.there.mood = isMeant && turn++ % 2 ? 'deaf after doing' : 'well'
  }
  await world.run(6)
  world.there.meanwhile = undefined
  world.there.mood = 'well'
  world.there.pushes.mood.times = 1
  await world.look()
  await world.run()
  const ours = await world.rows('shopping_order', sql`r.transaction_no = any(${numbers})`)
  const refunded = Object.fromEntries(ours.map(({ transactionNo, refundAmount }) => [transactionNo, refundAmount]))
  expect(refunded).toEqual(Object.fromEntries(there.map((one) => [one.order_id, backOf(one) * PIECE])))
  for (const order of there) expect(order.reverses.size + order.refunds.size).toBe(2)
  const asks = await world.rows('platform_ask', sql`r.platform_order_no = any(${numbers})`)
  expect(asks.filter(({ state }) => state !== 'done' && state !== 'failed')).toEqual([])
  const kept = there.reduce((sum, one) => sum + 3 - backOf(one), 0)
  expect(await world.street.stock(world.street.north, goodId)).toBe(before - kept)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
})

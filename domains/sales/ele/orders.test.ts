import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { createEleTestTenants, type EleTestTenants } from '#tests/support/ele-tenants.ts'
import { saleBodyOf } from '#tests/support/test-tenants.ts'
import { STATUS } from '#simulators/ele/ele.simulator.ts'
import type { Basket } from '#simulators/ele/orders.ts'

/** A little longer than a platform is asked about an unconfirmed action. */
const ASK_MS = 74 * 3_600_000
let world: EleTestTenants
let shop: string
let number: string
beforeAll(async () => {
  world = await createEleTestTenants()
  shop = await world.openShop()
  number = (await world.rows('ele_shop_info', sql`r.id = ${shop}`))[0].platformShopId
})
beforeEach(() => {
  world.ele.mood = 'well'
  Object.assign(world.ele.pushes.mood, { isHeld: false, times: 1, lateMs: 0 })
  world.ele.pushes.outbox.length = 0
})
afterAll(() => world.close())

const stock = (id: string) => world.tenants.stock(world.tenants.north, id)
const place = (goodId: string, quantity: number, more: Partial<Basket> = {}) =>
  world.ele.order({ baidu_shop_id: number, lines: [{ custom_sku_id: goodId, quantity }], ...more })
const orderHere = async (orderNo: string) => (await world.rows('ele_order', sql`r.platform_order_id = ${orderNo}`))[0]
const ours = (orderNo: string) => world.rows('shopping_order', sql`r.transaction_no = ${orderNo}`)
const partsOf = (table: string, id: string) => world.rows(table, sql`r.ele_order_id = ${id}`)
const asksOf = (orderNo: string) => world.rows('platform_ask', sql`r.platform_order_no = ${orderNo}`)
const ledgers = () => world.unit((db) => checkLedgers(db))
const askNow = (id: string) =>
  world.tenants.call(world.admin, 'POST', '/api/thirdparty/platformAsk/askNow', { query: { id } })
const pass = async (ms: number) => {
  world.clock.pass(ms)
  await world.run()
}

/** Sets the amount in yuan from which a second person must approve. Returns the previous one. */
async function setLimit(paramValue: string): Promise<string> {
  const { tenants } = world
  const platform = await tenants.server.as('admin')
  const query = { paramKey: 'refund.secondSignatureAbove' }
  const { data } = await tenants.call(platform, 'GET', '/api/blade-system/param/list', { query })
  const { id, paramName, paramKey, paramValue: was } = data.records[0]
  const body = { id, paramName, paramKey, paramValue }
  await tenants.must(tenants.call(platform, 'POST', '/api/blade-system/param/submit', { body }))
  return was
}

test('an order becomes one of ours once, takes stock once, is accepted, and is told to the cent', async () => {
  const { goodId } = await world.offer(shop, 10)
  world.ele.pushes.mood.times = 3
  const { order_id, facts } = place(goodId, 3, { shopDiscount: 200, platformDiscount: 100, remark: '放门口' })
  await world.run()
  const [order, ...more] = await ours(order_id)
  expect(more).toEqual([])
  // 15.00 of goods, 1.00 for packing, 5.00 for bringing, 3.00 off: 18.00 were paid.
  expect(order).toMatchObject({ source: 'ele', status: 1, goodsAmount: 1500, discountAmount: 300, payAmount: 1800 })
  expect(order).toMatchObject({ freight: 600, remark: '放门口', flags: [] })
  expect(await stock(goodId)).toBe(7)
  const here = await orderHere(order_id)
  expect(here).toMatchObject({ status: STATUS.confirmed, orderId: order.id, userFee: 1800, totalFee: 2100 })
  expect(here).toMatchObject({ commission: facts.order.commission, shopFee: facts.order.shop_fee, discountFee: 300 })
  expect(here.shopFee).toBe(1500 + 100 - 200 - here.commission)
  expect(await partsOf('ele_order_detail', here.id)).toMatchObject([
    { goodId, quantity: 3, price: 500, amount: 1500, bagIndex: 1 },
  ])
  expect(await partsOf('ele_order_discount', here.id)).toMatchObject([
    { fee: 300, shopRate: 200, platformRate: 100, agentRate: 0 },
  ])
  expect(await partsOf('ele_delivery_address', here.id)).toMatchObject([
    { city: '杭州市', district: '西湖区', longitude: 120.1101 },
  ])
  expect(await asksOf(order_id)).toMatchObject([{ kind: 'confirm', state: 'done' }])
})

test('an order goes its way with the platform, and is finished here when the customer has it', async () => {
  const { goodId } = await world.offer(shop, 10)
  const { order_id } = place(goodId, 1)
  await world.run()
  await pass(world.ele.world.stepMs)
  const [{ id }] = await ours(order_id)
  expect(await world.rows('delivery_info', sql`r.order_id = ${id}`)).toMatchObject([{ riderName: '陈师傅', status: 1 }])
  await pass(world.ele.world.stepMs)
  expect(await ours(order_id)).toMatchObject([{ status: 1 }])
  await pass(world.ele.world.stepMs)
  expect(await ours(order_id)).toMatchObject([{ status: 2 }])
  expect(await orderHere(order_id)).toMatchObject({ status: STATUS.done, riderName: '陈师傅' })
  expect(await stock(goodId)).toBe(9)
})

test('an order whose goods are gone is not taken: the platform is asked to cancel, and nothing is moved', async () => {
  const { goodId, upc } = await world.offer(shop, 2)
  world.ele.pushes.mood.isHeld = true
  const { order_id } = place(goodId, 2)
  const register = await world.tenants.register(world.tenants.north, world.shopId)
  await world.tenants.must(
    world.tenants.beep(register, 'POST', 'sales', {
      body: { sales: [saleBodyOf(upc)] },
    }),
  )
  world.ele.pushes.mood.isHeld = false
  await world.ele.pushes.deliver(world.ele.pushes.outbox[0]!)
  await world.run()
  expect(await ours(order_id)).toEqual([])
  expect(await orderHere(order_id)).toMatchObject({ status: STATUS.cancelled, orderId: null })
  expect(await asksOf(order_id)).toMatchObject([{ kind: 'cancel', state: 'done', reason: '商品已售完' }])
  expect(await stock(goodId)).toBe(1)
})

test('an order told in part is asked about again, and nothing is made of the part', async () => {
  const { goodId } = await world.offer(shop, 5)
  const order = place(goodId, 1, { isDegraded: true })
  await world.run(2)
  expect(await ours(order.order_id)).toEqual([])
  world.ele.mend(order)
  await world.run()
  expect(await ours(order.order_id)).toHaveLength(1)
  expect(await partsOf('ele_order_detail', (await orderHere(order.order_id)).id)).toHaveLength(1)
})

test('an acceptance whose answer is lost is asked about, and done once', async () => {
  const { goodId } = await world.offer(shop, 5)
  await world.send('eleShopInfo/submit', { id: shop, isAutoAccepted: false })
  const { order_id } = place(goodId, 1)
  await world.run()
  expect(await orderHere(order_id)).toMatchObject({ status: STATUS.placed })
  const { id } = await orderHere(order_id)
  await world.act('eleOrder/confirm', { id })
  world.ele.mood = 'deaf after doing'
  await world.run(2)
  expect(await asksOf(order_id)).toMatchObject([{ kind: 'confirm', state: 'unclear' }])
  world.ele.mood = 'well'
  await world.run()
  expect(await asksOf(order_id)).toMatchObject([{ kind: 'confirm', state: 'done' }])
  expect(world.ele.calls.filter((one) => one.cmd === 'order.confirm' && one.body.order_id === order_id)).toHaveLength(1)
  expect((await world.call('eleOrder/confirm', { query: { id } })).status).toBe(400)
  await world.send('eleShopInfo/submit', { id: shop, isAutoAccepted: true })
})

test('a person cancels an order there, and its goods are back once', async () => {
  const { goodId } = await world.offer(shop, 5)
  const { order_id } = place(goodId, 2)
  await world.run()
  await world.act('eleOrder/cancel', { id: (await orderHere(order_id)).id, reasonCode: '0', reason: '门店停电' })
  await world.run()
  expect(await ours(order_id)).toMatchObject([{ status: 4, refundAmount: (await ours(order_id))[0].payAmount }])
  expect(await orderHere(order_id)).toMatchObject({ status: STATUS.cancelled, cancelReason: '门店停电' })
  expect(await stock(goodId)).toBe(5)
  expect(await ledgers()).toEqual([])
})

test('money asked back for a part is given with its goods once a person agrees, and not before', async () => {
  const { goodId } = await world.offer(shop, 5)
  const order = place(goodId, 3)
  await world.run()
  world.ele.askBack(order, [{ custom_sku_id: goodId, number: 1 }])
  await world.run()
  const here = await orderHere(order.order_id)
  expect(here.refundAsked).toBeTruthy()
  expect(await stock(goodId)).toBe(2)
  await world.act('eleOrder/agreeRefund', { id: here.id })
  await world.run()
  expect(await ours(order.order_id)).toMatchObject([{ status: 3, refundAmount: 500 }])
  expect(await stock(goodId)).toBe(3)
  expect((await orderHere(order.order_id)).refundAsked).toBeNull()
  expect(await ledgers()).toEqual([])
})

test('money asked back for all of it is refused by a person, asked once more, and given', async () => {
  const { goodId } = await world.offer(shop, 5)
  const order = place(goodId, 2)
  await world.run()
  world.ele.askBack(order)
  await world.run()
  const { id } = await orderHere(order.order_id)
  await world.act('eleOrder/refuseRefund', { id, reason: '已出餐' })
  await world.run()
  expect(await ours(order.order_id)).toMatchObject([{ status: 1 }])
  expect((await orderHere(order.order_id)).refundAsked).toBeNull()
  world.ele.askBack(order)
  await world.run()
  await world.act('eleOrder/agreeRefund', { id })
  await world.run()
  expect(await ours(order.order_id)).toMatchObject([{ status: 4 }])
  expect(await stock(goodId)).toBe(5)
  expect(await ledgers()).toEqual([])
})

test('orders nobody told of are found by looking, and become ours once', async () => {
  const { goodId } = await world.offer(shop, 5)
  world.ele.pushes.mood.isHeld = true
  const { order_id } = place(goodId, 1)
  await world.look()
  expect(await ours(order_id)).toHaveLength(1)
  expect(await stock(goodId)).toBe(4)
})

/** Things that customers and the platform do to an order. */
const changes: Record<string, (order: ReturnType<typeof place>, goodId: string) => void> = {
  'time goes by': () => world.clock.pass(world.ele.world.stepMs),
  'part is asked back': (order, goodId) => {
    if (order.refunds.size < 2) world.ele.askBack(order, [{ custom_sku_id: goodId, number: 1 }])
  },
  'all is asked back': (order) => void world.ele.askBack(order),
}

test('told late, twice, out of order, forged or never, an order and its stock end as the platform has it', async () => {
  const random = createRandom(17)
  const names = Object.keys(changes)
  const orders: { goodId: string; order: ReturnType<typeof place> }[] = []
  world.ele.pushes.mood.isHeld = true
  for (let n = 0; n < 6; n++) {
    const { goodId } = await world.offer(shop, 10)
    orders.push({ goodId, order: place(goodId, 3) })
  }
  const outbox = world.ele.pushes.outbox
  for (let round = 0; round < 8; round++) {
    const { goodId, order } = orders[random.int(0, orders.length - 1)]!
    changes[names[random.int(0, names.length - 1)]!]!(order, goodId)
    for (let n = 0; n < 4 && outbox.length; n++) {
      const push = outbox[random.int(0, outbox.length - 1)]!
      const isForged = random.int(0, 3) === 0
      expect(await world.ele.pushes.deliver(push, isForged)).toBe(isForged ? 403 : 200)
    }
    await world.run()
    for (const one of orders) {
      const here = await orderHere(one.order.order_id)
      if (here?.refundAsked && random.int(0, 1))
        await world.act(`eleOrder/${random.int(0, 2) ? 'agreeRefund' : 'refuseRefund'}`, {
          id: here.id,
          reason: '核实',
        })
    }
    await world.run()
  }
  // At the end each order is reported once more, by its last message or by a poll.
  for (const { order } of orders)
    await world.ele.pushes.deliver(outbox.findLast((one) => one.body.order_id === order.order_id)!)
  await world.run()
  for (const { goodId, order } of orders) {
    const here = await orderHere(order.order_id)
    expect(here.status).toBe(order.facts.order.status)
    const mine = await ours(order.order_id)
    expect(mine.length).toBeLessThanOrEqual(1)
    const isCancelled = here.status === STATUS.cancelled
    const kept = isCancelled || !mine.length ? 0 : order.lines.reduce((sum, one) => sum + one.quantity, 0)
    expect([here.status, await stock(goodId)]).toEqual([here.status, 10 - kept])
    const ends = isCancelled ? mine.map(() => 4) : mine.map((one) => one.status)
    expect(mine.map((one) => one.status)).toEqual(ends)
  }
  expect(await ledgers()).toEqual([])
})

test('a shop gives back for a part once, although the answer got lost, and it is booked to the cent', async () => {
  const { goodId } = await world.offer(shop, 6)
  const order = place(goodId, 3)
  await world.run()
  const here = await orderHere(order.order_id)
  const [line] = await partsOf('ele_order_detail', here.id)
  const refund = () => world.send('eleOrderDetail/refund', { id: line.id, quantity: 1, reason: '少拿了一件' })
  world.ele.mood = 'deaf after doing'
  const first = await refund()
  expect((await refund()).id).toBe(first.id)
  await world.run(2)
  expect((await asksOf(order.order_id)).at(-1)).toMatchObject({ kind: 'refundPart', state: 'unclear' })
  world.ele.mood = 'well'
  world.clock.pass(60_000)
  await world.run()
  expect((await asksOf(order.order_id)).at(-1)).toMatchObject({ kind: 'refundPart', state: 'done' })
  expect(order.refunds.size).toBe(1)
  expect(await ours(order.order_id)).toMatchObject([{ status: 3, refundAmount: 500 }])
  expect(await stock(goodId)).toBe(4)
  const tooMany = await world.call('eleOrderDetail/refund', { body: { id: line.id, quantity: 3, reason: '都不要了' } })
  expect(tooMany.body).toMatchObject({ code: 409 })
  expect(order.refunds.size).toBe(1)
  expect(await ledgers()).toEqual([])
})

test('what is never confirmed ends after days and says so; a tap asks once more and does nothing twice', async () => {
  const { goodId } = await world.offer(shop, 9)
  const orders = [place(goodId, 3), place(goodId, 3), place(goodId, 3)]
  await world.run()
  const [lost, never, late] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]]
  const give = async ({ order_id }: typeof lost) => {
    const [line] = await partsOf('ele_order_detail', (await orderHere(order_id)).id)
    return (await world.send('eleOrderDetail/refund', { id: line.id, quantity: 1, reason: '少拿了' })).id as string
  }
  const stateOf = async (id: string) => (await world.rows('platform_ask', sql`r.id = ${id}`))[0].state
  const sizes = () => orders.map(({ refunds }) => refunds.size)
  const needed = async () => {
    const { needs } = await world.tenants.must(world.tenants.call(world.admin, 'GET', '/api/shop/home/today'))
    return needs.find(({ key }: { key: string }) => key === 'platformUnconfirmed')?.count ?? 0
  }
  // The answer to one action is lost; the other never arrives.
  const asks = [await give(lost)]
  world.ele.meanwhile = (cmd) => void (cmd === 'order.partrefund' && (world.ele.mood = 'deaf after doing'))
  await world.run(1)
  world.ele.meanwhile = undefined
  world.ele.mood = 'down'
  asks.push(await give(never))
  // More tries than within the first hour.
  await world.run(24)
  expect(await Promise.all(asks.map(stateOf))).toEqual(['unclear', 'unclear'])
  expect(await needed()).toBe(2)
  await pass(ASK_MS)
  expect(await Promise.all(asks.map(stateOf))).toEqual(['unanswered', 'unanswered'])
  expect(await needed()).toBe(2)
  // No job tries them any more, not even the one that looks for forgotten actions.
  world.ele.mood = 'well'
  const { systemPool } = world.tenants.services
  const sweep = () =>
    systemPool.query(`update job_schedule set next_at = clock_timestamp() where name = 'platform.asks'`)
  await sweep()
  await pass(ASK_MS)
  expect(await Promise.all(asks.map(stateOf))).toEqual(['unanswered', 'unanswered'])
  expect(sizes()).toEqual([1, 0, 0])
  for (const id of asks) await world.tenants.must(askNow(id))
  await world.run()
  expect(await Promise.all(asks.map(stateOf))).toEqual(['done', 'done'])
  expect(sizes()).toEqual([1, 1, 0])
  expect(await needed()).toBe(0)
  expect((await askNow(asks[0]!)).body).toMatchObject({ success: false })
  // An action that never arrived is not performed after all that time, even when the platform is back, and it ends
  // although its job was lost.
  world.ele.mood = 'down'
  const third = await give(late)
  await world.run(3)
  world.ele.mood = 'well'
  await systemPool.query(`delete from job where queue = 'platform.ask'`)
  await sweep()
  await pass(ASK_MS)
  expect(await stateOf(third)).toBe('unanswered')
  // The same request again is the same action, not a second one.
  expect(await give(late)).toBe(third)
  await world.run()
  expect([await stateOf(third), sizes()]).toEqual(['done', [1, 1, 1]])
  for (const { order_id } of orders) expect(await ours(order_id)).toMatchObject([{ refundAmount: 500 }])
  expect(await ledgers()).toEqual([])
})

test('what is not confirmed is asked again at once by a tap, however long it would have waited', async () => {
  const { goodId } = await world.offer(shop, 2)
  const { order_id } = place(goodId, 1)
  await world.run()
  world.ele.mood = 'down'
  await world.act('eleOrder/packed', { id: (await orderHere(order_id)).id })
  await world.run(2)
  const ask = async () => (await asksOf(order_id)).find(({ kind }) => kind === 'packed')
  const { id, state } = await ask()
  expect(state).toBe('unclear')
  const { jobs } = world.tenants.server
  await world.tenants.services.systemPool.query(
    `update job set run_at = clock_timestamp() + interval '6 hours' where dedupe_key = $1 and state = 'asked'`,
    [id],
  )
  world.ele.mood = 'well'
  await jobs.runDue()
  expect((await ask()).state).toBe('unclear')
  await Promise.all([1, 2, 3].map(() => world.tenants.must(askNow(id))))
  await jobs.runDue()
  expect((await ask()).state).toBe('done')
  const pickCalls = world.ele.calls.filter(
    ({ cmd, body }) => cmd === 'order.pickcomplete' && body.order_id === order_id,
  )
  expect(pickCalls).toHaveLength(1)
})

test('what was asked of an order the platform no longer tells of ends, too, with why', async () => {
  const { goodId } = await world.offer(shop, 2)
  const { order_id } = place(goodId, 1)
  await world.run()
  world.ele.world.orders.delete(order_id)
  await world.act('eleOrder/packed', { id: (await orderHere(order_id)).id })
  await world.run(3)
  const ask = async () => (await asksOf(order_id)).find(({ kind }) => kind === 'packed')
  expect(await ask()).toMatchObject({ state: 'unclear', failReason: expect.stringContaining('订单不存在') })
  await pass(ASK_MS)
  expect((await ask()).state).toBe('unanswered')
})

test('giving much back takes a second person, in pieces too, and is asked of the platform once', async () => {
  const { goodId } = await world.offer(shop, 6)
  const order = place(goodId, 4)
  await world.run()
  const here = await orderHere(order.order_id)
  const [line] = await partsOf('ele_order_detail', here.id)
  const { tenants } = world
  const codes = ['moneyMove', 'moneyMove_confirm', 'eleOrderDetail', 'eleOrderDetail_refund', 'eleOrder']
  const other = await tenants.person(tenants.north, 'boss', codes)
  const staff = [{ userId: other.userId, position: 'boss' }]
  await tenants.must(
    tenants.call(world.admin, 'POST', '/api/shop/basicShopInfo/staff', { body: { id: world.shopId, staff } }),
  )
  // Above 8.00 a second person must approve; a piece costs 5.00.
  const limit = await setLimit('8')
  const refund = (quantity = 1) =>
    world.call('eleOrderDetail/refund', { body: { id: line.id, quantity, reason: '少拿了' } })
  expect((await refund()).data.waits).toBeUndefined()
  await world.run()
  expect(order.refunds.size).toBe(1)
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund()))
  const [waiting] = answers.filter(({ status }) => status === 200)
  expect(waiting!.data).toMatchObject({ waits: true })
  expect(answers.filter(({ data }) => data.reason === 'money_waits')).toHaveLength(4)
  await world.run()
  expect(order.refunds.size).toBe(1)
  const confirm = (who: typeof other) =>
    tenants.call(who, 'POST', '/api/pay/moneyMove/confirm', { body: { id: waiting!.data.id, secondRemark: '' } })
  expect((await confirm(world.admin)).data.reason).toBe('money_other_person')
  const both = await Promise.all([confirm(other), confirm(other)])
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  await world.run()
  expect(order.refunds.size).toBe(2)
  expect(await ours(order.order_id)).toMatchObject([{ refundAmount: 1000 }])
  expect(await ledgers()).toEqual([])
  await setLimit(limit)
})

test('cancelling what cost much takes a second person, since all of it goes back, and is asked for once', async () => {
  const { goodId } = await world.offer(shop, 6)
  const order = place(goodId, 4)
  await world.run()
  const { id } = await orderHere(order.order_id)
  const { tenants } = world
  const other = await tenants.person(tenants.north, 'finance', ['moneyMove', 'moneyMove_confirm'])
  const limit = await setLimit('8')
  const cancel = () => world.call('eleOrder/cancel', { body: { id, reasonCode: '0', reason: '门店停电' } })
  const answers = await Promise.all(Array.from({ length: 20 }, cancel))
  const [waiting] = answers.filter(({ status }) => status === 200)
  expect(waiting!.data).toMatchObject({ waits: true })
  expect(answers.filter(({ data }) => data.reason === 'money_waits')).toHaveLength(19)
  await world.run()
  expect(await asksOf(order.order_id)).not.toContainEqual(expect.objectContaining({ kind: 'cancel' }))
  const confirm = (who: typeof other) =>
    tenants.call(who, 'POST', '/api/pay/moneyMove/confirm', { body: { id: waiting!.data.id, secondRemark: '' } })
  expect((await confirm(world.admin)).data.reason).toBe('money_other_person')
  const confirmations = await Promise.all(Array.from({ length: 20 }, () => confirm(other)))
  expect(confirmations.filter(({ status }) => status === 200)).toHaveLength(1)
  await world.run()
  expect(await ours(order.order_id)).toMatchObject([
    { status: 4, refundAmount: (await ours(order.order_id))[0].payAmount },
  ])
  expect(await orderHere(order.order_id)).toMatchObject({ status: STATUS.cancelled, cancelReason: '门店停电' })
  await setLimit(limit)
})

test('money the platform took is not given back here, where nobody has it', async () => {
  const { goodId } = await world.offer(shop, 2)
  const order = place(goodId, 1)
  await world.run()
  const [own] = await ours(order.order_id)
  const { tenants, admin } = world
  const body = { orderId: own.id, full: true, lines: [], reason: '不想要了' }
  const response = await tenants.call(admin, 'POST', '/api/shop/refunds/submit', { body })
  expect(response.body).toMatchObject({ success: false })
  const cancelled = await tenants.call(admin, 'POST', '/api/shop/shoppingOrder/cancel', {
    body: { id: own.id, cancelReason: '不想要了' },
  })
  expect(cancelled.body).toMatchObject({ success: false, data: { reason: 'refund_there' } })
  expect(await ours(order.order_id)).toMatchObject([{ refundAmount: 0 }])
  expect(await world.rows('refunds', sql`r.order_id = ${own.id}`)).toEqual([])
})

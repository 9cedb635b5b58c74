import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { sign } from './sign.ts'
import { createMeituanTestTenants } from './test-meituan.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const startWorld = () => createMeituanTestTenants((now) => startMeituan({ now, perSecond: 100_000 }))

let world: Awaited<ReturnType<typeof startWorld>>
let shop: string
beforeAll(async () => {
  world = await startWorld()
  shop = await world.openShop()
})
beforeEach(() => {
  world.meituan.mood = 'well'
  Object.assign(world.meituan.push, { times: 1, isSilent: false, isForged: false, isShuffled: false })
})
afterAll(() => world.close())

const stock = async (id: string) => (await world.rows('good_info', sql`r.id = ${id}`))[0]!.stock as number
const platformOrderOf = async (orderNo: string) =>
  (await world.rows('meituan_order', sql`r.platform_order_id = ${orderNo}`))[0]
const oursOf = (orderNo: string) => world.rows('shopping_order', sql`r.transaction_no = ${orderNo}`)
const handleCallbacks = async () => {
  await world.meituan.flush()
  const errors = await world.run()
  await world.meituan.flush()
  return [...errors, ...(await world.run())]
}
const order = (code: string, quantity = 2, more: object = {}) =>
  world.meituan.place({ shopCode: world.shopId, lines: [{ code, quantity }], ...more }).orderNo

test('an order becomes one of ours once, takes stock once, and is accepted', async () => {
  const { goodId } = await world.offer(shop, 10)
  world.meituan.push.times = 3
  const orderNo = order(goodId, 2, {
    shippingFee: 500,
    boxFee: 30,
    reductions: [{ remark: '满10减3', byPlatform: 100, byShop: 200 }],
    caution: '放门口',
  })
  expect(await handleCallbacks()).toEqual([])
  expect(comparedAnswers(world.tenants.server.http)).toContain('POST /api/meituan/callback/:event')
  const ours = await oursOf(orderNo)
  expect(ours).toHaveLength(1)
  // 10.00 of goods, 5.30 of fees, 3.00 off: what the customer paid is what is booked.
  expect(ours[0]).toMatchObject({ source: 'meituan', status: 1, payAmount: 1230, goodsAmount: 1000, freight: 530 })
  expect(ours[0]).toMatchObject({ discountAmount: 300, flags: [], remark: '放门口' })
  expect(await stock(goodId)).toBe(8)
  const row = (await platformOrderOf(orderNo))!
  expect(row).toMatchObject({ status: 4, orderId: ours[0]!.id, userFee: 1230, totalFee: 1530, discountFee: 300 })
  expect(row).toMatchObject({ serviceFee: 60, recipientAddress: '文二西路 238 号 3 幢 502' })
  const details = await world.rows('meituan_order_detail', sql`r.meituan_order_id = ${row.id}`)
  expect(details).toMatchObject([{ goodId, platformSkuId: goodId, quantity: 2, price: 500, amount: 1000 }])
  expect(world.meituan.orders.get(orderNo)!.status).toBe(4)
  expect(await world.rows('platform_ask', sql`r.platform_order_no = ${orderNo}`)).toMatchObject([
    { kind: 'confirm', state: 'done' },
  ])
})

test('an accepted order is not finished here until the platform says so', async () => {
  const { goodId } = await world.offer(shop, 10)
  const orderNo = order(goodId)
  await handleCallbacks()
  expect(await oursOf(orderNo)).toMatchObject([{ status: 1, finishTime: null }])
  world.meituan.ride(orderNo, 20)
  await handleCallbacks()
  const [ours] = await oursOf(orderNo)
  expect(await world.rows('delivery_info', sql`r.order_id = ${ours!.id}`)).toMatchObject([
    { status: 2, carrier: 'meituan', riderName: '陈师傅' },
  ])
  world.meituan.complete(orderNo)
  await handleCallbacks()
  expect(await oursOf(orderNo)).toMatchObject([{ status: 2 }])
  expect(await world.rows('delivery_info', sql`r.order_id = ${ours!.id}`)).toMatchObject([{ status: 3 }])
})

test('a cancelled order gives its stock back once, however often and late it is told', async () => {
  const { goodId } = await world.offer(shop, 10)
  world.meituan.push.times = 2
  const orderNo = order(goodId, 3)
  await handleCallbacks()
  expect(await stock(goodId)).toBe(7)
  world.meituan.cancel(orderNo, '不想要了')
  await handleCallbacks()
  await handleCallbacks()
  expect(await stock(goodId)).toBe(10)
  expect(await oursOf(orderNo)).toMatchObject([{ status: 4, refundAmount: 2000, cancelReason: '不想要了' }])
  for (const at of world.meituan.callbacks.keys()) await world.meituan.again(at)
  expect(await handleCallbacks()).toEqual([])
  expect(await stock(goodId)).toBe(10)
})

test('told in every order, the same stands here in the end', async () => {
  const { goodId } = await world.offer(shop, 100)
  const before = await stock(goodId)
  const sequences = permutations(['orderPaid', 'orderConfirmed', 'orderPartRefund', 'orderCompleted'])
  const ended: unknown[] = []
  for (const sequence of sequences) {
    world.meituan.push.isSilent = true
    const from = world.meituan.callbacks.length
    const orderNo = order(goodId, 4)
    world.meituan.orders.get(orderNo)!.status = 4
    world.meituan.tell('orderConfirmed', orderNo)
    world.meituan.askRefund(orderNo, [{ code: goodId, count: 1 }], '少送一件')
    world.meituan.decideRefund(orderNo, true)
    world.meituan.complete(orderNo)
    const sent = world.meituan.callbacks.slice(from)
    const again = sequence.flatMap((event) =>
      [...sent.entries()].flatMap(([at, { url }]) => (url.endsWith(`/${event}`) ? [from + at] : [])),
    )
    for (const at of again) {
      await world.meituan.again(at)
      expect(await world.run()).toEqual([])
    }
    const [{ id: _id, ...ours }] = (await oursOf(orderNo)) as [Record<string, unknown>]
    ended.push({ status: ours.status, paid: ours.payAmount, refunded: ours.refundAmount, isOver: !!ours.finishTime })
    world.meituan.push.isSilent = false
  }
  expect(new Set(ended.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ status: 3, paid: 2500, refunded: 500, isOver: true })]),
  )
  // For each order of messages: four sold, one came back.
  expect(await stock(goodId)).toBe(before - sequences.length * 3)
})

function permutations<T>(all: readonly T[]): T[][] {
  if (!all.length) return [[]]
  return all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]))
}

test('an order that was cancelled before anybody heard of it takes nothing', async () => {
  const { goodId } = await world.offer(shop, 5)
  world.meituan.push.isSilent = true
  const orderNo = order(goodId)
  world.meituan.cancel(orderNo, '下错了')
  for (const at of [...world.meituan.callbacks.keys()].slice(-2)) await world.meituan.again(at)
  await handleCallbacks()
  expect(await oursOf(orderNo)).toEqual([])
  expect(await platformOrderOf(orderNo)).toMatchObject({ status: 9, orderId: null, cancelReason: '下错了' })
  expect(await stock(goodId)).toBe(5)
})

test('an order for more than there is is refused there, and is none of ours', async () => {
  const { goodId } = await world.offer(shop, 1)
  const orderNo = order(goodId, 2)
  await handleCallbacks()
  expect(await oursOf(orderNo)).toEqual([])
  expect(world.meituan.orders.get(orderNo)!.status).toBe(9)
  expect(await platformOrderOf(orderNo)).toMatchObject({ status: 9 })
  expect(await stock(goodId)).toBe(1)
})

test('a forged message, and one of long ago, are refused and kept by nobody', async () => {
  const { goodId } = await world.offer(shop, 5)
  world.meituan.push.isForged = true
  const orderNo = order(goodId)
  await handleCallbacks()
  expect(await oursOf(orderNo)).toEqual([])
  expect(await world.rows('vendor_event', sql`r.subject = ${orderNo}`)).toEqual([])
  world.meituan.push.isForged = false
  const first = world.meituan.callbacks.findIndex(({ url }) => url.endsWith('/orderPaid'))
  const { url, params } = world.meituan.callbacks[first]!
  const { sig: _sig, ...rest } = params
  const old = { ...rest, timestamp: String(Number(params.timestamp) - 7 * 3_600) }
  const body = new URLSearchParams({ ...old, sig: sign(url, old, 'demo-secret') })
  const answer = await fetch(url, { method: 'POST', body })
  expect(answer.status).toBe(403)
})

test('an answer to an acceptance that got lost is asked about, not asked again', async () => {
  const { goodId } = await world.offer(shop, 5)
  world.meituan.meanwhile = async (path) => {
    if (path === 'order/confirm') world.meituan.mood = 'deaf after taking'
  }
  const orderNo = order(goodId)
  await handleCallbacks()
  world.meituan.meanwhile = undefined
  const asks = () => world.rows('platform_ask', sql`r.platform_order_no = ${orderNo}`)
  expect(await asks()).toMatchObject([{ state: 'unclear' }])
  world.meituan.mood = 'well'
  const confirmed = () => world.meituan.calledPaths.filter((one) => one === 'order/confirm').length
  const before = confirmed()
  const [{ id }] = (await asks()) as [{ id: string }]
  await world.unit((db) => db.enqueue(defineQueue<{ id: string }>('platform.ask'), { id }, { key: id }))
  expect(await world.run()).toEqual([])
  expect(confirmed()).toBe(before)
  expect(await asks()).toMatchObject([{ state: 'done' }])
})

test('200 orders at once, half of them in the shop, sell 50 of 50 pieces and not one more', async () => {
  const { goodId, upc } = await world.offer(shop, 50)
  world.meituan.push.isSilent = true
  const orders = Array.from({ length: 100 }, () => order(goodId, 1))
  const positions = world.meituan.callbacks.flatMap(({ params }, at) =>
    orders.some((one) => one === params.order_id) ? [at] : [],
  )
  await Promise.all(positions.map((at) => world.meituan.again(at)))
  world.meituan.push.isSilent = false
  const sell = (n: number) =>
    world.unit((db) =>
      placeOrder(db, {
        shopId: world.shopId,
        source: 'mini',
        type: 'pickup',
        status: 1,
        payType: 'wechat',
        payTime: '2026-11-23 10:00:00',
        transactionNo: `W${n}`,
        payAmount: 500,
        onlyInStock: true,
        lines: [{ goodId, upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
      }),
    )
  const events = await world.take(200)
  expect(events).toHaveLength(100)
  let sold = 0
  await Promise.all(
    events.map(async (event, n) => {
      const handled = world.one(event)
      // A customer in the shop for each message, at about the time it is heard.
      if (n % 4) await handled
      await sell(n).then(
        () => sold++,
        (error: { code?: string }) => expect(error.code).toBe('order_short'),
      )
      await handled
    }),
  )
  await handleCallbacks()
  const created = await world.rows('shopping_order', sql`r.transaction_no = any(${orders})`)
  expect(sold + created.length).toBe(50)
  expect(sold).toBeGreaterThan(0)
  expect(created.length).toBeGreaterThan(0)
  expect(await stock(goodId)).toBe(0)
  const refused = orders.filter((one) => world.meituan.orders.get(one)!.status === 9).length
  expect(refused).toBe(100 - created.length)
  expect(await world.unit((db) => checkLedgers(db))).toEqual([])
}, 120_000)

import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { isOwnChannel, type ChannelRefundRequest, type PaymentPort } from '#domains/money/payment-channels/api.ts'
import { bookExternalRefund } from './from-platform.ts'
import { placeOrder, type OrderDraft } from './place-order.ts'
import { createRefund, enqueueRefund, type RefundInput } from './refund.ts'
import { createVisit, recordDeviceVisitMoment, type VisitMoment } from '#domains/shops/visits/api.ts'
import { customerVisitLog } from '#domains/shops/visits/index.ts'
import { planRefund, proRata, splitByPayment } from './refund-math.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'
import { sendRefundJob } from './refund.job.ts'
import { tenantId, testShop, type TestShop } from './test-shop.ts'

/** A payment channel that pays once per number and can be set to be down or to refuse. */
const channel = {
  paid: new Map<string, number>(),
  asked: 0,
  mood: 'well' as 'well' | 'down before paying' | 'down after paying' | 'refuses',
}
const payments: PaymentPort = {
  refund: async (ask: ChannelRefundRequest) => {
    channel.asked++
    if (isOwnChannel(ask.channel)) return { state: 'done', channelRefundId: `x-${ask.outNo}` }
    if (channel.mood === 'refuses') return { state: 'refused', reason: 'account closed' }
    if (channel.mood === 'down before paying') throw new Error('no line')
    channel.paid.set(ask.outNo, ask.amount)
    if (channel.mood === 'down after paying') throw new Error('no answer')
    return { state: 'done', channelRefundId: `w-${ask.outNo}` }
  },
}

let shop: TestShop
beforeAll(async () => void (shop = await testShop(payments)))
afterAll(() => shop.close())

type Line = { goodId: string; price: number; quantity: number; discount?: number }
const order = (lines: Line[], more: Partial<OrderDraft> = {}) => {
  const made = lines.map(({ goodId, price, quantity, discount = 0 }) => ({
    goodId,
    upc: 'G',
    name: '可乐',
    price,
    quantity,
    discount,
    amount: price * quantity - discount,
  }))
  return shop.unit((db) =>
    placeOrder(db, {
      shopId: shop.shop.id,
      source: 'register',
      type: 'store',
      lines: made,
      payAmount: made.reduce((sum, line) => sum + line.amount, 0) + (more.freight ?? 0),
      payType: 'wechat',
      payTime: formatShanghaiTime(new Date()),
      ...more,
    }),
  )
}
const linesOf = (orderId: string) =>
  shop.unit((db) => db.find(shoppingOrderDetail, sql`r.order_id = ${orderId}`, sql`order by r.sort`))
const refund = (orderId: string, ask: Partial<RefundInput>, now = true) =>
  shop.unit(async (db) => {
    const locked = (await db.get(shoppingOrder, orderId, 'forUpdate'))!
    return createRefund(
      db,
      locked,
      { lines: [], reason: '商品破损', restock: true, ...ask },
      {
        secondAbove: Number.POSITIVE_INFINITY,
        signer: now ? { userId: '7', at: formatShanghaiTime(new Date()), limit: Number.POSITIVE_INFINITY } : undefined,
      },
    )
  })
const orderNow = (id: string) => shop.unit((db) => db.get(shoppingOrder, id)).then((row) => row!)
const refundNow = (id: string) => shop.unit((db) => db.get(refunds, id)).then((row) => row!)
const stockOf = async (goodId: string) =>
  (await shop.unit((db) => db.one<{ stock: number }>(sql`select stock from good_info where id = ${goodId}`)))!.stock
const allIsWell = async () => expect(await shop.unit(checkLedgers)).toEqual([])

describe('the arithmetic of refunds', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 })

  it('a line given back piece by piece returns exactly what was paid for it', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 60 }), (amount, quantity) => {
        let given = 0
        for (let piece = 0; piece < quantity; piece++)
          given += proRata(amount, piece + 1, quantity) - proRata(amount, piece, quantity)
        expect(given).toBe(amount)
      }),
    )
  })

  it('any sequence of refunds that is accepted stays within what was paid, in sum and by line', () => {
    const line = fc.record({ quantity: fc.integer({ min: 1, max: 9 }), amount: cents })
    const ask = fc.record({
      line: fc.nat(3),
      quantity: fc.nat(9),
      amount: fc.option(cents, { nil: undefined }),
      full: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.array(ask, { maxLength: 12 }),
        fc.nat(500),
        (lines, asks, freight) => {
          const paid = lines.map((one, at) => ({ id: String(at), name: '可乐', ...one }))
          const payAmount = paid.reduce((sum, one) => sum + one.amount, freight)
          const done = { lines: [] as { detailId: string; quantity: number; amount: number }[], freight: 0, amount: 0 }
          for (const one of asks) {
            try {
              const plan = planRefund({ payAmount, freight }, paid, done, {
                full: one.full && one.quantity > 7,
                lines: [{ detailId: String(one.line % paid.length), quantity: one.quantity, amount: one.amount }],
              })
              done.lines.push(...plan.lines)
              done.freight += plan.freight
              done.amount += plan.amount
            } catch (error) {
              if (!(error instanceof Refused)) throw error
            }
          }
          expect(done.amount).toBeLessThanOrEqual(payAmount)
          expect(done.freight).toBeLessThanOrEqual(freight)
          for (const one of paid) {
            const taken = done.lines.filter((share) => share.detailId === one.id)
            expect(taken.reduce((sum, share) => sum + share.quantity, 0)).toBeLessThanOrEqual(one.quantity)
            expect(taken.reduce((sum, share) => sum + share.amount, 0)).toBeLessThanOrEqual(one.amount)
          }
        },
      ),
    )
  })

  it('a refund split over several payments adds up and takes from none more than it paid', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9999 }), fc.nat(9999)), { minLength: 1, maxLength: 3 }),
        fc.nat(9999),
        (made, wanted) => {
          const paid = made.map(([amount, planned], at) => ({
            id: String(at),
            amount,
            planned: Math.min(planned, amount),
          }))
          const left = paid.reduce((sum, one) => sum + one.amount - one.planned, 0)
          const amount = Math.min(wanted, left)
          const parts = splitByPayment(paid, amount)
          expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount)
          for (const part of parts)
            expect(part.amount).toBeLessThanOrEqual(paid[Number(part.id)]!.amount - paid[Number(part.id)]!.planned)
        },
      ),
    )
  })
})

describe('refunds', () => {
  it('one line of two returns its money and its stock to the batch it came from, once', async () => {
    const [cola, bread] = [await shop.good({ stock: 10 }), await shop.good({ stock: 10 })]
    const placed = await order([
      { goodId: cola.id, price: 300, quantity: 2 },
      { goodId: bread.id, price: 700, quantity: 1, discount: 50 },
    ])
    const [first] = await linesOf(placed.id)
    const { refund: created } = await refund(placed.id, { lines: [{ detailId: first!.id, quantity: 1 }] })
    await shop.runJobs()
    expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.succeeded, amount: 300, type: 'part' })
    expect(await orderNow(placed.id)).toMatchObject({ status: 3, refundAmount: 300 })
    expect(await stockOf(cola.id)).toBe(9)
    expect(await stockOf(bread.id)).toBe(9)
    expect(channel.paid.get(created.refundNo!)).toBe(300)
    await allIsWell()
  })

  it('of every line leaves the freight, which a refund of all that is left gives back', async () => {
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 500, quantity: 2 }], { freight: 600, payAmount: 1600 })
    const [line] = await linesOf(placed.id)
    await refund(placed.id, { lines: [{ detailId: line!.id, quantity: 2 }] })
    await refund(placed.id, { full: true })
    await shop.runJobs()
    expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 1600 })
    await expect(refund(placed.id, { full: true })).rejects.toThrow('refund_over_paid')
    await allIsWell()
  })

  it('of all of it ends the visit as refunded and accuses nobody; of a part it stays a purchase', async () => {
    const good = await shop.good({ stock: 9 })
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
    const visitId = await shop.unit((db) => createVisit(db, { shopId: shop.shop.id, entryMode: 'scan', at: ago(20) }))
    const placed = await order([{ goodId: good.id, price: 500, quantity: 2 }], { payTime: formatShanghaiTime(ago(10)) })
    const saw = (moment: VisitMoment) =>
      shop.unit((db) => recordDeviceVisitMoment(db, { shopId: shop.shop.id, visitId }, moment))
    await saw({ kind: 'picked', at: ago(15), goodId: good.id, quantity: 2 })
    await saw({ kind: 'left', at: ago(5) })
    const resultNow = async () => (await shop.unit((db) => db.get(customerVisitLog, visitId)))!.result
    expect([(await orderNow(placed.id)).visitId, await resultNow()]).toEqual([visitId, 'bought'])
    const [line] = await linesOf(placed.id)
    await refund(placed.id, { lines: [{ detailId: line!.id, quantity: 1 }] })
    await shop.runJobs()
    expect(await resultNow()).toBe('bought')
    await refund(placed.id, { full: true })
    await shop.runJobs()
    expect(await resultNow()).toBe('refunded')
    const accused = await shop.unit((db) =>
      db.query(sql`select 1 from shop_event where tenant_id = ${tenantId} and subject = ${`visit/${visitId}`}`),
    )
    expect(accused).toEqual([])
  })

  it('twenty identical requests of one dialog in parallel are one refund', async () => {
    const good = await shop.good({ stock: 10 })
    const placed = await order([{ goodId: good.id, price: 500, quantity: 4 }])
    const [line] = await linesOf(placed.id)
    const requestKey = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refund(placed.id, { requestKey, lines: [{ detailId: line!.id, quantity: 1 }] })),
    )
    expect(new Set(answers.map((answer) => answer.refund.id)).size).toBe(1)
    expect(answers.filter((answer) => answer.isNew)).toHaveLength(1)
    await shop.runJobs()
    expect(await orderNow(placed.id)).toMatchObject({ refundAmount: 500 })
    expect(await stockOf(good.id)).toBe(7)
    await allIsWell()
  })

  it('the same key with other content is refused', async () => {
    const placed = await order([{ goodId: (await shop.good({ stock: 9 })).id, price: 500, quantity: 4 }])
    const [line] = await linesOf(placed.id)
    const requestKey = randomUUID()
    await refund(placed.id, { requestKey, lines: [{ detailId: line!.id, quantity: 1 }] })
    await expect(refund(placed.id, { requestKey, lines: [{ detailId: line!.id, quantity: 2 }] })).rejects.toThrow(
      'refund_key_reused',
    )
  })

  it('twenty different refunds in parallel never exceed what was paid', async () => {
    const good = await shop.good({ stock: 20 })
    const placed = await order([{ goodId: good.id, price: 500, quantity: 7, discount: 1 }])
    const [line] = await linesOf(placed.id)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        refund(placed.id, { requestKey: randomUUID(), lines: [{ detailId: line!.id, quantity: 1 }] }),
      ),
    )
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(7)
    const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Refused).code] : []))
    expect(refusals).toEqual(Array.from({ length: 13 }, () => 'refund_too_many'))
    await shop.runJobs()
    expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 3499 })
    expect(await stockOf(good.id)).toBe(20)
    await allIsWell()
  })

  it('an order paid in part from the balance gives the balance its share back, once', async () => {
    const customer = await shop.customer(1000)
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 999, quantity: 3 }], {
      wxUserId: customer.id,
      balanceAmount: 1000,
    })
    await refund(placed.id, { full: true })
    await shop.runJobs()
    const after = await shop.unit((db) =>
      db.one<{ balance: string; totalSpent: string }>(
        sql`select balance, total_spent from wx_user where id = ${customer.id}`,
      ),
    )
    expect(after).toEqual({ balance: 1000, totalSpent: 0 })
    expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 2997 })
    await allIsWell()
  })

  it('that the platform has paid by itself credits no balance, and the rest goes back from there', async () => {
    const customer = await shop.customer(500)
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 1000, quantity: 1 }], {
      wxUserId: customer.id,
      balanceAmount: 500,
    })
    const balance = async () =>
      (await shop.unit((db) =>
        db.one<{ balance: number }>(sql`select balance from wx_user where id = ${customer.id}`),
      ))!.balance
    const bookExternal = (refundNo: string, amount: number) =>
      shop.unit((db) => bookExternalRefund(db, placed.id, { refundNo, amount, reason: '平台已退款' }, new Date()))
    await expect(bookExternal('THERE0', 501)).rejects.toMatchObject({ code: 'refund_over_paid' })
    await bookExternal('THERE1', 300)
    expect(await balance()).toBe(0)
    await bookExternal('THERE2', 200)
    expect(await balance()).toBe(0)
    const parts = await shop.unit((db) =>
      db.query<{ channel: string; amount: number }>(
        sql`select channel, amount from refund_payment where order_id = ${placed.id} order by id`,
      ),
    )
    expect(parts).toEqual([
      { channel: 'wechat', amount: 300 },
      { channel: 'wechat', amount: 200 },
    ])
    await refund(placed.id, { full: true })
    await shop.runJobs()
    expect(await balance()).toBe(500)
    expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 1000 })
    await allIsWell()
  })

  it('that failed and was made at the platform by hand is that refund, said twice once', async () => {
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 1000, quantity: 1 }])
    channel.mood = 'refuses'
    const { refund: created } = await refund(placed.id, { full: true })
    await shop.runJobs()
    channel.mood = 'well'
    expect((await refundNow(created.id)).status).toBe(4)
    const bookExternal = () =>
      shop.unit((db) =>
        bookExternalRefund(db, placed.id, { refundNo: 'BYHAND1', amount: 1000, reason: '平台已退款' }, new Date()),
      )
    await bookExternal()
    expect(await refundNow(created.id)).toMatchObject({ status: 3, channelRefundId: 'BYHAND1', failReason: null })
    await bookExternal()
    expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 1000 })
    await allIsWell()
  })

  it('takes back the points of all goods that went back, also where the freight stays', async () => {
    const [customer, good] = [await shop.customer(0), await shop.good({ stock: 5 })]
    const placed = await order([{ goodId: good.id, price: 500, quantity: 2 }], {
      wxUserId: customer.id,
      freight: 600,
      payAmount: 1600,
    })
    const points = async () =>
      (await shop.unit((db) =>
        db.one<{ integral: number }>(sql`select integral from wx_user where id = ${customer.id}`),
      ))!.integral
    const [line] = await linesOf(placed.id)
    const left = [await points()]
    for (const ask of [
      { lines: [{ detailId: line!.id, quantity: 1 }] },
      { lines: [{ detailId: line!.id, quantity: 1 }] },
      { full: true },
    ]) {
      await refund(placed.id, ask)
      await shop.runJobs()
      left.push(await points())
    }
    expect(left).toEqual([10, 5, 0, 0])
    await allIsWell()
  })

  it('without restock the money goes back and the stock does not', async () => {
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 100, quantity: 2 }], { payType: 'cash' })
    await refund(placed.id, { full: true, restock: false })
    await shop.runJobs()
    expect(await stockOf(good.id)).toBe(3)
    expect(await orderNow(placed.id)).toMatchObject({ status: 4 })
    await allIsWell()
  })

  it('a channel that fell silent after paying is asked again with the same number and pays once', async () => {
    const placed = await order([{ goodId: (await shop.good({ stock: 5 })).id, price: 100, quantity: 2 }])
    channel.mood = 'down after paying'
    const { refund: created } = await refund(placed.id, { full: true })
    await shop.runJobs()
    expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.processing })
    expect(await orderNow(placed.id)).toMatchObject({ status: 2, refundAmount: 0 })
    channel.mood = 'well'
    await shop.pool.query('set role store_platform; update job set run_at = now(); set role store_app')
    await shop.runJobs()
    expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.succeeded })
    expect([...channel.paid.keys()].filter((no) => no.startsWith(created.refundNo!))).toHaveLength(1)
    await allIsWell()
  })

  it('a refund the channel refuses fails with its reason, keeps its claim, and can be sent again', async () => {
    const good = await shop.good({ stock: 5 })
    const placed = await order([{ goodId: good.id, price: 100, quantity: 1 }])
    channel.mood = 'refuses'
    const { refund: created } = await refund(placed.id, { full: true })
    await shop.runJobs()
    channel.mood = 'well'
    expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.failed, failReason: 'account closed' })
    expect(await stockOf(good.id)).toBe(4)
    await expect(refund(placed.id, { full: true })).rejects.toThrow('refund_no_lines')
    await shop.unit(async (db) => {
      await db.run(sql`update refund_payment set state = 'asked' where refund_id = ${created.id} and state = 'failed'`)
      await transition(db, refunds, created.id, 'retry')
      await enqueueRefund(db, created.id)
    })
    await shop.runJobs()
    expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.succeeded, failReason: null })
    await allIsWell()
  })

  it('an order with amounts that do not add up is not taken, and moves no stock', async () => {
    const good = await shop.good({ stock: 5 })
    await expect(order([{ goodId: good.id, price: 100, quantity: 1 }], { payAmount: 99 })).rejects.toThrow(
      'order_amounts',
    )
    expect(await stockOf(good.id)).toBe(5)
  })

  it('a line says where its discount comes from, and an order that says otherwise is not taken', async () => {
    const good = await shop.good({ stock: 9 })
    const benefits = [
      { kind: 'vipPrice', refId: null, name: '会员价', amount: 30 },
      { kind: 'ticket', refId: '9', name: '满10减1', amount: 100 },
      { kind: 'points', refId: null, name: '积分抵扣', amount: 20 },
      { kind: 'campaign', refId: '8', name: '第二件半价', amount: 50 },
    ] as const
    const line = {
      goodId: good.id,
      upc: 'G',
      name: '可乐',
      price: 500,
      quantity: 2,
      discount: 200,
      amount: 800,
      benefits,
    }
    const taken = await order([], { lines: [line], payAmount: 800 })
    expect(taken).toMatchObject({ vipAmount: 30, ticketAmount: 100, integralAmount: 20, discountAmount: 50 })
    expect((await linesOf(taken.id))[0]!.benefits).toEqual(benefits)
    const short = { ...line, benefits: benefits.slice(1) }
    await expect(order([], { lines: [short], payAmount: 800 })).rejects.toThrow('order_amounts')
    await expect(order([], { lines: [line], payAmount: 800, ticketAmount: 0 })).rejects.toThrow('order_amounts')
    expect(await stockOf(good.id)).toBe(7)
    await allIsWell()
  })

  it(
    'given back in whatever pieces, the last refund leaves no cent, piece, ' + 'point or balance over or under',
    async () => {
      const good = await shop.good({ stock: 1000, costPrice: 1 })
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              price: fc.integer({ min: 0, max: 9999 }),
              quantity: fc.integer({ min: 1, max: 4 }),
              cut: fc.nat(100),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          fc.nat(700),
          fc.nat(100),
          fc.array(fc.record({ line: fc.nat(2), quantity: fc.integer({ min: 0, max: 3 }), less: fc.nat(300) }), {
            maxLength: 4,
          }),
          async (made, freight, share, pieces) => {
            const customer = await shop.customer(100_000)
            const was = await stockOf(good.id)
            const lines = made.map(({ price, quantity, cut }) => ({
              goodId: good.id,
              price,
              quantity,
              discount: Math.floor((price * quantity * cut) / 100),
            }))
            const due = lines.reduce((sum, one) => sum + one.price * one.quantity - one.discount, freight)
            const placed = await order(lines, {
              wxUserId: customer.id,
              freight,
              balanceAmount: Math.floor((Math.min(due, 100_000) * share) / 100),
            })
            const details = await linesOf(placed.id)
            for (const { line, quantity, less } of pieces) {
              const detail = details[line % details.length]!
              await refund(placed.id, {
                lines: [{ detailId: detail.id, quantity, ...(less ? { amount: less } : {}) }],
              }).catch((error: unknown) => {
                if (!(error instanceof Refused)) throw error
              })
              await shop.runJobs()
            }
            await refund(placed.id, { full: true }).catch((error: unknown) => {
              if (!(error instanceof Refused)) throw error
            })
            await shop.runJobs()
            const after = await orderNow(placed.id)
            expect([after.status, after.refundAmount]).toEqual([4, after.payAmount])
            for (const detail of await linesOf(placed.id))
              expect([detail.refundQuantity, detail.refundAmount]).toEqual([detail.quantity, detail.amount])
            expect(await stockOf(good.id)).toBe(was)
            const held = await shop.unit((db) =>
              db.one<{ balance: number; integral: number }>(
                sql`select balance::float8 as balance, coalesce(integral, 0) as integral from wx_user
                where id = ${customer.id}`,
              ),
            )
            expect(held).toEqual({ balance: 100_000, integral: 0 })
          },
        ),
        { numRuns: 8 },
      )
      await allIsWell()
    },
  )

  it('a job killed anywhere and run again, also twice at once, pays each refund once', async () => {
    const mood = fc.constantFrom('well', 'down after paying', 'down before paying')
    await fc.assert(
      fc.asyncProperty(fc.array(mood, { minLength: 1, maxLength: 5 }), async (moods) => {
        const placed = await order([{ goodId: (await shop.good({ stock: 5 })).id, price: 100, quantity: 2 }])
        const { refund: created } = await refund(placed.id, { full: true })
        for (const one of [...moods, 'well'] as (typeof channel.mood)[]) {
          channel.mood = one
          const run = () =>
            sendRefundJob
              .run({ refundId: created.id }, {
                tenantId,
                services: shop.services,
                signal: new AbortController().signal,
              } as never)
              .catch(() => {})
          await Promise.all([run(), run()])
        }
        await shop.runJobs()
        expect(await refundNow(created.id)).toMatchObject({ status: REFUND_STATE.succeeded })
        expect(await orderNow(placed.id)).toMatchObject({ status: 4, refundAmount: 200 })
        expect([...channel.paid].filter(([no]) => no.startsWith(created.refundNo!))).toEqual([[created.refundNo, 200]])
      }),
      { numRuns: 6 },
    )
    await allIsWell()
  })

  it('whatever is sold and refunded in parallel, every ledger adds up', async () => {
    const goods = await Promise.all([1, 2, 3].map(() => shop.good({ stock: 50 })))
    const customer = await shop.customer(100_000)
    const sale = fc.record({
      lines: fc.array(
        fc.record({
          good: fc.nat(2),
          price: fc.integer({ min: 1, max: 5000 }),
          quantity: fc.integer({ min: 1, max: 4 }),
          cut: fc.nat(100),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      fromBalance: fc.boolean(),
      refunds: fc.array(
        fc.record({ line: fc.nat(2), quantity: fc.integer({ min: 0, max: 4 }), restock: fc.boolean() }),
        { maxLength: 3 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sale, { minLength: 2, maxLength: 6 }), async (sales) => {
        await Promise.all(
          sales.map(async ({ lines, fromBalance, refunds: back }) => {
            const placed = await order(
              lines.map(({ good, price, quantity, cut }) => ({
                goodId: goods[good]!.id,
                price,
                quantity,
                discount: Math.floor((price * quantity * cut) / 100),
              })),
              fromBalance ? { wxUserId: customer.id, payType: 'balance' } : {},
            ).catch((error: unknown) => {
              if (error instanceof Refused && error.code === 'balance_short') return undefined
              throw error
            })
            if (!placed) return
            const details = await linesOf(placed.id)
            await Promise.all(
              back.map(async ({ line, quantity, restock }) =>
                refund(placed.id, {
                  restock,
                  lines: [{ detailId: details[line % details.length]!.id, quantity }],
                }).catch((error: unknown) => {
                  if (!(error instanceof Refused)) throw error
                }),
              ),
            )
          }),
        )
        await shop.runJobs()
      }),
      { numRuns: 6 },
    )
    expect(await shop.unit(checkLedgers)).toEqual([])
  }, 60_000)
})

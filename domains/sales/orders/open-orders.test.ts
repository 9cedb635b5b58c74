import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { Answer, CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createQuote, endOverdueMarketing } from '#domains/sales/marketing/api.ts'
import { changeCustomerAccount } from '#domains/sales/customers/api.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { deliveryInfo } from './delivery-info.resource.ts'
import { DELIVERY_STATE, ORDER_STATE, REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { payOrder, placeOrder, type OrderDraft } from './place-order.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

let tenants: TestTenants
let shopId: string
let good: { id: string; upc: string }
let boss: CastMember
let second: CastMember
let clerk: CastMember
let admin: CastMember
const TODAY = new Date('2026-11-20T09:00:00+08:00')
const NOW = '2026-11-20 09:00:00'
/** Jobs use the database's clock, so the deadline is far in the future. */
const FAR = '2040-01-01 00:00:00'
let payments = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => TODAY })
  shopId = tenants.north.shops[0]!
  admin = tenants.north.admin
  good = await tenants.good(tenants.north, shopId, { salePrice: '100.00' })
  await tenants.receive(tenants.north, shopId, good.id, 100_000)
  boss = await tenants.boss(tenants.north, shopId)
  second = await tenants.person(tenants.north, 'boss')
  clerk = await tenants.person(tenants.north, 'clerk', [
    'shoppingOrder',
    'shoppingOrder_handOver',
    'shoppingOrder_cancel',
    'refunds',
    'deliveryInfo',
  ])
  await tenants.must(
    tenants.call(admin, 'POST', '/api/shop/basicShopInfo/staff', {
      body: {
        id: shopId,
        staff: [boss, second, clerk].map(({ userId }, at) => ({ userId, position: at < 2 ? 'boss' : 'clerk' })),
      },
    }),
  )
})
afterAll(() => tenants.close())

const unit = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const place = (more: Partial<OrderDraft> = {}, quantity = 1) =>
  unit((db) =>
    placeOrder(db, {
      shopId,
      source: 'mini',
      type: 'pickup',
      lines: [
        {
          goodId: good.id,
          upc: good.upc,
          name: '可乐',
          price: 10_000,
          quantity,
          discount: 0,
          amount: 10_000 * quantity,
        },
      ],
      payAmount: 10_000 * quantity,
      ...more,
    }),
  )
const deliverTo = { name: '陈先生', phone: '13800001234', address: '文三路 100 号' }
const unpaid = (more: Partial<OrderDraft> = {}) => place({ status: 0, payDeadline: FAR, ...more })
const paid = (more: Partial<OrderDraft> = {}, quantity = 1) =>
  place({ status: 1, payType: 'wechat', payTime: NOW, transactionNo: `T${++payments}`, ...more }, quantity)
const orderNow = async (id: string) => (await unit((db) => db.get(shoppingOrder, id)))!
const refundsOf = (id: string) => unit((db) => db.find(refunds, sql`r.order_id = ${id}`, sql`order by r.id`))
const deliveriesOf = (id: string) => unit((db) => db.find(deliveryInfo, sql`r.order_id = ${id}`, sql`order by r.id`))
const stock = () => tenants.stock(tenants.north, good.id)
const act = (who: CastMember, resource: string, action: string, id: string, body: object = {}): Promise<Answer> =>
  tenants.call(who, 'POST', `/api/shop/${resource}/${action}`, { body: { id, ...body } })
const reasonOf = async (answer: Promise<Answer>) => (await answer).data.reason
const allIsWell = async () => expect(await unit(checkLedgers)).toEqual([])

describe('an order to pay', () => {
  it(
    'moves neither stock nor money, and does both once when it is paid, ' + 'however often the payment is told',
    async () => {
      const was = await stock()
      const order = await unpaid()
      expect(order).toMatchObject({ status: ORDER_STATE.toPay, payType: null, payTime: null, pickupCode: null })
      expect(await stock()).toBe(was)
      const payment = { payType: 'wechat', payTime: NOW, transactionNo: 'W-1' } as const
      const paidOrders = await Promise.all(
        Array.from({ length: 5 }, () => unit((db) => payOrder(db, order.id, payment, TODAY))),
      )
      expect(paidOrders.every((one) => one.status === ORDER_STATE.paid)).toBe(true)
      expect(await stock()).toBe(was - 1)
      expect((await orderNow(order.id)).pickupCode).toMatch(/^\d{6}$/)
      await expect(unit((db) => payOrder(db, order.id, { ...payment, transactionNo: 'W-2' }, TODAY))).rejects.toThrow(
        'order_not_open',
      )
      await allIsWell()
    },
  )

  it('ends at its deadline and not before; a payment that was faster wins, a later one is refused', async () => {
    const [late, intime] = [await unpaid(), await unpaid()]
    await tenants.server.jobs.runDue()
    expect((await orderNow(late.id)).status).toBe(ORDER_STATE.toPay)
    await unit((db) => payOrder(db, intime.id, { payType: 'alipay', payTime: NOW, transactionNo: 'A-1' }, TODAY))
    await tenants.services.unit({ crossTenantReason: 'test' }, (db) =>
      db.run(sql`update job set run_at = now() where queue = 'order.expire'`),
    )
    await tenants.server.jobs.runDue()
    expect(await orderNow(late.id)).toMatchObject({ status: ORDER_STATE.cancelled, cancelReason: '超时未支付' })
    expect(
      (await tenants.call(admin, 'GET', '/api/shop/shoppingOrder/detail', { query: { id: late.id }, lang: 'en' })).data
        .cancelReason,
    ).toBe('Not paid in time')
    expect((await orderNow(intime.id)).status).toBe(ORDER_STATE.paid)
    await expect(unit((db) => payOrder(db, late.id, { payType: 'wechat', payTime: NOW }, TODAY))).rejects.toThrow(
      'order_not_open',
    )
    await allIsWell()
  })

  it('is cancelled with a reason, is not refunded, and is never finished', async () => {
    const order = await unpaid()
    expect(await reasonOf(act(boss, 'shoppingOrder', 'finish', order.id))).toBe('action_not_now')
    expect((await act(boss, 'shoppingOrder', 'cancel', order.id)).data.fields.cancelReason).toBeDefined()
    await tenants.must(act(boss, 'shoppingOrder', 'cancel', order.id, { cancelReason: '不要了' }))
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.cancelled, cancelReason: '不要了' })
    expect(await refundsOf(order.id)).toEqual([])
    expect(
      await reasonOf(
        tenants.call(boss, 'POST', '/api/shop/refunds/now', { body: { orderId: order.id, full: true, reason: 'x' } }),
      ),
    ).toBe('order_not_paid')
  })
})

describe('an order to pay that stands on a quote', () => {
  const quotedOrder = async (key: string) => {
    const wxUserId = await unit(async (db) => {
      const { id } = await db.insert(wxUser, { nickname: '王小明', phone: '13800000000', balance: 0, integral: 0 })
      await changeCustomerAccount(db, 'integral', {
        wxUserId: id,
        change: 1000,
        type: 'gift',
        refType: 'join',
        refId: id,
      })
      return id
    })
    const quote = await unit((db) =>
      createQuote(db, {
        shopId,
        wxUserId,
        lines: [{ upc: good.upc, quantity: 1 }],
        tickets: [],
        points: 500,
        holder: 'mini',
        key,
        now: TODAY,
      }),
    )
    const order = await unpaid({
      wxUserId,
      lines: quote.priced.lines,
      payAmount: quote.priced.payAmount,
      quoteId: quote.id,
    })
    const now = () =>
      unit((db) =>
        db.one<{ state: string; integral: number }>(
          sql`select q.state, w.integral from price_quote q, wx_user w where q.id = ${quote.id} and w.id = ${wxUserId}`,
        ),
      )
    return { order, now, quote }
  }

  it('takes the points it promised when it is paid, and gives them back when it is refunded', async () => {
    const { order, now } = await quotedOrder('q-1')
    expect(order).toMatchObject({ integralAmount: 500, payAmount: 9500 })
    expect(await now()).toEqual({ state: 'open', integral: 1000 })
    await unit((db) => payOrder(db, order.id, { payType: 'wechat', payTime: NOW, transactionNo: 'Q-1' }, TODAY))
    expect((await now())!.state).toBe('used')
    expect((await now())!.integral).toBeLessThan(1000)
    await tenants.must(act(admin, 'shoppingOrder', 'cancel', order.id, { cancelReason: '缺货' }))
    await tenants.server.jobs.runDue()
    expect(await now()).toEqual({ state: 'returned', integral: 1000 })
    await allIsWell()
  })

  it('holds the promise until it must be paid, and no other order stands on it', async () => {
    const { order, now, quote } = await quotedOrder('q-3')
    await endOverdueMarketing({ ...tenants.services, now: () => new Date('2026-11-20T09:11:00+08:00') })
    expect((await now())!.state).toBe('open')
    await expect(
      unpaid({ lines: quote.priced.lines, payAmount: quote.priced.payAmount, quoteId: quote.id }),
    ).rejects.toThrow('quote_of_other')
    await expect(
      unit((db) =>
        createQuote(db, {
          shopId,
          lines: [{ upc: good.upc, quantity: 2 }],
          tickets: [],
          points: 0,
          holder: 'mini',
          key: 'q-3',
          now: TODAY,
        }),
      ),
    ).rejects.toThrow('quote_used')
    const paidOrder = await unit((db) =>
      payOrder(db, order.id, { payType: 'wechat', payTime: '2026-11-20 09:12:00', transactionNo: 'Q-3' }, TODAY),
    )
    expect(paidOrder.flags).not.toContain('quote')
    await allIsWell()
  })

  it('frees the promise when it is cancelled, and takes nothing', async () => {
    const { order, now } = await quotedOrder('q-2')
    await tenants.must(act(boss, 'shoppingOrder', 'cancel', order.id, { cancelReason: '不要了' }))
    expect(await now()).toEqual({ state: 'freed', integral: 1000 })
    await allIsWell()
  })
})

describe('an order to fetch', () => {
  it('is handed over for the code its customer shows, once; the code is on no page', async () => {
    const order = await paid()
    const code = order.pickupCode!
    const seen = JSON.stringify([
      (await tenants.call(boss, 'GET', '/api/shop/shoppingOrder/detail', { query: { id: order.id } })).data,
      (await tenants.call(boss, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: order.id } })).data,
    ])
    expect(seen).not.toContain(`"${code}"`)
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await act(clerk, 'shoppingOrder', 'handOver', order.id, { pickupCode: wrong })).data).toMatchObject({
      reason: 'pickup_code_wrong',
      fields: { pickupCode: expect.any(String) },
    })
    expect((await orderNow(order.id)).status).toBe(ORDER_STATE.paid)
    const answers = await Promise.all(
      [1, 2, 3].map(() => act(clerk, 'shoppingOrder', 'handOver', order.id, { pickupCode: code })),
    )
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.finished, finishTime: NOW })
    expect((await act(clerk, 'shoppingOrder', 'finish', order.id)).status).toBe(403)
  })

  it(
    'cancelled while it was paid and not fetched, pays everything back once ' + 'and is not handed over meanwhile',
    async () => {
      const was = await stock()
      const order = await paid()
      const answers = await Promise.all(
        [1, 2, 3].map(() => act(boss, 'shoppingOrder', 'cancel', order.id, { cancelReason: '缺货' })),
      )
      expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
      expect(await reasonOf(act(boss, 'shoppingOrder', 'finish', order.id))).toBe('order_going_back')
      await tenants.server.jobs.runDue()
      expect(await orderNow(order.id)).toMatchObject({
        status: ORDER_STATE.refunded,
        refundAmount: 10_000,
        cancelReason: '缺货',
      })
      expect(await stock()).toBe(was)
      await allIsWell()
    },
  )

  it('cancelled by who may not sign, waits; rejected, it can be handed over again', async () => {
    const order = await paid()
    await tenants.must(act(clerk, 'shoppingOrder', 'cancel', order.id, { cancelReason: '顾客改主意' }))
    const [requested] = await refundsOf(order.id)
    expect(requested).toMatchObject({ status: REFUND_STATE.applied, amount: 10_000, auditUser: null })
    expect(await reasonOf(act(boss, 'shoppingOrder', 'finish', order.id))).toBe('order_going_back')
    await tenants.must(act(boss, 'refunds', 'reject', requested!.id, { auditRemark: '已备好' }))
    await tenants.must(act(boss, 'shoppingOrder', 'finish', order.id))
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.finished, cancelReason: null })
  })

  it('cancelled after a part was asked back in the same words, goes back whole and keeps the part', async () => {
    const order = await paid({}, 2)
    const [line] = await unit((db) => db.find(shoppingOrderDetail, sql`r.order_id = ${order.id}`))
    const request = { orderId: order.id, lines: [{ detailId: line!.id, quantity: 1 }], reason: '不要了' }
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/refunds/submit', { body: request }))
    const cancel = () => tenants.must(act(clerk, 'shoppingOrder', 'cancel', order.id, { cancelReason: '不要了' }))
    await cancel()
    const [part, rest] = await refundsOf(order.id)
    const reject = (id: string) => act(boss, 'refunds', 'reject', id, { auditRemark: '已备好' })
    expect(await reject(part!.id)).toMatchObject({ status: 409, data: { reason: 'refund_of_cancelled' } })
    expect(await orderNow(order.id)).toMatchObject({ cancelReason: '不要了' })
    expect(await reasonOf(act(boss, 'shoppingOrder', 'finish', order.id))).toBe('order_going_back')
    // Rejecting its own refund undoes the cancelling, and the partial refund is an ordinary one again.
    await tenants.must(reject(rest!.id))
    expect((await orderNow(order.id)).cancelReason).toBeNull()
    await cancel()
    const all = await refundsOf(order.id)
    expect(all.map(({ status, amount }) => [status, amount])).toEqual([
      [REFUND_STATE.applied, 10_000],
      [REFUND_STATE.rejected, 10_000],
      [REFUND_STATE.applied, 10_000],
    ])
    for (const { id } of [all[0]!, all[2]!]) await tenants.must(act(boss, 'refunds', 'approve', id))
    await tenants.server.jobs.runDue()
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.refunded, refundAmount: 20_000 })
    await allIsWell()
    const other = await paid({}, 2)
    const [its] = await unit((db) => db.find(shoppingOrderDetail, sql`r.order_id = ${other.id}`))
    const body = { ...request, orderId: other.id, lines: [{ detailId: its!.id, quantity: 1 }] }
    const { id } = await tenants.must(tenants.call(admin, 'POST', '/api/shop/refunds/submit', { body }))
    await tenants.must(reject(id))
  })
})

describe('an order to bring', () => {
  const brought = async () => {
    const order = await paid({ type: 'delivery', deliverTo, freight: 500, payAmount: 10_500 })
    return { order, delivery: (await deliveriesOf(order.id))[0]! }
  }

  it('goes from waiting to delivered by its steps alone, and finishes its order', async () => {
    const { order, delivery } = await brought()
    expect(delivery).toMatchObject({
      status: DELIVERY_STATE.waiting,
      carrier: 'self',
      address: deliverTo.address,
      fee: 500,
    })
    for (const action of ['pickUp', 'deliver', 'again'])
      expect(await reasonOf(act(boss, 'deliveryInfo', action, delivery.id))).toBe('action_not_now')
    expect(await reasonOf(act(boss, 'shoppingOrder', 'finish', order.id))).toBe('action_not_now')
    await tenants.must(act(boss, 'deliveryInfo', 'accept', delivery.id))
    await tenants.must(act(boss, 'deliveryInfo', 'pickUp', delivery.id))
    expect(await reasonOf(act(boss, 'shoppingOrder', 'cancel', order.id, { cancelReason: '太晚' }))).toBe(
      'delivery_on_way',
    )
    const answers = await Promise.all([1, 2, 3].map(() => act(boss, 'deliveryInfo', 'deliver', delivery.id)))
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect((await deliveriesOf(order.id))[0]).toMatchObject({
      status: DELIVERY_STATE.delivered,
      finishTime: NOW,
      riderName: boss.account,
    })
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.finished, finishTime: NOW })
    await allIsWell()
  })

  it('failed on the way, is tried again as a delivery of its own, one at a time', async () => {
    const { order, delivery } = await brought()
    expect((await act(boss, 'deliveryInfo', 'fail', delivery.id)).data.fields.failReason).toBeDefined()
    await tenants.must(act(boss, 'deliveryInfo', 'fail', delivery.id, { failReason: '无人应答' }))
    const answers = await Promise.all([1, 2, 3].map(() => act(boss, 'deliveryInfo', 'again', delivery.id)))
    expect(answers.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect((await deliveriesOf(order.id)).map((one) => one.status)).toEqual([
      DELIVERY_STATE.failed,
      DELIVERY_STATE.waiting,
    ])
    expect((await orderNow(order.id)).status).toBe(ORDER_STATE.paid)
  })

  it('refunded meanwhile, is not brought any more', async () => {
    const { order, delivery } = await brought()
    await tenants.must(act(boss, 'shoppingOrder', 'cancel', order.id, { cancelReason: '缺货' }))
    expect(await reasonOf(act(boss, 'deliveryInfo', 'accept', delivery.id))).toBe('order_going_back')
    await tenants.server.jobs.runDue()
    expect(await orderNow(order.id)).toMatchObject({ status: ORDER_STATE.refunded, refundAmount: 10_500 })
    expect((await deliveriesOf(order.id))[0]).toMatchObject({ status: DELIVERY_STATE.failed, failReason: '订单已退款' })
    expect(await reasonOf(act(boss, 'deliveryInfo', 'again', delivery.id))).toBe('order_going_back')
  })

  it('shows the receiver’s number masked, in full only to who asks for it to call', async () => {
    const { delivery } = await brought()
    const list = await tenants.must(
      tenants.call(clerk, 'GET', '/api/shop/deliveryInfo/list', { query: { id_equal: delivery.id } }),
    )
    expect(list.records[0].phone).toBe('138****1234')
    expect((await act(clerk, 'deliveryInfo', 'contact', delivery.id)).status).toBe(403)
    expect((await tenants.must(act(boss, 'deliveryInfo', 'contact', delivery.id))).phone).toBe(deliverTo.phone)
  })
})

describe('signatures under a refund', () => {
  const ask = (who: CastMember, orderId: string, path = 'submit') =>
    tenants.call(who, 'POST', `/api/shop/refunds/${path}`, { body: { orderId, full: true, reason: '商品破损' } })
  const limited = async (who: CastMember, amount: string | undefined) => {
    const { limit } = await tenants.must(tenants.call(who, 'GET', '/api/shop/refunds/limit'))
    expect(limit).toBe(amount ?? '')
  }

  it(
    'are given up to the limit of the signer’s role, which an administrator ' + 'sets on screen; he himself has none',
    async () => {
      await limited(boss, '200.00')
      await limited(admin, undefined)
      const role = await unit((db) =>
        db.one<{ id: string }>(
          sql`select id from sys_role where tenant_id = ${db.tenantId} and role_name = ${boss.account}`,
        ),
      )
      const row = await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refundLimit/submit', { body: { roleId: role!.id, amount: '50.00' } }),
      )
      await limited(boss, '50.00')
      await limited(second, '200.00')
      const order = await paid()
      const created = await tenants.must(ask(boss, order.id, 'now'))
      expect(created.status).toBe(REFUND_STATE.applied)
      expect(await reasonOf(act(boss, 'refunds', 'approve', created.id))).toBe('refund_over_limit')
      await tenants.must(act(second, 'refunds', 'approve', created.id))
      await tenants.must(tenants.call(admin, 'POST', '/api/shop/refundLimit/remove', { query: { ids: row.id } }))
      await limited(boss, '200.00')
    },
  )

  it(
    'are two above the amount of the parameter, by different people, and ' + 'the list says for whom it waits',
    async () => {
      const order = await paid({}, 3)
      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refundLimit/submit', {
          body: {
            roleId: (await unit((db) =>
              db.one<{ id: string }>(
                sql`select id from sys_role where tenant_id = ${db.tenantId} and role_name = ${boss.account}`,
              ),
            ))!.id,
            amount: '1000.00',
          },
        }),
      )
      const created = await tenants.must(ask(boss, order.id, 'now'))
      expect(await refundsOf(order.id)).toMatchObject([
        { status: REFUND_STATE.applied, signaturesNeeded: 2, auditUser: boss.userId, secondUser: null },
      ])
      const waits = async (who: CastMember) =>
        (
          await tenants.must(
            tenants.call(who, 'GET', '/api/shop/refunds/list', { query: { orderId: order.id, sign: 'mine' } }),
          )
        ).total
      expect([await waits(boss), await waits(second), await waits(admin)]).toEqual([0, 0, 1])
      expect(await reasonOf(act(boss, 'refunds', 'approve', created.id))).toBe('refund_other_person')
      expect(await reasonOf(act(second, 'refunds', 'approve', created.id))).toBe('refund_over_limit')
      await tenants.must(act(admin, 'refunds', 'approve', created.id))
      await tenants.server.jobs.runDue()
      expect(await refundsOf(order.id)).toMatchObject([{ status: REFUND_STATE.succeeded, secondUser: admin.userId }])
      await allIsWell()
    },
  )

  it('are two for what goes back of one order together, however it is cut', async () => {
    const order = await paid({}, 3)
    const line = (await unit((db) =>
      db.one<{ id: string }>(sql`select id from shopping_order_detail where order_id = ${order.id}`),
    ))!
    for (let n = 0; n < 3; n++)
      await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/refunds/now', {
          body: { orderId: order.id, lines: [{ detailId: line.id, quantity: 1 }], reason: '商品破损' },
        }),
      )
    const requested = await refundsOf(order.id)
    expect(requested.map((one) => one.amount! * 3)).toEqual(requested.map(() => order.payAmount))
    expect(requested.map((one) => one.signaturesNeeded)).toEqual([1, 1, 2])
    expect(requested.at(-1)!.status).toBe(REFUND_STATE.applied)
  })

  it('cannot be given twice by one person, however many approve in parallel', async () => {
    const people = [boss, admin]
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1),
        fc.boolean(),
        fc.array(fc.nat(1), { minLength: 1, maxLength: 6 }),
        async (applicant, isNow, signers) => {
          const order = await paid({}, 3)
          const created = await tenants.must(ask(people[applicant]!, order.id, isNow ? 'now' : 'submit'))
          await Promise.all(signers.map((one) => act(people[one]!, 'refunds', 'approve', created.id)))
          const [refund] = await refundsOf(order.id)
          const isApproved = refund!.status !== REFUND_STATE.applied
          const before = [refund!.auditUser, people[applicant]!.userId]
          expect(isApproved && before.includes(refund!.secondUser)).toBe(false)
          const isOneAlone = new Set(signers).size === 1 && !isNow
          expect(isApproved && isOneAlone).toBe(false)
        },
      ),
      { numRuns: 12 },
    )
    await allIsWell()
  })
})

describe('whatever is done to open orders in parallel', () => {
  const arrows: Record<number, readonly number[]> = { 0: [1, 2, 9], 1: [2, 3, 4], 2: [3, 4], 3: [4], 4: [], 9: [] }
  const step = fc.constantFrom(
    'pay',
    'expire',
    'cancel',
    'finish',
    'handOver',
    'refundOne',
    'refundAll',
    'accept',
    'pickUp',
    'deliver',
    'fail',
    'again',
    'jobs',
  )

  it('states move along their arrows alone, nothing is paid back twice, and every ledger adds up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('pickup', 'delivery'),
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }),
        async (type, rounds) => {
          const order = await place(
            { status: 0, type: type as 'pickup', payDeadline: FAR, ...(type === 'delivery' ? { deliverTo } : {}) },
            2,
          )
          const run = async (what: string) => {
            const [delivery] = (await deliveriesOf(order.id)).toReversed()
            const { id } = order
            if (what === 'pay')
              return void (await unit((db) =>
                payOrder(db, id, { payType: 'wechat', payTime: NOW, transactionNo: `F${id}` }, TODAY),
              ).catch(() => {}))
            if (what === 'jobs') return void (await tenants.server.jobs.runDue())
            if (what === 'expire')
              return void (await tenants.services.unit({ crossTenantReason: 'test' }, (db) =>
                db.run(
                  sql`update job set run_at = now() where queue = 'order.expire' and payload ->> 'orderId' = ${id}`,
                ),
              ))
            if (what === 'cancel') return act(admin, 'shoppingOrder', 'cancel', id, { cancelReason: '不要了' })
            if (what === 'finish') return act(admin, 'shoppingOrder', 'finish', id)
            if (what === 'handOver')
              return act(admin, 'shoppingOrder', 'handOver', id, {
                pickupCode: (await orderNow(id)).pickupCode ?? '1',
              })
            if (what === 'refundAll')
              return tenants.call(admin, 'POST', '/api/shop/refunds/now', {
                body: { orderId: id, full: true, reason: '破损' },
              })
            if (what === 'refundOne') {
              const line = await unit((db) =>
                db.one<{ id: string }>(sql`select id from shopping_order_detail where order_id = ${id}`),
              )
              return tenants.call(admin, 'POST', '/api/shop/refunds/now', {
                body: { orderId: id, lines: [{ detailId: line!.id, quantity: 1 }], reason: '破损' },
              })
            }
            return delivery && act(admin, 'deliveryInfo', what, delivery.id, { failReason: '无人应答' })
          }
          let was: number = ORDER_STATE.toPay
          for (const round of rounds) {
            const answers = await Promise.all(round.map(run))
            expect(answers.filter((answer) => answer && answer.status >= 500)).toEqual([])
            const { status } = await orderNow(order.id)
            const reach = (from: number): number[] => [from, ...arrows[from]!.flatMap(reach)]
            expect(reach(was)).toContain(status)
            was = status!
          }
          const open = (await deliveriesOf(order.id)).filter((one) => one.status !== DELIVERY_STATE.failed)
          expect(open.length).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 12 },
    )
    await tenants.server.jobs.runDue()
    await allIsWell()
  })
})

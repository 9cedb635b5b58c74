import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { mayReceiveMessage, type LiveMessage } from '#kit/server/live/live.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestWorld } from '#tests/support/world.ts'
import { checkLedgers } from './ledgers.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

let tenants: TestTenants
let register: Register
let good: { id: string; upc: string }
let boss: CastMember
let otherBoss: CastMember

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
  const [first, second] = tenants.north.shops as [string, string]
  register = await tenants.register(tenants.north, first)
  good = await tenants.good(tenants.north, first)
  await tenants.receive(tenants.north, first, good.id, 500)
  boss = await tenants.boss(tenants.north, first)
  otherBoss = await tenants.boss(tenants.north, second)
})
afterAll(() => tenants.close())

const sell = async (quantity = 2, more: Record<string, unknown> = {}) =>
  (
    await tenants.must(
      tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, { payType: 'wechat', ...more }, quantity) }),
    )
  ).orderId as string
const whole = (person: CastMember, id: string) =>
  tenants.call(person, 'GET', '/api/shop/shoppingOrder/whole', { query: { id } })
const refund = (person: CastMember, body: object, path = 'now') =>
  tenants.call(person, 'POST', `/api/shop/refunds/${path}`, { body: { reason: '拿错商品', ...body } })

describe('who sees an order', () => {
  it(
    'its boss and the tenant’s administrator do; the boss of another shop ' + 'and another tenant find nothing',
    async () => {
      const id = await sell()
      for (const person of [boss, tenants.north.admin]) expect((await whole(person, id)).data.order.id).toBe(id)
      for (const person of [otherBoss, tenants.south.admin]) {
        expect((await whole(person, id)).status).toBe(404)
        expect((await tenants.call(person, 'GET', '/api/shop/shoppingOrder/detail', { query: { id } })).status).toBe(
          404,
        )
        expect(
          (await tenants.call(person, 'GET', '/api/shop/shoppingOrder/web/boss/list', { query: { id_equal: id } })).data
            .total,
        ).toBe(0)
        expect(
          (await tenants.call(person, 'GET', '/api/shop/storageLog/list', { query: { refId: id } })).data.total,
        ).toBe(0)
        expect((await tenants.call(person, 'GET', '/api/shop/home/today')).data.today.orders).toBe(0)
      }
    },
  )

  it('nobody but those may refund it, approve its refund, or write its remark', async () => {
    const id = await sell()
    const created = await tenants.must(refund(boss, { orderId: id, full: true }, 'submit'))
    for (const person of [otherBoss, tenants.south.admin]) {
      expect((await refund(person, { orderId: id, full: true })).status).toBe(404)
      expect((await refund(person, { orderId: id, full: true }, 'submit')).status).toBe(404)
      for (const action of ['approve', 'reject', 'retry'])
        expect(
          (
            await tenants.call(person, 'POST', `/api/shop/refunds/${action}`, {
              query: { id: created.id, auditRemark: 'x' },
            })
          ).status,
        ).toBe(404)
      expect(
        (await tenants.call(person, 'POST', '/api/shop/shoppingOrder/submit', { body: { id, remark: '我的' } })).status,
      ).toBe(404)
    }
    expect((await whole(boss, id)).data.refunds[0].status).toBe(0)
  })

  it('who sees an order without its amounts is told none by what is made of them', async () => {
    const id = await sell()
    const [line] = (await whole(boss, id)).data.lines
    await tenants.must(refund(boss, { orderId: id, lines: [{ detailId: line.id, quantity: 1 }] }))
    await tenants.server.jobs.runDue()
    const world = createTestWorld(tenants.server)
    const permissions = new Set(['shoppingOrder', 'refunds'])
    const readWhole = async (resourceCode: string, fields: string) => {
      const who = world.be({
        tenantId: tenants.north.tenantId,
        permissions,
        dataScopes: [{ resourceCode, type: 1, column: null, value: null, fields }],
      })
      return (await world.ask(who, 'GET', '/api/shop/shoppingOrder/whole', { query: { id } })).data
    }
    const payments = [{ amount: '10.00' }]
    expect(await readWhole('shoppingOrder', '*')).toMatchObject({ refundableAmount: '5.00', payments })
    const bare = await readWhole('shoppingOrder', 'orderNo,status')
    expect(bare).toMatchObject({ refundableAmount: '', payments: [], price: [], lines: [{ refundableAmount: '' }] })
    expect(bare.log.filter((one: object) => 'amount' in one)).toEqual([])
    const noRefunds = await readWhole('refunds', 'refundNo,status')
    expect(noRefunds).toMatchObject({ refundableAmount: '', refunds: [{ lines: [], payments: [] }], payments })
    expect(noRefunds.log.filter((one: object) => 'amount' in one)).toEqual([])
  })

  it('a clerk without the permission is refused with 403, and nothing changes', async () => {
    const id = await sell()
    const clerk = await tenants.person(tenants.north, 'clerk', ['shoppingOrder', 'refunds'])
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', {
        body: {
          id: register.shopId,
          staff: [
            { userId: boss.userId, position: 'boss' },
            { userId: clerk.userId, position: 'clerk' },
          ],
        },
      }),
    )
    expect((await whole(clerk, id)).data.order.id).toBe(id)
    expect((await refund(clerk, { orderId: id, full: true })).status).toBe(403)
    expect((await refund(clerk, { orderId: id, full: true }, 'submit')).status).toBe(403)
    expect((await whole(boss, id)).data.refunds).toEqual([])
  })
})

describe('an order by hand', () => {
  it('takes a remark and nothing else, is never added and never removed', async () => {
    const id = await sell()
    await tenants.must(
      tenants.call(boss, 'POST', '/api/shop/shoppingOrder/submit', { body: { id, remark: '已联系顾客' } }),
    )
    const { data } = await tenants.call(boss, 'GET', '/api/shop/shoppingOrder/detail', { query: { id } })
    expect(data.remark).toBe('已联系顾客')
    await tenants.must(
      tenants.call(boss, 'POST', '/api/shop/shoppingOrder/submit', { body: { ...data, remark: '整行送回' } }),
    )
    for (const change of [
      { payAmount: '0.01' },
      { status: 4 },
      { refundAmount: '10.00' },
      { shopId: tenants.north.shops[1] },
    ]) {
      const answer = await tenants.call(boss, 'POST', '/api/shop/shoppingOrder/submit', { body: { id, ...change } })
      expect(answer).toMatchObject({ status: 400, data: { reason: 'written_elsewhere' } })
    }
    const admin = await tenants.server.as('admin')
    expect(
      (await tenants.call(admin, 'POST', '/api/shop/shoppingOrder/submit', { body: { remark: '新订单' } })).status,
    ).toBe(400)
    expect(
      (await tenants.call(admin, 'POST', '/api/shop/shoppingOrder/remove', { query: { ids: id } })).data.reason,
    ).toBe('not_removable')
  })
})

describe('a refund over HTTP', () => {
  it('of one line of two, sent twenty times in parallel, returns money and stock once', async () => {
    const id = await sell(2)
    const [line] = (await whole(boss, id)).data.lines
    const before = await tenants.stock(tenants.north, good.id)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        refund(boss, { orderId: id, lines: [{ detailId: line.id, quantity: 1 }], requestKey: 'dialog-1' }),
      ),
    )
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(1)
    await tenants.server.jobs.runDue()
    const { data } = await whole(boss, id)
    expect(data).toMatchObject({
      order: { status: 3, refundAmount: '5.00' },
      refunds: [{ status: 3, amount: '5.00' }],
      refundableAmount: '5.00',
    })
    expect(data.lines[0]).toMatchObject({ refundQuantity: 1, refundableQuantity: 1 })
    expect(data.log.map((one: any) => one.event).toSorted()).toEqual([
      'applied',
      'approved',
      'paid',
      'recorded',
      'refunded',
    ])
    expect(await tenants.stock(tenants.north, good.id)).toBe(before + 1)
  })

  it('asked for, approved, done; asked for, rejected, and the money free again', async () => {
    const id = await sell(2)
    const [line] = (await whole(boss, id)).data.lines
    const half = { orderId: id, lines: [{ detailId: line.id, quantity: 1 }] }
    const first = await tenants.must(refund(boss, half, 'submit'))
    const rejected = await tenants.must(refund(boss, half, 'submit'))
    expect((await refund(boss, half, 'submit')).data.reason).toBe('refund_too_many')
    expect(
      (await tenants.call(boss, 'POST', '/api/shop/refunds/reject', { body: { id: rejected.id } })).data.fields
        .auditRemark,
    ).toBeDefined()
    await tenants.must(
      tenants.call(boss, 'POST', '/api/shop/refunds/reject', { body: { id: rejected.id, auditRemark: '商品完好' } }),
    )
    await tenants.must(tenants.call(boss, 'POST', '/api/shop/refunds/approve', { query: { id: first.id } }))
    expect(
      (await tenants.call(boss, 'POST', '/api/shop/refunds/approve', { query: { id: first.id } })).data.reason,
    ).toBe('action_not_now')
    await tenants.must(refund(boss, half, 'submit'))
    await tenants.server.jobs.runDue()
    const { data } = await whole(boss, id)
    expect(data.refunds.map((one: any) => one.status)).toEqual([3, 5, 0])
    expect(data.order.refundAmount).toBe('5.00')
    expect(await tenants.services.unit({ crossTenantReason: 'test' }, checkLedgers)).toEqual([])
  })

  it('refuses nonsense, naming it in the reader’s language', async () => {
    const id = await sell(2)
    const [line] = (await whole(boss, id)).data.lines
    const reasonOf = async (body: object) => (await refund(boss, { orderId: id, ...body })).data.reason
    expect((await refund(boss, { orderId: id, lines: [{ detailId: line.id, quantity: 0 }] })).data).toEqual({
      reason: 'refund_no_lines',
      fields: { lines: '请选择要退款的商品' },
    })
    for (const path of ['now', 'submit'])
      expect((await refund(boss, { orderId: id, lines: [], reason: '' }, path)).data.fields).toEqual({
        lines: '请输入退款明细',
        reason: '请输入退款原因',
      })
    expect(await reasonOf({ lines: [{ detailId: '1', quantity: 1 }] })).toBe('refund_line_unknown')
    expect(await reasonOf({ full: true, lines: [{ detailId: line.id, quantity: 1 }] })).toBe('refund_all_or_lines')
    expect(await reasonOf({ lines: [{ detailId: line.id, quantity: -1 }] })).toBe('refund_line_bad')
    expect((await refund(boss, { orderId: id, lines: [{ detailId: line.id, quantity: 1.5 }] })).msg).toContain(
      `“${line.name}”`,
    )
    expect(await reasonOf({ lines: [{ detailId: line.id, quantity: 1, amount: '0.001' }] })).toBe('refund_line_bad')
    expect(await reasonOf({ lines: [{ detailId: line.id, quantity: 1, amount: '10.01' }] })).toBe('refund_too_much')
    expect(
      await reasonOf({
        lines: [
          { detailId: line.id, quantity: 1 },
          { detailId: line.id, quantity: 2 },
        ],
      }),
    ).toBe('refund_too_many')
    const unnamed = await tenants.call(boss, 'POST', '/api/shop/refunds/now', {
      body: { orderId: id, full: true },
      lang: 'en',
    })
    expect(unnamed).toMatchObject({ status: 400, msg: 'Refund reason is required' })
    expect((await whole(boss, id)).data.refunds).toEqual([])
  })
})

describe('a new order', () => {
  it('reaches the browsers of those who may see it, and of nobody else', async () => {
    const messages: LiveMessage[] = []
    tenants.services.live.on(changedTopicOf('shoppingOrder'), (message) => void messages.push(message))
    const id = await sell()
    await expect
      .poll(() => messages.some((message) => (message.data.ids as string[] | undefined)?.includes(id)))
      .toBe(true)
    const message = messages.find((one) => (one.data.ids as string[] | undefined)?.includes(id))!
    const mayReceive = async (person: CastMember) =>
      mayReceiveMessage((await tenants.services.access.callerOf(person.token))!, message)
    const clerk = await tenants.person(tenants.north, 'user', ['goodInfo'])
    expect(
      await Promise.all([boss, tenants.north.admin, otherBoss, tenants.south.admin, clerk].map(mayReceive)),
    ).toEqual([true, true, false, false, false])
  })
})

describe('the home page', () => {
  it('counts today’s sales and refunds to the cent, for each caller those of his shops', async () => {
    const { data: before } = await tenants.call(boss, 'GET', '/api/shop/home/today')
    const id = await sell(3, { saleTime: '2026-11-20 08:30:00' })
    await sell(1, { saleTime: '2026-11-19 23:30:00' })
    await tenants.must(refund(boss, { orderId: id, full: true }))
    await tenants.server.jobs.runDue()
    const { data: after } = await tenants.call(boss, 'GET', '/api/shop/home/today')
    const gained = (key: 'sales' | 'refunds') => (Number(after.today[key]) - Number(before.today[key])).toFixed(2)
    expect([gained('sales'), gained('refunds'), after.today.orders - before.today.orders]).toEqual([
      '15.00',
      '15.00',
      1,
    ])
    expect(after.yesterday.orders - before.yesterday.orders).toBe(1)
    expect(after.yesterdaySoFar.orders - before.yesterdaySoFar.orders).toBe(0)
    expect(after.shops.map((shop: any) => shop.id)).toEqual([register.shopId])
  })
})

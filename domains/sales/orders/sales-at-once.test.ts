import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createOwnerPool, raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { figuresOf } from '#tests/support/figures.ts'
import type { Answer } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { moveStock } from '#domains/catalogue/inventory/api.ts'
import { bookRecharge } from '#domains/sales/customers/api.ts'
import { wxUser } from '#domains/sales/customers/index.ts'
import { payOrder, placeOrder } from './place-order.ts'

const NOW = '2026-11-20 09:00:00'
const TWENTY = 20
const TRACES = [
  'shopping_order',
  'shopping_order_detail',
  'order_payment',
  'storage_log',
  'storage_batch',
  'integral_log',
  'balance_log',
  'wx_user_shop',
  'register_sale',
  'row_change',
]

let tenants: TestTenants
let shopId: string
let register: Register
let made = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:30:00+08:00') })
  shopId = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shopId)
})
afterAll(() => tenants?.close())

const unit = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: object): Promise<Answer> =>
  tenants.call(tenants.north.admin, 'POST', `/api/${path}`, { body })
const sell = (sale: object) => tenants.beep(register, 'POST', 'sale', { body: sale })
const allHold = async () => expect(await unit((db) => figuresOf(db))).toEqual([])
const atOnce = <T>(work: (n: number) => Promise<T>, times = TWENTY): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => work(n)))
const countOf = async (statement: Sql) =>
  (await unit((db) => db.one<{ n: number }>(sql`select count(*)::int as n from ${statement}`)))!.n

const good = (quantity: number) =>
  unit(async (db) => {
    const n = ++made
    const row = await db.insert(goodInfo, {
      shopId,
      upc: `M${10_000 + n}`,
      name: `商品${n}`,
      salePrice: 500,
      costPrice: 300,
      stock: 0,
      stockSeq: 0,
      lowStock: 0,
      onSale: true,
    })
    if (quantity)
      await moveStock(db, [{ goodId: row.id, change: quantity }], { type: 'in', refType: 'goods', refId: row.id })
    return row
  })
const customer = (balance = 0) =>
  unit(async (db) => {
    const n = ++made
    const row = await db.insert(wxUser, { nickname: `顾客${n}`, balance: 0, integral: 0 })
    if (balance)
      await bookRecharge(db, { rechargeNo: `M${n}`, wxUserId: row.id, amount: balance, payType: 'cash', at: NOW })
    return row
  })
/** Row counts of all tables a sale writes to. */
const traces = async () => {
  const counts = await Promise.all(TRACES.map((table) => countOf(raw(table))))
  return Object.fromEntries(TRACES.map((table, at) => [table, counts[at]]))
}
const heldBy = (id: string) =>
  unit((db) =>
    db.one<{ balance: number; integral: number }>(sql`select balance, integral from wx_user where id = ${id}`),
  )

describe('twenty at once', () => {
  it('of one sale number are one sale, and all twenty hear the same order', async () => {
    const { upc, id } = await good(5)
    const { id: customerId } = await customer()
    const sale = saleBodyOf(upc, { customerId })
    const answers = await atOnce(() => tenants.must(sell(sale)))
    expect(new Set(answers.map(({ orderId }) => orderId)).size).toBe(1)
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(await tenants.stock(tenants.north, id)).toBe(4)
    expect((await heldBy(customerId))!.integral).toBe(5)
    await allHold()
  })

  it('of the last goods leave the ledger without a hole, and each sale that was short says so', async () => {
    const { upc, id } = await good(3)
    const answers = await atOnce(() => tenants.must(sell(saleBodyOf(upc))))
    expect(await tenants.stock(tenants.north, id)).toBe(-17)
    expect(answers.filter(({ flags }) => flags.includes('shortStock'))).toHaveLength(17)
    await allHold()
  })

  it('of one order to pay pay it once and earn once, also where each tells another number', async () => {
    const { id: goodId, upc } = await good(30)
    const { id: wxUserId } = await customer()
    const lines = [{ goodId, upc, name: '可乐', price: 500, quantity: 2, discount: 0, amount: 1000 }]
    const open = () =>
      unit((db) =>
        placeOrder(db, {
          shopId,
          wxUserId,
          source: 'mini',
          type: 'pickup',
          status: 0,
          payDeadline: '2040-01-01 00:00:00',
          payAmount: 1000,
          lines,
        }),
      )
    for (const transactionNo of [(n: number) => `S${n}`, () => 'SAME']) {
      const { id } = await open()
      const payment = { payType: 'wechat', payTime: NOW } as const
      const answers = await Promise.allSettled(
        Array.from({ length: TWENTY }, (_, n) =>
          unit((db) => payOrder(db, id, { ...payment, transactionNo: transactionNo(n) }, new Date())),
        ),
      )
      const codes = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
      expect(codes.filter((code) => !['order_not_open', 'transaction_used'].includes(code))).toEqual([])
      expect(await countOf(sql`order_payment where order_id = ${id}`)).toBe(1)
      expect(await countOf(sql`integral_log where ref_id = ${id} and type = 'earn'`)).toBe(1)
    }
    expect((await heldBy(wxUserId))!.integral).toBe(20)
    expect(await tenants.stock(tenants.north, goodId)).toBe(26)
    await allHold()
  })

  it('sales from one balance take no more than there is', async () => {
    const { upc } = await good(40)
    const { id: customerId } = await customer(3200)
    const answers = await atOnce(() => sell(saleBodyOf(upc, { customerId, payType: 'balance', balanceAmount: '5.00' })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    expect(new Set(answers.flatMap(({ data }) => data?.reason ?? []))).toEqual(new Set(['balance_short']))
    expect((await heldBy(customerId))!.balance).toBe(200)
    await allHold()
  })

  it('of one recharge number are one recharge, beside sales of the same customer', async () => {
    const { upc } = await good(40)
    const { id: wxUserId } = await customer(1000)
    await atOnce(async (n) =>
      n % 2
        ? tenants.must(sell(saleBodyOf(upc, { customerId: wxUserId })))
        : unit((db) =>
            bookRecharge(db, {
              rechargeNo: 'TWENTY',
              wxUserId,
              amount: 700,
              payType: 'wechat',
              transactionNo: 'T20',
              at: NOW,
            }),
          ),
    )
    expect(await heldBy(wxUserId)).toEqual({ balance: 1700, integral: 50 })
    await allHold()
  })

  it('sales, refunds and a merge of one customer lose no cent, no point and no piece', async () => {
    const goods = await Promise.all([good(40), good(40)])
    const [one, other] = await Promise.all([customer(5000), customer(3000)])
    const orders = await atOnce(
      (n) => tenants.must(sell(saleBodyOf(goods[n % 2]!.upc, { customerId: [one, other][n % 2]!.id }))),
      6,
    )
    const merge = () =>
      post('shop/wxUserMerge/merge', { sourceId: one.id, targetId: other.id, reason: '同一个人', isSamePerson: true })
    const answers = await atOnce((n) => {
      if (n === 7) return merge()
      if (n % 3 === 0 && orders[n / 3])
        return post('shop/refunds/now', { orderId: orders[n / 3].orderId, full: true, reason: '不要了' })
      const customerId = [one, other][n % 2]!.id
      const paid = n % 4 ? {} : { payType: 'balance', balanceAmount: '5.00' }
      return sell(saleBodyOf(goods[n % 2]!.upc, { customerId, ...paid }))
    })
    for (const { status, body } of answers) expect([200, body]).toEqual([status, body])
    await tenants.server.jobs.runDue()
    await tenants.server.jobs.runDue()
    await allHold()
  })

  it('sales of two goods in opposite orders wait for each other in no circle', async () => {
    const [a, b] = await Promise.all([good(50), good(50)])
    const { id: customerId } = await customer()
    const line = (upc: string) => ({ upc, name: '可乐', price: '5.00', quantity: 1, discount: '0.00', amount: '5.00' })
    const answers = await atOnce((n) => {
      const lines = n % 2 ? [line(a.upc), line(b.upc)] : [line(b.upc), line(a.upc)]
      return sell(saleBodyOf(a.upc, { customerId, payAmount: '10.00', lines }))
    })
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect([await tenants.stock(tenants.north, a.id), await tenants.stock(tenants.north, b.id)]).toEqual([30, 30])
    await allHold()
  })
})

describe('a sale that is refused', () => {
  it('late, whatever was on its way, leaves no row, moves no stock and tells nobody', async () => {
    const { upc, id } = await good(5)
    const { id: customerId } = await customer(100)
    const before = await traces()
    const notifications: string[] = []
    const listener = await tenants.services.systemPool.connect()
    listener.on('notification', ({ payload }) => notifications.push(payload ?? ''))
    await listener.query('listen live')
    const refused = [
      saleBodyOf(upc, { customerId, payType: 'balance', balanceAmount: '5.00' }),
      saleBodyOf(upc, { payType: 'balance', balanceAmount: '5.00' }),
      saleBodyOf(upc, { customerId: '999999' }),
      saleBodyOf(upc, { payAmount: '4.00' }),
      saleBodyOf(upc, { customerId, quoteId: '999999' }),
    ]
    const reasons = (await Promise.all(refused.map((sale) => sell(sale)))).map(({ status, data }) => [
      status,
      data.reason,
    ])
    expect(reasons.map(([status]) => status)).not.toContain(200)
    expect(reasons.map(([status]) => status)).not.toContain(500)
    expect(await traces()).toEqual(before)
    expect(await tenants.stock(tenants.north, id)).toBe(5)
    // The number was not used up by what was refused.
    const { saleNo } = refused[3] as { saleNo: string }
    const { orderId, repeated } = await tenants.must(sell(saleBodyOf(upc, { saleNo })))
    expect(repeated).toBe(false)
    // Events of the refused sales would have arrived before this one.
    const orders = () => notifications.filter((text) => text.includes('shoppingOrder'))
    await vi.waitFor(() => expect(orders()).not.toEqual([]))
    listener.release(true)
    expect(orders()).toEqual([expect.stringContaining(orderId)])
    await allHold()
  })

  it('at its very end by the database leaves nothing either, and can be sent again', async () => {
    const { upc, id } = await good(5)
    const { id: customerId } = await customer(1000)
    const before = await traces()
    const sale = saleBodyOf(upc, { customerId, payType: 'balance', balanceAmount: '5.00' })
    const pool = createOwnerPool(tenants.server.databaseUrl)
    const owner = (text: string) => pool.query(text)
    await owner(
      `create function storm_refuse() returns trigger language plpgsql as 'begin raise exception ''late''; end'`,
    )
    for (const table of ['wx_user_shop', 'order_payment', 'storage_log', 'register_sale']) {
      const when = table === 'register_sale' ? 'when (new.answer is not null)' : ''
      await owner(`create trigger storm before insert or update on ${table}
        for each row ${when} execute function storm_refuse()`)
      expect([table, (await sell(sale)).status]).toEqual([table, 500])
      await owner(`drop trigger storm on ${table}`)
      expect([table, await traces()]).toEqual([table, before])
    }
    await owner('drop function storm_refuse()')
    await pool.end()
    expect((await tenants.must(sell(sale))).repeated).toBe(false)
    expect(await tenants.stock(tenants.north, id)).toBe(4)
    await allHold()
  })
})

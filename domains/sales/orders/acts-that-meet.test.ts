import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { figuresOf } from '#tests/support/figures.ts'
import type { Answer } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let shopId: string
let register: Register
const TODAY = new Date('2026-11-20T09:30:00+08:00')
let made = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => TODAY })
  shopId = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shopId)
  const body = {
    name: '北街商贸',
    merchantNo: 'M1',
    shopIds: shopId,
    feeRate: '0.60',
    shareRatio: '30.00',
    bankAccount: '6222021202009012',
  }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
})
afterAll(() => tenants.close())

const unit = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (path: string, body: object, query?: Record<string, unknown>): Promise<Answer> =>
  tenants.call(tenants.north.admin, 'POST', `/api/${path}`, { body, query })
const read = (path: string, query: Record<string, unknown>) =>
  tenants.must(tenants.call(tenants.north.admin, 'GET', `/api/${path}`, { query }))
const reasonOf = async (answer: Promise<Answer>) => (await answer).data?.reason ?? 'done'
const runJobs = () => tenants.server.jobs.runDue()
const allHold = async () => expect(await unit((db) => figuresOf(db))).toEqual([])

const stocked = async (quantity = 10) => {
  const good = await tenants.good(tenants.north, shopId)
  if (quantity) await tenants.receive(tenants.north, shopId, good.id, quantity)
  return good
}
const customer = async () =>
  (await unit((db) =>
    db.insert(
      tenants.services.registry.resource('wxUser') as never,
      { nickname: `顾客${++made}`, balance: 0, integral: 0 } as never,
    ),
  )) as { id: string }
const sell = async (upc: string, quantity = 1, more: Record<string, unknown> = {}, price = '5.00') =>
  (await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(upc, more, quantity, price) })))
    .orderId as string
const refundAll = async (orderId: string, more: Record<string, unknown> = {}) => {
  await tenants.must(post('shop/refunds/now', { orderId, full: true, reason: '不要了', ...more }))
  await runJobs()
}
const whole = (id: string) => read('shop/shoppingOrder/whole', { id })

describe("a customer's return", () => {
  const bring = (orderId: string, goodId: string, quantity: number, more: object = {}) =>
    post('shop/returnLog/submit', {
      direction: 'customer',
      shopId,
      goodId,
      quantity,
      reason: 'wrong',
      refId: orderId,
      ...more,
    })

  it('of an order takes no more than was sold and has not come back yet, however it is cut', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 2)
    expect((await bring(orderId, good.id, 500)).data.fields).toHaveProperty('quantity')
    await tenants.must(bring(orderId, good.id, 1))
    await tenants.must(bring(orderId, good.id, 1))
    expect((await bring(orderId, good.id, 1)).data.fields).toHaveProperty('quantity')
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    await allHold()
  })

  it('of an order names goods of it and its shop; one that was never paid brings nothing', async () => {
    const [good, other] = [await stocked(), await stocked()]
    const orderId = await sell(good.upc, 2)
    expect((await bring(orderId, other.id, 1)).data.fields).toHaveProperty('goodId')
    const elsewhere = await tenants.good(tenants.north, tenants.north.shops[1]!)
    expect((await bring(orderId, elsewhere.id, 1, { shopId: tenants.north.shops[1] })).data.fields).toHaveProperty(
      'refId',
    )
    expect(await tenants.stock(tenants.north, other.id)).toBe(10)
  })

  it('and a refund of the same pieces put them back once, in either order', async () => {
    const good = await stocked()
    const first = await sell(good.upc, 2)
    await tenants.must(bring(first, good.id, 2))
    await refundAll(first)
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    const second = await sell(good.upc, 2)
    await refundAll(second)
    expect((await bring(second, good.id, 1)).data.fields).toHaveProperty('quantity')
    const third = await sell(good.upc, 2)
    await refundAll(third, { restock: false })
    await tenants.must(bring(third, good.id, 2))
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    await allHold()
  })

  it('twenty at once of an order of two are two', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 2)
    const answers = await Promise.all(Array.from({ length: 20 }, () => bring(orderId, good.id, 1)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    await allHold()
  })

  it('of an order is worth what was paid for the pieces, and never more', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 3, {
      payAmount: '10.00',
      lines: [{ upc: good.upc, name: '可乐', price: '5.00', quantity: 3, discount: '5.00', amount: '10.00' }],
    })
    expect((await bring(orderId, good.id, 1, { amount: '5.00' })).data.fields).toHaveProperty('amount')
    const { id } = await tenants.must(bring(orderId, good.id, 1))
    expect((await read('shop/returnLog/detail', { id })).amount).toBe('3.33')
    expect((await post('shop/returnLog/submit', { id, amount: '500.00' })).data.fields).toHaveProperty('amount')
  })
})

describe('what a customer brings back that nobody may buy any more', () => {
  const bring = (goodId: string, more: object) =>
    post('shop/returnLog/submit', { direction: 'customer', shopId, goodId, quantity: 1, reason: 'damaged', ...more })

  it('stays off the shelf, is not put there by the refund of its order, and undone moves nothing', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 2)
    const { id } = await tenants.must(bring(good.id, { refId: orderId }))
    expect(await tenants.stock(tenants.north, good.id)).toBe(8)
    await refundAll(orderId)
    expect(await tenants.stock(tenants.north, good.id)).toBe(9)
    for (const reason of ['quality', 'recall']) await tenants.must(bring(good.id, { reason }))
    await tenants.must(post('shop/returnLog/cancel', { id }))
    expect(await tenants.stock(tenants.north, good.id)).toBe(9)
    await allHold()
  })

  it('is no other reason afterwards, as its pieces are where the first one put them', async () => {
    const good = await stocked()
    const [bad, fine] = [
      await tenants.must(bring(good.id, {})),
      await tenants.must(bring(good.id, { reason: 'wrong' })),
    ]
    const write = (id: string, reason: string) => post('shop/returnLog/submit', { id, reason })
    for (const [one, reason] of [
      [bad, 'wrong'],
      [fine, 'damaged'],
    ])
      expect((await write(one.id, reason)).data).toMatchObject({ reason: 'return_reason_decides' })
    await tenants.must(write(bad.id, 'quality'))
    await tenants.must(write(fine.id, 'other'))
    expect(await tenants.stock(tenants.north, good.id)).toBe(11)
    await allHold()
  })

  it(
    'and was put on the shelf before leaves it when it is undone; a row whose ' +
      'amount was taken then comes back whole',
    async () => {
      const good = await stocked()
      const lines = [{ upc: good.upc, name: '可乐', price: '5.00', quantity: 1, discount: '2.00', amount: '3.00' }]
      const orderId = await sell(good.upc, 1, { payAmount: '3.00', lines })
      const { id } = await tenants.must(bring(good.id, { refId: orderId, reason: 'wrong' }))
      await unit((db) => db.run(sql`update return_log set reason = 'damaged', amount = 500 where id = ${id}`))
      await tenants.must(
        post('shop/returnLog/submit', { ...(await read('shop/returnLog/detail', { id })), remark: '补记' }),
      )
      expect((await post('shop/returnLog/submit', { id, amount: '4.00' })).data.fields).toHaveProperty('amount')
      await tenants.must(post('shop/returnLog/cancel', { id }))
      expect(await tenants.stock(tenants.north, good.id)).toBe(9)
      await allHold()
    },
  )
})

describe('a row sent back whole', () => {
  it(
    'as it was read before the system moved it is taken, with what was ' + 'changed: no figure of it is a change',
    async () => {
      const good = await stocked(30)
      const { id: customerId } = await customer()
      const { id: takeId } = await tenants.must(
        post('shop/stocktake/submit', { shopId, scope: 'all', rule: 'add', blind: false }),
      )
      const { id: parentId } = await tenants.must(
        post('blade-system/dept/submit', {
          deptName: '华北',
          fullName: '华北',
          deptCategory: 1,
          parentId: '0',
          sort: 1,
        }),
      )
      const { id: deptId } = await tenants.must(
        post('blade-system/dept/submit', { deptName: '北街', fullName: '北街', deptCategory: 1, parentId, sort: 1 }),
      )
      const { id: underId } = await tenants.must(
        post('blade-system/dept/submit', {
          deptName: '柜台',
          fullName: '柜台',
          deptCategory: 1,
          parentId: deptId,
          sort: 1,
        }),
      )
      const rows: [string, string][] = [
        ['shop/wxUser', customerId],
        ['shop/stocktake', takeId],
        ['blade-system/dept', underId],
        ['shop/basicShopInfo', shopId],
      ]
      const seen = await Promise.all(rows.map(([resource, id]) => read(`${resource}/detail`, { id })))
      await tenants.must(
        post('shop/rechargeLog/recharge', { wxUserId: customerId, amount: '10.00', payType: 'cash', reason: '柜台' }),
      )
      await sell(good.upc, 1, { payType: 'balance', customerId })
      await tenants.must(post('shop/stocktake/count', { id: takeId, goodId: good.id, quantity: 20 }))
      await tenants.must(post('blade-system/dept/submit', { id: deptId, parentId: '0' }))
      const { id: merchantId } = await tenants.must(
        post('merchant/merchantInfo/submit', {
          name: '南街商贸',
          merchantNo: 'M9',
          shopIds: tenants.north.shops[1],
          feeRate: '0.60',
          shareRatio: '30.00',
          bankAccount: '6222021202009012',
        }),
      )
      await unit((db) => db.run(sql`update basic_shop_info set merchant_id = ${merchantId} where id = ${shopId}`))
      for (const [at, [resource]] of rows.entries()) {
        const { status, body } = await post(`${resource}/submit`, { ...seen[at], remark: '补记' })
        expect([resource, status, status === 200 || body]).toEqual([resource, 200, true])
      }
      expect(await read('shop/wxUser/detail', { id: customerId })).toMatchObject({
        balance: '5.00',
        orderCount: 1,
        remark: '补记',
      })
      expect(await reasonOf(post('shop/wxUser/submit', { id: customerId, balance: '999.00' }))).toBe(
        'written_elsewhere',
      )
      await unit((db) =>
        db.run(
          sql`update basic_shop_info set merchant_id = (select id from merchant_info where merchant_no = 'M1')
          where id = ${shopId}`,
        ),
      )
      await tenants.must(post('shop/stocktake/cancel', { id: takeId }))
      await allHold()
    },
  )
})

describe('a return to a supplier', () => {
  it(
    'of a purchase takes no more than came with it and has not gone back yet, ' + 'and nothing that was not in it',
    async () => {
      const [good, other] = [await stocked(), await stocked()]
      const insert = (name: string, row: object) =>
        unit((db) => db.insert(tenants.services.registry.resource(name) as never, row as never)) as Promise<{
          id: string
        }>
      const supplier = await insert('supplierInfo', { name: `饮料公司 ${++made}`, status: 1, leadDays: 1 })
      const bought = { quantity: 3, receivedQuantity: 3, amount: 900, receivedAmount: 900 }
      const purchase = await insert('supplierOrder', {
        ...bought,
        orderNo: `P${made}`,
        shopId,
        supplierId: supplier.id,
        status: 3,
        kinds: 1,
      })
      await insert('supplierOrderDetail', {
        ...bought,
        orderId: purchase.id,
        shopId,
        goodId: good.id,
        upc: good.upc,
        price: 300,
        sort: 1,
      })
      await unit((db) =>
        db.run(
          sql`update storage_batch set supplier_order_id = ${purchase.id}, quantity = 3 where good_id = ${good.id}`,
        ),
      )
      const giveBack = (goodId: string, quantity: number) =>
        post('shop/returnLog/submit', {
          direction: 'supplier',
          shopId,
          goodId,
          quantity,
          reason: 'damaged',
          refId: purchase.id,
        })
      expect((await giveBack(good.id, 4)).data.fields).toHaveProperty('quantity')
      await tenants.must(giveBack(good.id, 2))
      expect((await giveBack(good.id, 2)).data.fields).toHaveProperty('quantity')
      expect((await giveBack(other.id, 1)).data.fields).toHaveProperty('goodId')
      expect(await tenants.stock(tenants.north, good.id)).toBe(8)
      await allHold()
    },
  )
})

describe('a transaction number', () => {
  it('pays one sale, and goes back once', async () => {
    const good = await stocked()
    const paid = { payType: 'wechat', transactionNo: `W${++made}` }
    const orderId = await sell(good.upc, 1, paid)
    const again = await tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, paid) })
    expect([again.status, again.data.reason, Object.keys(again.data.fields)]).toEqual([
      409,
      'transaction_used',
      ['transactionNo'],
    ])
    expect(await tenants.stock(tenants.north, good.id)).toBe(9)
    await refundAll(orderId)
    for (const payType of ['wechat', 'alipay', 'card'])
      expect(
        await reasonOf(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, { ...paid, payType }) })),
      ).toBe('transaction_used')
    await allHold()
  })

  it('that paid a sale pays no recharge and no fee, nor the other way round', async () => {
    const good = await stocked()
    const { id } = await customer()
    const transactionNo = `W${++made}`
    await sell(good.upc, 1, { payType: 'wechat', transactionNo })
    const recharge = (no: string) =>
      post('shop/rechargeLog/recharge', {
        wxUserId: id,
        amount: '10.00',
        payType: 'wechat',
        transactionNo: no,
        reason: '柜台',
      })
    expect(await reasonOf(recharge(transactionNo))).toBe('transaction_used')
    await tenants.must(recharge(`${transactionNo}-2`))
    const sale = saleBodyOf(good.upc, { payType: 'wechat', transactionNo: `${transactionNo}-2` })
    expect(await reasonOf(tenants.beep(register, 'POST', 'sale', { body: sale }))).toBe('transaction_used')
    await allHold()
  })

  it('is one however it is typed', async () => {
    const good = await stocked()
    const { id } = await customer()
    const transactionNo = `W${++made}`
    await sell(good.upc, 1, { payType: 'wechat', transactionNo })
    const full = [...transactionNo].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)).join('')
    for (const no of [` ${transactionNo}\t`, full, `\u3000${transactionNo}`, `${transactionNo}\u200b`]) {
      const paid = { payType: 'wechat', transactionNo: no }
      expect(await reasonOf(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, paid) }))).toBe(
        'transaction_used',
      )
      const body = { ...paid, wxUserId: id, amount: '10.00', reason: '柜台' }
      expect(await reasonOf(post('shop/rechargeLog/recharge', body))).toBe('transaction_used')
    }
    // For cash the number is only a note and need not be unique.
    await sell(good.upc, 1, { payType: 'cash', transactionNo: '张三 代付' })
  })

  it('told at once for a sale and a recharge of one customer pays one of them, and neither deadlocks', async () => {
    const good = await stocked(30)
    const { id } = await customer()
    const both = Array.from({ length: 24 }, () => ({ payType: 'wechat', transactionNo: `W${++made}` }))
    const answers = await Promise.all(
      both.flatMap((paid) => [
        tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, { ...paid, customerId: id }) }),
        post('shop/rechargeLog/recharge', { ...paid, wxUserId: id, amount: '1.00', reason: '柜台' }),
      ]),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ data }) => data.reason)).toEqual(both.map(() => 'transaction_used'))
    await allHold()
  })

  it('told by twenty at once for different sales pays one', async () => {
    const good = await stocked(30)
    const paid = { payType: 'wechat', transactionNo: `W${++made}` }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, paid) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await tenants.stock(tenants.north, good.id)).toBe(29)
    await allHold()
  })
})

describe('a ticket that came with a recharge', () => {
  const start = async () => {
    const good = await stocked(50)
    const { id } = await customer()
    const kind = await tenants.must(
      post('shop/discountTicket/submit', {
        name: `满 30 减 5 ${++made}`,
        type: 'amount',
        amount: '5.00',
        threshold: '30.00',
        validDays: 30,
        enabled: true,
      }),
    )
    const conf = await tenants.must(
      post('shop/rechargeConf/submit', {
        name: `充百送券 ${made}`,
        amount: '100.00',
        giftTicketId: kind.id,
        enabled: true,
      }),
    )
    const { id: rechargeId } = await tenants.must(
      post('shop/rechargeLog/recharge', { wxUserId: id, confId: conf.id, payType: 'cash', reason: '柜台' }),
    )
    const tickets = () =>
      unit((db) =>
        db.query<{ ticketNo: string; status: number; orderId: string | null }>(
          sql`select ticket_no, status, order_id from customer_ticket where wx_user_id = ${id}`,
        ),
      )
    const quote = async () => {
      const body = {
        saleNo: `Q${++made}`,
        customerId: id,
        lines: [{ upc: good.upc, quantity: 7 }],
        tickets: (await tickets())[0]!.ticketNo,
      }
      return tenants.must(tenants.beep(register, 'POST', 'quote', { body }))
    }
    const pay = async (quoted: any) => {
      const lines = quoted.lines.map(({ upc, name, price, quantity, discount, amount }: any) => ({
        upc,
        name,
        price,
        quantity,
        discount,
        amount,
      }))
      const body = {
        saleNo: quoted.saleNo,
        quoteId: quoted.quoteId,
        customerId: id,
        saleTime: '2026-11-20 09:30:00',
        payType: 'cash',
        payAmount: quoted.payAmount,
        lines,
      }
      return tenants.must(tenants.beep(register, 'POST', 'sale', { body }))
    }
    const takeBack = () =>
      tenants.must(post('shop/rechargeLog/refund', { id: rechargeId, amount: '100.00', reason: '退卡' }))
    return { tickets, quote, pay, takeBack }
  }

  it(
    'and was taken back with it is not spent by a quote that was open, and ' + 'does not come back with the order',
    async () => {
      const { tickets, quote, pay, takeBack } = await start()
      const quoted = await quote()
      await takeBack()
      const { orderId, flags } = await pay(quoted)
      expect(flags).toEqual(['quote'])
      expect(await tickets()).toMatchObject([{ status: 4, orderId: null }])
      await refundAll(orderId)
      expect(await tickets()).toMatchObject([{ status: 4, orderId: null }])
      await allHold()
    },
  )

  it('and was spent before the recharge went back does not come back with the order', async () => {
    const { tickets, quote, pay, takeBack } = await start()
    const { orderId } = await pay(await quote())
    await takeBack()
    expect(await tickets()).toMatchObject([{ status: 2 }])
    await refundAll(orderId)
    expect(await tickets()).toMatchObject([{ status: 4, orderId: null }])
    await allHold()
  })
})

describe('a refund', () => {
  const receivers = (amount: string) => [{ type: 'MERCHANT_ID', account: '1900000109', name: '合作方', amount }]
  const share = async (orderId: string, amount: string) =>
    (
      await tenants.must(
        post('merchant/shareLog/submit', { orderId, description: '分给合作方', receivers: receivers(amount) }),
      )
    ).id as string
  const shares = async (orderId: string) =>
    (await read('merchant/shareLog/list', { orderId, size: 50 })).records
      .map((one: any) => [one.amount, one.status, one.failReason])
      .sort()

  it('of the whole order ends the shares that wait for its money, and says why', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 2, { payType: 'wechat', transactionNo: `W${++made}` })
    await share(orderId, '3.00')
    await refundAll(orderId)
    expect(await shares(orderId)).toEqual([['3.00', 3, '订单已退款，余额不够分']])
    await allHold()
  })

  it('of a part ends the last shares that what is left does not bear, and no others', async () => {
    const good = await stocked()
    const orderId = await sell(good.upc, 4, { payType: 'wechat', transactionNo: `W${++made}` })
    await share(orderId, '3.00')
    await share(orderId, '2.00')
    const { lines } = await whole(orderId)
    await tenants.must(
      post('shop/refunds/now', { orderId, lines: [{ detailId: lines[0].id, quantity: 3 }], reason: '不要了' }),
    )
    await runJobs()
    expect(await shares(orderId)).toEqual([
      ['2.00', 3, '订单已退款，余额不够分'],
      ['3.00', 0, ''],
    ])
    await allHold()
  })

  it('of goods that were removed meanwhile brings no pieces into the recycle bin', async () => {
    const good = await stocked(1)
    const orderId = await sell(good.upc, 1)
    await tenants.must(post('shop/goodInfo/remove', {}, { ids: good.id }))
    await refundAll(orderId)
    const [row] = await unit((db) =>
      db.query<{ stock: number; isDeleted: number }>(
        sql`select stock, is_deleted from good_info where id = ${good.id}`,
      ),
    )
    expect(row).toEqual({ stock: 0, isDeleted: 1 })
    await allHold()
  })
})

describe('goods that were removed', () => {
  it('take no pieces: a return is not undone into them, and a refund that was faster keeps them', async () => {
    const good = await stocked(1)
    const back = await tenants.must(
      post('shop/returnLog/submit', { direction: 'supplier', shopId, goodId: good.id, quantity: 1, reason: 'damaged' }),
    )
    await tenants.must(post('shop/goodInfo/remove', {}, { ids: good.id }))
    expect(await reasonOf(post('shop/returnLog/cancel', { id: back.id }))).toBe('good_removed')
    await allHold()
  })

  it('and sold by an order that is paid later leave nothing and are noted on it', async () => {
    const good = await stocked(0)
    const { placeOrder, payOrder } = await import('./place-order.ts')
    const order = await unit((db) =>
      placeOrder(db, {
        shopId,
        source: 'mini',
        type: 'pickup',
        status: 0,
        payDeadline: '2040-01-01 00:00:00',
        payAmount: 500,
        lines: [{ goodId: good.id, upc: good.upc, name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
      }),
    )
    await tenants.must(post('shop/goodInfo/remove', {}, { ids: good.id }))
    const paid = await unit((db) =>
      payOrder(db, order.id, { payType: 'wechat', payTime: '2026-11-20 09:30:00', transactionNo: `W${++made}` }, TODAY),
    )
    expect(paid.flags).toContain('unknownGoods')
    await refundAll(order.id)
    await allHold()
  })
})

describe('a level reached by spending', () => {
  const levelOf = async (id: string) =>
    (await unit((db) =>
      db.one<{ vipLevel: number }>(sql`select coalesce(vip_level, 0) as vip_level from wx_user where id = ${id}`),
    ))!.vipLevel
  const validOf = (id: string) =>
    unit((db) =>
      db.query<{ endTime: string }>(
        sql`select end_time from vip_info where wx_user_id = ${id} and status = 1 order by end_time desc`,
      ),
    )
  let silver: { id: string }
  let feeId: string
  beforeAll(async () => {
    silver = await tenants.must(
      post('shop/vipLevel/submit', {
        name: '银卡',
        rank: 1,
        discountRate: '98.00',
        integralTimes: '1.50',
        spendThreshold: '30.00',
        enabled: true,
      }),
    )
    await tenants.must(
      post('shop/vipLevel/submit', {
        name: '金卡',
        rank: 2,
        discountRate: '95.00',
        integralTimes: '2.00',
        spendThreshold: '100.00',
        enabled: true,
      }),
    )
    feeId = (
      await tenants.must(
        post('shop/annualFeeConf/submit', {
          name: '银卡一月',
          level: silver.id,
          fee: '30.00',
          months: 1,
          enabled: true,
        }),
      )
    ).id
  })
  const buysMonth = (id: string) =>
    tenants.must(post('shop/annualFeeLog/buy', { wxUserId: id, confId: feeId, payType: 'cash' }))
  const merge = async (sourceId: string, targetId: string) => {
    await tenants.must(post('shop/wxUserMerge/merge', { sourceId, targetId, reason: '同一个人', isSamePerson: true }))
    await runJobs()
  }

  it('is not made longer by a merge: what both reached runs once, and ends with the money of both', async () => {
    const good = await stocked(1000)
    const [one, other] = [await customer(), await customer()]
    const orders = [await sell(good.upc, 7, { customerId: one.id }), await sell(good.upc, 7, { customerId: other.id })]
    await merge(one.id, other.id)
    expect((await validOf(other.id)).map((term) => term.endTime.slice(0, 10))).toEqual(['2027-11-20'])
    await refundAll(orders[0]!)
    expect(await levelOf(other.id)).toBe(1)
    await refundAll(orders[1]!)
    expect([await levelOf(other.id), await validOf(other.id)]).toEqual([0, []])
    await allHold()
  })

  it(
    'ends after a merge with a membership that was paid for, and the paid months stay, ' +
      'whichever account went into the other',
    async () => {
      const good = await stocked(1000)
      for (const isPaidFirst of [true, false]) {
        const [spender, payer] = [await customer(), await customer()]
        const orderId = await sell(good.upc, 7, { customerId: spender.id })
        await buysMonth(payer.id)
        const [from, into] = isPaidFirst ? [payer.id, spender.id] : [spender.id, payer.id]
        await merge(from, into)
        expect((await validOf(into)).map((term) => term.endTime.slice(0, 10))).toEqual(['2027-12-20'])
        await refundAll(orderId)
        expect([await levelOf(into), (await validOf(into)).map((term) => term.endTime.slice(0, 10))]).toEqual([
          1,
          ['2026-12-20'],
        ])
        const [fee] = await unit((db) =>
          db.query<{ endTime: string }>(
            sql`select end_time from annual_fee_log where wx_user_id = any(${[from, into]}::bigint[])`,
          ),
        )
        expect(fee!.endTime.slice(0, 10)).toBe('2026-12-20')
      }
      await allHold()
    },
  )

  it('ends when the money that reached it goes back, and the months that were paid for stay', async () => {
    const good = await stocked(1000)
    const { id } = await customer()
    const big = await sell(good.upc, 10, { customerId: id }, '9.00')
    expect(await levelOf(id)).toBe(1)
    const second = await sell(good.upc, 6, { customerId: id }, '5.00')
    expect(await levelOf(id)).toBe(2)
    await refundAll(second)
    expect(await levelOf(id)).toBe(1)
    await refundAll(big)
    expect(await levelOf(id)).toBe(0)
    const third = await sell(good.upc, 6, { customerId: id }, '5.00')
    await buysMonth(id)
    await refundAll(third)
    const [term] = await unit((db) =>
      db.query<{ endTime: string }>(
        sql`select end_time from vip_info where wx_user_id = ${id} and status = 1 order by end_time desc`,
      ),
    )
    expect([await levelOf(id), term!.endTime.slice(0, 10)]).toEqual([1, '2026-12-20'])
    await allHold()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import { receiveGoods } from '#domains/catalogue/inventory/api.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let admin: CastMember
let shop: string
let supplierId: string
// The clock of the test: registers date sales by their own clock.
const now = () => new Date('2026-11-20T09:30:00+08:00')
beforeAll(async () => {
  tenants = await createTestTenants({ now })
  admin = tenants.north.admin
  shop = tenants.north.shops[0]!
  supplierId = (
    await save('/api/shop/supplierInfo', { name: '农夫山泉杭州经销', leadDays: 2, settlementDays: 30, freight: '8.00' })
  ).id
})
afterAll(() => tenants?.close())

const post = (path: string, body: unknown, who = admin) => tenants.call(who, 'POST', path, { body })
const save = (base: string, body: unknown) => tenants.must(post(`${base}/submit`, body))
const act = (name: string, id: string, body: Record<string, unknown> = {}, who = admin) =>
  post(`/api/supplier/supplierOrder/${name}`, { id, ...body }, who)
const orderOf = (id: string) =>
  tenants.must(tenants.call(admin, 'GET', '/api/supplier/supplierOrder/detail', { query: { id } }))
const linesOf = async (orderId: string) =>
  (
    await tenants.must(
      tenants.call(admin, 'GET', '/api/supplier/supplierOrderDetail/list', { query: { orderId, ascs: 'sort' } }),
    )
  ).records as any[]

/** Adds a product to the shop and to the supplier's catalogue. */
async function supply(draft: Record<string, unknown> = {}) {
  const good = await tenants.good(tenants.north, shop, { lowStock: 0 })
  const { id } = await save('/api/supplier/supplierGoodsInfo', {
    supplierId,
    upc: good.upc,
    name: `水${good.upc}`,
    price: '1.20',
    boxQty: 12,
    minOrder: 12,
    ...draft,
  })
  return { ...good, supplyId: id as string }
}
async function order(...wanted: [string, number][]) {
  const { id } = await save('/api/supplier/supplierOrder', {
    shopId: shop,
    supplierId,
    lines: wanted.map(([supplierGoodsId, quantity]) => ({ supplierGoodsId, quantity })),
  })
  return id as string
}

describe('a purchase order', () => {
  it('keeps the price agreed, comes in parts, becomes batches with cost, and is paid as received', async () => {
    const [water, tea] = [await supply(), await supply({ price: '2.50', boxQty: 6, minOrder: 6 })]
    const id = await order([water.supplyId, 24], [tea.supplyId, 6])
    expect(await orderOf(id)).toMatchObject({ status: 0, kinds: 2, quantity: 30, amount: '43.80', freight: '8.00' })
    await save('/api/supplier/supplierGoodsInfo', { id: water.supplyId, price: '9.99' })
    await tenants.must(act('confirm', id, { expectDate: '2026-12-01', freight: '10.00' }))
    await tenants.must(act('ship', id, { deliveryNo: 'SH-1' }))
    const [first, second] = await linesOf(id)
    expect(
      (await act('receive', id, { lines: [{ detailId: first.id, quantity: 12, was: 0, expiryDate: '2026-11-19' }] }))
        .data.reason,
    ).toBe('received_expired')
    expect(await orderOf(id)).toMatchObject({ receivedQuantity: 0 })
    await tenants.must(
      act('receive', id, { lines: [{ detailId: first.id, quantity: 12, was: 0, expiryDate: '2027-06-01' }] }),
    )
    expect(await orderOf(id)).toMatchObject({ status: 2, receivedQuantity: 12, receivedAmount: '14.40' })
    await tenants.must(
      act('receive', id, {
        lines: [
          { detailId: first.id, quantity: 12, was: 12 },
          { detailId: second.id, quantity: 6, was: 0 },
        ],
      }),
    )
    const received = await orderOf(id)
    expect(received).toMatchObject({ status: 3, receivedQuantity: 30, receivedAmount: '43.80', isShort: false })
    expect(received.dueDate).not.toBe('')
    expect([await tenants.stock(tenants.north, water.id), await tenants.stock(tenants.north, tea.id)]).toEqual([24, 6])
    const batches = (
      await tenants.must(tenants.call(admin, 'GET', '/api/shop/storageBatch/list', { query: { goodId: water.id } }))
    ).records
    expect(batches.map((one: any) => [one.quantity, one.costPrice])).toEqual([
      [12, '1.20'],
      [12, '1.20'],
    ])
    expect((await act('settle', id, { settledAmount: '50.00' })).data).toMatchObject({
      reason: 'settlement_differs',
      fields: { settleRemark: expect.stringContaining('50.00') },
    })
    await tenants.must(act('settle', id, { settledAmount: '53.80' }))
    expect(await orderOf(id)).toMatchObject({ status: 4, settledAmount: '53.80' })
    expect((await act('cancel', id, { cancelReason: '晚了' })).data.reason).toBe('action_not_now')
  })

  it('is received by scan: what is scanned is on its way no longer, at the price agreed, once', async () => {
    const water = await supply()
    const [early, late] = [await order([water.supplyId, 24]), await order([water.supplyId, 12])]
    const due = async (who = admin) =>
      (await tenants.call(who, 'GET', '/api/supplier/supplierOrder/due', { query: { goodId: water.id } })).data
    const [first, second] = await due()
    expect([first.orderId, second.orderId]).toEqual([early, late])
    expect([first, second]).toMatchObject([
      { due: 24, was: 0, price: '1.20', supplierName: '农夫山泉杭州经销' },
      { due: 12, was: 0 },
    ])
    const scan = (body: object, who = admin) => post('/api/supplier/supplierOrder/receiveScanned', body, who)
    const came = { detailId: first.detailId, quantity: 20, was: 0, expiryDate: '2027-06-01', batchNo: `S-${early}` }
    const stranger = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    for (const who of [stranger, tenants.south.admin]) {
      expect((await scan(came, who)).status).toBe(404)
      expect(await due(who)).not.toEqual(expect.arrayContaining([expect.anything()]))
    }
    await tenants.must(scan(came))
    expect(await tenants.stock(tenants.north, water.id)).toBe(20)
    expect(await orderOf(early)).toMatchObject({ status: 2, receivedQuantity: 20, receivedAmount: '24.00' })
    expect((await due()).map((one: { due: number }) => one.due)).toEqual([4, 12])
    const [batch] = (
      await tenants.must(tenants.call(admin, 'GET', '/api/shop/storageBatch/list', { query: { goodId: water.id } }))
    ).records
    expect(batch).toMatchObject({ supplierOrderId: early, costPrice: '1.20', batchNo: `S-${early}`, quantity: 20 })
    // A repeated delivery is refused, and so is more than is due.
    expect((await scan(came)).data.reason).toBe('received_meanwhile')
    expect((await scan({ ...came, quantity: 5, was: 20, batchNo: '' })).data.reason).toBe('received_too_many')
    await tenants.must(scan({ ...came, quantity: 4, was: 20, batchNo: '' }))
    expect(await orderOf(early)).toMatchObject({ status: 3, receivedQuantity: 24, isShort: false })
    expect((await due()).map((one: { orderId: string }) => one.orderId)).toEqual([late])
    expect(await tenants.stock(tenants.north, water.id)).toBe(24)
  })

  it('is paid without what was given back of it, at the price it was bought for, however much that is', async () => {
    const gold = await supply({ price: '999999.99', boxQty: 1, minOrder: 1 })
    await tenants.receive(tenants.north, shop, gold.id, 10)
    const id = await order([gold.supplyId, 30])
    await tenants.must(act('confirm', id, { freight: '8.00' }))
    const [line] = await linesOf(id)
    const give = (quantity: number, more: object = {}) =>
      post('/api/shop/returnLog/submit', {
        direction: 'supplier',
        shopId: shop,
        goodId: gold.id,
        quantity,
        reason: 'damaged',
        refId: id,
        ...more,
      })
    await tenants.must(act('receive', id, { lines: [{ detailId: line.id, quantity: 20, was: 0 }] }))
    const { id: back } = await tenants.must(give(3))
    const seen = await tenants.must(tenants.call(admin, 'GET', '/api/shop/returnLog/detail', { query: { id: back } }))
    await save('/api/shop/returnLog', { ...seen, remark: '补记' })
    await tenants.must(act('receive', id, { lines: [{ detailId: line.id, quantity: 10, was: 20 }] }))
    expect((await give(1, { amount: '1000000.00' })).data.fields).toHaveProperty('amount')
    const undone = await tenants.must(give(1))
    await tenants.must(post('/api/shop/returnLog/cancel', { id: undone.id }))
    expect(await orderOf(id)).toMatchObject({ receivedAmount: '29999999.70', returnedAmount: '2999999.97' })
    expect((await act('settle', id, { settledAmount: '30000007.70' })).data.reason).toBe('settlement_differs')
    await tenants.must(act('settle', id, { settledAmount: '27000007.73' }))
    expect(await orderOf(id)).toMatchObject({ status: 4, settledAmount: '27000007.73' })
  })

  it('takes a delivery once, however many people send it at the same time', async () => {
    const water = await supply()
    const id = await order([water.supplyId, 36])
    await tenants.must(act('confirm', id))
    const [line] = await linesOf(id)
    const sent = await Promise.all(
      Array.from({ length: 10 }, () => act('receive', id, { lines: [{ detailId: line.id, quantity: 12, was: 0 }] })),
    )
    expect(sent.filter((one) => one.status === 200)).toHaveLength(1)
    expect(new Set(sent.filter((one) => one.status !== 200).map((one) => one.data.reason))).toEqual(
      new Set(['received_meanwhile']),
    )
    expect(await tenants.stock(tenants.north, water.id)).toBe(12)
    expect((await act('receive', id, { lines: [{ detailId: line.id, quantity: 36, was: 12 }] })).data.reason).toBe(
      'received_too_many',
    )
    expect((await act('receive', id, { lines: [{ detailId: line.id, quantity: -1, was: 12 }] })).status).toBe(400)
    expect((await act('receive', id, { lines: 'nonsense' })).status).toBe(400)
    await tenants.must(act('receive', id, { lines: [], isLast: true }))
    expect(await orderOf(id)).toMatchObject({ status: 3, isShort: true, receivedQuantity: 12 })
  })

  it('of goods that were removed meanwhile is received when they are back, and says so', async () => {
    const water = await supply()
    const id = await order([water.supplyId, 12])
    await tenants.must(act('confirm', id))
    await tenants.must(post('/api/shop/goodInfo/remove', { ids: water.id }))
    const [line] = await linesOf(id)
    const receive = () => act('receive', id, { lines: [{ detailId: line.id, quantity: 12, was: 0 }] })
    const refused = await receive()
    expect([refused.data.reason, refused.msg]).toEqual(['good_removed', expect.stringContaining('商品')])
    await tenants.must(post('/api/kit/bin/goodInfo/restore', { ids: water.id }))
    await tenants.must(receive())
    expect(await tenants.stock(tenants.north, water.id)).toBe(12)
  })

  it('refuses, naming the goods, what cannot be ordered, and writes nothing', async () => {
    const [water, strange] = [
      await supply(),
      (
        await save('/api/supplier/supplierGoodsInfo', {
          supplierId,
          upc: 'X777',
          name: '没有的',
          price: '1.00',
          boxQty: 1,
        })
      ).id as string,
    ]
    const before = (await tenants.must(tenants.call(admin, 'GET', '/api/supplier/supplierOrder/list'))).total
    const refused = async (lines: unknown) =>
      (await post('/api/supplier/supplierOrder/submit', { shopId: shop, supplierId, lines })).data.reason
    expect(await refused([{ supplierGoodsId: water.supplyId, quantity: 6 }])).toBe('supply_too_few')
    expect(await refused([{ supplierGoodsId: water.supplyId, quantity: 13 }])).toBe('supply_not_whole_boxes')
    expect(await refused([{ supplierGoodsId: strange, quantity: 1 }])).toBe('shop_does_not_carry')
    expect(await refused([])).toBe('order_lines_missing')
    expect(
      await refused([
        { supplierGoodsId: water.supplyId, quantity: 12 },
        { supplierGoodsId: water.supplyId, quantity: 12 },
      ]),
    ).toBe('order_line_twice')
    const boss = await tenants.person(tenants.north, 'boss', ['supplierOrder', 'supplierOrder_add', 'supplierCart'])
    expect(
      (
        await post(
          '/api/supplier/supplierOrder/submit',
          { shopId: tenants.south.shops[0], supplierId, lines: [{ supplierGoodsId: water.supplyId, quantity: 12 }] },
          boss,
        )
      ).status,
    ).toBe(404)
    expect((await tenants.must(tenants.call(admin, 'GET', '/api/supplier/supplierOrder/list'))).total).toBe(before)
  })
})

describe('the cart', () => {
  it(
    'suggests what sells, with its reasons, and becomes one order per supplier; what ' +
      'was ordered is not suggested again',
    async () => {
      const water = await supply()
      // Received four weeks ago, sold out a week ago: days without stock do not count.
      const onDay = <T>(day: string, work: (db: Db) => Promise<T>) =>
        tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
          db.withTimestamp(new Date(`${day}T10:00:00+08:00`), work),
        )
      const came = { shopId: shop, lines: [{ goodId: water.id, quantity: 28 }], refType: 'supplierOrder' } as const
      await onDay('2026-10-24', (db) => receiveGoods(db, { ...came, refId: '1' }))
      const sold = { goodId: water.id, upc: water.upc, name: '水', price: 100, quantity: 28, discount: 0, amount: 2800 }
      await onDay('2026-11-13', (db) =>
        placeOrder(db, {
          shopId: shop,
          source: 'register',
          type: 'store',
          lines: [sold],
          payAmount: 2800,
          payType: 'cash',
          payTime: '2026-11-13 10:00:00',
        }),
      )
      const ask = async () =>
        (
          await tenants.must(
            tenants.call(admin, 'GET', '/api/supplier/supplierCart/suggest', { query: { shopId: shop, coverDays: 5 } }),
          )
        ).find((one: any) => one.supplierGoodsId === water.supplyId)
      const advice = await ask()
      expect(advice).toMatchObject({
        perDay: 1.3,
        quantity: 12,
        reasons: [{ code: 'sales', amount: 10, days: 7 }, { code: 'minOrder' }],
      })
      // The product page computes the same rate.
      const { rate } = await tenants.must(
        tenants.call(admin, 'GET', '/api/shop/goodInfo/sales', { query: { id: water.id, days: 7 } }),
      )
      expect(rate).toEqual({ perDay: 28 / 21, days: 21 })
      // A cheaper supplier without stock is not suggested.
      const cheap = await save('/api/shop/supplierInfo', { name: '便宜的', leadDays: 2 })
      const { id: none } = await save('/api/supplier/supplierGoodsInfo', {
        supplierId: cheap.id,
        upc: water.upc,
        name: '水',
        price: '0.90',
        boxQty: 12,
        minOrder: 12,
        stock: 0,
      })
      expect(await ask()).toMatchObject({ otherOffers: 1, quantity: 12 })
      await tenants.must(post('/api/supplier/supplierGoodsInfo/remove', { ids: none }))
      // Ordered but never paid, so not sold.
      const line = {
        goodId: water.id,
        upc: water.upc,
        name: '水',
        price: 500,
        quantity: 280,
        discount: 0,
        amount: 140_000,
      }
      for (const status of [0, 9])
        await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
          const { id } = await placeOrder(db, {
            shopId: shop,
            source: 'mini',
            type: 'pickup',
            status: 0,
            lines: [line],
            payAmount: 140_000,
          })
          await db.run(sql`update shopping_order set status = ${status} where id = ${id}`)
        })
      expect(await ask()).toMatchObject({ perDay: 1.3, quantity: 12 })
      const other = await supply()
      const inCart = async () =>
        (
          await tenants.must(tenants.call(admin, 'GET', '/api/supplier/supplierCart/list', { query: { shopId: shop } }))
        ).records.map((row: any) => [row.supplierGoodsId, row.quantity])
      await tenants.must(
        post('/api/supplier/supplierCart/fill', {
          shopId: shop,
          lines: [{ supplierGoodsId: other.supplyId, quantity: 12 }],
        }),
      )
      expect(await inCart()).toEqual([[other.supplyId, 12]])
      await tenants.must(
        post('/api/supplier/supplierCart/fill', {
          shopId: shop,
          lines: [{ supplierGoodsId: other.supplyId, quantity: 0 }],
        }),
      )
      expect(await inCart()).toEqual([])
      const { ids } = await tenants.must(
        post('/api/supplier/supplierCart/fill', {
          shopId: shop,
          lines: [{ supplierGoodsId: water.supplyId, quantity: advice.quantity }],
        }),
      )
      expect(await ask()).toMatchObject({ inCart: 12 })
      const both = await Promise.all([1, 2].map(() => post('/api/supplier/supplierCart/place', { ids: ids.join(',') })))
      expect(both.map((one) => one.status).toSorted((a, b) => a - b)).toEqual([200, 404])
      expect(await ask()).toMatchObject({ inCart: 0, onOrder: 12, quantity: 0 })
    },
  )

  it('by two at once is ordered once: the second is told what moved, and nothing is ordered unseen', async () => {
    const water = await supply()
    const ask = async (more: object, person = admin) =>
      tenants.call(person, 'POST', '/api/supplier/supplierCart/fill', {
        body: { shopId: shop, lines: [{ supplierGoodsId: water.supplyId, quantity: 12, ...more }] },
      })
    const total = async () =>
      (await tenants.must(tenants.call(admin, 'GET', '/api/supplier/supplierOrder/list', { query: { supplierId } })))
        .total
    const before = await total()
    const order = (seen: object) =>
      post('/api/supplier/supplierCart/fill', {
        shopId: shop,
        lines: [{ supplierGoodsId: water.supplyId, quantity: 24, ...seen }],
        orderFrom: supplierId,
      })
    const both = await Promise.all([1, 2].map(() => order({ inCart: 0, onOrder: 0 })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)!.data.reason).toBe('cart_moved')
    expect(await total()).toBe(before + 1)
    expect((await order({ inCart: 0, onOrder: 24 })).status).toBe(200)
    expect((await ask({ inCart: 12, onOrder: 48 })).data.reason).toBe('cart_moved')
    expect((await ask({ inCart: 0, onOrder: 48 })).status).toBe(200)
    expect((await ask({ inCart: 0, onOrder: 48 })).data.reason).toBe('cart_moved')
    // Also for goods no longer suggested: they were on the page when the buyer looked.
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.run(sql`update good_info set on_sale = false where shop_id = ${shop} and upc = ${water.upc}`),
    )
    expect((await ask({ inCart: 0, onOrder: 48 })).data.reason).toBe('cart_moved')
    // Requests without the seen quantities are still accepted.
    expect((await ask({})).status).toBe(200)
  })

  it('is ordered from one supplier alone; what others have in it stays, and is not ordered', async () => {
    const water = await supply()
    const { id: milkman } = await save('/api/shop/supplierInfo', { name: '送奶的', leadDays: 1 })
    const { id: milk } = await save('/api/supplier/supplierGoodsInfo', {
      supplierId: milkman,
      upc: water.upc,
      name: '奶',
      price: '3.00',
      boxQty: 1,
      minOrder: 1,
    })
    const count = async (path: string, query: Record<string, string>) =>
      (await tenants.must(tenants.call(admin, 'GET', `/api/supplier/${path}/list`, { query }))).total as number
    const before = await count('supplierOrder', { supplierId })
    const { orders } = await tenants.must(
      post('/api/supplier/supplierCart/fill', {
        shopId: shop,
        lines: [
          { supplierGoodsId: water.supplyId, quantity: 12 },
          { supplierGoodsId: milk, quantity: 5 },
        ],
        orderFrom: milkman,
      }),
    )
    expect(orders).toMatchObject([{ supplierId: milkman, shopId: shop, amount: '15.00' }])
    expect(await count('supplierOrder', { supplierId })).toBe(before)
    expect(await count('supplierCart', { supplierGoodsId: water.supplyId })).toBe(1)
    expect(await count('supplierCart', { supplierGoodsId: milk })).toBe(0)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import {
  findBarcodeFault,
  listBarcodeForms,
  normalizeBarcode,
  toPrintedBarcode,
} from '#domains/catalogue/products/index.ts'

/** The same label: UPC-A as printed, and as scanners report it as EAN-13. */
const [printed, scanned] = ['036000291452', '0036000291452']

let tenants: TestTenants
let register: Register
let shop: string
beforeAll(async () => {
  tenants = await createTestTenants()
  shop = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shop)
})
afterAll(() => tenants.close())

const call = (method: 'GET' | 'POST', path: string, request: object) =>
  tenants.call(tenants.north.admin, method, path, request)
const save = (resource: string, body: object) => call('POST', `/api/shop/${resource}/submit`, { body })

describe.each([
  ['as printed', printed, scanned],
  ['with the nought', scanned, printed],
])('goods entered %s', (_how, entered, other) => {
  let good: { id: string; upc: string }
  let here: string
  let till: Register
  beforeAll(async () => {
    here = entered === printed ? shop : tenants.north.shops[1]!
    till = entered === printed ? register : await tenants.register(tenants.north, here)
    good = await tenants.good(tenants.north, here, { upc: entered, name: '进口糖' })
    await tenants.receive(tenants.north, here, good.id, 50)
  })

  it('keep their number and are found by either, whole or in part, in lists and choosers', async () => {
    for (const upc of [entered, other])
      for (const suffix of ['', '_equal', '_likeright', '_like', '_likeleft', '_in']) {
        const { records } = await tenants.must(
          call('GET', '/api/shop/goodInfo/list', { query: { shopId: here, [`upc${suffix}`]: upc } }),
        )
        expect([suffix, records.map((one: { upc: string }) => one.upc)]).toEqual([suffix, [entered]])
      }
  })

  it('are there for who adds them by the other form, also for twenty at once', async () => {
    const body = { shopId: here, name: '另一种', salePrice: '3.00', upc: other }
    for (const { status, data } of await Promise.all(Array.from({ length: 20 }, () => save('goodInfo', body)))) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(data.fields).toEqual({ upc: '条码已存在：本店商品“进口糖”' })
    }
  })

  it('are sold, quoted and moved by either', async () => {
    for (const [at, upc] of [entered, other].entries()) {
      const sale = await tenants.must(tenants.beep(till, 'POST', 'sale', { body: saleBodyOf(upc) }))
      expect(sale.flags).not.toContain('unknownGoods')
      expect(await tenants.stock(tenants.north, good.id)).toBe(49 - at)
      const quote = await tenants.must(
        tenants.beep(till, 'POST', 'quote', { body: { saleNo: `Q-${upc}`, lines: [{ upc, quantity: 1 }] } }),
      )
      expect(quote.lines[0]).toMatchObject({ upc, name: '进口糖' })
    }
  })

  it('are counted by either', async () => {
    const { id } = await tenants.must(
      save('stocktake', { shopId: here, kind: 'all', scope: 'all', name: `盘${entered}` }),
    )
    for (const upc of [entered, other])
      expect(
        await tenants.must(
          call('POST', '/api/shop/stocktake/count', { body: { id, upc, quantity: 48, mode: 'set', requestKey: upc } }),
        ),
      ).toMatchObject({ goodId: good.id })
    await tenants.must(call('POST', '/api/shop/stocktake/cancel', { body: { id } }))
  })

  it('are shown on a tag by the other form', async () => {
    await tenants.must(
      call('POST', '/api/shop/priceTag/updateUpcTag', { body: { tagId: `T${entered}`, upc: other, shopId: here } }),
    )
    const tag = await tenants.must(
      call('GET', '/api/shop/priceTag/getTagIdByUpc', { query: { upc: other, shopId: here } }),
    )
    expect(tag).toBe(`T${entered}`)
  })

  it('are ordered of a supplier who writes the other form, and that supplier sells them once', async () => {
    const supplier = await tenants.must(
      call('POST', '/api/shop/supplierInfo/submit', {
        body: { name: `商${entered}`, leadDays: 1 },
      }),
    )
    const body = { supplierId: supplier.id, upc: other, name: '糖', price: '1.00', boxQty: 1, minOrder: 1 }
    const { id } = await tenants.must(call('POST', '/api/supplier/supplierGoodsInfo/submit', { body }))
    const twin = await call('POST', '/api/supplier/supplierGoodsInfo/submit', { body: { ...body, upc: entered } })
    expect(twin.data).toMatchObject({ reason: 'invalid', fields: { upc: '条码已存在' } })
    const order = await tenants.must(
      call('POST', '/api/supplier/supplierOrder/submit', {
        body: { shopId: here, supplierId: supplier.id, lines: [{ supplierGoodsId: id, quantity: 1 }] },
      }),
    )
    const { records } = await tenants.must(
      call('GET', '/api/supplier/supplierOrderDetail/list', { query: { orderId: order.id } }),
    )
    expect(records.map((line: { goodId: string }) => line.goodId)).toEqual([good.id])
  })
})

describe('goods that come under both forms at once', () => {
  const [upcA, ean] = ['012345678905', '0012345678905']
  const post = (path: string, body: object) => call('POST', `/api/${path}`, { body })

  it('by transfers of two shops are one kind of goods in the shop they come to', async () => {
    const { id: third } = await tenants.must(save('basicShopInfo', { shopName: '三号店', shopCode: 'T3' }))
    const sent: Record<string, unknown>[] = []
    for (const [at, upc] of [upcA, ean].entries()) {
      const from = tenants.north.shops[at]!
      const { id: goodId } = await tenants.good(tenants.north, from, { upc, name: '两写糖' })
      await tenants.receive(tenants.north, from, goodId, 50)
      sent.push({ fromShopId: from, toShopId: third, lines: [{ goodId, quantity: 1 }] })
    }
    const transfers: string[] = []
    for (const body of Array.from({ length: 20 }, (_none, at) => sent[at % 2]!)) {
      const { id } = await tenants.must(post('shop/stockTransfer/submit', body))
      await tenants.must(post('shop/stockTransfer/dispatch', { id }))
      transfers.push(id)
    }
    const answers = await Promise.all(transfers.map((id) => post('shop/stockTransfer/receive', { id })))
    expect(answers.map(({ status }) => status)).toEqual(transfers.map(() => 200))
    const { records } = await tenants.must(
      call('GET', '/api/shop/goodInfo/list', { query: { shopId: third, upc_equal: upcA } }),
    )
    expect(records.map((one: { stock: number }) => one.stock)).toEqual([20])
  })

  it('by scanning the goods of one purchase order are taken once', async () => {
    const { id: newShop } = await tenants.must(save('basicShopInfo', { shopName: '四号店', shopCode: 'T4' }))
    const good = await tenants.good(tenants.north, newShop, { upc: upcA })
    const supplier = await tenants.must(post('shop/supplierInfo/submit', { name: '两写经销', leadDays: 1 }))
    const offer = { supplierId: supplier.id, upc: ean, name: '糖', price: '1.00', boxQty: 1, minOrder: 1 }
    const { id: supplierGoodsId } = await tenants.must(post('supplier/supplierGoodsInfo/submit', offer))
    const order = await tenants.must(
      post('supplier/supplierOrder/submit', {
        shopId: newShop,
        supplierId: supplier.id,
        lines: [{ supplierGoodsId, quantity: 24 }],
      }),
    )
    const found = async (upc: string) =>
      (await tenants.must(call('GET', '/api/shop/goodInfo/list', { query: { shopId: newShop, upc_equal: upc } })))
        .records
    const scanned_ = await Promise.all([upcA, ean].map(found))
    expect(scanned_.map((rows) => rows.map((one: { id: string }) => one.id))).toEqual([[good.id], [good.id]])
    const [line] = await tenants.must(call('GET', '/api/supplier/supplierOrder/due', { query: { goodId: good.id } }))
    const came = { detailId: line.detailId, quantity: 10, was: 0, expiryDate: '2030-06-01' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('supplier/supplierOrder/receiveScanned', came)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ data }) => data?.reason === 'received_meanwhile')).toHaveLength(19)
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    const now = await tenants.must(call('GET', '/api/supplier/supplierOrder/detail', { query: { id: order.id } }))
    expect(now).toMatchObject({ receivedQuantity: 10 })
  })
})

describe('the library of barcodes', () => {
  it('has a label once and answers to either form', async () => {
    await tenants.must(save('barcodes', { upc: scanned, name: '进口糖' }))
    expect((await save('barcodes', { upc: printed, name: '进口糖' })).data.fields).toEqual({ upc: '条码已存在' })
    for (const upc of [printed, scanned])
      expect(await tenants.must(call('GET', '/api/shop/barcodes/find', { query: { upc } }))).toMatchObject({
        name: '进口糖',
      })
  })
})

describe('two goods of a shop that had both forms before', () => {
  it('are each sold by their own', async () => {
    const southShop = tenants.south.shops[0]!
    const till = await tenants.register(tenants.south, southShop)
    const goods = [
      await tenants.good(tenants.south, southShop, { upc: printed }),
      await tenants.good(tenants.south, southShop),
    ]
    await tenants.services.unit({ tenantId: tenants.south.tenantId }, (db) =>
      db.run(sql`update good_info set upc = ${scanned} where id = ${goods[1]!.id}`),
    )
    for (const [at, upc] of [printed, scanned].entries()) {
      await tenants.must(tenants.beep(till, 'POST', 'sale', { body: saleBodyOf(upc) }))
      const { data } = await tenants.call(tenants.south.admin, 'GET', '/api/shop/goodInfo/detail', {
        query: { id: goods[at]!.id },
      })
      expect(data.stock).toBe(-1)
    }
  })
})

describe('a UPC-E number', () => {
  it.each([
    ['04252614', '042100005264'],
    ['01234531', '012300000451'],
    ['01234543', '012340000053'],
    ['01278907', '012000007897'],
  ])('%s is named with the UPC-A number it is short for, %s, and found by it', (short, long) => {
    const fault = findBarcodeFault(short)!
    expect(fault.params).toEqual({ upcA: long })
    expect(fault.words.zh).toContain('UPC-E')
    expect(normalizeBarcode(short)).toBe(long)
    expect(listBarcodeForms(short)).toEqual([short, long, `0${long}`])
    expect(toPrintedBarcode(short, 'upc_e')).toBe(long)
  })

  it('that looks like an EAN-8 number is one, and sells what it is short for where nothing else has it', async () => {
    for (const one of ['96385074', '01234572']) expect(findBarcodeFault(one)).toBeUndefined()
    expect(normalizeBarcode('01234572')).toBe('01234572')
    expect(toPrintedBarcode('01234572', 'upc_e')).toBe('012345000072')
    const long = await tenants.good(tenants.north, shop, { upc: '012345000072' })
    await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf('01234572') }))
    expect(await tenants.stock(tenants.north, long.id)).toBe(-1)
  })

  it('sells the goods of its UPC-A number', async () => {
    const good = await tenants.good(tenants.north, shop, { upc: '042100005264' })
    await tenants.receive(tenants.north, shop, good.id, 5)
    await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf('04252614') }))
    expect(await tenants.stock(tenants.north, good.id)).toBe(4)
  })
})

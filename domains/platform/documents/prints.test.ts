import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliveryInfo, refunds, shoppingOrder, shoppingOrderDetail } from '#domains/sales/orders/index.ts'
import { supplierOrder, supplierOrderDetail } from '#domains/catalogue/purchasing/index.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { sql } from '#kit/server/database/db.ts'

let tenants: TestTenants
let admin: CastMember
let shop: string
let supplierId: string
let purchase: string
beforeAll(async () => {
  tenants = await createTestTenants()
  admin = tenants.north.admin
  shop = tenants.north.shops[0]!
  supplierId = (await save('/api/shop/supplierInfo', { name: '农夫山泉杭州经销' })).id
  purchase = await purchaseOf(60)
})
afterAll(() => tenants?.close())

type RequestValues = Record<string, unknown>
const save = (base: string, body: object) => tenants.must(tenants.call(admin, 'POST', `${base}/submit`, { body }))
const template = (body: RequestValues, lang?: 'zh' | 'en') =>
  tenants.call(admin, 'POST', '/api/prints/template/submit', { body: { kind: 'purchaseOrder', ...body }, lang })
const print = (query: RequestValues, who = admin, lang?: 'zh' | 'en') =>
  tenants.call(who, 'GET', '/api/prints/sheets', { query: { kind: 'purchaseOrder', ids: purchase, ...query }, lang })
const printed = (query: RequestValues = {}, who = admin, lang?: 'zh' | 'en') => tenants.must(print(query, who, lang))
const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)

/** A purchase order with `count` lines of 3 pieces at 12.34 each. */
async function purchaseOf(count: number, shopId = shop): Promise<string> {
  return inNorth(async (db) => {
    const { id } = await db.insert(supplierOrder, {
      orderNo: `PO-${count}-${shopId.slice(-4)}-${Math.random().toString(36).slice(2, 8)}`,
      shopId,
      supplierId,
      status: 1,
      kinds: count,
      quantity: 3 * count,
      amount: 3702 * count,
      freight: 800,
      expectDate: '2026-12-24',
    })
    for (let at = 1; at <= count; at++)
      await db.insert(supplierOrderDetail, {
        orderId: id,
        shopId,
        upc: `690${at}`,
        name: `东方树叶乌龙茶原味 500ml 第 ${at} 种`,
        unit: '瓶',
        price: 1234,
        quantity: 3,
        amount: 3702,
        sort: at,
      })
    return id
  })
}

type Field = { key: string; label: { zh: string; en: string } }
const valueOf = (paper: any, part: 'facts' | 'totals', key: string, at = 0): string =>
  paper.sheets[at][part][paper.layout[part].findIndex((field: Field) => field.key === key)]
const columnOf = (paper: any, key: string, at = 0): string[] => {
  const place = paper.layout.columns.findIndex((field: Field) => field.key === key)
  return paper.sheets[at].lines.map((line: string[]) => line[place])
}

describe('a document', () => {
  test('says what its row says, in the words of its reader, with all lines in their order', async () => {
    const row = await tenants.must(
      tenants.call(admin, 'GET', '/api/supplier/supplierOrder/detail', { query: { id: purchase } }),
    )
    const paper = await printed()
    const [sheet] = paper.sheets
    expect(sheet).toMatchObject({ id: purchase, number: row.orderNo, isPartial: false })
    expect(paper.layout.title).toEqual({ zh: '采购单', en: 'Purchase order' })
    expect(valueOf(paper, 'facts', 'supplierId')).toBe(row.supplierName)
    expect(valueOf(paper, 'facts', 'status')).toBe(row.statusName)
    expect(valueOf(paper, 'facts', 'expectDate')).toBe('2026-12-24')
    expect(valueOf(paper, 'totals', 'amount')).toBe(row.amount)
    expect(columnOf(paper, 'upc')).toEqual(Array.from({ length: 60 }, (_, at) => `690${at + 1}`))
    expect(new Set(columnOf(paper, 'price'))).toEqual(new Set(['12.34']))
    const sum = (key: string) => sheet.sums[paper.layout.columns.findIndex((field: Field) => field.key === key)]
    expect([sum('quantity'), sum('amount'), sum('price')]).toEqual(['180', row.amount, ''])
    const english = await printed({}, admin, 'en')
    expect(valueOf(english, 'facts', 'status')).not.toBe(row.statusName)
  })

  test('comes for several rows in the order they were asked for, and for too many not at all', async () => {
    const other = await purchaseOf(2)
    const paper = await printed({ ids: `${other},${purchase}` })
    expect(paper.sheets.map(({ id, lines }: any) => [id, lines.length])).toEqual([
      [other, 2],
      [purchase, 60],
    ])
    const { body } = await print({ ids: Array.from({ length: 101 }, (_, at) => at + 1).join(',') })
    expect(body).toMatchObject({ code: 400, msg: expect.stringContaining('100') })
  })

  test('is nobody’s of another tenant or shop, nor of who may not list the rows', async () => {
    const otherShop = tenants.north.shops[1]!
    const boss = await tenants.person(tenants.north, 'boss', ['supplierOrder', 'supplierOrderDetail'])
    const staff = [{ userId: boss.userId, position: 'boss' }]
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/basicShopInfo/staff', { body: { id: otherShop, staff } }))
    const outsider = await tenants.person(tenants.north, 'clerk', ['shoppingOrder'])
    expect([
      (await print({}, tenants.south.admin)).status,
      (await print({}, boss)).status,
      (await print({}, outsider)).status,
      (await print({ ids: `${purchase},1` })).status,
      (await print({ kind: 'nothing' })).status,
    ]).toEqual([404, 404, 403, 404, 404])
    // A boss prints those of the own shop.
    expect((await print({ ids: await purchaseOf(1, otherShop) }, boss)).status).toBe(200)
  })

  test('says that it lacks lines which are not its reader’s to see, and shows none of them', async () => {
    const reader = await tenants.person(tenants.north, 'buyer', ['supplierOrder'])
    const paper = await printed({}, reader)
    expect(paper.sheets[0]).toMatchObject({ lines: [], isPartial: true })
    expect(valueOf(paper, 'totals', 'amount')).toBe('2221.20')
  })

  test('is of a row only once there is something to say in it', async () => {
    const answer = await print({ kind: 'purchaseSettlement' })
    expect(answer.body.data.reason).toBe('print_not_yet')
    expect(((await printed()).kinds as { kind: string }[]).map(({ kind }) => kind)).toEqual(['purchaseOrder'])
    const setStatus = (status: number) =>
      inNorth((db) => db.run(sql`update supplier_order set status = ${status} where id = ${purchase}`))
    await setStatus(3)
    expect((await printed({ kind: 'purchaseSettlement' })).kinds).toHaveLength(2)
    await setStatus(1)
  })

  test('of a refund says its lines in yuan and what they come to, and is none of one nobody approved', async () => {
    const refund = await refundOf(3)
    const paper = await printed({ kind: 'refundSlip', ids: refund })
    expect(paper.sheets[0]).toMatchObject({
      number: 'RF-PRINT-3',
      lines: [
        ['6901', '可乐', '2', '6.34'],
        ['6902', '雪碧', '1', '1.00'],
      ],
      sums: ['', '', '3', '7.34'],
      totals: ['5.00', '12.34'],
    })
    expect(valueOf(paper, 'facts', 'reason')).toBe('破损')
    for (const status of [0, 4, 5]) {
      const { body } = await print({ kind: 'refundSlip', ids: await refundOf(status) })
      expect([status, body.data.reason]).toEqual([status, 'print_not_yet'])
    }
    expect((await print({ kind: 'refundSlip', ids: refund }, tenants.south.admin)).status).toBe(404)
  })

  test('keeps masks: a receiver’s name and phone stand on a delivery note as in its list', async () => {
    const delivery = await deliveryOf('王小明', '13812345678')
    const paper = await printed({ kind: 'deliveryNote', ids: delivery })
    const row = await tenants.must(
      tenants.call(admin, 'GET', '/api/shop/deliveryInfo/detail', { query: { id: delivery } }),
    )
    expect([valueOf(paper, 'facts', 'name'), valueOf(paper, 'facts', 'phone')]).toEqual([row.name, row.phone])
    expect(JSON.stringify(paper)).not.toMatch(/王小明|13812345678/)
    expect(paper.sheets[0]).toMatchObject({ number: row.orderNo, lines: [expect.arrayContaining(['可乐', '2'])] })
  })
})

/** A refund of two lines of an order, with its freight. */
const refundOf = (status: number) =>
  inNorth(async (db) => {
    const order = await db.insert(shoppingOrder, { orderNo: `SO-${status}`, shopId: shop, status: 3, payAmount: 2000 })
    const { id } = await db.insert(refunds, {
      refundNo: `RF-PRINT-${status}`,
      orderId: order.id,
      shopId: shop,
      status,
      type: 'part',
      reason: '破损',
      restock: false,
      freight: 500,
      amount: 1234,
      lines: [
        { detailId: '1', goodId: '', upc: '6901', name: '可乐', quantity: 2, amount: '6.34' },
        { detailId: '2', goodId: '', upc: '6902', name: '雪碧', quantity: 1, amount: '1.00' },
      ],
    })
    return id
  })

/** A delivery of an order with one line. */
const deliveryOf = (name: string, phone: string) =>
  inNorth(async (db) => {
    const order = await db.insert(shoppingOrder, { orderNo: 'SO-PRINT', shopId: shop, status: 1, payAmount: 600 })
    const line = { orderId: order.id, shopId: shop, name: '可乐', price: 300, quantity: 2, amount: 600, sort: 1 }
    await db.insert(shoppingOrderDetail, line)
    const draft = { orderId: order.id, shopId: shop, status: 0, carrier: 'self', name, phone, address: '文三路 1 号' }
    return (await db.insert(deliveryInfo, draft)).id
  })

describe('a template', () => {
  test('says which fields stand there, in which order and under which names; all else stays as it comes', async () => {
    await tenants.must(
      template({
        name: '简版',
        isDefault: true,
        paper: 'a5Across',
        titleZh: '订货单',
        headZh: '杭州无人店',
        footerEn: 'Thank you',
        facts: { parts: [{ key: 'shopId', zh: '收货门店' }, { key: 'expectDate' }] },
        columns: { parts: [{ key: 'amount', en: 'Sum' }, { key: 'name' }] },
        totals: { parts: [] },
        signs: { parts: [{ zh: '经手人' }] },
      }),
    )
    const { layout, sheets, templates } = await printed()
    expect(layout).toMatchObject({
      paper: 'a5Across',
      title: { zh: '订货单', en: 'Purchase order' },
      head: { zh: '杭州无人店', en: '杭州无人店' },
      footer: { zh: 'Thank you', en: 'Thank you' },
      facts: [{ key: 'shopId', label: { zh: '收货门店', en: 'Store' } }, { key: 'expectDate' }],
      columns: [{ key: 'amount', label: { zh: '订货金额', en: 'Sum' } }, { key: 'name' }],
      totals: [],
      signs: [{ zh: '经手人', en: '经手人' }],
    })
    expect(sheets[0].lines[0]).toEqual(['37.02', '东方树叶乌龙茶原味 500ml 第 1 种'])
    expect(templates).toHaveLength(1)
    // The other tenant cannot use the template, and the built-in layout can be chosen.
    expect((await printed({ templateId: '0' })).layout).toMatchObject({ paper: 'a4', totals: [{ key: 'amount' }, {}] })
    expect((await print({ templateId: templates[0].id }, tenants.south.admin)).status).toBe(404)
    await tenants.must(template({ id: templates[0].id, isDefault: false }))
    expect((await printed()).layout.paper).toBe('a4')
    expect((await printed({ templateId: templates[0].id })).layout.paper).toBe('a5Across')
  })

  test('is one default for each document: another one takes its place', async () => {
    const first = (await tenants.must(template({ name: '一', isDefault: true }))).id
    const second = (await tenants.must(template({ name: '二', isDefault: true }))).id
    await tenants.must(template({ name: '送货', kind: 'deliveryNote', isDefault: true }))
    const { records } = await tenants.must(
      tenants.call(admin, 'GET', '/api/prints/template/list', { query: { size: 50 } }),
    )
    const defaults = records.filter((row: any) => row.isDefault).map((row: any) => row.name)
    expect(defaults.toSorted()).toEqual(['二', '送货'])
    expect(records.find((row: any) => row.id === first)).toMatchObject({ isDefault: false, kindName: '采购单' })
    expect((await printed()).templateId).toBe(second)
    await tenants.must(tenants.call(admin, 'POST', '/api/prints/template/remove', { query: { ids: second } }))
    expect((await printed()).templateId).toBe('')
  })

  test.each([
    ['kind', { kind: 'nothing' }, /单据/],
    ['facts', { facts: { parts: [{ key: 'nothing' }] } }, /抬头栏目中没有“nothing”/],
    ['columns', { columns: { parts: [{ key: 'name' }, { key: 'name' }] } }, /明细列中“商品名称”出现了两次/],
    ['totals', { totals: { parts: [{ key: 'remark' }] } }, /合计中没有“remark”/],
    ['columns', { columns: { parts: ['name'] } }, /明细列格式不正确/],
    ['facts', { facts: { parts: [{ key: 'remark', zh: '长'.repeat(31) }] } }, /抬头栏目最多30个字符/],
    ['signs', { signs: { parts: [{}] } }, /签字栏/],
    ['paper', { paper: 'wall' }, /纸张/],
  ])('is refused with the name of what is wrong: %s', async (field, body, sentence) => {
    const saved = await template({ name: '坏的', ...body })
    expect([saved.status, saved.body.data.fields[field]]).toEqual([400, expect.stringMatching(sentence)])
    const looked = await tenants.call(admin, 'POST', '/api/prints/preview', {
      body: { kind: 'purchaseOrder', ...body },
    })
    expect(looked.status).toBe(field === 'kind' ? 404 : 400)
  })

  test('is looked at with the newest row before it is saved, and changes nothing', async () => {
    const newest = await purchaseOf(1)
    const ask = (body: RequestValues, who = admin) =>
      tenants.call(who, 'POST', '/api/prints/preview', { body: { kind: 'purchaseOrder', ...body } })
    const looked = await tenants.must(ask({ titleZh: '试印', columns: { parts: [{ key: 'upc' }] } }))
    expect(looked).toMatchObject({ layout: { title: { zh: '试印' } }, sheets: [{ id: newest, lines: [['6901']] }] })
    expect((await tenants.must(ask({}, tenants.south.admin))).sheets).toEqual([])
    expect((await ask({ rowId: newest }, tenants.south.admin)).status).toBe(404)
    expect((await printed()).layout.title.zh).toBe('采购单')
  })

  test('offers what a document declares and its lines have, and nothing that is secret or no words', async () => {
    const kinds = await tenants.must(tenants.call(admin, 'GET', '/api/prints/kinds'))
    const keys = (kind: string, part: string) =>
      kinds.find((one: any) => one.kind === kind).offers[part].map(({ key }: Field) => key)
    expect(keys('purchaseOrder', 'columns')).toEqual(expect.arrayContaining(['upc', 'boxQty', 'receivedAmount']))
    expect(keys('purchaseOrder', 'columns')).not.toContain('orderId')
    expect(keys('salesOrder', 'facts')).not.toEqual(expect.arrayContaining(['pickupCode']))
    expect(keys('transferNote', 'columns')).toEqual(['upc', 'name', 'quantity', 'received'])
    for (const { kind, usual, offers } of kinds)
      for (const part of ['facts', 'columns', 'totals'] as const)
        expect(
          offers[part].map(({ key }: Field) => key),
          `${kind} ${part}`,
        ).toEqual(expect.arrayContaining(usual[part]))
  })
})

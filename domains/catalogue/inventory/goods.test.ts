import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { CastMember } from '#tests/support/server.ts'
import type { FieldProblem } from '#kit/fields/base/field-kind.ts'
import { parseFieldInput } from '#kit/fields/kinds.ts'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import { checkDigit, goodInfo, isBarcode } from '#domains/catalogue/products/index.ts'

let tenants: TestTenants
let shop: string
let admin: CastMember
beforeAll(async () => {
  tenants = await createTestTenants()
  shop = tenants.north.shops[0]!
  admin = tenants.north.admin
})
afterAll(() => tenants.close())

const save = (resource: string, body: object, person = admin) =>
  tenants.call(person, 'POST', `/api/shop/${resource}/submit`, { body })
const remove = (resource: string, ids: string, person = admin) =>
  tenants.call(person, 'POST', `/api/shop/${resource}/remove`, { query: { ids } })

describe('a barcode', () => {
  it('is right with its check digit and wrong with any other', () => {
    fc.assert(
      fc.property(fc.constantFrom(7, 11, 12), fc.nat(999_999_999_999), (length, n) => {
        const digits = String(n).padStart(12, '0').slice(-length)
        for (let last = 0; last <= 9; last++) expect(isBarcode(`${digits}${last}`)).toBe(last === checkDigit(digits))
      }),
    )
    for (const real of ['6901028075831', '96385074', '036000291452']) expect(isBarcode(real), real).toBe(true)
  })

  it('is unique in a shop, free in another, and must have its check digit', async () => {
    const upc = '6901028075831'
    const good = { shopId: shop, name: '可乐', salePrice: '3.50', upc }
    expect((await save('goodInfo', good)).status).toBe(200)
    expect((await save('goodInfo', { ...good, name: '雪碧' })).data).toMatchObject({
      reason: 'taken',
      fields: { upc: '条码已存在：本店商品“可乐”' },
    })
    expect((await save('goodInfo', { ...good, shopId: tenants.north.shops[1] })).status).toBe(200)
    for (const [resource, body] of [
      ['goodInfo', good],
      ['barcodes', { name: '可乐' }],
    ] as const)
      expect((await save(resource, { ...body, upc: '6901028075832' })).data.fields).toEqual({
        upc: '条码的校验位不对，末位应为1，请核对有没有输错',
      })
  })

  it('that a good of the shop has is refused with its name, to who may read that', async () => {
    const upc = '6901028075848'
    await tenants.must(save('goodInfo', { shopId: shop, name: '红茶', salePrice: '3.00', upc }))
    const other = await tenants.must(
      save('goodInfo', { shopId: shop, name: '绿茶', salePrice: '3.00', upc: 'GREEN-TEA' }),
    )
    const fieldErrors = async (person: CastMember, body: object, lang: 'zh' | 'en' = 'zh') =>
      (await tenants.call(person, 'POST', '/api/shop/goodInfo/submit', { body, lang })).data.fields
    const change = { id: other.id, upc }
    expect(await fieldErrors(admin, change)).toEqual({ upc: '条码已存在：本店商品“红茶”' })
    expect(await fieldErrors(admin, change, 'en')).toEqual({ upc: 'Barcode already exists in this store: “红茶”' })
    const mine = await tenants.person(tenants.north, 'sees-own-goods')
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      const scope = { menuId: '1', scopeName: 'own', resourceCode: 'goodInfo', scopeType: 2 }
      const { id } = (await db.insert(tenants.services.registry.resource('dataScope'), scope)) as { id: string }
      await db.run(sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id)
        select tenant_id, unnest(role_id), 1, ${id} from sys_user where id = ${mine.userId}
        and tenant_id = ${db.tenantId}`)
    })
    expect(await fieldErrors(mine, { shopId: shop, name: '茶', salePrice: '3.00', upc })).toEqual({ upc: '条码已存在' })
  })

  it('of the shop’s own is letters, digits and dashes; each fault has its sentence, in the form too', async () => {
    const good = { shopId: shop, name: '现磨咖啡', salePrice: '9.00' }
    for (const upc of ['12ab', 'K7', '0001', '8801', '1234567', 'ABCDEFG', 'CAFE-LATTE-1', '2026-11', '690-102807583'])
      expect([upc, (await save('goodInfo', { ...good, upc })).status]).toEqual([upc, 200])
    for (const [upc, zh, en] of [
      ['咖啡1', '条码只能含字母、数字和短横线', 'Barcode can contain only letters, digits and dashes'],
      ['12 ab', '条码只能含字母、数字和短横线', 'Barcode can contain only letters, digits and dashes'],
      [
        '690102807583',
        '条码的校验位不对，末位应为6，请核对有没有输错',
        'The check digit of Barcode is wrong. The last digit should be 6. Check it for typing errors.',
      ],
      [
        '6901028075',
        '条码有10位数字，印刷的条码为8、12或13位，自编码最多7位数字',
        'Barcode has 10 digits. Printed barcodes have 8, 12 or 13 digits, your own codes up to 7.',
      ],
      ['7', '条码至少2个字符', 'Barcode needs at least 2 characters'],
    ] as const) {
      const fieldErrors = async (lang: 'zh' | 'en') =>
        (await tenants.call(admin, 'POST', '/api/shop/goodInfo/submit', { body: { ...good, upc }, lang })).data.fields
      expect([upc, await fieldErrors('zh'), await fieldErrors('en')]).toEqual([upc, { upc: zh }, { upc: en }])
      const found = parseFieldInput(upc, goodInfo.fields.upc) as { problem: FieldProblem }
      expect(fieldProblemSentence(found.problem, goodInfo.fields.upc, 'en')).toBe(en)
    }
  })

  it('that is in the library is a printed one', async () => {
    for (const upc of ['12ab', '1234567', '6901028075'])
      expect((await save('barcodes', { upc, name: '可乐' })).data.fields).toEqual({ upc: '条码应为8、12或13位数字' })
    expect((await save('barcodes', { upc: '96385074', name: '口香糖' })).status).toBe(200)
  })

  it('is looked for by any part of it, also by one that is no barcode', async () => {
    const found = async (query: Record<string, string>) =>
      (await tenants.must(tenants.call(admin, 'GET', '/api/shop/goodInfo/list', { query }))).total
    await save('goodInfo', { shopId: shop, name: '气泡水', salePrice: '5.00', upc: '6901028000017' })
    expect(await found({ upc: '690102800' })).toBe(1)
    expect(await found({ upc_equal: '6901028000018' })).toBe(0)
  })
})

describe('stock', () => {
  it('cannot be typed: not on goods, not on a batch', async () => {
    const good = await tenants.good(tenants.north, shop)
    expect((await save('goodInfo', { id: good.id, stock: 99, stockSeq: 7 })).status).toBe(400)
    expect(await tenants.stock(tenants.north, good.id)).toBe(0)
    const { id } = await tenants.receive(tenants.north, shop, good.id, 5)
    for (const change of [{ remaining: 50 }, { quantity: 50 }, { goodId: '1' }])
      expect(Object.keys((await save('storageBatch', { id, ...change })).data.fields)).toEqual(Object.keys(change))
    expect((await save('storageBatch', { id, expiryDate: '2031-05-05' })).status).toBe(200)
    expect(await tenants.stock(tenants.north, good.id)).toBe(5)
    expect((await remove('storageBatch', id)).status).not.toBe(200)
    expect((await save('storageLog', { shopId: shop, goodId: good.id, change: 5 })).data.reason).toBe('not_by_hand')
  })

  it('counted and written off by hand is a new line of the ledger, with who and why', async () => {
    const good = await tenants.good(tenants.north, shop)
    await tenants.receive(tenants.north, shop, good.id, 10)
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/goodInfo/stocktake', {
        body: { id: good.id, counted: 7, remark: '月底盘点' },
      }),
    )
    await tenants.must(
      tenants.call(admin, 'POST', '/api/shop/goodInfo/loss', { body: { id: good.id, quantity: 2, remark: '过期' } }),
    )
    expect(
      (
        await tenants.call(admin, 'POST', '/api/shop/goodInfo/loss', {
          body: { id: good.id, quantity: 9, remark: '过期' },
        })
      ).status,
    ).toBe(400)
    const { data } = await tenants.call(admin, 'GET', '/api/shop/storageLog/list', { query: { goodId: good.id } })
    expect(
      data.records.map((row: any) => [row.type, row.change, row.before, row.after, row.remark, row.operator]),
    ).toEqual([
      ['loss', -2, 7, 5, '过期', admin.userId],
      ['stocktake', -3, 10, 7, '月底盘点', admin.userId],
      ['in', 10, 0, 10, '', admin.userId],
    ])
    expect((await remove('goodInfo', good.id)).data.reason).toBe('good_has_stock')
  })

  it('more than is left of a batch is neither written off nor corrected, which is said at the field', async () => {
    const good = await tenants.good(tenants.north, shop)
    const other = await tenants.good(tenants.north, shop)
    const receive = async (goodId: string, quantity: number) =>
      (await tenants.receive(tenants.north, shop, goodId, quantity)).id as string
    const [first, second] = [await receive(good.id, 4), await receive(good.id, 6)]
    const elsewhere = await receive(other.id, 6)
    const act = (name: string, body: object) =>
      tenants.call(admin, 'POST', `/api/shop/goodInfo/${name}`, { body: { id: good.id, ...body } })
    const lose = (batchId: string, quantity: number) => act('loss', { batchId, quantity, remark: '过期' })
    // The other batch of the same goods makes up for nothing.
    expect((await lose(first, 5)).data).toMatchObject({
      reason: 'batch_too_small',
      fields: { quantity: expect.stringContaining('只剩 4') },
    })
    expect((await act('correct', { batchId: first, change: -5, reason: 'receipt' })).data.fields).toEqual({
      change: expect.stringContaining('只剩 4'),
    })
    expect((await lose(elsewhere, 1)).data.fields).toEqual({ batchId: '批次不属于这个商品' })
    expect(await tenants.stock(tenants.north, good.id)).toBe(10)
    await tenants.must(lose(first, 4))
    expect((await lose(first, 1)).data.fields).toEqual({ quantity: expect.stringContaining('已经用完') })
    const { data } = await tenants.call(admin, 'GET', '/api/shop/storageBatch/list', { query: { goodId: good.id } })
    expect(Object.fromEntries(data.records.map((row: any) => [row.id, row.remaining]))).toEqual({
      [first]: 0,
      [second]: 6,
    })
  })
})

describe('the tree of types', () => {
  it('has no circles, also when two moves in parallel would close one', async () => {
    const make = async (name: string, parentId = '0') =>
      (await tenants.must(save('goodType', { name, parentId }))).id as string
    const [a, b] = [await make('甲'), await make('乙')]
    const child = await make('甲一', a)
    expect((await save('goodType', { id: a, parentId: a })).data.reason).toBe('parent_is_self')
    expect((await save('goodType', { id: a, parentId: child })).data.reason).toBe('parent_is_descendant')
    const both = await Promise.all([save('goodType', { id: a, parentId: b }), save('goodType', { id: b, parentId: a })])
    expect(both.map((answer) => answer.status).toSorted((x, y) => x - y)).toEqual([200, 400])
    const { data } = await tenants.call(admin, 'GET', '/api/shop/goodType/tree')
    const count = (nodes: any[]): number => nodes.reduce((sum, node) => sum + 1 + count(node.children ?? []), 0)
    expect(count(data)).toBe(3)
  })

  it('keeps a type with goods or with types below it', async () => {
    const { id: parent } = await tenants.must(save('goodType', { name: '饮料' }))
    const { id: leaf } = await tenants.must(save('goodType', { name: '茶饮料', parentId: parent }))
    const good = await tenants.good(tenants.north, shop, { goodTypeId: leaf })
    expect((await remove('goodType', parent)).data.reason).toBe('has_children')
    expect((await remove('goodType', leaf)).data.reason).toBe('still_named')
    await tenants.must(remove('goodInfo', good.id))
    await tenants.must(remove('goodType', `${leaf},${parent}`))
  })

  it('of a shop is not for goods of another, and a boss changes his shop’s types alone', async () => {
    const { id: own } = await tenants.must(save('goodType', { name: '本店特色', shopId: shop }))
    const { id: common } = await tenants.must(save('goodType', { name: '公共分类' }))
    const elsewhere = { shopId: tenants.north.shops[1], upc: 'K100', name: '面包', salePrice: '6.00', goodTypeId: own }
    expect((await save('goodInfo', elsewhere)).data.reason).toBe('type_of_other_shop')
    const boss = await tenants.boss(tenants.north, tenants.north.shops[1]!)
    const { data } = await tenants.call(boss, 'GET', '/api/shop/goodType/tree')
    expect(data.map((node: any) => node.title)).toContain('公共分类')
    expect(data.map((node: any) => node.title)).not.toContain('本店特色')
    expect((await save('goodType', { id: common, name: '改名' }, boss)).status).toBe(404)
    // Who has one shop means it by saying nothing; nobody of a shop makes a type common to all.
    const { id: unsaid } = await tenants.must(save('goodType', { name: '我的公共' }, boss))
    expect(
      await tenants.must(tenants.call(boss, 'GET', '/api/shop/goodType/detail', { query: { id: unsaid } })),
    ).toMatchObject({ shopId: tenants.north.shops[1] })
    expect((await save('goodInfo', { ...elsewhere, goodTypeId: common }, boss)).status).toBe(200)
  })
})

describe('a shop', () => {
  it('is found by name, code and pinyin initials', async () => {
    await tenants.must(save('basicShopInfo', { shopName: '西溪湿地店', shopCode: 'XX9' }))
    for (const key of ['湿地', 'xx9', 'xxsd', 'shidi']) {
      const { data } = await tenants.call(admin, 'GET', '/api/shop/basicShopInfo/select', { query: { key } })
      expect(
        data.map((row: any) => row.shopName),
        key,
      ).toEqual(['西溪湿地店'])
    }
  })

  it('goes from preparing to open, paused, closed and never back; with goods it cannot be removed', async () => {
    const { id } = await tenants.must(save('basicShopInfo', { shopName: '新店', shopCode: 'NEW1' }))
    const turn = (action: string) => tenants.call(admin, 'POST', `/api/shop/basicShopInfo/${action}`, { query: { id } })
    expect((await turn('close')).data.reason).toBe('action_not_now')
    for (const action of ['open', 'pause', 'open', 'pause', 'close'])
      expect((await turn(action)).status, action).toBe(200)
    expect((await turn('open')).data.reason).toBe('action_not_now')
    await save('basicShopInfo', { id, status: 1 })
    expect((await tenants.call(admin, 'GET', '/api/shop/basicShopInfo/detail', { query: { id } })).data.status).toBe(3)
    expect((await remove('basicShopInfo', shop)).data.reason).toBe('still_named')
    await tenants.must(remove('basicShopInfo', id))
  })
})

describe('a row that is sent back', () => {
  const read = async (resource: string, id: string) =>
    tenants.must(tenants.call(admin, 'GET', `/api/shop/${resource}/detail`, { query: { id } }))

  it(
    'with another stock is refused by name, also whole, and changes nothing; ' + 'whole as it was read it is taken',
    async () => {
      const good = await tenants.good(tenants.north, shop)
      await tenants.receive(tenants.north, shop, good.id, 5)
      const refused = await save('goodInfo', { id: good.id, stock: 500, name: '雪碧' })
      expect([refused.status, refused.data.reason, Object.keys(refused.data.fields)]).toEqual([
        400,
        'written_elsewhere',
        ['stock'],
      ])
      const whole = await read('goodInfo', good.id)
      expect((await save('goodInfo', { ...whole, stock: 500 })).data.fields).toHaveProperty('stock')
      expect(await read('goodInfo', good.id)).toEqual(whole)
      expect((await save('goodInfo', { ...whole, name: '雪碧' })).status).toBe(200)
    },
  )

  it('whole from before a sale changed its stock means no change of the stock', async () => {
    const good = await tenants.good(tenants.north, shop)
    await tenants.receive(tenants.north, shop, good.id, 5)
    const whole = await read('goodInfo', good.id)
    await tenants.receive(tenants.north, shop, good.id, 2)
    expect((await save('goodInfo', { ...whole, name: '雪碧' })).status).toBe(200)
    expect(await read('goodInfo', good.id)).toMatchObject({ name: '雪碧', stock: 7 })
  })

  it('with the shop of a register moved elsewhere is refused by name', async () => {
    const register = await tenants.register(tenants.north, shop)
    const refused = await save('cashRegister', { id: register.id, shopId: tenants.north.shops[1] })
    expect(refused.data).toMatchObject({ reason: 'invalid', fields: { shopId: '门店新增后不能修改' } })
    expect((await save('cashRegister', { id: register.id, shopId: shop, name: '一号机' })).status).toBe(200)
  })
})

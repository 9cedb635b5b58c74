import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
let admin: CastMember
let shops: string[]
beforeAll(async () => {
  tenants = await createTestTenants()
  admin = tenants.north.admin
  shops = [...tenants.north.shops]
  for (const shopCode of ['T3', 'T4'])
    shops.push((await tenants.must(save('basicShopInfo', { shopName: `${shopCode}店`, shopCode }))).id)
})
afterAll(() => tenants.close())

const save = (resource: string, body: object, person = admin) =>
  tenants.call(person, 'POST', `/api/shop/${resource}/submit`, { body })
const copy = (id: string, shopIds: readonly string[], person = admin) =>
  tenants.call(person, 'POST', '/api/shop/goodInfo/copyTo', { body: { id, shopIds: shopIds.join(',') } })
const detail = async (id: string) =>
  tenants.must(tenants.call(admin, 'GET', '/api/shop/goodInfo/detail', { query: { id } }))
/** Returns the products with a barcode by the ids of their shops. */
const goodsOf = async (upc: string): Promise<Record<string, any>> => {
  const { records } = await tenants.must(
    tenants.call(admin, 'GET', '/api/shop/goodInfo/list', { query: { upc_equal: upc, size: 50 } }),
  )
  return Object.fromEntries(records.map((row: any) => [row.shopId, row]))
}
const rowsOf = (upc: string) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
    db.query<{ shopId: string }>(sql`select shop_id from good_info where upc = ${upc} and tenant_id = ${db.tenantId}
      and is_deleted = 0`),
  )

describe('goods copied to other shops', () => {
  it('have name, prices and all of a form there, and no stock, shelf or sale of the shop they come from', async () => {
    const given = {
      name: '可乐 500ml',
      spec: '500ml',
      brand: '可口可乐',
      unit: '瓶',
      salePrice: '3.50',
      costPrice: '2.10',
      vipPrice: '3.00',
      lowStock: 4,
      shelfNo: 'A-3',
      sort: 7,
      remark: '冷柜',
      onSale: false,
    }
    const good = await tenants.good(tenants.north, shops[0]!, given)
    await tenants.receive(tenants.north, shops[0]!, good.id, 9)
    expect(await tenants.must(copy(good.id, [shops[1]!, shops[2]!]))).toEqual({ made: 2, skipped: 0 })
    const goodsByShop = await goodsOf(good.upc)
    expect(Object.keys(goodsByShop).toSorted()).toEqual(shops.slice(0, 3).toSorted())
    const { shelfNo: _of, ...kept } = given
    for (const shopId of [shops[1]!, shops[2]!])
      expect(await detail(goodsByShop[shopId].id)).toMatchObject({ ...kept, upc: good.upc, stock: 0, shelfNo: '' })
    expect((await detail(good.id)).stock).toBe(9)
    const { data } = await tenants.call(admin, 'GET', '/api/shop/goodPriceLog/list', {
      query: { goodId: goodsByShop[shops[1]!].id },
    })
    expect(data.records.map((row: any) => [row.newPrice, row.newCostPrice])).toEqual([['3.50', '2.10']])
  })

  it('are left out where the shop has the barcode already, whose goods stay as they are', async () => {
    const good = await tenants.good(tenants.north, shops[0]!, { salePrice: '5.00' })
    await tenants.must(save('goodInfo', { shopId: shops[1], upc: good.upc, name: '我店的', salePrice: '9.00' }))
    expect(await tenants.must(copy(good.id, shops))).toEqual({ made: 2, skipped: 2 })
    expect((await goodsOf(good.upc))[shops[1]!]).toMatchObject({ name: '我店的', salePrice: '9.00' })
    expect(await tenants.must(copy(good.id, shops))).toEqual({ made: 0, skipped: 4 })
    expect(await rowsOf(good.upc)).toHaveLength(4)
  })

  it('keep a type of all shops, and of a shop’s own types find the one of that name there, or none', async () => {
    const type = async (name: string, shopId?: string) =>
      (await tenants.must(save('goodType', { name, ...(shopId && { shopId }) }))).id as string
    const common = await type('酒水')
    const own = await type('本店现制', shops[0])
    const namesake = await type('本店现制', shops[1])
    const first = await tenants.good(tenants.north, shops[0]!, { goodTypeId: common })
    const second = await tenants.good(tenants.north, shops[0]!, { goodTypeId: own })
    await tenants.must(copy(first.id, [shops[1]!]))
    await tenants.must(copy(second.id, [shops[1]!, shops[2]!]))
    expect((await goodsOf(first.upc))[shops[1]!].goodTypeId).toBe(common)
    const goodsByShop = await goodsOf(second.upc)
    expect(goodsByShop[shops[1]!].goodTypeId).toBe(namesake)
    expect(goodsByShop[shops[2]!].goodTypeId).toBe('0')
  })

  it("take a tenant's own fields along", async () => {
    const own = { family: 'goodInfo', kind: 'text', labelZh: '产地', labelEn: 'Origin' }
    const { key } = await tenants.must(tenants.call(admin, 'POST', '/api/blade-system/own-field/submit', { body: own }))
    const good = await tenants.good(tenants.north, shops[0]!, { [key]: '浙江' })
    await tenants.must(copy(good.id, [shops[1]!]))
    expect((await detail((await goodsOf(good.upc))[shops[1]!].id))[key]).toBe('浙江')
  })

  it('twenty times at once are made once in each shop', async () => {
    const good = await tenants.good(tenants.north, shops[0]!)
    const answers = await Promise.all(Array.from({ length: 20 }, () => copy(good.id, shops.slice(1))))
    const counts = answers.map((answer) => answer.data as { made: number; skipped: number })
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
    expect(counts.reduce((sum, { made }) => sum + made, 0)).toBe(3)
    expect(counts.every(({ made, skipped }) => made + skipped === 3)).toBe(true)
    expect(await rowsOf(good.upc)).toHaveLength(4)
  })

  it('hold up nobody who sells or changes them meanwhile', async () => {
    const good = await tenants.good(tenants.north, shops[0]!)
    const { promise: isCopied, resolve: copied } = Promise.withResolvers<void>()
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const holding = tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
      // A sale locks the products it sells in the same way.
      await db.run(sql`select 1 from good_info where id = ${good.id} and tenant_id = ${db.tenantId} for no key update`)
      copied()
      await isOver
    })
    await isCopied
    expect(await tenants.must(copy(good.id, [shops[1]!]))).toEqual({ made: 1, skipped: 0 })
    end()
    await holding
  })

  it('in number by two at once, held in opposite orders, are all made once and nobody is refused', async () => {
    const upcs = Array.from({ length: 12 }, (_, n) => `PAIR${String(n).padStart(2, '0')}`)
    const idsIn = async (shopId: string, order: readonly string[]) => {
      const ids: string[] = []
      for (const upc of order)
        ids.push((await tenants.must(save('goodInfo', { shopId, upc, name: upc, salePrice: '1.00' }))).id)
      return ids
    }
    const [first, second] = [await idsIn(shops[0]!, upcs), await idsIn(shops[1]!, upcs.toReversed())]
    const together = (ids: string[]) =>
      tenants.call(admin, 'POST', '/api/kit/bulk/goodInfo', {
        body: { operation: 'copyTo', ids, input: { shopIds: shops.slice(2).join(',') }, expectedCount: ids.length },
      })
    const answers = await Promise.all([together(first), together(second)])
    expect(answers.map(({ data }) => [data.done, data.failed])).toEqual([
      [12, 0],
      [12, 0],
    ])
    expect(answers.reduce((sum, { data }) => sum + data.sums.made, 0)).toBe(24)
    for (const upc of upcs) expect(await rowsOf(upc)).toHaveLength(4)
  })

  it('while somebody adds the same by hand stand there once', async () => {
    for (let n = 0; n < 5; n++) {
      const good = await tenants.good(tenants.north, shops[0]!)
      const [copied] = await Promise.all([
        copy(good.id, shops.slice(1)),
        ...shops.slice(1).map((shopId) => save('goodInfo', { shopId, upc: good.upc, name: '手工', salePrice: '1.00' })),
      ])
      expect(copied.status).toBe(200)
      expect(await rowsOf(good.upc)).toHaveLength(4)
    }
  })

  it('go between the shops of a limited boss alone, by who may add goods, never to another tenant', async () => {
    const [mine, other] = shops as [string, string]
    const boss = await tenants.boss(tenants.north, mine)
    const [own, theirs] = [await tenants.good(tenants.north, mine), await tenants.good(tenants.north, other)]
    const out = await copy(own.id, [mine, other], boss)
    expect([out.status, Object.keys(out.data.fields)]).toEqual([400, ['shopIds']])
    expect((await copy(theirs.id, [mine], boss)).status).toBe(404)
    expect((await copy(own.id, [tenants.south.shops[0]!])).data.fields).toEqual({ shopIds: '门店不存在' })
    expect((await copy(own.id, [])).data.fields).toEqual({ shopIds: '请选择门店' })
    const reader = await tenants.person(tenants.north, 'reads-goods', ['goodInfo', 'goodInfo_edit'])
    expect((await copy(own.id, [other], reader)).status).toBe(403)
    expect([await rowsOf(own.upc), await rowsOf(theirs.upc)].map((rows) => rows.length)).toEqual([1, 1])
  })

  it('by an administrator of the platform stay in their tenant', async () => {
    const good = await tenants.good(tenants.north, shops[0]!)
    expect(await tenants.must(copy(good.id, [shops[1]!], await tenants.server.as('admin')))).toEqual({
      made: 1,
      skipped: 0,
    })
    expect(await rowsOf(good.upc)).toHaveLength(2)
  })

  it('in number tell how many were made and how many left out, looked at first and undone', async () => {
    const goods = [await tenants.good(tenants.north, shops[0]!), await tenants.good(tenants.north, shops[0]!)]
    await tenants.must(copy(goods[0]!.id, [shops[1]!]))
    const ask = { operation: 'copyTo', ids: goods.map(({ id }) => id), input: { shopIds: shops.slice(1).join(',') } }
    const path = '/api/kit/bulk/goodInfo'
    const looked = await tenants.must(tenants.call(admin, 'POST', `${path}/preview`, { body: ask }))
    expect(looked).toMatchObject({ count: 2, refused: 0 })
    expect(await rowsOf(goods[1]!.upc)).toHaveLength(1)
    const seen = { expectedCount: 2, expectedSet: looked.set }
    const done = await tenants.must(tenants.call(admin, 'POST', path, { body: { ...ask, ...seen } }))
    expect(done).toMatchObject({ done: 2, failed: 0, sums: { made: 5, skipped: 1 } })
    expect(await rowsOf(goods[1]!.upc)).toHaveLength(4)
  })

  it('in hundreds are copied by a job that tells the same', async () => {
    const upcs = Array.from({ length: 101 }, (_, n) => `MANY${n}`)
    await tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.run(sql`insert into good_info (id, tenant_id, shop_id, name, upc, brand, sale_price, on_sale)
        select 8000000 + n, ${db.tenantId}, ${shops[2]!}, '很多' || n, u, '成批', 100, true
        from unnest(${upcs}::text[]) with ordinality t(u, n)`),
    )
    const path = '/api/kit/bulk/goodInfo'
    const body = {
      operation: 'copyTo',
      filter: { brand: '成批' },
      input: { shopIds: shops[3] },
      expectedCount: 101,
    }
    const { runId } = await tenants.must(tenants.call(admin, 'POST', path, { body }))
    await tenants.server.jobs.runDue()
    const run = await tenants.must(tenants.call(admin, 'GET', `${path}/run`, { query: { id: runId } }))
    expect(run).toMatchObject({ done: 101, failed: 0, sums: { made: 101, skipped: 0 } })
  }, 30_000)
})

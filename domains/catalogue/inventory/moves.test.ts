import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { meetsCondition } from '#kit/fields/base/condition.ts'
import { sql } from '#kit/server/database/db.ts'
import { presetFromSingleLimits } from '#kit/web/row/form-values.ts'
import type { Resource } from '#kit/resource/index.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import type { CastMember } from '#tests/support/server.ts'
import { warnExpiringStockJob } from './expiring.job.ts'
import { receiveGoods } from './receive-goods.ts'
import { stockConsistencySql } from './stock-checks.ts'
import { stockTransfer } from './stock-transfer.resource.ts'

let tenants: TestTenants
let wu: CastMember
let lin: CastMember
let chen: CastMember
let shop: string
let otherShop: string
let now = new Date('2026-11-20T09:00:00+08:00')
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  wu = tenants.north.admin
  ;[shop, otherShop] = tenants.north.shops as [string, string]
  lin = await tenants.boss(tenants.north, shop)
  chen = await tenants.boss(tenants.north, otherShop)
})
afterAll(async () => {
  const found: unknown[] = []
  await tenants.services.unit({ tenantId: '100001' }, async (db) => {
    for (const [check, statement] of Object.entries(stockConsistencySql))
      found.push(...(await db.query(statement)).map((row) => ({ check, ...row })))
  })
  await tenants.close()
  expect(found).toEqual([])
})

const post = (person: CastMember, path: string, body: object) =>
  tenants.call(person, 'POST', `/api/shop/${path}`, { body })
const list = async (path: string, query: object) =>
  (await tenants.must(tenants.call(wu, 'GET', `/api/shop/${path}/list`, { query: query as Record<string, unknown> })))
    .records
const stock = (id: string) => tenants.stock(tenants.north, id)
const stocked = async (quantity: number, draft: object = {}) => {
  const good = await tenants.good(tenants.north, shop, draft as Record<string, unknown>)
  await tenants.receive(tenants.north, shop, good.id, quantity, '2027-01-01')
  return good
}
const events = (type: string, id: string) =>
  tenants.services.unit({ tenantId: '100001' }, (db) =>
    db.query<{ status: number; count: number }>(
      sql`select status, count from shop_event where type = ${type} and good_id = ${id} order by id`,
    ),
  )

describe('a receipt of another module', () => {
  it('is a batch for each line with its cost, one ledger line each, and nothing when a line is wrong', async () => {
    const good = await tenants.good(tenants.north, shop)
    const receive = (lines: { quantity: number; batchNo?: string }[]) =>
      tenants.services.unit({ tenantId: '100001' }, (db) =>
        receiveGoods(db, {
          shopId: shop,
          lines: lines.map((line) => ({
            goodId: good.id,
            costPrice: 250,
            expiryDate: '2027-02-01',
            supplierOrderId: '77',
            ...line,
          })),
          refType: 'supplierOrder',
          refId: '77',
        }),
      )
    await receive([{ quantity: 4 }, { quantity: 6, batchNo: 'L7' }])
    expect(await stock(good.id)).toBe(10)
    expect(await list('storageBatch', { goodId: good.id, ascs: 'quantity' })).toMatchObject([
      { quantity: 4, remaining: 4, costPrice: '2.50' },
      { batchNo: 'L7', remaining: 6 },
    ])
    expect(
      (await list('storageLog', { refId: '77', goodId: good.id })).map((row: any) => [row.type, row.refType]),
    ).toEqual([
      ['in', 'supplierOrder'],
      ['in', 'supplierOrder'],
    ])
    await expect(receive([{ quantity: 1 }, { quantity: 0 }])).rejects.toMatchObject({ code: 'receipt_quantity' })
    await expect(receive([{ quantity: 1 }, { quantity: 1, batchNo: 'L7' }])).rejects.toMatchObject({ code: 'taken' })
    expect(await stock(good.id)).toBe(10)
  })
})

describe('a return', () => {
  it(
    'to the supplier takes what expires first, never more than there is, and ' +
      'comes back to its batches when undone',
    async () => {
      const good = await stocked(5)
      const ask = { direction: 'supplier', shopId: shop, goodId: good.id, reason: 'expiring' }
      expect((await post(wu, 'returnLog/submit', { ...ask, quantity: 6 })).data.fields).toHaveProperty('quantity')
      const { id } = await tenants.must(post(wu, 'returnLog/submit', { ...ask, quantity: 3 }))
      expect(await stock(good.id)).toBe(2)
      expect((await list('returnLog', { goodId: good.id }))[0]).toMatchObject({
        amount: '9.00',
        status: 1,
        upc: good.upc,
      })
      expect((await post(wu, 'returnLog/submit', { id, quantity: 1 })).data.fields).toEqual({
        quantity: '数量新增后不能修改',
      })
      const both = await Promise.all([post(wu, 'returnLog/cancel', { id }), post(lin, 'returnLog/cancel', { id })])
      expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
      expect(await stock(good.id)).toBe(5)
      expect((await list('storageBatch', { goodId: good.id })).map((batch: any) => batch.remaining)).toEqual([5])
    },
  )

  it(
    'from a customer is in stock again, worth the price, and the boss of ' + 'another shop neither sees nor makes it',
    async () => {
      const good = await stocked(1)
      const ask = { direction: 'customer', shopId: shop, goodId: good.id, quantity: 2, reason: 'wrong' }
      expect((await post(chen, 'returnLog/submit', ask)).status).not.toBe(200)
      const { id } = await tenants.must(post(lin, 'returnLog/submit', ask))
      expect(await stock(good.id)).toBe(3)
      expect((await tenants.call(chen, 'GET', '/api/shop/returnLog/detail', { query: { id } })).status).toBe(404)
      expect((await tenants.call(lin, 'GET', '/api/shop/returnLog/detail', { query: { id } })).data.amount).toBe(
        '10.00',
      )
    },
  )
})

describe('a transfer', () => {
  const make = async (good: { id: string }, quantity: number) =>
    (
      await tenants.must(
        post(wu, 'stockTransfer/submit', {
          fromShopId: shop,
          toShopId: otherShop,
          lines: [{ goodId: good.id, quantity }],
        }),
      )
    ).id as string
  const turn = (person: CastMember, action: string, id: string, more: object = {}) =>
    post(person, `stockTransfer/${action}`, { id, ...more })
  const inOther = async (upc: string) => (await list('goodInfo', { shopId: otherShop, upc }))[0]

  it(
    'leaves one shop when it is sent and is in the other when it arrives, with its cost ' +
      'and dates, in goods that shop never had',
    async () => {
      const good = await stocked(5)
      const id = await make(good, 4)
      expect(await stock(good.id)).toBe(5)
      expect((await turn(chen, 'dispatch', id)).data.reason).toBe('transfer_other_shop')
      await tenants.must(turn(lin, 'dispatch', id))
      expect(await stock(good.id)).toBe(1)
      expect(await inOther(good.upc)).toBeUndefined()
      expect((await turn(lin, 'receive', id)).data.reason).toBe('transfer_other_shop')
      const both = await Promise.all([turn(chen, 'receive', id), turn(chen, 'receive', id)])
      expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 400])
      const arrived = await inOther(good.upc)
      expect(arrived).toMatchObject({ stock: 4, salePrice: '5.00', onSale: false })
      expect(await list('storageBatch', { goodId: arrived.id })).toMatchObject([
        { remaining: 4, costPrice: '3.00', expiryDate: '2027-01-01' },
      ])
    },
  )

  it('waits for the people of the shop it comes to, and is offered to them alone to be received', async () => {
    const id = await make(await stocked(5), 1)
    await tenants.must(turn(lin, 'dispatch', id))
    const seenBy = async (who: CastMember, query: object) => {
      const { records } = await tenants.must(
        tenants.call(who, 'GET', '/api/shop/stockTransfer/list', { query: { status: 1, ...query } }),
      )
      return records.find((row: any) => row.id === id)?.side as string | undefined
    }
    const { receive, recall } = stockTransfer.actions
    const offers = (side: string | undefined) => [
      meetsCondition({ side }, receive.visibleWhen),
      meetsCondition({ side }, recall.visibleWhen),
    ]
    expect([await seenBy(chen, { isComing: 'true' }), await seenBy(lin, { isComing: 'true' })]).toEqual([
      'to',
      undefined,
    ])
    expect(offers(await seenBy(lin, {}))).toEqual([false, true])
    expect(offers(await seenBy(chen, {}))).toEqual([true, false])
    expect(offers(await seenBy(wu, { isComing: 'true' }))).toEqual([true, true])
    await tenants.must(turn(lin, 'recall', id))
  })

  it('arrives although its barcode changed on the way, in the goods the receiver has, else in new ones', async () => {
    const sent = async (also?: (good: { upc: string; next: string }) => Promise<unknown>) => {
      const good = await stocked(5)
      const next = `${good.upc.slice(0, 3)}77${good.upc.slice(3)}`
      await also?.({ upc: good.upc, next })
      const id = await make(good, 4)
      await tenants.must(turn(lin, 'dispatch', id))
      await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, upc: next }))
      await tenants.must(turn(chen, 'receive', id))
      expect(await stock(good.id)).toBe(1)
      return [await inOther(good.upc), await inOther(next)].map((one) => one && Number(one.stock))
    }
    const theirs = (upc: string) => tenants.good(tenants.north, otherShop, { upc, salePrice: '6.00' })
    expect(await sent()).toEqual([undefined, 4])
    expect(await sent(({ next }) => theirs(next))).toEqual([undefined, 4])
    expect(await sent(({ upc }) => theirs(upc))).toEqual([4, undefined])
    expect(await sent(({ upc, next }) => Promise.all([theirs(upc), theirs(next)]))).toEqual([4, 0])
  })

  it('of two goods whose barcodes changed places arrives as it left, each in its own', async () => {
    const [one, other] = [await stocked(5), await stocked(5)]
    const lines = [one, other].map((good, at) => ({ goodId: good.id, quantity: at + 1 }))
    const { id } = await tenants.must(
      post(wu, 'stockTransfer/submit', { fromShopId: shop, toShopId: otherShop, lines }),
    )
    await tenants.must(turn(lin, 'dispatch', id))
    for (const [good, upc] of [
      [one, `${one.upc}8`],
      [other, one.upc],
      [one, other.upc],
    ] as const)
      await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, upc }))
    await tenants.must(turn(chen, 'receive', id))
    const arrived = await Promise.all([other, one].map(({ upc }) => inOther(upc)))
    expect(arrived.map((good) => Number(good.stock))).toEqual([1, 2])
  })

  it('what did not arrive is lost or back with the sender, and more than was sent does not arrive', async () => {
    const good = await stocked(10)
    const [lost, unsent] = [await make(good, 4), await make(good, 3)]
    for (const id of [lost, unsent]) await tenants.must(turn(lin, 'dispatch', id))
    expect((await turn(chen, 'receive', lost, { lines: [{ goodId: good.id, received: 5 }] })).data.reason).toBe(
      'transfer_too_many',
    )
    await tenants.must(turn(chen, 'receive', lost, { lines: [{ goodId: good.id, received: 3 }], remainder: 'lost' }))
    await tenants.must(
      turn(chen, 'receive', unsent, { lines: [{ goodId: good.id, received: 1 }], remainder: 'unsent' }),
    )
    expect(await stock(good.id)).toBe(5)
    expect((await inOther(good.upc)).stock).toBe(4)
    expect(await list('stockTransfer', { ascs: 'pieces', id_in: `${lost},${unsent}` })).toMatchObject([
      { missing: 2, received: 1, remainder: 'unsent' },
      { missing: 1, received: 3, remainder: 'lost' },
    ])
  })

  it(
    'called back is where it was; never sends more than there is, nor to its ' + 'own shop, nor goods of another',
    async () => {
      const good = await stocked(2)
      const id = await make(good, 2)
      const second = await make(good, 1)
      await tenants.must(turn(lin, 'dispatch', id))
      expect((await turn(lin, 'dispatch', second)).data.reason).toBe('stock_short')
      await tenants.must(turn(lin, 'recall', id))
      expect(await stock(good.id)).toBe(2)
      expect((await turn(chen, 'receive', id)).data.reason).toBe('action_not_now')
      await tenants.must(turn(lin, 'cancel', second))
      const ask = (body: object) =>
        post(wu, 'stockTransfer/submit', {
          fromShopId: shop,
          toShopId: otherShop,
          lines: [{ goodId: good.id, quantity: 1 }],
          ...body,
        })
      expect((await ask({ toShopId: shop })).status).toBe(400)
      expect((await ask({ fromShopId: otherShop, toShopId: shop })).data.reason).toBe('good_of_other_shop')
      expect(
        (
          await ask({
            lines: [
              { goodId: good.id, quantity: 1 },
              { goodId: good.id, quantity: 1 },
            ],
          })
        ).data.reason,
      ).toBe('goods_twice')
      for (const line of [
        { quantity: 0 },
        { quantity: true },
        { quantity: [1] },
        { goodId: '9999999999999999999', quantity: 1 },
      ])
        expect((await ask({ lines: [{ goodId: good.id, ...line }] })).data.fields, JSON.stringify(line)).toHaveProperty(
          'lines',
        )
      expect(
        (await tenants.call(tenants.south.admin, 'GET', '/api/shop/stockTransfer/detail', { query: { id } })).status,
      ).toBe(404)
    },
  )

  it('of somebody who has one shop alone comes from that one, in the form and where nothing is said', async () => {
    expect(presetFromSingleLimits(stockTransfer.fields, { shop: { only: shop } })).toEqual({ fromShopId: shop })
    expect(presetFromSingleLimits(stockTransfer.fields, { shop: {} })).toEqual({})
    const lacks = async (person: CastMember) => (await post(person, 'stockTransfer/submit', { lines: [] })).data.fields
    expect(await lacks(lin)).toEqual({ toShopId: '请选择调入门店' })
    expect(await lacks(wu)).toEqual({ fromShopId: '请选择调出门店', toShopId: '请选择调入门店' })
  })

  it('goes from somebody of one shop to any of the tenant, which is named to them and tells nothing else', async () => {
    const options = (person: CastMember, query: object) =>
      tenants.call(person, 'GET', '/api/kit/options/basicShopInfo', { query: query as Record<string, unknown> })
    const idsOf = async (person: CastMember, query: object) =>
      ((await tenants.must(options(person, query))) as { id: string }[]).map(({ id }) => id)
    expect(await idsOf(lin, {})).toEqual([shop])
    const all = await idsOf(lin, { beyond: true })
    expect(all).toEqual(expect.arrayContaining([shop, otherShop]))
    expect(all).toEqual(expect.not.arrayContaining(tenants.south.shops))
    expect(await idsOf(lin, { beyond: true, ids: otherShop })).toEqual([otherShop])
    // What is filtered by answers nothing: neither whose it is, nor whether it is silent.
    for (const filter of [{ bossUserId: lin.userId }, { status: 0 }, { isOffline: 'true' }])
      expect(await idsOf(lin, { beyond: true, ...filter })).toEqual(all)
    const clerk = await tenants.person(tenants.north, 'clerk', ['stockTransfer', 'stockTransfer_view', 'basicShopInfo'])
    expect((await options(clerk, { beyond: true })).status).toBe(403)

    // A data scope of theirs binds as ever: here, to shops they have made themselves.
    const [free, bound] = [await tenants.person(tenants.north, 'boss'), await tenants.person(tenants.north, 'boss')]
    await tenants.services.unit({ tenantId: '100001' }, async (db) => {
      const scope = await db.insert(tenants.services.registry.resource('dataScope') as Resource, {
        scopeName: '本人',
        resourceCode: 'basicShopInfo',
        scopeType: 2,
        scopeColumn: 'create_user',
        menuId: '0',
      })
      await db.run(sql`insert into role_scope (tenant_id, role_id, scope_category, scope_id)
        select tenant_id, role_id[1], 1, ${scope.id} from sys_user
        where tenant_id = ${db.tenantId} and id = ${bound.userId}`)
    })
    expect(await idsOf(free, { beyond: true })).toEqual(all)
    expect(await idsOf(bound, { beyond: true })).toEqual([])
    expect(
      (await post(bound, 'stockTransfer/submit', { fromShopId: shop, toShopId: otherShop, lines: [] })).data.fields,
    ).toHaveProperty('toShopId')

    const good = await stocked(5)
    const lines = [{ goodId: good.id, quantity: 2 }]
    const ask = (person: CastMember, body: object) => post(person, 'stockTransfer/submit', { lines, ...body })
    const { id } = await tenants.must(ask(lin, { toShopId: otherShop }))
    expect((await ask(lin, { toShopId: tenants.south.shops[0] })).data.fields).toHaveProperty('toShopId')
    // Goods come from one's own shop as ever.
    expect((await ask(chen, { fromShopId: shop, toShopId: otherShop })).data.fields).toHaveProperty('fromShopId')
    await tenants.must(post(lin, 'stockTransfer/dispatch', { id }))
    expect((await post(lin, 'stockTransfer/receive', { id })).data.reason).toBe('transfer_other_shop')
    await tenants.must(post(chen, 'stockTransfer/receive', { id }))
    expect(await stock(good.id)).toBe(3)
    expect(await inOther(good.upc)).toMatchObject({ stock: 2 })
  })

  it('keeps its goods from being removed while all of them are on the way', async () => {
    const good = await stocked(5)
    const { id } = await tenants.must(
      post(wu, 'stockTransfer/submit', {
        fromShopId: shop,
        toShopId: otherShop,
        lines: [{ goodId: good.id, quantity: 5 }],
      }),
    )
    await tenants.must(post(wu, 'stockTransfer/dispatch', { id }))
    const remove = () => tenants.call(wu, 'POST', '/api/shop/goodInfo/remove', { query: { ids: good.id } })
    expect((await remove()).data.reason).toBe('good_on_way')
    await tenants.must(post(wu, 'stockTransfer/recall', { id }))
    expect(await stock(good.id)).toBe(5)
    await tenants.must(post(wu, 'goodInfo/stocktake', { id: good.id, counted: 0, remark: '清零' }))
    await tenants.must(remove())
  })

  it('two that cross between the same shops wait for each other in no circle', async () => {
    const goods = await Promise.all([stocked(30), stocked(30)])
    const first = await tenants.must(
      post(wu, 'stockTransfer/submit', {
        fromShopId: shop,
        toShopId: otherShop,
        lines: goods.map((good) => ({ goodId: good.id, quantity: 15 })),
      }),
    )
    await tenants.must(turn(lin, 'dispatch', first.id))
    await tenants.must(turn(chen, 'receive', first.id))
    const theirs = await Promise.all(goods.map((good) => inOther(good.upc)))
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_unused, n) => {
        const out = n % 2 ? goods : [...goods].reverse()
        const body =
          n % 2
            ? { fromShopId: shop, toShopId: otherShop, lines: out.map((good) => ({ goodId: good.id, quantity: 1 })) }
            : {
                fromShopId: otherShop,
                toShopId: shop,
                lines: theirs.map((good: any) => ({ goodId: good.id, quantity: 1 })),
              }
        const { id } = await tenants.must(post(wu, 'stockTransfer/submit', body))
        await tenants.must(turn(wu, 'dispatch', id))
        return id as string
      }),
    )
    await Promise.all(ids.map((id) => tenants.must(turn(wu, 'receive', id, { lines: [], remainder: 'unsent' }))))
    expect(await Promise.all(goods.map((good) => stock(good.id)))).toEqual([15, 15])
  })
})

describe('a correction', () => {
  it('of what lies in no batch says so in words', async () => {
    const good = await tenants.good(tenants.north, shop, {})
    await tenants.must(post(lin, 'goodInfo/correct', { id: good.id, change: 2, reason: 'mixup' }))
    expect(await list('storageLog', { goodId: good.id })).toMatchObject([{ change: 2, batchNo: '未入批次' }])
    const [{ id }] = await list('storageBatch', { goodId: good.id })
    for (const [lang, openBatchLabel] of [
      ['zh', '未入批次'],
      ['en', 'No batch'],
    ] as const) {
      const ask = (path: string, query: Record<string, unknown>) =>
        tenants.must(tenants.call(wu, 'GET', `/api/${path}`, { query, lang }))
      expect((await ask('shop/storageBatch/list', { goodId: good.id })).records[0].batchNo).toBe(openBatchLabel)
      expect((await ask('shop/storageBatch/detail', { id })).batchNo).toBe(openBatchLabel)
      expect(await ask('kit/options/storageBatch', { goodId: good.id })).toMatchObject([{ id, title: openBatchLabel }])
    }
    const correction = { id: good.id, change: -3, reason: 'mixup', batchId: id }
    const answer = await post(lin, 'goodInfo/correct', correction)
    expect([answer.status, JSON.stringify(answer.body).includes('OPEN')]).toEqual([400, false])
  })

  it('says why, and takes no more away than there is', async () => {
    const good = await stocked(4)
    expect(
      (await post(lin, 'goodInfo/correct', { id: good.id, change: -5, reason: 'mixup' })).data.fields,
    ).toHaveProperty('change')
    expect((await post(lin, 'goodInfo/correct', { id: good.id, change: -1 })).data.fields).toHaveProperty('reason')
    await tenants.must(
      post(lin, 'goodInfo/correct', { id: good.id, change: -1, reason: 'mixup', remark: '与大瓶混放' }),
    )
    expect(await stock(good.id)).toBe(3)
    expect((await list('storageLog', { goodId: good.id, type: 'correct' }))[0]).toMatchObject({
      change: -1,
      remark: '与其他商品串货：与大瓶混放',
    })
  })
})

describe('an event of stock', () => {
  it('is raised once when goods run low, not at every sale below, and settled when they are filled up', async () => {
    const good = await stocked(5, { lowStock: 3 })
    const lose = () => tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 1, remark: '破损' }))
    await lose()
    expect(await events('lowStock', good.id)).toEqual([])
    for (let n = 0; n < 3; n++) await lose()
    expect(await events('lowStock', good.id)).toEqual([{ status: 0, count: 1 }])
    await tenants.receive(tenants.north, shop, good.id, 5)
    expect(await events('lowStock', good.id)).toEqual([{ status: 2, count: 1 }])
    await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, lowStock: 9 }))
    expect(await events('lowStock', good.id)).toEqual([
      { status: 2, count: 1 },
      { status: 0, count: 1 },
    ])
  })

  it('of low goods says how many are left now, and tells nobody again at each sale', async () => {
    const good = await stocked(5, { lowStock: 3 })
    const lose = () => tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 1, remark: '破损' }))
    const lowStockEvents = async () =>
      (await list('event', { type: 'lowStock', goodId: good.id })).map((row: any) => [
        row.status,
        row.count,
        /库存 (-?\d+)/.exec(row.content)?.[1],
      ])
    await lose()
    await lose()
    expect(await lowStockEvents()).toEqual([[0, 1, '3']])
    await lose()
    expect(await lowStockEvents()).toEqual([[0, 1, '2']])
    await tenants.receive(tenants.north, shop, good.id, 1)
    expect(await lowStockEvents()).toEqual([[0, 1, '3']])
  })

  it(
    'that somebody resolved while the goods are still low is raised again when the ' +
      'next piece goes, not when some come in',
    async () => {
      const good = await stocked(5, { lowStock: 3 })
      const lose = () => tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 1, remark: '破损' }))
      for (let n = 0; n < 3; n++) await lose()
      const [open] = await list('event', { type: 'lowStock', goodId: good.id })
      await tenants.must(
        tenants.call(wu, 'POST', '/api/shop/event/resolve', { query: { ids: open.id }, body: { remark: '已订货' } }),
      )
      await tenants.receive(tenants.north, shop, good.id, 1)
      expect(await events('lowStock', good.id)).toEqual([{ status: 2, count: 1 }])
      await lose()
      await lose()
      expect(await events('lowStock', good.id)).toEqual([
        { status: 2, count: 1 },
        { status: 0, count: 1 },
      ])
    },
  )

  it('is settled when low goods are removed, and raised again when they are back from the recycle bin', async () => {
    const good = await stocked(4, { lowStock: 3 })
    await tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 4, remark: '破损' }))
    await tenants.must(tenants.call(wu, 'POST', '/api/shop/goodInfo/remove', { query: { ids: good.id } }))
    expect(await events('lowStock', good.id)).toEqual([{ status: 2, count: 1 }])
    await tenants.must(tenants.call(wu, 'POST', '/api/kit/bin/goodInfo/restore', { body: { ids: good.id } }))
    expect(await events('lowStock', good.id)).toEqual([
      { status: 2, count: 1 },
      { status: 0, count: 1 },
    ])
  })

  it(
    'comes as early as the shop’s settings say: new goods start with its line, ' +
      'batches are pointed out its days before',
    async () => {
      const [conf] = await list('shopConf', { shopId: shop })
      await tenants.must(post(wu, 'shopConf/submit', { id: conf.id, lowStockThreshold: 8, expiryWarnDays: 30 }))
      const detail = (id: string) =>
        tenants.must(tenants.call(wu, 'GET', '/api/shop/goodInfo/detail', { query: { id } }))
      const good = await tenants.good(tenants.north, shop)
      expect([
        (await detail(good.id)).lowStock,
        (await detail((await tenants.good(tenants.north, shop, { lowStock: 0 })).id)).lowStock,
        (await detail((await tenants.good(tenants.north, otherShop)).id)).lowStock,
      ]).toEqual([8, 0, 5])
      await tenants.receive(tenants.north, shop, good.id, 4, '2026-12-20')
      const other = await tenants.good(tenants.north, otherShop)
      await tenants.receive(tenants.north, otherShop, other.id, 4, '2026-12-20')
      const soon = async () => (await list('storageBatch', { isExpiring: 'true' })).map((row: any) => row.goodId)
      expect(await soon()).toEqual([good.id])
      await warnExpiringStockJob.run(
        {},
        {
          services: tenants.services,
          signal: new AbortController().signal,
          tenantId: '000000',
          jobId: '1',
          attempt: 1,
        },
      )
      expect([await events('expiring', good.id), await events('expiring', other.id)]).toEqual([
        [{ status: 0, count: 1 }],
        [],
      ])
      await tenants.must(post(wu, 'shopConf/submit', { id: conf.id, lowStockThreshold: 5, expiryWarnDays: 7 }))
      expect(await soon()).toEqual([])
    },
  )

  it(
    'is raised once for a batch that expires soon, however often the job ' + 'runs, and settled when it is gone',
    async () => {
      const good = await tenants.good(tenants.north, shop)
      await tenants.receive(tenants.north, shop, good.id, 4, '2026-12-10')
      const job = () =>
        warnExpiringStockJob.run(
          {},
          {
            services: tenants.services,
            signal: new AbortController().signal,
            tenantId: '000000',
            jobId: '1',
            attempt: 1,
          },
        )
      await job()
      expect(await events('expiring', good.id)).toEqual([])
      now = new Date('2026-12-06T06:10:00+08:00')
      for (let n = 0; n < 3; n++) await job()
      expect(await events('expiring', good.id)).toEqual([{ status: 0, count: 1 }])
      const expiryTexts = async () =>
        (await list('event', { type: 'expiring', goodId: good.id })).map(({ level, content }: any) => [
          level,
          content.replace(/^.*?批次 \S+ /, ''),
        ])
      await tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 1, remark: '破损' }))
      await job()
      expect(await expiryTexts()).toEqual([[1, '将于 2026-12-10 到期，还剩 3 件']])
      // Past its date it matters more, and is still one event.
      now = new Date('2026-12-11T06:10:00+08:00')
      for (let n = 0; n < 2; n++) await job()
      expect(await expiryTexts()).toEqual([[2, '已于 2026-12-10 过期，还剩 3 件，请下架']])
      expect(await events('expiring', good.id)).toEqual([{ status: 0, count: 2 }])
      await tenants.must(post(wu, 'goodInfo/loss', { id: good.id, quantity: 3, remark: '过期' }))
      expect(await events('expiring', good.id)).toEqual([{ status: 2, count: 2 }])
      now = new Date('2026-11-20T09:00:00+08:00')
    },
  )
})

describe('price tags', () => {
  const tag = async (tagId: string) => (await list('priceTag', { tagId }))[0]

  it('all of a barcode in the shop wait when its price or words change, and none of another shop', async () => {
    const good = await tenants.good(tenants.north, shop, { name: '酸奶' })
    const { id: twin } = await tenants.must(
      post(wu, 'goodInfo/submit', { shopId: otherShop, upc: good.upc, name: '酸奶', salePrice: '6.00' }),
    )
    for (const tagId of ['A1', 'A2'])
      await tenants.must(post(wu, 'priceTag/submit', { tagId, shopId: shop, goodId: good.id, template: 'standard' }))
    await tenants.must(
      post(wu, 'priceTag/submit', { tagId: 'B1', shopId: otherShop, goodId: twin, template: 'standard' }),
    )
    const shown = () =>
      tenants.services.unit({ tenantId: '100001' }, (db) =>
        db.run(sql`update price_tag set status = 1, shown_price = wanted_price where tag_id in ('A1', 'A2', 'B1')`),
      )
    await shown()
    await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, salePrice: '5.50' }))
    for (const tagId of ['A1', 'A2'])
      expect(await tag(tagId)).toMatchObject({ status: 2, wantedPrice: '5.50', shownPrice: '5.00' })
    expect(await tag('B1')).toMatchObject({ status: 1, wantedPrice: '6.00' })
    await shown()
    await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, lowStock: 2, shelfNo: 'A9' }))
    expect((await tag('A1')).status).toBe(1)
    await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, name: '酸奶（原味）' }))
    expect((await tag('A1')).status).toBe(2)
    expect(await list('goodPriceLog', { goodId: good.id, ascs: 'id' })).toMatchObject([
      { newPrice: '5.00' },
      { oldPrice: '5.00', newPrice: '5.50' },
    ])
  })

  it('back from the recycle bin wait for what their goods cost now, or show nothing when these are gone', async () => {
    const good = await tenants.good(tenants.north, shop)
    for (const tagId of ['K1', 'K2'])
      await tenants.must(post(wu, 'priceTag/submit', { tagId, shopId: shop, goodId: good.id, template: 'standard' }))
    await tenants.services.unit({ tenantId: '100001' }, (db) =>
      db.run(sql`update price_tag set status = 1, shown_price = wanted_price where tag_id in ('K1', 'K2')`),
    )
    const [first, second] = [await tag('K1'), await tag('K2')]
    const restore = (ids: string) =>
      tenants.must(tenants.call(wu, 'POST', '/api/kit/bin/priceTag/restore', { body: { ids } }))
    await tenants.must(post(wu, 'priceTag/remove', { ids: `${first.id},${second.id}` }))
    await tenants.must(post(wu, 'goodInfo/submit', { id: good.id, salePrice: '8.00' }))
    await restore(first.id)
    expect(await tag('K1')).toMatchObject({ status: 2, wantedPrice: '8.00', shownPrice: '5.00' })
    await tenants.must(post(wu, 'goodInfo/remove', { ids: good.id }))
    await restore(second.id)
    for (const tagId of ['K1', 'K2']) expect(await tag(tagId)).toMatchObject({ status: 0, goodId: '' })
  })

  it('bound while a price changes never keeps the old one', async () => {
    for (let round = 0; round < 8; round++) {
      const good = await tenants.good(tenants.north, shop)
      const tagId = `R${round}`
      await Promise.all([
        tenants.must(post(wu, 'goodInfo/submit', { id: good.id, salePrice: '7.00' })),
        tenants.must(post(wu, 'priceTag/updateUpcTag', { tagId, upc: good.upc, shopId: shop })),
      ])
      expect(await tag(tagId)).toMatchObject({ status: 2, wantedPrice: '7.00', upc: good.upc })
    }
  })

  it(
    'are found by barcode: one as a text, several as a list; bound again they ' + 'show the other goods, with a log',
    async () => {
      const [a, b] = [await tenants.good(tenants.north, shop), await tenants.good(tenants.north, shop)]
      const byUpc = async (upc: string, person = wu) =>
        await tenants.must(tenants.call(person, 'GET', '/api/shop/priceTag/getTagIdByUpc', { query: { upc } }))
      expect(await byUpc(a.upc)).toEqual([])
      await tenants.must(post(lin, 'priceTag/updateUpcTag', { tagId: 'C1', upc: a.upc }))
      expect(await byUpc(a.upc)).toBe('C1')
      expect(await byUpc(a.upc, chen)).toEqual([])
      await tenants.must(post(lin, 'priceTag/updateUpcTag', { tagId: 'C2', upc: a.upc }))
      expect(await byUpc(a.upc)).toMatchObject([{ tagId: 'C1', shopId: shop, status: 2 }, { tagId: 'C2' }])
      await tenants.must(post(lin, 'priceTag/updateUpcTag', { tagId: 'C2', upc: b.upc }))
      expect(await byUpc(a.upc)).toBe('C1')
      expect((await list('priceTagLog', { tagId: 'C2', ascs: 'id' })).map((row: any) => [row.action, row.upc])).toEqual(
        [
          ['bind', a.upc],
          ['unbind', a.upc],
          ['bind', b.upc],
        ],
      )
      expect((await post(chen, 'priceTag/updateUpcTag', { tagId: 'C2', upc: b.upc })).status).not.toBe(200)
      const { id } = await tag('C2')
      expect(await post(lin, 'priceTag/update', { id, template: 'promotion' })).toMatchObject({ status: 200 })
      expect(await tag('C2')).toMatchObject({ template: 'promotion', status: 2 })
      await tenants.must(post(lin, 'priceTag/unbind', { id }))
      expect((await post(lin, 'priceTag/update', { id, template: 'standard' })).data.reason).toBe('tag_unbound')
    },
  )

  it('stand with their goods in the second list, of the caller’s shops alone', async () => {
    const good = await tenants.good(tenants.north, shop, { name: '二锅头' })
    for (const tagId of ['D1', 'D2'])
      await tenants.must(post(wu, 'priceTag/updateUpcTag', { tagId, upc: good.upc, shopId: shop }))
    const list2 = async (person: CastMember, query: object) =>
      (
        await tenants.must(
          tenants.call(person, 'GET', '/api/shop/priceTag/list2', { query: query as Record<string, unknown> }),
        )
      ).records
    expect(await list2(lin, { upc: good.upc })).toMatchObject([
      { id: good.id, salePrice: '5.00', tags: [{ tagId: 'D1', status: 2, statusName: '待更新' }, { tagId: 'D2' }] },
    ])
    expect(await list2(lin, { upc: good.upc, tagStatus: '1' })).toEqual([])
    expect(await list2(chen, { upc: good.upc })).toEqual([])
    // Who works on tags alone is told no more of goods than goes with tags, and finds none by it.
    const tagger = await tenants.person(tenants.north, 'tagger', ['priceTag'])
    const [seen] = await list2(tagger, { upc: good.upc })
    expect(seen).toMatchObject({ id: good.id, name: '二锅头', salePrice: '5.00' })
    expect(['costPrice', 'remark', 'lowStock'].filter((key) => key in seen)).toEqual([])
    const response = await tenants.call(tagger, 'GET', '/api/shop/priceTag/list2', { query: { costPrice_ge: '1' } })
    expect(response.data.reason).toBe('filter_hidden')
    await tenants.must(tenants.call(wu, 'POST', '/api/shop/goodInfo/remove', { query: { ids: good.id } }))
    expect(await tag('D1')).toMatchObject({ status: 0, upc: '' })
  })
})

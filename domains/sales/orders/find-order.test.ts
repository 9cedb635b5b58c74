import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queryFilterSql } from '#kit/server/query/filters.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { sql } from '#kit/server/database/db.ts'
import { testDatabase } from '#tests/support/database.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

let tenants: TestTenants
let boss: CastMember
let otherBoss: CastMember
let order: { id: string; orderNo: string }

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
  const [first, second] = tenants.north.shops as [string, string]
  const register = await tenants.register(tenants.north, first)
  const good = await tenants.good(tenants.north, first)
  await tenants.receive(tenants.north, first, good.id, 50)
  const sell = async () =>
    (await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc) }))).orderId as string
  const id = await sell()
  await sell()
  boss = await tenants.boss(tenants.north, first)
  otherBoss = await tenants.boss(tenants.north, second)
  const { data } = await tenants.call(boss, 'GET', '/api/shop/shoppingOrder/detail', { query: { id } })
  order = { id, orderNo: data.orderNo }
})
afterAll(() => tenants.close())

const found = async (person: CastMember, orderNo: string) =>
  (
    await tenants.must(tenants.call(person, 'GET', '/api/shop/shoppingOrder/web/boss/list', { query: { orderNo } }))
  ).records.map((row: { id: string }) => row.id)

describe('an order is found by a part of its number', () => {
  it(
    'by the last six signs a tab shows and by more of them, by its ' + 'beginning with and without its letters',
    async () => {
      const { orderNo, id } = order
      for (const part of [
        orderNo.slice(-6),
        orderNo.slice(-11),
        orderNo.slice(2),
        orderNo,
        orderNo.slice(0, 16),
        orderNo.slice(2, 18),
        ` ${orderNo.slice(-6)} `,
      ])
        expect([part, await found(boss, part)]).toEqual([part, expect.arrayContaining([id])])
      expect(await found(boss, orderNo.slice(-11))).toEqual([id])
    },
  )

  it('by five signs nothing is found, nor by signs that only stand like it', async () => {
    const { orderNo } = order
    expect(await found(boss, orderNo.slice(-5))).toEqual([])
    expect(await found(boss, `${orderNo.slice(-7, -1)}x`)).toEqual([])
    expect(await found(boss, '%_%_%_')).toEqual([])
  })

  it('by nobody who may not see it: neither the boss of another shop nor another tenant', async () => {
    for (const person of [otherBoss, tenants.south.admin])
      expect(await found(person, order.orderNo.slice(-8))).toEqual([])
  })

  it('where it is picked for something else, as a refund is looked for by its order', async () => {
    const options = (person: CastMember) =>
      tenants.must(
        tenants.call(person, 'GET', '/api/kit/options/shoppingOrder', { query: { key: order.orderNo.slice(-8) } }),
      )
    expect(await options(boss)).toEqual([expect.objectContaining({ id: order.id, title: order.orderNo })])
    expect(await options(otherBoss)).toEqual([])
  })

  it('on indexes, also behind the policy of the tenant, and never by reading all orders', async () => {
    const database = await testDatabase()
    const owner = new pg.Client(database.url)
    await owner.connect()
    try {
      await owner.query(`insert into shopping_order (id, tenant_id, order_no)
        select n, '100001', 'SO' || 382000000000000000 + n * 104729
        from generate_series(1, 20000) n; analyze shopping_order`)
      const { text, values } = sql`explain select r.id from shopping_order r
          where true${queryFilterSql(shoppingOrder, { orderNo: '104729' }, anonymousCaller)} order by r.create_time desc
          limit 20`
      for (const [role, tenant] of [
        ['store_app', '100001'],
        ['store_platform', '000000'],
      ]) {
        await owner.query(`set role ${role}; set app.tenant = '${tenant}'`)
        const { rows } = await owner.query<Record<string, string>>(text, values)
        const plan = rows.map((row) => Object.values(row)[0]).join('\n')
        expect([role, plan]).toEqual([role, expect.stringMatching(/Index Cond: .*order_no_tail >= /)])
        expect([role, plan]).not.toEqual([role, expect.stringMatching(/Seq Scan|using shopping_order_(list|all)/)])
      }
    } finally {
      await owner.end()
      await database.drop()
    }
  })
})

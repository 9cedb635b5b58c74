import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#kit/server/base/caller.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { findStaleRows, type RowEffect } from './effects.ts'

const GOODS = 12

let tenants: TestTenants
let caller: Caller
let goods: { id: string }[]

beforeAll(async () => {
  tenants = await createTestTenants()
  caller = (await tenants.services.access.callerOf(tenants.north.admin.token))!
  goods = []
  while (goods.length < GOODS) goods.push(await tenants.good(tenants.north, tenants.north.shops[0]!))
})
afterAll(() => tenants?.close())

/** Row effects of rows that did not exist when approval was requested. */
const unseen = (resource: string, ids: readonly string[]): RowEffect[] =>
  ids.map((rowId) => ({ resource, rowId, before: null, after: null }))

const moved = (rows: RowEffect[]) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
    findStaleRows({ db, services: tenants.services, caller }, { mark: '0', rows }),
  )

describe('rows that are looked at', () => {
  test('are asked for once in each resource and all in one message, however many they are', async () => {
    const look = (count: number) =>
      countRoundTrips(() =>
        moved([
          ...unseen(
            'goodInfo',
            goods.slice(0, count).map(({ id }) => id),
          ),
          ...unseen('basicShopInfo', tenants.north.shops),
        ]),
      )
    const [few, many] = [await look(1), await look(GOODS)]
    expect([many.statements, many.roundTrips]).toEqual([few.statements, few.roundTrips])
    expect(many.sent.filter(({ text }) => text.includes('"good_info"'))).toHaveLength(1)
  })

  test('are told apart, found whatever zeros stand before their id, and never of another tenant', async () => {
    const [same, other, gone] = goods as [{ id: string }, { id: string }, { id: string }]
    const strange = await tenants.good(tenants.south, tenants.south.shops[0]!)
    const rowOf = (id: string) =>
      tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => (await db.get(goodInfo, id))!)
    const [was, before] = [await rowOf(same.id), await rowOf(other.id)]
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/submit', {
        body: { id: other.id, salePrice: '7.00' },
      }),
    )
    await tenants.must(
      tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/remove', { query: { ids: gone.id } }),
    )
    const found = await moved([
      { resource: 'goodInfo', rowId: `0${same.id}`, before: was, after: was },
      { resource: 'goodInfo', rowId: other.id, before, after: before },
      { resource: 'goodInfo', rowId: gone.id, before: was, after: was },
      ...unseen('goodInfo', [strange.id]),
    ])
    expect(found.map(({ rowId, after, keys }) => [rowId, after?.id ?? null, keys])).toEqual([
      [other.id, other.id, ['salePrice']],
      [gone.id, null, []],
    ])
  })
})

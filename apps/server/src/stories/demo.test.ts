import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import { testServer, type TestServer } from '#kit/testing/server.ts'
import { checkLedgers } from '#domains/orders/doors.ts'
import { storyCast } from './cast.ts'
import { seedDemo } from './demo.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await seedDemo(server.services, () => {}, { days: 10 })
}, 120_000)
afterAll(() => server.close())

const across = <R>(statement: ReturnType<typeof sql>) =>
  server.services.unit({ tenantId: '000000', across: 'test' }, (db) => db.query<R & object>(statement))

describe('the demo story', () => {
  it('adds up to the cent and the piece', async () => {
    expect(await server.services.unit({ tenantId: '000000', across: 'test' }, checkLedgers)).toEqual([])
  })

  it('every line of a ledger carries the time of the deed, not of the telling', async () => {
    const late = await across(sql`
      select 'stock' as ledger, l.ref_type, l.create_time, d.at from storage_log l join (
        select id, coalesce(pay_time, create_time) as at, 'order' as kind from shopping_order union all select id, create_time, 'return' from return_log
        union all select id, create_time, 'stocktake' from stocktake
      ) d on d.id = l.ref_id and d.kind = l.ref_type where abs(extract(epoch from l.create_time - d.at)) > 3600
      union all select 'stock', 'transfer', l.create_time, t.send_time from storage_log l join stock_transfer t on t.id = l.ref_id and l.ref_type = 'transfer' where least(abs(extract(epoch from l.create_time - t.send_time)), abs(extract(epoch from l.create_time - coalesce(t.receive_time, t.send_time)))) > 1
      union all select 'points', l.ref_type, l.create_time, o.pay_time from integral_log l join shopping_order o on o.id = l.ref_id and l.ref_type = 'order' where abs(extract(epoch from l.create_time - o.pay_time)) > 3600
      union all select 'balance', l.ref_type, l.create_time, o.pay_time from balance_log l join shopping_order o on o.id = l.ref_id and l.ref_type = 'order' where abs(extract(epoch from l.create_time - o.pay_time)) > 3600`)
    expect(late).toEqual([])
  })

  it('everybody of the cast can sign in and sees the shops the cast says', async () => {
    for (const { tenantId, account, role, shops } of storyCast) {
      const person = await server.as(account, { tenantId })
      const { data } = await server.call<{ shopCode: string }[]>(person, 'GET', '/api/shop/basicShopInfo/query')
      const expected =
        role === 'admin'
          ? tenantId === '100001'
            ? ['S001', 'S002', 'S003', 'S004', 'S005']
            : ['N01', 'N02', 'N03']
          : shops
      expect(
        data.map((shop) => shop.shopCode),
        account,
      ).toEqual(expected)
    }
  })

  it('leaves work for today: a refund to decide, goods running low, goods about to expire, a register that is silent', async () => {
    const lin = await server.as('lin', { tenantId: '100001' })
    const { data } = await server.call(lin, 'GET', '/api/shop/home/today')
    const waits = (home: { needs: { key: string; count: number }[] }) => Object.fromEntries(home.needs.map(({ key, count }) => [key, count]))
    expect(waits(data)).toMatchObject({ refundsWaiting: 3, expiring: expect.any(Number), lowStock: expect.any(Number) })
    const wu = await server.as('wu', { tenantId: '100001' })
    const whole = await server.call(wu, 'GET', '/api/shop/home/today')
    expect(waits(whole.data).offlineRegisters).toBe(1)
    expect(whole.data.shops).toHaveLength(5)
  })

  it('what is named by a time is named as times are written', async () => {
    const wu = await server.as('wu', { tenantId: '100001' })
    const { data } = await server.call(wu, 'GET', '/api/shop/shoppingOrder/web/boss/list', { query: { visitId_notnull: 1, size: 5 } })
    expect(data.records.length).toBeGreaterThan(0)
    for (const { visitTime } of data.records) expect(visitTime).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  })

  it('every number of the home page opens exactly the rows it counts, for everybody', async () => {
    for (const { account, tenantId } of storyCast) {
      const person = await server.as(account, { tenantId })
      const { data } = await server.call(person, 'GET', '/api/shop/home/today')
      for (const { key, resource, query, count } of [...data.needs, ...data.shops.flatMap((shop: any) => shop.needs)]) {
        const { path, list } = server.services.registry.resource(resource)
        const listed = await server.call(person, 'GET', `${path}/${list.path}`, { query: { ...query, size: 1 } })
        expect([account, key, listed.data.total]).toEqual([account, key, count])
      }
    }
  })

  it('has orders in most states and refunds in most states', async () => {
    const rows = await across<{ kind: string; status: number }>(
      sql`select 'order' as kind, status, count(*)::int from shopping_order group by status union all select 'refund', status, count(*)::int from refunds group by status`,
    )
    const states = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.status)
    expect(states('order')).toEqual(expect.arrayContaining([0, 2, 3, 4, 9]))
    expect(states('refund')).toEqual(expect.arrayContaining([0, 2, 3, 4]))
  })
})

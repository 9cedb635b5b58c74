import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wireYuanToCents } from '#kit/fields/money/cents.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'

type Order = { createTime: string; payAmount: string; status: number | string; payTime: string }
type DayTotal = { day: string; count: number; sum?: string; label?: string }

const ORDERS = '/api/shop/shoppingOrder/web/boss/list'
const TOTALS = '/api/kit/day-totals/shoppingOrder'

let server: TestServer
let wu: CastMember
let lin: CastMember
let days: string[]

beforeAll(async () => {
  server = await testServer({ storyDays: 3 })
  wu = await server.as('wu', { tenantId: '100001' })
  lin = await server.as('lin', { tenantId: '100001' })
  const { data } = await server.call(wu, 'GET', ORDERS, { query: { size: 100 } })
  days = [...new Set((data.records as Order[]).map(({ createTime }) => createTime.slice(0, 10)))]
})
afterAll(() => server?.close())

const totals = async (who: CastMember, query: Record<string, string>): Promise<DayTotal[]> =>
  (await server.call(who, 'GET', TOTALS, { query })).data as DayTotal[]

async function ordersOf(who: CastMember, query: Record<string, string>): Promise<Order[]> {
  const found: Order[] = []
  for (let current = 1; ; current++) {
    const { data } = await server.call(who, 'GET', ORDERS, { query: { ...query, current, size: 100 } })
    found.push(...(data.records as Order[]))
    if (found.length >= data.total) return found
  }
}

/** What the rows of a list add up to on each of the days. */
const added = (orders: readonly Order[]) =>
  days.map((day) => {
    const those = orders.filter(({ createTime }) => createTime.startsWith(day))
    const paid = those.filter(({ payTime }) => payTime)
    return [day, those.length, paid.reduce((sum, { payAmount }) => sum + wireYuanToCents(payAmount), 0)]
  })
const reported = (all: readonly DayTotal[]) =>
  days.map((day) => {
    const one = all.find((total) => total.day === day)
    return [day, one?.count ?? 0, wireYuanToCents(one?.sum ?? '0')]
  })

describe('the totals of a list by days', () => {
  test('are those of its rows, for whoever asks, with the filters of the list, and of no other day', async () => {
    for (const who of [wu, lin])
      for (const filters of [{}, { status: '2' }, { source: '1' }] as Record<string, string>[]) {
        const query = { ...filters, days: days.join(',') }
        expect([filters, reported(await totals(who, query))]).toEqual([filters, added(await ordersOf(who, filters))])
      }
    expect((await totals(wu, { days: days[0]! })).map(({ day }) => day)).toEqual([days[0]])
    const [all, own] = [await totals(wu, { days: days[0]! }), await totals(lin, { days: days[0]! })]
    expect(own[0]!.count).toBeLessThan(all[0]!.count)
  })

  test('are refused to who may not list the rows, and for days that are none or too many', async () => {
    const answers = await Promise.all([
      server.call(await server.as('zhou', { tenantId: '100001' }), 'GET', '/api/kit/day-totals/tenant', {
        query: { days: days[0]! },
      }),
      server.call(wu, 'GET', TOTALS, { query: { days: "2026-13-45'" } }),
      server.call(wu, 'GET', TOTALS, {
        query: { days: Array.from({ length: 32 }, (_, n) => `2026-10-${String(n + 1).padStart(2, '0')}`).join() },
      }),
      server.call(wu, 'GET', TOTALS),
      server.call(wu, 'GET', '/api/kit/day-totals/nothing', { query: { days: days[0]! } }),
    ])
    expect(answers.map(({ code }) => code)).toEqual([403, 400, 400, 400, 404])
  })

  test('say no sum where none of the rows counts for the measure, nor where rows have no amount', async () => {
    const of = async (name: string) =>
      (await server.call(wu, 'GET', `/api/kit/day-totals/${name}`, { query: { days: days.join() } })).data as DayTotal[]
    expect((await of('doorControlLog')).every((one) => one.sum === undefined)).toBe(true)
    expect(await of('goodInfo')).toEqual([])
  })
})

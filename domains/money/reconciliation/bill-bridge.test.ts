import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { bookExternalRefund, placeOrder } from '#domains/sales/orders/api.ts'
import { bridgeKinds } from './bill-bridge.ts'

const SEED = Number(process.env.PROPERTY_SEED ?? fc.readConfigureGlobal().seed)
const RUNS = Number(process.env.PROPERTY_BILLS ?? 4)
const DAYS = 4
const DAY_MS = 86_400_000

let now = new Date('2026-10-28T10:00:00+08:00')
let tenants: TestTenants
let shops: string[]
let merchants: string[]
let good: { id: string; upc: string }
let made = 0

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  shops = tenants.north.shops.slice(0, 2)
  good = await tenants.good(tenants.north, shops[0]!, { salePrice: '1.00' })
  merchants = []
  for (const no of ['A', 'B'])
    merchants.push(await save({ name: `商户${no}`, merchantNo: no, feeRate: '0.60', shopIds: '' }))
}, 120_000)
afterAll(() => tenants?.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const call = (method: 'GET' | 'POST', path: string, ask: { body?: object; query?: Record<string, unknown> }) =>
  tenants.must(tenants.call(tenants.north.admin, method, `/api/${path}`, ask))
const save = async (body: object): Promise<string> =>
  (await call('POST', 'merchant/merchantInfo/submit', { body: { type: 'enterprise', status: 1, ...body } })).id
const dayAt = (ago: number) => formatShanghaiTime(new Date(now.getTime() - ago * DAY_MS)).slice(0, 10)
const cents = (text: unknown) => Math.round(Number(text) * 100)

type Act =
  | { what: 'sell'; shop: 0 | 1; channel: string; cents: number; daysAgo: number; time: string }
  | { what: 'refund'; which: number; part: number }
  | { what: 'move'; to: 0 | 1 | 2 }
  | { what: 'bills'; month: boolean }
  | { what: 'check'; which: number }
  | { what: 'cancel'; which: number }

const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('sell' as const),
      shop: fc.constantFrom(0 as const, 1 as const),
      channel: fc.constantFrom('cash', 'card', 'wechat', 'alipay', 'meituan'),
      cents: fc.integer({ min: 1, max: 30_000 }),
      daysAgo: fc.constantFrom(0, 0, 0, 1, 2),
      time: fc.constantFrom('00:00:00', '09:30:00', '23:59:59'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('refund' as const),
      which: fc.nat(),
      part: fc.constantFrom(0.3, 0.5, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('move' as const),
      to: fc.constantFrom(0 as const, 1 as const, 2 as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('bills' as const), month: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('check' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('cancel' as const), which: fc.nat() }) },
)

const sold: string[] = []

async function sell({ shop, channel, cents: amount, daysAgo, time }: Act & { what: 'sell' }): Promise<void> {
  const isPlatform = channel === 'meituan'
  const line = { goodId: null, upc: good.upc, name: '可乐', price: amount, quantity: 1, discount: 0, amount }
  const order = await inTenant((past) =>
    past.withTimestamp(now, (db) =>
      placeOrder(db, {
        shopId: shops[shop]!,
        source: isPlatform ? 'meituan' : 'register',
        type: 'store',
        lines: [line],
        payAmount: amount,
        payType: isPlatform ? 'platform' : channel,
        payTime: daysAgo ? `${dayAt(daysAgo)} ${time}` : formatShanghaiTime(now),
        transactionNo: `T${++made}`,
      } as never),
    ),
  )
  sold.push(order.id)
}

/** Picks one of a list by a random number that was drawn before the length was known. */
const pick = <T>(all: readonly T[], which: number): T | undefined => all[which % Math.max(1, all.length)]

async function refund({ which, part }: Act & { what: 'refund' }): Promise<void> {
  const orderId = pick(sold, which)
  if (!orderId) return
  const left = await inTenant((db) =>
    db.one<{ cents: number }>(sql`select pay_amount - coalesce(refund_amount, 0) as cents from shopping_order
      where tenant_id = ${db.tenantId} and id = ${orderId}`),
  )
  const amount = Math.max(1, Math.round(left!.cents * part))
  const paid = { refundNo: `R${++made}`, reason: '退', ...(part < 1 && { amount }) }
  if (left!.cents > 0) await inTenant((db) => bookExternalRefund(db, orderId, paid, now))
}

/** Moves the shops between merchants: both to the first, one to each, or one to none. */
async function move({ to }: Act & { what: 'move' }): Promise<void> {
  for (const id of merchants) await save({ id, shopIds: '' })
  await save({ id: merchants[0]!, shopIds: to === 0 ? shops.join(',') : shops[0] })
  if (to === 1) await save({ id: merchants[1]!, shopIds: shops[1] })
}

async function check({ which }: Act & { what: 'check' }): Promise<void> {
  const found = pick(await billsOf({ status: 0 }), which)
  if (found) await call('POST', 'merchant/bill/check', { body: { id: found.id } })
}

/** Cancels a paid sale in the database, as no action of the product removes one from the analysis. */
async function cancel({ which }: Act & { what: 'cancel' }): Promise<void> {
  const orderId = pick(sold, which)
  if (orderId)
    await inTenant((db) =>
      db.run(sql`update shopping_order set status = 9 where tenant_id = ${db.tenantId} and id = ${orderId}`),
    )
}

async function act(one: Act): Promise<void> {
  switch (one.what) {
    case 'sell':
      return sell(one)
    case 'refund':
      return refund(one)
    case 'move':
      return move(one)
    case 'bills':
      return void (await generate(one.month ? 'month' : 'day', dayAt(one.month ? 35 : 1)))
    case 'check':
      return check(one)
    case 'cancel':
      return cancel(one)
  }
}

const generate = (billType: string, day: string) => call('POST', 'merchant/bill/generate', { body: { billType, day } })
const billsOf = async (query: object) =>
  (await call('GET', 'merchant/bill/list', { query: { ...query, size: 1000 } })).records as Record<string, any>[]

/** Income and refunds of some shops in the sales analysis for a range of dates. */
async function analysisOf(shopIds: readonly string[], from: string, to: string) {
  const query = { shopIds: shopIds.join(','), createTime_dategt: from, createTime_datelt: to }
  const { sale } = await call('GET', 'shop/statistics/countSaleAndStorage', { query })
  return { income: sale.income, refunds: sale.refunds }
}

describe('the bridge from the analysis to a bill', () => {
  test('of a bill of another tenant is not there', async () => {
    await act({ what: 'move', to: 1 })
    await act({ what: 'sell', shop: 0, time: '10:00:00', daysAgo: 0, channel: 'cash', cents: 100 })
    now = new Date(now.getTime() + DAY_MS)
    const { ids } = await generate('day', dayAt(1))
    const read = (who: CastMember) =>
      tenants.call(who, 'GET', '/api/merchant/bill/bridge', { query: { id: ids[0] } }).then(({ status }) => status)
    expect([await read(tenants.south.admin), await read(tenants.north.admin)]).toEqual([404, 200])
  })

  test('begins with what the analysis says, ends with what the bill says, and leaves nothing unnamed', async () => {
    const met = new Set<string>()
    const days = fc.array(fc.array(acts, { minLength: 3, maxLength: 9 }), { minLength: DAYS, maxLength: DAYS })
    for (const run of fc.sample(days, { numRuns: RUNS, seed: SEED })) {
      for (const day of run) {
        for (const one of day) await act(one)
        now = new Date(now.getTime() + DAY_MS)
        if (made % 2) await generate('day', dayAt(1))
      }
    }
    for (const ago of [0, 1, 2, 3].map((n) => n * 5)) await generate('day', dayAt(ago + 1))
    const bills = await billsOf({})
    expect(bills.length).toBeGreaterThan(5)
    for (const row of bills) {
      const bridge = await call('GET', 'merchant/bill/bridge', { query: { id: row.id } })
      const analysis = await analysisOf(bridge.shopIds, row.periodStart, row.periodEnd)
      expect([row.billNo, bridge.paid.analysis, bridge.back.analysis]).toEqual([
        row.billNo,
        analysis.income,
        analysis.refunds,
      ])
      const back = cents(row.refund) + cents(row.offlineRefund)
      expect([row.billNo, bridge.paid.bill, cents(bridge.back.bill)]).toEqual([row.billNo, row.orderAmount, back])
      for (const side of [bridge.paid, bridge.back]) {
        const named = side.lines.reduce((sum: number, { amount }: { amount: string }) => sum + cents(amount), 0)
        expect([row.billNo, cents(side.analysis) + named, side.rest]).toEqual([row.billNo, cents(side.bill), '0.00'])
        for (const { kind } of side.lines) {
          expect(Object.keys(bridgeKinds)).toContain(kind)
          met.add(kind)
        }
      }
      const byMeans = bridge.channels.reduce((sum: number, { amount }: { amount: string }) => sum + cents(amount), 0)
      expect([row.billNo, byMeans]).toEqual([row.billNo, cents(row.orderAmount)])
    }
    // The random acts must produce differences, or the test would prove nothing.
    expect(met.size, [...met].join()).toBeGreaterThan(1)
  }, 240_000)

  test('names a late payment, an order of a platform, and what came after the bill', async () => {
    now = new Date(now.getTime() + 3 * DAY_MS)
    await act({ what: 'move', to: 0 })
    const sale = { what: 'sell', shop: 0, time: '10:00:00', daysAgo: 0 } as const
    await act({ ...sale, channel: 'cash', cents: 1000 })
    await act({ ...sale, channel: 'meituan', cents: 38_450 })
    await act({ ...sale, channel: 'wechat', cents: 700, daysAgo: 2 })
    now = new Date(now.getTime() + DAY_MS)
    const { ids } = await generate('day', dayAt(1))
    await act({ ...sale, channel: 'cash', cents: 55, daysAgo: 1 })
    const bridge = await call('GET', 'merchant/bill/bridge', { query: { id: ids[0] } })
    expect(bridge.paid).toMatchObject({
      analysis: '395.05',
      lines: [
        { kind: 'late', count: 1, amount: '7.00' },
        { kind: 'notYet', count: 1, amount: '-0.55' },
      ],
      bill: '401.50',
      rest: '0.00',
    })
    expect(bridge.channels).toEqual([
      { channel: 'platform', source: 'meituan', amount: '384.50', refund: '0.00' },
      { channel: 'cash', source: '', amount: '10.00', refund: '0.00' },
      { channel: 'wechat', source: '', amount: '7.00', refund: '0.00' },
    ])
  })
})

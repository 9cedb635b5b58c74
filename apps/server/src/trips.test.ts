import { afterAll, beforeAll, expect, test } from 'vitest'
import { wxUser } from '#domains/sales/customers/index.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { countRoundTrips, type RoundTrips } from '#tests/support/round-trips.ts'

let tenants: TestTenants
let register: Register
let goods: { id: string; upc: string }[]
let orderId: string
let customerId: string

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-20T09:00:00+08:00') })
  const [shop] = tenants.north.shops
  register = await tenants.register(tenants.north, shop!)
  goods = [await tenants.good(tenants.north, shop!), await tenants.good(tenants.north, shop!)]
  for (const { id } of goods) await tenants.receive(tenants.north, shop!, id, 1000)
  customerId = await tenants.services.unit({ tenantId: tenants.north.tenantId }, async (db) => {
    const { id } = await db.insert(wxUser, { nickname: '林小满', phone: '13800000001' })
    return id
  })
  orderId = (await tenants.must(sell())).orderId
})
afterAll(() => tenants.close())

const twoLines = () => goods.flatMap(({ upc }) => saleBodyOf(upc).lines)
const sell = (more: Record<string, unknown> = {}) =>
  tenants.beep(register, 'POST', 'sale', {
    body: { ...saleBodyOf(goods[0]!.upc), payAmount: '10.00', lines: twoLines(), ...more },
  })

const order = (method: 'GET' | 'POST', path: string, ask: { query?: Record<string, unknown>; body?: unknown }) =>
  tenants.call(tenants.north.admin, method, `/api/shop/shoppingOrder/${path}`, ask)
let notes = 0
const CALLS: [name: string, statements: number, roundTrips: number, call: () => Promise<{ status: number }>][] = [
  ['a remark saved', 6, 2, () => order('POST', 'submit', { body: { id: orderId, remark: `第 ${++notes} 次` } })],
  ['a detail', 2, 1, () => order('GET', 'detail', { query: { id: orderId } })],
  ['a list with its total', 3, 1, () => order('GET', 'web/boss/list', { query: { current: 1, size: 10 } })],
  ['a sale of two lines', 15, 2, () => sell()],
  ['a sale of two lines to a customer', 24, 2, () => sell({ customerId })],
]

const textOf = ({ sent }: RoundTrips) => sent.map(({ text }) => text).join('\n')

test.each(CALLS)(
  '%s asks no more of the database than %i statements in %i messages',
  async (_name, statements, trips, call) => {
    // Once before, to fill the caches of callers and texts.
    expect((await call()).status).toBe(200)
    let status = 0
    const counted = await countRoundTrips(async () => void (status = (await call()).status))
    expect(status).toBe(200)
    expect(counted.statements, textOf(counted)).toBeLessThanOrEqual(statements)
    expect(counted.roundTrips, textOf(counted)).toBeLessThanOrEqual(trips)
  },
)

test('a sale keeps the plans of its statements; what filters does not', async () => {
  const keeps = async (call: () => Promise<unknown>) =>
    textOf(await countRoundTrips(async () => void (await call()))).includes("'plan_cache_mode', 'force_generic_plan'")
  expect(await keeps(() => sell())).toBe(true)
  expect(await keeps(() => order('POST', 'submit', { body: { id: orderId, remark: '又一次' } }))).toBe(false)
})

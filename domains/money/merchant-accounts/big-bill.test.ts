import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { makeBill, billPeriodOf } from './make-bill.ts'

const ORDERS = 1500
let tenants: TestTenants
let merchantId: string
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => new Date('2026-11-02T09:30:00+08:00') })
  const shopId = tenants.north.shops[0]!
  const register = await tenants.register(tenants.north, shopId)
  const { upc } = await tenants.good(tenants.north, shopId)
  const body = { name: '大户', merchantNo: 'A1', type: 'enterprise', status: 1, shopIds: shopId, feeRate: '0.60' }
  merchantId = (
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
  ).id
  const more = { payType: 'wechat', transactionNo: 'T', saleTime: '2026-11-02 09:30:00' }
  const sale = { body: saleBodyOf(upc, more, 1, '100.00') }
  const { orderId } = await tenants.must(tenants.beep(register, 'POST', 'sale', sale))
  await inTenant(async (db) => {
    const more = sql`cross join generate_series(1, ${ORDERS - 1}) n`
    await db.run(sql`insert into shopping_order (tenant_id, id, order_no, shop_id, status, source, type, goods_amount,
      pay_amount, pay_type, pay_time, transaction_no, create_time)
      select tenant_id, id + n, order_no || n, shop_id, status, source, type, goods_amount,
      pay_amount, pay_type, pay_time, 'T' || n, create_time from shopping_order ${more} where id = ${orderId}`)
    await db.run(sql`insert into order_payment (tenant_id, id, order_id, shop_id, channel, amount, transaction_no,
      pay_time) select tenant_id, id + n, order_id + n, shop_id, channel, amount, 'T' || n, pay_time
      from order_payment ${more} where order_id = ${orderId}`)
  })
})
afterAll(() => tenants?.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)

type Node = { 'Rows Removed by Join Filter'?: number; 'Actual Loops'?: number; Plans?: Node[] }
const thrownAway = (node: Node): number =>
  (node['Rows Removed by Join Filter'] ?? 0) * (node['Actual Loops'] ?? 1) +
  (node.Plans ?? []).reduce((sum, one) => sum + thrownAway(one), 0)

test('a bill takes each of its lines once, however many: none is compared with all the others', async () => {
  await inTenant(async (db) => {
    const statements: Sql[] = []
    const watched: Db = {
      ...db,
      query: (statement) => {
        statements.push(statement)
        return db.query(statement)
      },
    }
    const bill = await makeBill(watched, merchantId, billPeriodOf('day', '2026-11-02'))
    expect([bill!.orderCount, bill!.income, bill!.fee]).toEqual([ORDERS, ORDERS * 100_00, ORDERS * 60])
    const lines = statements.find(({ text }) => text.includes('order_payment'))!
    const plans = await db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(sql`explain (analyze, format json) ${lines}`)
    expect(plans[0]!['QUERY PLAN'][0].Plan.Plans).not.toEqual([])
    expect(thrownAway(plans[0]!['QUERY PLAN'][0].Plan)).toBeLessThan(2 * ORDERS)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { saleBodyOf, createTestTenants, type Register, type TestTenants } from '#tests/support/test-tenants.ts'
import { makeDailyBillsJob } from './bill.job.ts'
import { merchantConsistencySql } from './merchant-checks.ts'

// Payments and fees belong to the merchant who had the shop at payment time (merchant-terms.ts).

const [SUB_A, SUB_B] = ['1900000109', '1900000208']
let now = new Date('2026-11-02T09:30:00+08:00')
let tenants: TestTenants
let register: Register
let shopId: string
let upc: string
let [first, second, made] = ['', '', 0]
beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  shopId = tenants.north.shops[0]!
  register = await tenants.register(tenants.north, shopId)
  upc = (await tenants.good(tenants.north, shopId)).upc
})
beforeEach(async () => {
  if (first) await save({ id: first, shopIds: '', subMchid: '' })
  if (second) await save({ id: second, shopIds: '', subMchid: '' })
  const at = ++made
  first = await save({ name: `先前的商户${at}`, merchantNo: `A${at}`, shopIds: shopId, feeRate: '0.60' })
  second = await save({ name: `接手的商户${at}`, merchantNo: `B${at}`, feeRate: '1.00' })
  nextDay()
})
afterAll(() => tenants?.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const call = (method: 'GET' | 'POST', path: string, ask: { body?: object; query?: Record<string, unknown> }) =>
  tenants.must(tenants.call(tenants.north.admin, method, `/api/${path}`, ask))
const save = async (body: object): Promise<string> =>
  (await call('POST', 'merchant/merchantInfo/submit', { body: { type: 'enterprise', status: 1, ...body } })).id
const move = async (to: string | undefined) => {
  await save({ id: first, shopIds: '' })
  await save({ id: second, shopIds: '' })
  if (to) await save({ id: to, shopIds: shopId })
}
const DAY_MS = 86_400_000
const nextDay = () => void (now = new Date(now.getTime() + DAY_MS))
const yesterday = () => formatShanghaiTime(new Date(now.getTime() - DAY_MS)).slice(0, 10)
/** A WeChat Pay sale of 100.00, now. */
async function sell() {
  const transactionNo = `T${++made}`
  const more = { payType: 'wechat', transactionNo, saleTime: formatShanghaiTime(now) }
  const body = saleBodyOf(upc, more, 1, '100.00')
  return (await tenants.must(tenants.beep(register, 'POST', 'sale', { body }))) as { orderId: string; orderNo: string }
}
/** Records that this sub-merchant number took the payment of a sale. */
const recordPaymentAttempt = (subMchid: string, orderId: string) =>
  inTenant((db) =>
    db.run(sql`insert into pay_attempt (id, tenant_id, pay_no, order_id, shop_id, state, amount, sub_mchid,
      transaction_no) select id, tenant_id, 'P' || id, id, shop_id, 'paid', pay_amount, ${subMchid}, transaction_no
      from shopping_order where tenant_id = ${db.tenantId} and id = ${orderId}`),
  )
async function refund(orderId: string) {
  await call('POST', 'shop/refunds/now', { body: { orderId, full: true, reason: '退' } })
  await tenants.server.jobs.runDue()
}
const generate = (day: string, merchantId?: string) =>
  call('POST', 'merchant/bill/generate', { body: { billType: 'day', day, merchantId } })
/** Figures of a merchant's daily bill (yesterday by default); empty without a bill. */
async function billOf(merchantId: string, day = yesterday()) {
  const query = { merchantId, billType: 'day', periodStart: day }
  const { records } = await call('GET', 'merchant/bill/list', { query })
  return records.map(({ income, refund, fee }: any) => [income, refund, fee]).flat()
}
const all = async (day = yesterday()) => void (await generate(day))
const checksHold = async () => {
  for (const check of Object.values(merchantConsistencySql)) expect(await inTenant((db) => db.query(check))).toEqual([])
}

describe('what a shop took', () => {
  test('stays with who had it then, however often a bill is made anew; who has it now gets none of it', async () => {
    await sell()
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([['100.00', '0.00', '0.60'], []])
    await move(second)
    await sell()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([['100.00', '0.00', '0.60'], []])
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([[], ['100.00', '0.00', '1.00']])
    await checksHold()
  })

  test('while it had no merchant is in no bill, and the rest of that day is in that of who came', async () => {
    await move(undefined)
    await sell()
    now = new Date(now.getTime() + 60_000)
    await move(second)
    await sell()
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([[], ['100.00', '0.00', '1.00']])
  })

  test('before it had its first merchant is the first one’s', async () => {
    const { id } = await call('POST', 'shop/basicShopInfo/submit', {
      body: { shopName: '新店', shopCode: `N${++made}` },
    })
    await save({ id: first, shopIds: `${shopId},${id}` })
    const terms = await inTenant((db) =>
      db.query<{ merchantId: string; isEver: boolean }>(sql`select merchant_id, start_time < '2001-01-01' as is_ever
        from merchant_term where tenant_id = ${db.tenantId} and shop_id = ${id}`),
    )
    expect(terms).toEqual([{ merchantId: first, isEver: true }])
  })

  test('and gives back is his it was paid to, at the rate it was paid at, never his who came after', async () => {
    const { orderId } = await sell()
    nextDay()
    await all()
    await save({ id: first, feeRate: '2.00' })
    await move(second)
    await refund(orderId)
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([['0.00', '100.00', '-0.60'], []])
  })

  test('keeps the rate of its day; the new one counts from when it was set', async () => {
    await sell()
    nextDay()
    await save({ id: first, feeRate: '2.00' })
    await all()
    expect(await billOf(first)).toEqual(['100.00', '0.00', '0.60'])
    await sell()
    nextDay()
    await all()
    expect(await billOf(first)).toEqual(['100.00', '0.00', '2.00'])
  })

  test('by the number of a merchant that had just let it go is that merchant’s', async () => {
    await save({ id: first, subMchid: SUB_A })
    await save({ id: second, subMchid: SUB_B })
    await move(second)
    const [{ orderId }] = [await sell(), await sell()]
    await recordPaymentAttempt(SUB_A, orderId)
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([
      ['100.00', '0.00', '0.60'],
      ['100.00', '0.00', '1.00'],
    ])
    await checksHold()
  })

  test('by a number the merchant had stays its own when it has another one and the bill is made anew', async () => {
    await save({ id: first, subMchid: SUB_A })
    now = new Date(now.getTime() + 60_000)
    await move(second)
    now = new Date(now.getTime() + 60_000)
    const { orderId } = await sell()
    await recordPaymentAttempt(SUB_A, orderId)
    nextDay()
    const bills = [['100.00', '0.00', '0.60'], []]
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual(bills)
    await save({ id: first, subMchid: '1900000307' })
    await generate(yesterday())
    expect([await billOf(first), await billOf(second)]).toEqual(bills)
    await checksHold()
  })

  test('by the number of a merchant that had just come is that merchant’s, to the second', async () => {
    await save({ id: first, subMchid: SUB_A })
    await save({ id: second, subMchid: SUB_B })
    const [{ orderId }] = [await sell(), await sell()]
    now = new Date(now.getTime() + 40)
    await move(second)
    await recordPaymentAttempt(SUB_B, orderId)
    now = new Date(now.getTime() + 960)
    nextDay()
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([
      ['100.00', '0.00', '0.60'],
      ['100.00', '0.00', '1.00'],
    ])
    await checksHold()
  })
})

describe('a merchant that traded', () => {
  test('and was stopped since gets its bill; one that did nothing gets none', async () => {
    await sell()
    nextDay()
    await save({ id: first, status: 0 })
    await save({ id: second, status: 0 })
    await all()
    expect([await billOf(first), await billOf(second)]).toEqual([['100.00', '0.00', '0.60'], []])
  })

  test('and was removed the same day has its takings billed at night, and what comes after is nobody’s', async () => {
    await sell()
    now = new Date(now.getTime() + 60_000)
    await call('POST', 'merchant/merchantInfo/remove', { query: { ids: first } })
    await sell()
    nextDay()
    const context = { signal: AbortSignal.timeout(9000), jobId: '1', attempt: 1, tenantId: tenants.north.tenantId }
    await makeDailyBillsJob.run({}, { ...context, services: tenants.services })
    expect([await billOf(first), await billOf(second)]).toEqual([['100.00', '0.00', '0.60'], []])
    first = ''
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { untilLocksWait } from '#tests/support/lock-waits.ts'
import { saleBodyOf, type Register } from '#tests/support/test-tenants.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { merchantConsistencySql } from './merchant-checks.ts'

// A shop changes its merchant while payments are under way.

const [SUB_A, SUB_B] = ['1900000109', '1900000208']
const [PAID_AT_ONCE, ENTERS_PASSWORD] = ['134567890123456789', '134567890123451111']
let ground: Awaited<ReturnType<typeof testWechat>>
let register: Register
let shopId: string
let upc: string
let [first, second] = ['', '']
beforeAll(async () => {
  ground = await testWechat()
  ground.wechat.callbacks.mood = 'never'
  const { tenants } = ground
  shopId = tenants.north.shops[0]!
  const good = await tenants.good(tenants.north, shopId, { salePrice: '11.11' })
  upc = good.upc
  await tenants.receive(tenants.north, shopId, good.id, 1000)
  register = await tenants.register(tenants.north, shopId)
  first = await save({ name: '先前的商户', merchantNo: 'M1', subMchid: SUB_A })
  second = await save({ name: '接手的商户', merchantNo: 'M2', subMchid: SUB_B, feeRate: '1.00' })
})
beforeEach(async () => {
  await free()
  ground.toNoonTomorrow()
})
afterAll(() => ground?.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const post = (path: string, ask: { body?: object; query?: Record<string, unknown> }) =>
  ground.tenants.call(ground.tenants.north.admin, 'POST', `/api/${path}`, ask)
const submitMerchant = (body: object) =>
  post('merchant/merchantInfo/submit', { body: { type: 'enterprise', status: 1, ...body } })
const save = async (body: object): Promise<string> => (await ground.tenants.must(submitMerchant(body))).id
const free = async () => {
  for (const id of [first, second]) await save({ id, shopIds: '' })
}
const moveToSecond = async () => {
  await save({ id: first, shopIds: '' })
  await save({ id: second, shopIds: shopId })
}
const today = () => formatShanghaiTime(new Date(Date.now() + ground.clock.ahead)).slice(0, 10)
const generate = (day: string) => post('merchant/bill/generate', { body: { billType: 'day', day } })
const pass = async (seconds: number) => {
  ground.advance(seconds)
  await ground.wechat.tick()
  await ground.tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
  await ground.tenants.server.jobs.runDue()
}
/** Sells and pays by the customer's code; repeats while the shop is between two merchants. */
const pay = async (authCode = PAID_AT_ONCE): Promise<{ orderId: string; state: string }> => {
  const { payType: _how, saleTime: _when, ...basket } = saleBodyOf(upc, {}, 3, '11.11')
  for (;;) {
    const { status, data } = await ground.tenants.beep(register, 'POST', 'pay', { body: { ...basket, authCode } })
    if (status === 200) return data
    expect(data).toEqual({ reason: 'pay_not_taken' })
  }
}
const refund = async (orderId: string, quantity: number) => {
  const line = await inTenant((db) =>
    db.one<{ id: string }>(sql`select id::text as id from shopping_order_detail where tenant_id = ${db.tenantId}
      and order_id = ${orderId}`),
  )
  const lines = [{ detailId: line!.id, quantity }]
  return post('shop/refunds/now', { body: { orderId, lines, reason: '不要了' } })
}
/** Merchant and amount of the bill lines of these orders. */
const billed = (orders: readonly string[]) =>
  inTenant((db) =>
    db.query<{ orderId: string; kind: string; merchantId: string; cents: number; fee: number }>(
      sql`select o.id::text as order_id, d.kind, d.merchant_id, sum(d.amount + d.refund) as cents, sum(d.fee) as fee
        from merchant_bill_detail d
        join shopping_order o on o.tenant_id = d.tenant_id and o.order_no = d.order_no collate "C"
        where d.tenant_id = ${db.tenantId} and o.id = any(${orders}::bigint[])
        group by 1, 2, 3 order by 2, 1, 3`,
    ),
  )
const allHold = async () => {
  for (const [name, check] of Object.entries(merchantConsistencySql))
    expect([name, await inTenant((db) => db.query(check))]).toEqual([name, []])
  expect(await inTenant(checkLedgers)).toEqual([])
}

describe('a shop', () => {
  test('that two merchants take at the same moment has one, and the other is told whose', async () => {
    let answers: ReturnType<typeof submitMerchant>[] = []
    // Both have read the shop and wait for its lock.
    await inTenant(async (db) => {
      await db.run(sql`select 1 from basic_shop_info where tenant_id = ${db.tenantId} and id = ${shopId} for update`)
      answers = [first, second].map((id) => submitMerchant({ id, shopIds: shopId }))
      await untilLocksWait(ground.tenants.services, 2)
    })
    const responses = await Promise.all(answers)
    const reasons = responses.map(({ status, data }) => (status === 200 ? 'done' : data.reason))
    expect(new Set(reasons)).toEqual(new Set(['done', 'shop_of_other_merchant']))
    const named = await inTenant((db) =>
      db.query(sql`select m.id from merchant_info m join basic_shop_info b on b.tenant_id = m.tenant_id
        and b.id = any(m.shop_ids) where m.tenant_id = ${db.tenantId} and b.merchant_id is distinct from m.id`),
    )
    expect(named).toEqual([])
  })

  test('that is moved while it sells, gives back and is billed pays each cent to one merchant', async () => {
    await save({ id: first, shopIds: shopId })
    const sold = await Promise.all(Array.from({ length: 4 }, () => pay()))
    ground.toNoonTomorrow()
    const day = today()
    const before = formatShanghaiTime(new Date(Date.now() + ground.clock.ahead - 86_400_000)).slice(0, 10)
    const late = await pay(ENTERS_PASSWORD)
    expect(late.state).not.toBe('paid')
    const requests = [
      moveToSecond().then(() => ({ status: 200, data: {} as any })),
      ...sold.flatMap(({ orderId }) => [refund(orderId, 1), refund(orderId, 2)]),
      ...Array.from({ length: 5 }, () => generate(before)),
    ]
    const during = Promise.all(Array.from({ length: 6 }, () => pay()))
    expect((await Promise.all(requests)).map(({ status, data }) => [status, data?.reason])).toEqual(
      requests.map(() => [200, undefined]),
    )
    const orders = [...sold, late, ...(await during), await pay()]
    // Requested under one merchant and paid under the next.
    const { no } = (await inTenant((db) =>
      db.one<{ no: string }>(sql`select pay_no as no from pay_attempt where tenant_id = ${db.tenantId}
        and order_id = ${late.orderId}`),
    ))!
    ground.wechat.pay(no)
    await pass(10)
    await pass(1000)
    ground.toNoonTomorrow()
    const days = [before, day]
    await Promise.all([...days, ...days].map((one) => ground.tenants.must(generate(one))))
    const lines = await billed(orders.map(({ orderId }) => orderId))
    const of = (kind: string) => lines.filter((line) => line.kind === kind)
    expect(new Map(of('pay').map(({ orderId, cents }) => [orderId, cents]))).toEqual(
      new Map(orders.map(({ orderId }) => [orderId, 3333])),
    )
    expect(of('pay')).toHaveLength(orders.length)
    expect(of('refund').map(({ merchantId, cents }) => [merchantId, cents])).toEqual(sold.map(() => [first, 3333]))
    // The payment belongs to the merchant whose number took it; a fully refunded one costs no fee.
    for (const { orderId, merchantId } of of('pay')) {
      const attempt = await inTenant((db) =>
        db.one<{ sub: string }>(sql`select sub_mchid as sub from pay_attempt where tenant_id = ${db.tenantId}
          and order_id = ${orderId} and state = 'paid'`),
      )
      expect(merchantId).toBe(attempt!.sub === SUB_A ? first : second)
    }
    expect(of('refund').map(({ fee }) => fee)).toEqual(sold.map(() => -20))
    await allHold()
  })
})

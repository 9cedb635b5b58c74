import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { startStallingProxy } from '#tests/support/stalling-proxy.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { testMoney, type PaidOrder, type TestMoney } from './test-money.ts'

const AT_ONCE = 20
const ORDERS = Array.from({ length: AT_ONCE }, (_one, at) => at)
const PARTNER = '1900000401'
let money: TestMoney
let second: CastMember
beforeAll(async () => {
  money = await testMoney(7)
  second = await money.tenants.person(money.tenants.north, 'finance')
})
beforeEach(() => {
  money.wechat.faults.length = 0
  money.wechat.callbacks.mood = 'well'
  money.wechat.calls.length = 0
  money.moneyRequests.clear()
})
afterAll(() => money?.close())

const must = async (path: string, ask: Parameters<TestMoney['post']>[1]) => money.tenants.must(money.post(path, ask))
const share = ({ id }: PaidOrder, amount: string) =>
  must('merchant/shareLog/submit', {
    body: {
      orderId: id,
      receivers: [{ type: 'MERCHANT_ID', account: PARTNER, name: '云服务', amount }],
      description: '技术服务费',
    },
  })
const refund = ({ id, detailId }: PaidOrder, quantity?: number, path = 'shop/refunds/now') =>
  money.post(path, {
    body: {
      orderId: id,
      reason: '商品破损',
      restock: true,
      ...(quantity ? { lines: [{ detailId, quantity }] } : { full: true }),
    },
  })
const refundsOf = (orders: readonly PaidOrder[]) =>
  money.unit((db) =>
    db.query<{ id: string; orderId: string; status: number; state: string; outNo: string; amount: number }>(
      sql`select r.id, r.order_id, r.status, m.state, m.out_no, m.amount from refunds r
        join refund_payment m on m.refund_id = r.id and m.tenant_id = r.tenant_id where r.tenant_id = ${db.tenantId}
        and r.order_id = any(${orders.map(({ id }) => id)}::bigint[]) order by r.id`,
    ),
  )
/** Runs jobs until nothing is under way. */
async function drainMoneyJobs(): Promise<void> {
  for (let round = 0; round < 60; round++) {
    const worked = await money.work()
    const wait = await money.nextIn()
    if (!worked && wait === undefined) return
    money.advance(Math.max(31, wait ?? 0))
    await money.wechat.tick()
  }
}
const orders = async (pieces = 20) => {
  const made = await Promise.all(ORDERS.map(() => money.order(pieces)))
  money.advance(61)
  return made
}
const repeatedRequests = () => [...money.moneyRequests].filter(([, times]) => times > 1)
const allIsWell = async () => {
  expect(repeatedRequests()).toEqual([])
  expect(await money.unit(checkLedgers)).toEqual([])
  for (const check of Object.values(merchantConsistencySql))
    expect(await money.unit((db) => db.query(check))).toEqual([])
}

describe('twenty orders at once', () => {
  test('whose refund comes while their share goes back are refunded whole, each cent once', async () => {
    const all = await orders()
    await Promise.all(all.map((order) => share(order, '30.00')))
    await drainMoneyJobs()
    await Promise.all(all.map((order) => refund(order, 17)))
    await money.work()
    const returning = await money.unit((db) =>
      db.query(sql`select 1 from share_log where tenant_id = ${db.tenantId} and kind = 'return' and status < 2`),
    )
    expect(returning.length).toBe(AT_ONCE)
    // Two refunds at the same time for what is left: only one gets it.
    const answers = await Promise.all(all.flatMap((order) => [refund(order), refund(order)]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(AT_ONCE)
    await drainMoneyJobs()
    const rows = await refundsOf(all)
    expect(rows.map(({ status }) => status)).toEqual(rows.map(() => REFUND_STATE.succeeded))
    expect(all.map(({ payment, total }) => payment.refunded - total)).toEqual(all.map(() => 0))
    const back = [...money.wechat.world.returns.values()].filter(({ result }) => result === 'SUCCESS')
    expect(back.reduce((sum, { amount }) => sum + amount, 0)).toBe(AT_ONCE * 3000)
    await allIsWell()
  })

  test('whose refund two people agree to at once are refunded once', async () => {
    const all = await orders(2)
    for (const order of all) expect((await refund(order, undefined, 'shop/refunds/submit')).status).toBe(200)
    const waiting = await refundsOf(all)
    const { tenants } = money
    const answers = await Promise.all(
      waiting.flatMap(({ id }) =>
        [tenants.north.admin, second].map((person) =>
          tenants.call(person, 'POST', '/api/shop/refunds/approve', { query: { id }, body: { auditRemark: '同意' } }),
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(AT_ONCE)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    await drainMoneyJobs()
    expect((await refundsOf(all)).map(({ status }) => status)).toEqual(all.map(() => REFUND_STATE.succeeded))
    expect(all.map(({ payment }) => payment.refunded)).toEqual(all.map(() => 1000))
    await allIsWell()
  })

  test('of whose refund the platform tells before it has answered are refunded once', async () => {
    const { wechat } = money
    const proxy = await startStallingProxy(wechat.url, ({ method, path }) =>
      method === 'POST' && path.endsWith('/refunds') ? `${path} ${Math.random()}` : undefined,
    )
    const setAddress = (endpoint: string) =>
      money.unit((db) =>
        db.run(sql`update pay_account set endpoint = ${endpoint}, version = version + 1
          where tenant_id = ${db.tenantId} and id = ${money.accountNo}`),
      )
    await setAddress(proxy.url)
    const all = await orders(2)
    await Promise.all(all.map((order) => refund(order)))
    proxy.mode = 'after'
    const working = money.work()
    await expect.poll(() => proxy.held.size).toBeGreaterThanOrEqual(4)
    money.advance(31)
    // Notifications arrive for the requests still waiting, and no second request is sent.
    await wechat.tick()
    const early = money.work()
    proxy.mode = 'pass'
    proxy.letGo()
    await Promise.all([working, early])
    await drainMoneyJobs()
    await setAddress(wechat.url)
    await proxy.close()
    expect((await refundsOf(all)).map(({ status }) => status)).toEqual(all.map(() => REFUND_STATE.succeeded))
    expect(all.map(({ payment }) => payment.refunded)).toEqual(all.map(() => 1000))
    await allIsWell()
  })

  test('whose account is taken out of use while refunds are on their way are not asked of another one', async () => {
    const { wechat, tenants, tenantId, accountNo } = money
    const platform = await tenants.server.as('admin')
    const all = await orders(2)
    await Promise.all(all.slice(0, AT_ONCE / 2).map((order) => refund(order)))
    await money.work()
    expect(money.moneyRequests.size).toBe(AT_ONCE / 2)
    const enable = (enabled: boolean) =>
      money.unit((db) =>
        db.run(sql`update pay_account set enabled = ${enabled}, version = version + 1
          where tenant_id = ${tenantId} and id = ${accountNo}`),
      )
    await enable(false)
    const other = { ...wechat.account, spMchid: '1900000999', tenantId, name: '另一家', notifyBase: tenants.server.url }
    const { id } = await tenants.must(tenants.call(platform, 'POST', '/api/pay/payAccount/submit', { body: other }))
    wechat.calls.length = 0
    money.advance(61)
    await wechat.tick()
    await drainMoneyJobs()
    // They are queried with the account they were sent with, although it was disabled; no new request is sent.
    expect((await refundsOf(all)).map(({ status }) => status)).toEqual(
      all.slice(0, AT_ONCE / 2).map(() => REFUND_STATE.succeeded),
    )
    expect(wechat.calls.filter(({ method }) => method === 'POST')).toEqual([])
    await tenants.must(tenants.call(platform, 'POST', '/api/pay/payAccount/remove', { query: { ids: id } }))
    await enable(true)
    await Promise.all(all.slice(AT_ONCE / 2).map((order) => refund(order)))
    await drainMoneyJobs()
    expect(all.map(({ payment }) => payment.refunded)).toEqual(all.map(() => 1000))
    await allIsWell()
  })
})

import { raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import { compareAccountDayJob } from './compare.job.ts'

export const SUB = '1900000109'
const DAY_MS = 86_400_000
const CONTEXT_MS = 600_000
const QUEUES = [
  'tally.day',
  'tally.back',
  'tally.follow',
  'refund.send',
  'payment.refund',
  'share.move',
  'bill.statement',
  'pay.back',
]

/**
 * A merchant with a WeChat Pay account, customers, and functions to pay and to compare days. The clock stands at the
 * next noon, or with `isByTheWall` is the real one, which child processes use too.
 */
export async function testAccount({ isByTheWall = false } = {}) {
  const ground = await testWechat()
  if (!isByTheWall) ground.toNoonTomorrow()
  const { tenants, wechat } = ground
  const { tenantId, admin, shops } = tenants.north
  const shopId = shops[0]!

  const inTenant = <T>(work: (db: Db) => Promise<T>) => tenants.services.unit({ tenantId }, work)
  const call = (path: string, body?: object, query?: Record<string, unknown>) =>
    tenants.call(admin, 'POST', `/api/${path}`, { ...(body && { body }), ...(query && { query }) })
  const must = (path: string, body?: object, query?: Record<string, unknown>): Promise<any> =>
    tenants.must(call(path, body, query))

  const good = await tenants.good(tenants.north, shopId, { salePrice: '10.00' })
  await tenants.receive(tenants.north, shopId, good.id, 10_000)
  const merchant = { name: '商户', merchantNo: 'M1', status: 1, shopIds: [shopId], subMchid: SUB, feeRate: '0.60' }
  const { id: merchantId } = await must('merchant/merchantInfo/submit', merchant)
  const customer = async () =>
    (await inTenant((db) =>
      db.one<{ id: string }>(sql`insert into wx_user (id, tenant_id, nickname, balance, integral)
        select coalesce(max(id), 0) + 1, ${tenantId}, '顾客', 0, 0 from wx_user returning id`),
    ))!.id

  const { id: levelId } = await must('shop/vipLevel/submit', {
    name: '金卡',
    rank: 1,
    discountRate: 95,
    integralTimes: 1,
  })
  const { id: feeConfId } = await must('shop/annualFeeConf/submit', {
    name: '一年',
    level: levelId,
    fee: '10.00',
    months: 12,
    enabled: true,
  })

  const now = () => tenants.services.now()
  const dayAt = (ago: number) => formatShanghaiTime(new Date(now().getTime() - ago * DAY_MS)).slice(0, 10)
  const rows = (table: string, where: Sql = sql`true`): Promise<any[]> =>
    inTenant((db) =>
      db.query(sql`select r.* from ${raw(table)} r where r.tenant_id = ${tenantId} and ${where} order by r.id`),
    )

  return {
    ...ground,
    tenantId,
    admin,
    shopId,
    merchantId: merchantId as string,
    good,
    inTenant,
    call,
    must,
    customer,
    feeConfId: feeConfId as string,
    now,
    /** Renews the login, for tests that pass more days than a token lives. */
    stay: () => tenants.server.stay(admin),
    dayAt,
    rows,
    /** Makes a payment at WeChat Pay. */
    pay: (transactionId: string, total: number, { sub = SUB, at = now(), outTradeNo = `X${transactionId}` } = {}) =>
      wechat.know({ transactionId, outTradeNo, subMchid: sub, total, isSharing: false, paidAt: at }),
    /** Places an order of so many cents, paid through a channel under a number. */
    order: (transactionNo: string | null, payType: 'wechat' | 'cash' | 'alipay' | 'card', cents: number) =>
      inTenant((db) =>
        placeOrder(db, {
          shopId,
          source: 'mini',
          type: 'pickup',
          status: 1,
          lines: [
            { goodId: good.id, upc: good.upc, name: '可乐', price: cents, quantity: 1, discount: 0, amount: cents },
          ],
          payAmount: cents,
          payType,
          payTime: formatShanghaiTime(now()),
          transactionNo,
        }),
      ),
    compare: async (day: string, no?: string) => {
      await compareAccountDayJob.run(
        { side: 'wechat', id: merchantId, no, day, isFetched: true },
        {
          signal: AbortSignal.timeout(CONTEXT_MS),
          jobId: '1',
          attempt: 1,
          services: tenants.services,
          tenantId,
        },
      )
      return (await rows('tally_day', sql`r.day = ${day} and r.account_no = ${no ?? SUB}`))[0]
    },
    open: (day: string) => rows('tally_difference', sql`r.day = ${day} and r.state <> 'settled'`),
    settle: (id: string) => call('tally/difference/settle', undefined, { id }),
    /** Makes queued jobs due and runs them, several times. */
    runJobs: async (rounds = 4): Promise<void> => {
      for (let n = 0; n < rounds; n++) {
        await tenants.services.systemPool.query(
          `update job set run_at = clock_timestamp() where state = 'asked' and queue = any($1)`,
          [QUEUES],
        )
        await tenants.server.jobs.runDue()
        await wechat.tick()
      }
    },
    at: (text: string) => parseShanghaiTime(text),
  }
}
export type TestAccount = Awaited<ReturnType<typeof testAccount>>

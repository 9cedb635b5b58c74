import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { placeOrder } from '#domains/sales/orders/api.ts'
import type { PayType } from '#domains/sales/orders/index.ts'
import { makeBill, billPeriodOf } from './make-bill.ts'
import { enqueueStatementFetchesJob } from './statement.job.ts'

const SUB = '1900000109'
let ground: Awaited<ReturnType<typeof testWechat>>
let goodId: string
let merchantId: string
beforeAll(async () => {
  ground = await testWechat()
  const { tenants } = ground
  const shopId = tenants.north.shops[0]!
  goodId = (await tenants.good(tenants.north, shopId)).id
  await tenants.receive(tenants.north, shopId, goodId, 1000)
  const body = { name: '商户', merchantNo: 'M1', status: 1, shopIds: [shopId], subMchid: SUB, feeRate: '0.60' }
  const call = tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body })
  merchantId = (await tenants.must(call)).id
})
beforeEach(() => void (ground.wechat.faults.length = 0))
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const today = () => formatShanghaiTime(ground.tenants.services.now()).slice(0, 10)

let made = 0
/** An order of 10.00 of which WeChat Pay knows a payment of `there` cents, or with 0 none. */
async function order(amountAtWechat = 1000, payType: PayType = 'wechat') {
  const transactionNo = `42000000000${++made}`
  const placed = await inTenant((db) =>
    placeOrder(db, {
      shopId: ground.tenants.north.shops[0]!,
      source: 'register',
      type: 'store',
      lines: [{ goodId, upc: 'G', name: '可乐', price: 500, quantity: 2, discount: 0, amount: 1000 }],
      payAmount: 1000,
      payType,
      payTime: formatShanghaiTime(ground.tenants.services.now()),
      transactionNo,
    }),
  )
  if (amountAtWechat) know(transactionNo, placed.orderNo!, amountAtWechat)
  return placed.orderNo!
}
const know = (transactionId: string, outTradeNo: string, total: number) =>
  ground.wechat.know({ transactionId, outTradeNo, subMchid: SUB, total, isSharing: false })
const billOf = (day: string) => inTenant((db) => makeBill(db, merchantId, billPeriodOf('day', day), 'kept'))

const CONTEXT = { signal: AbortSignal.timeout(600_000), jobId: '1', attempt: 1 }
/** Runs the hourly job and all jobs it queues. */
async function anHour(): Promise<void> {
  const { services, north } = ground.tenants
  await enqueueStatementFetchesJob.run({}, { ...CONTEXT, services, tenantId: north.tenantId })
  await services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
  await ground.tenants.server.jobs.runDue()
}
const read = async (id: string, lang: 'zh' | 'en' = 'zh') =>
  ground.tenants.must(
    ground.tenants.call(ground.tenants.north.admin, 'GET', '/api/merchant/bill/detail', { query: { id }, lang }),
  )
const results = (id: string) =>
  inTenant(async (db) =>
    Object.fromEntries(
      (
        await db.query<{ orderNo: string; checkResult: string }>(
          sql`select order_no, check_result from merchant_bill_detail where tenant_id = ${db.tenantId}
            and bill_id = ${id}`,
        )
      ).map(({ orderNo, checkResult }) => [orderNo, checkResult]),
    ),
  )
const countDownloads = () => ground.wechat.calls.filter(({ path }) => path.includes('/v3/bill/tradebill')).length

test('a day’s statement is fetched by itself, compared line by line, and not asked for again', async () => {
  const day = today()
  const [good, other, missing] = [await order(), await order(900), await order(0)]
  const [cash, alipay] = [await order(0, 'cash'), await order(0, 'alipay')]
  know('4200999', 'SO-elsewhere', 300)
  ground.toNoonTomorrow()
  const { id } = (await billOf(day))!
  const before = countDownloads()
  await anHour()
  expect(await results(id)).toEqual({
    [good]: 'matched',
    [other]: 'different',
    [missing]: 'missingThere',
    [cash]: 'offline',
    // Payments of other platforms are not in this statement.
    [alipay]: 'open',
    'SO-elsewhere': 'missingHere',
  })
  expect(await read(id)).toMatchObject({ differences: 3, statementTime: expect.anything(), statementProblem: '' })
  await anHour()
  expect(countDownloads()).toBe(before + 1)
})

test('while the platform is away or still at it, it is asked again, and nothing counts as missing', async () => {
  const day = today()
  const good = await order()
  ground.toNoonTomorrow()
  const { id } = (await billOf(day))!
  ground.wechat.faults.push({ kind: { status: 500, code: 'STATEMENT_CREATING' }, path: /tradebill/, times: 1 })
  await anHour()
  expect(await results(id)).toEqual({ [good]: 'open' })
  await anHour()
  expect(await results(id)).toEqual({ [good]: 'matched' })
})

test('a day on which the platform has no trade leaves ours without its counterpart', async () => {
  const day = today()
  const lonely = await order(0)
  ground.toNoonTomorrow()
  const { id } = (await billOf(day))!
  await anHour()
  expect(await results(id)).toEqual({ [lonely]: 'missingThere' })
})

test('a provider who may not ask reads why in their language, and the bill stays to be read by hand', async () => {
  const day = today()
  const good = await order()
  ground.toNoonTomorrow()
  const { id } = (await billOf(day))!
  ground.wechat.faults.push({ kind: { status: 403, code: 'NO_AUTH' }, path: /tradebill/, times: 1 })
  await anHour()
  expect((await read(id)).statementProblem).toContain('没有给出对账单')
  expect((await read(id, 'en')).statementProblem).toContain('returned no statement')
  expect(await results(id)).toEqual({ [good]: 'open' })
  await anHour()
  expect(await read(id)).toMatchObject({ differences: 0, statementProblem: '' })
})

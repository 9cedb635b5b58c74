import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refundsWhereSql } from '#domains/money/payment-channels/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { placeOrder } from './place-order.ts'
import { createRefund } from './refund.ts'
import { refunds } from './refunds.resource.ts'
import { requeueStalledRefundsJob } from './refund.job.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

const SUB = '1900000109'
let ground: Awaited<ReturnType<typeof testWechat>>
let goodId: string
let merchantNo: string
beforeAll(async () => {
  ground = await testWechat()
  const { tenants } = ground
  const shopId = tenants.north.shops[0]!
  goodId = (await tenants.good(tenants.north, shopId)).id
  await tenants.receive(tenants.north, shopId, goodId, 1000)
  const body = { name: '商户', merchantNo: 'M1', type: 'enterprise', status: 1, shopIds: [shopId], subMchid: SUB }
  const call = tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body })
  merchantNo = (await tenants.must(call)).id
})
beforeEach(() => {
  ground.wechat.faults.length = 0
  ground.wechat.callbacks.mood = 'never'
})
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
/** Makes all waiting jobs due now. */
const hurry = () => ground.tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
const runJobs = () => ground.tenants.server.jobs.runDue()

let made = 0
/** An order of 10.00 that was paid over WeChat Pay. */
async function order(isSharing = false) {
  const transactionNo = `42000000000${++made}`
  const now = ground.tenants.services.now()
  const placed = await inTenant(async (db) => {
    const line = { goodId, upc: 'G', name: '可乐', price: 500, quantity: 2, discount: 0, amount: 1000 }
    return placeOrder(db, {
      shopId: ground.tenants.north.shops[0]!,
      source: 'register',
      type: 'store',
      lines: [line],
      payAmount: 1000,
      payType: 'wechat',
      payTime: formatShanghaiTime(now),
      transactionNo,
    })
  })
  ground.wechat.know({
    transactionId: transactionNo,
    outTradeNo: placed.orderNo!,
    subMchid: SUB,
    total: 1000,
    isSharing,
  })
  return placed.id
}
const signer = { userId: '7', at: formatShanghaiTime(new Date()), limit: Number.POSITIVE_INFINITY }
/** An approved refund; its job is enqueued but has not run. */
const refund = (orderId: string, amount?: { quantity: number }) =>
  inTenant(async (db) => {
    const row = (await db.get(shoppingOrder, orderId, 'forUpdate'))!
    const [detail] = await db.query<{ id: string }>(
      sql`select id from shopping_order_detail where tenant_id = ${db.tenantId} and order_id = ${orderId}`,
    )
    const lines = amount ? [{ detailId: detail!.id, quantity: amount.quantity, amount: undefined }] : []
    const ask = { lines, full: !amount, reason: '商品破损', restock: true }
    return (await createRefund(db, row, ask, { secondAbove: Number.POSITIVE_INFINITY, signer })).refund
  })
const refundNow = async (id: string) => (await inTenant((db) => db.get(refunds, id)))!
const partOf = async (id: string) =>
  (await inTenant((db) =>
    db.one<{ outNo: string; state: string; way: string }>(
      sql`select out_no, state, way from refund_payment where tenant_id = ${db.tenantId} and refund_id = ${id}`,
    ),
  ))!
const asks = (outNo: string) =>
  ground.wechat.calls.filter(({ method, body }) => method === 'POST' && body.out_refund_no === outNo).length
const allIsWell = async () => expect(await inTenant(checkLedgers)).toEqual([])

describe('a refund over WeChat Pay', () => {
  test('is asked, not yet confirmed, until WeChat Pay says it arrived', async () => {
    const { id } = await refund(await order())
    await runJobs()
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.processing,
      channelNote: '已提交微信支付，还没确认到账',
    })
    expect(await partOf(id)).toMatchObject({ state: 'sent', way: `wechat/${ground.accountNo}/${SUB}` })
    ground.advance(31)
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.processing })
    ground.wechat.callbacks.mood = 'twice'
    await ground.wechat.tick()
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded, channelNote: null })
    const { outNo } = await partOf(id)
    expect(asks(outNo)).toBe(1)
    await allIsWell()
  })

  test('whose callbacks never come is asked about by the clock', async () => {
    const { id } = await refund(await order())
    await runJobs()
    ground.advance(61)
    await ground.wechat.tick()
    await hurry()
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
  })

  test('is asked about a minute after it was sent, and not hours later', async () => {
    const { id } = await refund(await order())
    await runJobs()
    const { rows } = await ground.tenants.services.systemPool.query<{ at: number }>(
      `select extract(epoch from run_at)::float8 as at from job where state = 'asked' and payload->>'refundId' = $1`,
      [id],
    )
    const seconds = rows.map(({ at }) => at - ground.tenants.services.now().getTime() / 1000)
    expect(seconds).toHaveLength(1)
    expect(seconds[0]).toBeGreaterThan(55)
    expect(seconds[0]).toBeLessThanOrEqual(62)
  })

  test.each(['deaf after doing', 'silent', 'down', 'wrong sign'] as const)(
    'is one refund there when WeChat Pay is %s: it is asked about, and sent once',
    async (kind) => {
      const { id } = await refund(await order())
      ground.wechat.faults.push({ kind, path: /refunds$/, times: 1 })
      await runJobs()
      expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.processing })
      await hurry()
      await runJobs()
      expect(await partOf(id)).toMatchObject({ state: 'sent' })
      const { outNo } = await partOf(id)
      expect([asks(outNo), ground.wechat.world.refunds.get(outNo)?.amount]).toEqual([1, 1000])
      ground.wechat.callbacks.mood = 'well'
      ground.advance(31)
      await ground.wechat.tick()
      await runJobs()
      expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
    },
  )

  test('that a forged callback calls done is not done', async () => {
    const { id } = await refund(await order())
    await runJobs()
    const { outNo } = await partOf(id)
    const url = `${ground.tenants.server.url}${ground.notifyPath}`
    const plain = { out_refund_no: outNo, refund_status: 'SUCCESS' }
    const { privateKey } = ground.wechat.world.certificate
    expect(await ground.wechat.callbacks.push(url, 'REFUND.SUCCESS', plain, { privateKey })).toBe(403)
    // A notification that comes too early triggers a query, whose result counts.
    expect(await ground.wechat.callbacks.push(url, 'REFUND.SUCCESS', plain)).toBe(204)
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.processing })
  })

  test('that WeChat Pay closes has failed, and goes again under another number', async () => {
    const { id } = await refund(await order())
    await runJobs()
    const { outNo } = await partOf(id)
    ground.wechat.endRefundAs(outNo, 'CLOSED')
    ground.wechat.callbacks.mood = 'well'
    ground.advance(31)
    await ground.wechat.tick()
    await runJobs()
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.failed,
      failReason: '微信支付已关闭这笔退款，可以重试',
    })
    const { admin } = ground.tenants.north
    await ground.tenants.must(ground.tenants.call(admin, 'POST', '/api/shop/refunds/retry', { query: { id } }))
    await runJobs()
    expect((await partOf(id)).outNo).toBe(`${outNo}_2`)
    ground.advance(31)
    await ground.wechat.tick()
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
    await allIsWell()
  })

  test('that cannot reach the card says so, stays one refund and ends when it went to another', async () => {
    const { id } = await refund(await order())
    await runJobs()
    const { outNo } = await partOf(id)
    ground.wechat.endRefundAs(outNo, 'ABNORMAL')
    ground.wechat.callbacks.mood = 'well'
    ground.advance(31)
    await ground.wechat.tick()
    await runJobs()
    const { status, channelNote } = await refundNow(id)
    expect([status, channelNote]).toEqual([REFUND_STATE.processing, expect.stringContaining('退款异常')])
    const wechatRefund = ground.wechat.world.refunds.get(outNo)!
    Object.assign(wechatRefund, { status: 'PROCESSING', ending: 'SUCCESS' })
    ground.advance(31)
    await ground.wechat.tick()
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
    expect(asks(outNo)).toBe(1)
  })

  test('WeChat Pay will not do fails with its words, and nothing has moved', async () => {
    const orderId = await order()
    ground.wechat.world.balances.set(SUB, 0)
    const { id } = await refund(orderId)
    await runJobs()
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.failed,
      failReason: expect.stringContaining('NOT_ENOUGH'),
    })
    expect(await inTenant((db) => db.get(shoppingOrder, orderId))).toMatchObject({ refundAmount: 0 })
    ground.wechat.world.balances.set(SUB, 1_000_000)
  })

  test('WeChat Pay will not do is paid out by hand, once, and is a refund beside the platform', async () => {
    const { tenants, wechat } = ground
    const orderId = await order()
    const payment = wechat.world.payments.get(`42000000000${made}`)!
    payment.paidAt! -= 400 * 86_400_000
    const { id } = await refund(orderId)
    const act = (name: string, body: object = {}) =>
      tenants.call(tenants.north.admin, 'POST', `/api/shop/refunds/${name}`, { body: { id, ...body } })
    expect((await act('handOver', { handedHow: '收银台现金' })).status).toBe(400)
    await runJobs()
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.failed })
    expect((await act('handOver')).data.fields).toMatchObject({ handedHow: expect.any(String) })
    const answers = await Promise.all([1, 2].map(() => act('handOver', { handedHow: '收银台现金' })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.succeeded,
      channelNote: '收银台现金',
      failReason: null,
    })
    expect(await inTenant((db) => db.get(shoppingOrder, orderId))).toMatchObject({ status: 4, refundAmount: 1000 })
    expect((await act('retry')).status).toBe(400)
    await hurry()
    await runJobs()
    expect(payment.refunded).toBe(0)
    const [line] = await inTenant((db) =>
      db.query<{ channel: string; amount: number }>(
        sql`select o.channel, o.amount from (${refundsWhereSql(
          sql`${db.tenantId}`,
          (one) => sql`${one.id} = ${orderId}`,
        )}) o where o.is_done`,
      ),
    )
    expect(line).toEqual({ channel: 'cash', amount: 1000 })
    expect(await inTenant(checkLedgers)).toEqual([])
  })

  test('goes the way it was first sent, whatever accounts come and go', async () => {
    const { tenants } = ground
    const give = (subMchid: string | null) =>
      tenants.must(
        tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', {
          body: { id: merchantNo, subMchid: subMchid ?? '' },
        }),
      )
    await give(null)
    // Payment times have whole seconds.
    ground.advance(2)
    const { id } = await refund(await order(), { quantity: 1 })
    await runJobs()
    expect([(await partOf(id)).way, (await refundNow(id)).status]).toEqual(['port', REFUND_STATE.succeeded])
    await give(SUB)
    ground.advance(2)
    const other = await refund(await order(), { quantity: 1 })
    await runJobs()
    await give(null)
    await inTenant((db) => db.run(sql`update refund_payment set ask_time = null where tenant_id = ${db.tenantId}`))
    const tenantId = ground.tenants.north.tenantId
    await inTenant((db) =>
      db.run(sql`update refunds set update_time = now() - interval '1 hour'
      where tenant_id = ${tenantId} and id = ${other.id}`),
    )
    const { services } = ground.tenants
    await requeueStalledRefundsJob.run(
      {},
      { tenantId, services, signal: AbortSignal.timeout(9000), jobId: '1', attempt: 1 },
    )
    await runJobs()
    expect([(await partOf(other.id)).way, (await refundNow(other.id)).status]).toEqual([
      `wechat/${ground.accountNo}/${SUB}`,
      REFUND_STATE.processing,
    ])
    await give(SUB)
    await allIsWell()
  })
})

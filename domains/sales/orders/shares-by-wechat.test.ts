import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { merchantInfo, shareLog } from '#domains/money/merchant-accounts/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { saleBodyOf } from '#tests/support/test-tenants.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { placeOrder } from './place-order.ts'
import { createRefund } from './refund.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

const SUB = '1900000109'
const [PARTNER, TROUBLED, SECOND] = ['1900000401', '1900000402', '1900000403']
const [WAITING, PROCESSING, FINISHED, FAILED, UNFROZEN] = [0, 1, 2, 3, 4]
let ground: Awaited<ReturnType<typeof testWechat>>
let goodId: string
beforeAll(async () => {
  ground = await testWechat()
  const { tenants, wechat } = ground
  const shopId = tenants.north.shops[0]!
  goodId = (await tenants.good(tenants.north, shopId)).id
  await tenants.receive(tenants.north, shopId, goodId, 1000)
  const body = { name: '商户', merchantNo: 'M1', type: 'enterprise', status: 1, shopIds: [shopId], subMchid: SUB }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
  for (const account of [PARTNER, SECOND, TROUBLED, 'oPersonOne']) wechat.world.receivers.add(`${SUB}/${account}`)
  wechat.world.troubled.set(TROUBLED, 'ACCOUNT_ABNORMAL')
  wechat.callbacks.mood = 'well'
})
beforeEach(() => void (ground.wechat.faults.length = 0))
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
/** Runs all waiting jobs, also those for later. */
async function runAll(): Promise<void> {
  await ground.wechat.tick()
  await ground.tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
  await ground.tenants.server.jobs.runDue()
}
/** Lets time pass step by step and runs the jobs after each step. */
async function pass(steps = 4): Promise<void> {
  for (let n = 0; n < steps; n++) {
    ground.advance(31)
    await runAll()
  }
}

let made = 0
async function order() {
  const transactionNo = `42000000000${++made}`
  const placed = await inTenant((db) =>
    placeOrder(db, {
      shopId: ground.tenants.north.shops[0]!,
      source: 'register',
      type: 'store',
      lines: [{ goodId, upc: 'G', name: '可乐', price: 500, quantity: 20, discount: 0, amount: 10_000 }],
      payAmount: 10_000,
      payType: 'wechat',
      payTime: formatShanghaiTime(ground.tenants.services.now()),
      transactionNo,
    }),
  )
  const known = { transactionId: transactionNo, outTradeNo: placed.orderNo!, subMchid: SUB, total: 10_000 }
  const payment = ground.wechat.know({ ...known, isSharing: true })
  ground.advance(61)
  return { id: placed.id, transactionNo, payment }
}
const submit = (orderId: string, shares: [account: string, amount: string][]) => {
  const receivers = shares.map(([account, amount]) => ({
    type: account.startsWith('o') ? 'PERSONAL_OPENID' : 'MERCHANT_ID',
    account,
    name: account.startsWith('o') ? '' : '云服务',
    amount,
  }))
  const body = { orderId, receivers, description: '技术服务费' }
  return ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/merchant/shareLog/submit', { body })
}
const share = async (orderId: string, shares: [string, string][]): Promise<string> =>
  (await ground.tenants.must(submit(orderId, shares))).id
const rowOf = async (id: string) => (await inTenant((db) => db.get(shareLog, id)))!
const movesOf = (orderId: string) =>
  inTenant((db) => db.find(shareLog, sql`r.order_id = ${orderId} and r.kind <> 'share'`, sql`order by r.id`))
const refundAll = (orderId: string) => refundPart(orderId)
/** Refunds `quantity` pieces of 5.00, or all that is left. */
const refundPart = (orderId: string, quantity?: number) =>
  inTenant(async (db) => {
    const row = (await db.get(shoppingOrder, orderId, 'forUpdate'))!
    const [detail] = await db.query<{ id: string }>(
      sql`select id from shopping_order_detail where tenant_id = ${db.tenantId} and order_id = ${orderId}`,
    )
    const lines = quantity ? [{ detailId: detail!.id, quantity, amount: undefined }] : []
    const signer = { userId: '7', at: formatShanghaiTime(new Date()), limit: Number.POSITIVE_INFINITY }
    const rules = { secondAbove: Number.POSITIVE_INFINITY, signer }
    const ask = { lines, full: !quantity, reason: '商品破损', restock: true }
    return (await createRefund(db, row, ask, rules)).refund.id
  })
const refundNow = async (id: string) => (await inTenant((db) => db.get(refunds, id)))!
const asks = (path: RegExp, no: string) =>
  ground.wechat.calls.filter((one) => path.test(one.path) && Object.values(one.body).includes(no)).length
const allIsWell = async () => {
  expect(await inTenant(checkLedgers)).toEqual([])
  for (const check of Object.values(merchantConsistencySql)) expect(await inTenant((db) => db.query(check))).toEqual([])
}

describe('a share', () => {
  test('is sent, asked about until it is over, and says by receiver what arrived', async () => {
    const { id: orderId, payment } = await order()
    const id = await share(orderId, [
      [PARTNER, '10.00'],
      [TROUBLED, '5.00'],
    ])
    expect(await rowOf(id)).toMatchObject({ status: WAITING, kind: 'share' })
    await runAll()
    expect(await rowOf(id)).toMatchObject({ status: PROCESSING })
    await pass(1)
    expect(await rowOf(id)).toMatchObject({
      status: FINISHED,
      finishAmount: 1000,
      failReason: `${TROUBLED}: ACCOUNT_ABNORMAL`,
      results: [
        { account: PARTNER, result: 'SUCCESS' },
        { account: TROUBLED, result: 'CLOSED' },
      ],
    })
    expect(payment.frozen).toBe(10_000 - 60 - 1000)
    await allIsWell()
  })

  test.each(['deaf after doing', 'silent', 'down'] as const)('is one share when WeChat Pay is %s', async (kind) => {
    const { id: orderId, payment } = await order()
    const id = await share(orderId, [[PARTNER, '10.00']])
    ground.wechat.faults.push({ kind, path: /profitsharing\/orders$/, times: 1 })
    await pass(3)
    const { status, outOrderNo } = await rowOf(id)
    expect([status, asks(/profitsharing\/orders$/, outOrderNo!), payment.shared]).toEqual([FINISHED, 1, 1000])
  })

  test('above what the merchant allows there fails with the words of the platform', async () => {
    const { id: orderId } = await order()
    ground.wechat.world.ratios.set(SUB, 500)
    const id = await share(orderId, [[PARTNER, '10.00']])
    await runAll()
    expect(await rowOf(id)).toMatchObject({ status: FAILED, failReason: '分账金额超出最大分账比例 (RULE_LIMIT)' })
    ground.wechat.world.ratios.delete(SUB)
    await allIsWell()
  })

  test('that failed is let go once, under a number of its own, and nothing more is shared', async () => {
    const { id: orderId, payment } = await order()
    const id = await share(orderId, [[TROUBLED, '10.00']])
    await pass(2)
    expect(await rowOf(id)).toMatchObject({ status: FAILED })
    const unfreeze = () =>
      ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/merchant/shareLog/unfreeze', { query: { id } })
    expect((await unfreeze()).data.outOrderNo).toMatch(/^UF\d+$/)
    expect((await unfreeze()).data).toMatchObject({ reason: 'share_order_let_go' })
    await pass(2)
    expect(await movesOf(orderId)).toMatchObject([{ kind: 'unfreeze', status: FINISHED }])
    expect([payment.isFinished, payment.frozen, (await rowOf(id)).status]).toEqual([true, 0, UNFROZEN])
    expect((await submit(orderId, [[PARTNER, '1.00']])).data).toMatchObject({ reason: 'share_order_let_go' })
    await allIsWell()
  })
})

describe('a refund of an order with shares', () => {
  test('brings the share back, lets the rest go, and then returns the money, each once', async () => {
    const { id: orderId, transactionNo, payment } = await order()
    await share(orderId, [[PARTNER, '20.00']])
    await pass(2)
    const balances = ground.wechat.world.balances
    const partner = balances.get(PARTNER)!
    const id = await refundAll(orderId)
    await runAll()
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.processing,
      channelNote: '先退回已分账的部分，再退款',
    })
    expect(asks(/refunds$/, transactionNo)).toBe(0)
    await pass(8)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
    expect((await movesOf(orderId)).map(({ kind, status, amount }) => [kind, status, amount])).toEqual([
      ['return', FINISHED, 2000],
      ['unfreeze', FINISHED, 0],
    ])
    expect([balances.get(PARTNER), payment.refunded, asks(/refunds$/, transactionNo)]).toEqual([
      partner - 2000,
      10_000,
      1,
    ])
    await allIsWell()
  })

  test('whose receiver has nothing left fails and says so, and goes when it has again', async () => {
    const { id: orderId } = await order()
    await share(orderId, [[PARTNER, '20.00']])
    await pass(2)
    ground.wechat.world.balances.set(PARTNER, 0)
    const id = await refundAll(orderId)
    await pass(3)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.failed, failReason: 'BALANCE_NOT_ENOUGH' })
    ground.wechat.world.balances.set(PARTNER, 1_000_000)
    const query = { id }
    await ground.tenants.must(
      ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/shop/refunds/retry', { query }),
    )
    await pass(8)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
    await allIsWell()
  })

  test('that is being shared waits for the share to be over, and brings it back', async () => {
    const { id: orderId } = await order()
    const sent = await share(orderId, [[PARTNER, '10.00']])
    await runAll()
    const id = await refundAll(orderId)
    await runAll()
    expect([(await rowOf(sent)).status, (await refundNow(id)).status]).toEqual([PROCESSING, REFUND_STATE.processing])
    await pass(10)
    expect([(await rowOf(sent)).finishAmount, (await refundNow(id)).status]).toEqual([0, REFUND_STATE.succeeded])
    await allIsWell()
  })

  test('shared with a person is not paid by anybody else: it says why it cannot go', async () => {
    const { id: orderId, transactionNo } = await order()
    await share(orderId, [['oPersonOne', '20.00']])
    await pass(2)
    const id = await refundAll(orderId)
    await pass(3)
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.failed,
      failReason: expect.stringContaining('个人'),
    })
    expect(asks(/refunds$/, transactionNo)).toBe(0)
  })

  test('asks each receiver for what it still has, also when another refund took some before', async () => {
    const { id: orderId, payment } = await order()
    await share(orderId, [
      [PARTNER, '10.00'],
      [SECOND, '10.00'],
    ])
    await pass(2)
    const part = await refundPart(orderId, 17)
    await pass(6)
    expect(await refundNow(part)).toMatchObject({ status: REFUND_STATE.succeeded })
    const rest = await refundAll(orderId)
    await pass(8)
    expect(await refundNow(rest)).toMatchObject({ status: REFUND_STATE.succeeded })
    const back = (await movesOf(orderId)).filter(({ kind }) => kind === 'return')
    const of = (account: string) =>
      back.filter(({ receivers }) => JSON.stringify(receivers).includes(account)).map(({ amount }) => amount!)
    for (const account of [PARTNER, SECOND]) expect(of(account).reduce((sum, one) => sum + one, 0)).toBe(1000)
    expect(payment.refunded).toBe(10_000)
    await allIsWell()
  })

  test('that waits for what comes back for another refund goes as soon as that is there', async () => {
    const { id: orderId, payment } = await order()
    await share(orderId, [[PARTNER, '30.00']])
    await pass(2)
    const first = await refundPart(orderId, 16)
    await runAll()
    const second = await refundPart(orderId, 1)
    await runAll()
    // Queried so often that the next query would be tomorrow.
    await inTenant((db) =>
      db.run(sql`update refund_payment set ask_time = ask_time + interval '1 day' where tenant_id = ${db.tenantId}
        and refund_id = ${second} and ask_time is not null`),
    )
    await pass(8)
    expect([(await refundNow(first)).status, (await refundNow(second)).status]).toEqual([
      REFUND_STATE.succeeded,
      REFUND_STATE.succeeded,
    ])
    expect(payment.refunded).toBe(8500)
    await allIsWell()
  })

  test('shared with a person and a merchant takes nothing from the merchant for a refund that cannot go', async () => {
    const { id: orderId } = await order()
    const id = await share(orderId, [
      [PARTNER, '10.00'],
      ['oPersonOne', '10.00'],
    ])
    await pass(2)
    const refund = await refundAll(orderId)
    await pass(4)
    expect(await refundNow(refund)).toMatchObject({ status: REFUND_STATE.failed })
    expect([await movesOf(orderId), (await rowOf(id)).finishAmount]).toEqual([[], 2000])
    await allIsWell()
  })

  test('ends a share that still waits before it is sent, so that the platform need not choose', async () => {
    const { id: orderId, payment } = await order()
    const id = await share(orderId, [[PARTNER, '10.00']])
    const { systemPool } = ground.tenants.services
    await systemPool.query(`update job set state = 'done' where state = 'asked' and payload->>'id' = $1`, [id])
    const refund = await refundAll(orderId)
    await runAll()
    expect([(await rowOf(id)).status, (await refundNow(refund)).status]).toEqual([FAILED, REFUND_STATE.processing])
    await pass(4)
    expect([(await refundNow(refund)).status, payment.shared, payment.refunded]).toEqual([
      REFUND_STATE.succeeded,
      0,
      10_000,
    ])
    await allIsWell()
  })
})

describe('money frozen for sharing and never shared', () => {
  const sharing = async (receivers: object[]) => {
    const { tenants } = ground
    const [merchant] = await inTenant((db) => db.find(merchantInfo, sql`true`))
    const body = { id: merchant!.id, receivers }
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
  }
  /** An order of 10.00 in three lines, paid by a code at a register of a merchant with a receiver. */
  async function paidByCode() {
    const { tenants } = ground
    const register = await tenants.register(tenants.north, tenants.north.shops[0]!)
    const { upc } = await tenants.good(tenants.north, tenants.north.shops[0]!)
    const basket = saleBodyOf(upc, {}, 1)
    const line = (amount: string) => ({ ...basket.lines[0]!, price: amount, amount })
    const {
      payType: _how,
      saleTime: _when,
      ...sale
    } = {
      ...basket,
      lines: [line('0.80'), line('0.80'), line('8.40')],
      payAmount: '10.00',
    }
    const { data } = await tenants.beep(register, 'POST', 'pay', { body: { ...sale, authCode: '134567890123456789' } })
    expect(data.state).toBe('paid')
    const lines = await inTenant((db) =>
      db.query<{ id: string }>(sql`select id from shopping_order_detail where tenant_id = ${db.tenantId}
        and order_id = ${data.orderId} order by sort`),
    )
    return { orderId: data.orderId as string, transactionNo: data.transactionNo as string, lines }
  }
  const giveBack = async (orderId: string, detailId: string) => {
    const { tenants } = ground
    const body = { orderId, lines: [{ detailId, quantity: 1 }], reason: '商品破损', restock: false }
    const { id } = await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', { body }))
    await pass(6)
    return refundNow(id)
  }
  const unfreezes = (orderId: string) =>
    inTenant((db) => db.find(shareLog, sql`r.order_id = ${orderId} and r.kind = 'unfreeze'`))
  const letGo = (orderId: string) =>
    ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/merchant/shareLog/letGo', { body: { orderId } })

  test('is let go before the refund it does not bear, once: line by line all of an order goes back', async () => {
    await sharing([{ type: 'MERCHANT_ID', account: PARTNER, name: '云服务', ratio: 10 }])
    ground.wechat.world.balances.set(SUB, 100_000)
    const { orderId, transactionNo, lines } = await paidByCode()
    for (const { id } of lines) expect(await giveBack(orderId, id)).toMatchObject({ status: REFUND_STATE.succeeded })
    expect(ground.wechat.world.payments.get(transactionNo)).toMatchObject({ refunded: 1000, isFinished: true })
    expect(await unfreezes(orderId)).toMatchObject([{ status: FINISHED }])
    await allIsWell()
  })

  test('of a payment a till asked for is let go when the refund finds too little, and only then', async () => {
    ground.wechat.world.balances.set(SUB, 100_000)
    const { id: orderId, transactionNo } = await order()
    await refundPart(orderId, 1)
    await pass(6)
    expect(await unfreezes(orderId)).toEqual([])
    ground.wechat.world.payments.get(transactionNo)!.frozen = 100
    const all = await refundAll(orderId)
    await pass(8)
    expect(await refundNow(all)).toMatchObject({ status: REFUND_STATE.succeeded })
    expect(await unfreezes(orderId)).toHaveLength(1)
  })

  test('is let go by hand where nothing was shared, once, however many press; a cash order is refused', async () => {
    const { id: orderId, payment } = await order()
    ground.wechat.world.ratios.set(SUB, 3000)
    const responses = await Promise.all(Array.from({ length: 20 }, () => letGo(orderId)))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(19)
    expect(responses.find(({ status }) => status === 400)!.data).toMatchObject({ reason: 'share_order_let_go' })
    await pass(3)
    expect(payment).toMatchObject({ isFinished: true, frozen: 0 })
    expect(await unfreezes(orderId)).toMatchObject([{ status: FINISHED }])
    const cash = await inTenant((db) =>
      placeOrder(db, {
        shopId: ground.tenants.north.shops[0]!,
        source: 'register',
        type: 'store',
        lines: [{ goodId, upc: 'G', name: '可乐', price: 500, quantity: 1, discount: 0, amount: 500 }],
        payAmount: 500,
        payType: 'cash',
        payTime: formatShanghaiTime(ground.tenants.services.now()),
      }),
    )
    expect((await letGo(cash.id)).data).toMatchObject({ reason: 'unfreeze_not_on_platform' })
  })
})

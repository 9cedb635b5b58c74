import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { makeBill, billPeriodOf } from '#domains/money/merchant-accounts/api.ts'
import { checkLedgers, payOrder, placeOrder } from '#domains/sales/orders/api.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { countRoundTrips } from '#tests/support/round-trips.ts'
import { feeOf } from '#simulators/wechatpay/world.ts'
import { enqueueDayComparisonsJob } from './compare.job.ts'
import { SUB, testAccount, type TestAccount } from './test-account.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const statementQueue = defineQueue<{ id: string }>('bill.statement')
const refundQueue = defineQueue<{ id: string }>('pay.back')

// Everything that is paid through a channel is one list, which comparison, bills, refunds and number checks read.

let account: TestAccount
let made = 0
const number = () => `4200${String(++made).padStart(10, '0')}`
const CENTS = 10_000
beforeAll(async () => void (account = await testAccount()))
afterAll(() => account?.close())

const recharge = async (transactionNo: string | null, more: object = {}) => {
  const wxUserId = await account.customer()
  const body = { wxUserId, amount: '100.00', payType: 'wechat', transactionNo, reason: '到店充值', ...more }
  const { id, rechargeNo } = await account.must('shop/rechargeLog/recharge', body)
  return { id: id as string, rechargeNo: rechargeNo as string, wxUserId }
}
const fee = async (transactionNo: string | null, more: object = {}) => {
  const wxUserId = await account.customer()
  const body = { wxUserId, confId: account.feeConfId, payType: 'wechat', transactionNo, ...more }
  const { id, feeNo } = await account.must('shop/annualFeeLog/buy', body)
  return { id: id as string, feeNo: feeNo as string, wxUserId }
}
const balanceOf = async (id: string) => (await account.rows('wx_user', sql`r.id = ${id}`))[0].balance
const refundedAtWechat = (no: string) => account.wechat.world.payments.get(no)!.refunded
/** Lets refunds under way arrive. */
const finishRefunds = async () => {
  for (let n = 0; n < 2; n++) {
    await account.runJobs()
    account.advance(61)
  }
  await account.runJobs()
}
const today = () => account.dayAt(0)
/** Advances to the next noon, so that each test has its own days. */
const nextDay = () => account.toNoonTomorrow()
const allIsWell = async () => expect(await account.inTenant(checkLedgers)).toEqual([])

describe('a recharge or a fee over WeChat Pay', () => {
  test('agrees with the statement, in a shop and in none, and stands in the bill of its merchant', async () => {
    nextDay()
    const paid = [
      [(await recharge(number(), { shopId: account.shopId })).rechargeNo, CENTS],
      [(await recharge(number())).rechargeNo, CENTS],
      [(await fee(number(), { shopId: account.shopId })).feeNo, 1000],
      [(await fee(number())).feeNo, 1000],
    ] as const
    for (const [no, cents] of paid) {
      const [row] = [
        ...(await account.rows('recharge_log', sql`r.recharge_no = ${no}`)),
        ...(await account.rows('annual_fee_log', sql`r.fee_no = ${no}`)),
      ]
      account.pay(row.transactionNo, cents)
    }
    const day = today()
    account.advance(86_400)
    const net = paid.reduce((sum, [, cents]) => sum + cents - feeOf(cents), 0)
    expect(await account.compare(day)).toMatchObject({ ours: net, stated: net, differences: 0, remainder: 0 })
    expect(await account.open(day)).toEqual([])
    const bill = (await account.inTenant((db) => makeBill(db, account.merchantId, billPeriodOf('day', day))))!
    await account.inTenant((db) => db.enqueue(statementQueue, { id: bill.id }, { key: bill.id }))
    await account.runJobs(1)
    const lines = await account.rows('merchant_bill_detail', sql`r.bill_id = ${bill.id}`)
    expect(new Set(lines.map((line) => line.orderNo))).toEqual(new Set(paid.map(([no]) => no)))
    expect(lines.map((line) => line.checkResult)).toEqual(Array<string>(4).fill('matched'))
    expect((await account.rows('merchant_bill', sql`r.id = ${bill.id}`))[0]).toMatchObject({
      income: 2 * CENTS + 2000,
      differences: 0,
      net,
    })
  })

  test('in no shop is taken into the bill by one statement, however many there are', async () => {
    nextDay()
    for (let n = 0; n < 5; n++) {
      const no = number()
      await recharge(no)
      account.pay(no, CENTS)
    }
    // A bill without lines would not be made.
    const inShop = number()
    await recharge(inShop, { shopId: account.shopId })
    account.pay(inShop, CENTS)
    const day = today()
    account.advance(86_400)
    const bill = (await account.inTenant((db) => makeBill(db, account.merchantId, billPeriodOf('day', day))))!
    await account.inTenant((db) => db.enqueue(statementQueue, { id: bill.id }, { key: bill.id }))
    const { sent } = await countRoundTrips(() => account.runJobs(1))
    expect(sent.filter(({ text }) => /insert into "?merchant_bill_detail/.test(text))).toHaveLength(1)
    const lines = await account.rows('merchant_bill_detail', sql`r.bill_id = ${bill.id}`)
    expect(lines.map((line) => [line.amount, line.channelAmount, line.checkResult])).toEqual(
      Array<unknown>(6).fill([CENTS, CENTS, 'matched']),
    )
  })

  test('told after the day was compared is not given back: the difference says what the money paid', async () => {
    nextDay()
    const no = number()
    account.pay(no, CENTS)
    const day = today()
    account.advance(86_400)
    await account.compare(day)
    const [found] = await account.open(day)
    expect(found.kind).toBe('payWithoutOrder')
    const { wxUserId } = await recharge(no)
    expect((await account.settle(found.id)).data).toMatchObject({ reason: 'tally_paid_here' })
    await account.runJobs()
    expect([refundedAtWechat(no), await balanceOf(wxUserId)]).toEqual([0, CENTS])
  })
})

describe('a number whose money went back', () => {
  const pays = async (transactionNo: string) => {
    const wxUserId = await account.customer()
    const order = await account.inTenant((db) =>
      placeOrder(db, {
        shopId: account.shopId,
        source: 'mini',
        type: 'pickup',
        status: 0,
        payDeadline: '2040-01-01 00:00:00',
        lines: [{ goodId: null, upc: 'X', name: '可乐', price: 100, quantity: 1, discount: 0, amount: 100 }],
        payAmount: 100,
      }),
    )
    const reasonOf = (work: Promise<unknown>) =>
      work.then(
        () => 'paid',
        (error: { code?: string }) => error.code,
      )
    const payment = { payType: 'wechat' as const, payTime: formatShanghaiTime(account.now()), transactionNo }
    const charge = { wxUserId, amount: '100.00', payType: 'wechat', transactionNo, reason: '到店充值' }
    const year = { wxUserId, confId: account.feeConfId, payType: 'wechat', transactionNo }
    return [
      await reasonOf(account.order(transactionNo, 'wechat', 100)),
      await reasonOf(account.inTenant((db) => payOrder(db, order.id, payment, account.now()))),
      (await account.call('shop/rechargeLog/recharge', charge)).data.reason,
      (await account.call('shop/annualFeeLog/buy', year)).data.reason,
    ]
  }
  const NEVER = Array<string>(4).fill('transaction_used')

  test('by a comparison pays neither a sale nor an order, a recharge or a fee', async () => {
    nextDay()
    const no = number()
    account.pay(no, CENTS)
    const day = today()
    account.advance(86_400)
    await account.compare(day)
    const [found] = await account.open(day)
    await account.must('tally/difference/settle', undefined, { id: found.id })
    expect(await pays(no)).toEqual(NEVER)
    account.advance(61)
    await account.runJobs()
    expect(refundedAtWechat(no)).toBe(CENTS)
    expect(await pays(no)).toEqual(NEVER)
    await account.compare(day)
    expect(await account.open(day)).toEqual([])
  })

  test('because no order took it pays nothing else, and the day it came and went agrees', async () => {
    nextDay()
    const no = number()
    const payment = account.pay(no, 500, { outTradeNo: `P${no}` })
    await account.inTenant((db) =>
      db.run(sql`insert into pay_attempt (id, tenant_id, pay_no, order_id, shop_id, way, state, amount, transaction_no,
        paid_time, asked_time, sub_mchid, back_no, back_state)
        values (${no}, ${db.tenantId}, ${`P${no}`}, 1, ${account.shopId}, 'native', 'paid', 500, ${no},
        ${account.now()},
        ${account.now()}, ${SUB}, ${`B${no}`}, 'asked')`),
    )
    expect(await pays(no)).toEqual(NEVER)
    await account.inTenant((db) => db.enqueue(refundQueue, { id: no }, { key: no }))
    expect(payment.total).toBe(500)
  })

  test('with the refund of a recharge pays nothing else', async () => {
    nextDay()
    const no = number()
    account.pay(no, CENTS)
    const { id } = await recharge(no)
    await account.must('shop/rechargeLog/refund', { amount: '100.00', reason: '充错金额' }, { id })
    await finishRefunds()
    expect(await pays(no)).toEqual(NEVER)
  })
})

describe('a refund of a recharge or a fee', () => {
  const backsOf = (no: string) => account.rows('payment_refund', sql`r.payable_no = ${no}`)

  test('over WeChat Pay goes back the way it came, in parts, by its shop or whoever knows the payment', async () => {
    nextDay()
    for (const shopId of [account.shopId, undefined]) {
      const no = number()
      account.pay(no, CENTS)
      const { id, rechargeNo, wxUserId } = await recharge(no, { shopId })
      const refund = (amount: string) => account.must('shop/rechargeLog/refund', { amount, reason: '充错金额' }, { id })
      expect(await refund('30.00')).toMatchObject({ payStatus: 2, backState: 'asked' })
      expect(await balanceOf(wxUserId)).toBe(CENTS - 3000)
      await refund('70.00')
      await finishRefunds()
      expect(refundedAtWechat(no)).toBe(CENTS)
      expect((await backsOf(rechargeNo)).map((one) => [one.amount, one.state])).toEqual([
        [3000, 'done'],
        [7000, 'done'],
      ])
    }
    const day = today()
    account.advance(86_400)
    expect([await account.compare(day), await account.open(day)]).toMatchObject([{ remainder: 0 }, []])
    await allIsWell()
  })

  test('of a fee takes back the time it gave, once, and the money to where it came from', async () => {
    nextDay()
    const no = number()
    account.pay(no, 1000)
    const { id, feeNo, wxUserId } = await fee(no, { shopId: account.shopId })
    const refund = (amount: string) => account.call('shop/annualFeeLog/refund', { amount, reason: '办错套餐' }, { id })
    expect((await refund('4.00')).data).toMatchObject({ payStatus: 2 })
    expect((await account.rows('wx_user', sql`r.id = ${wxUserId}`))[0].vipLevel).toBe(1)
    const responses = await Promise.all([refund('6.00'), refund('6.00')])
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect((await account.rows('wx_user', sql`r.id = ${wxUserId}`))[0].vipLevel).toBe(0)
    await finishRefunds()
    expect(refundedAtWechat(no)).toBe(1000)
    expect((await backsOf(feeNo)).map(({ state }) => state)).toEqual(['done', 'done'])
    await allIsWell()
  })

  test('of cash, or without a number, says who has to pay it out, until somebody says that they did', async () => {
    for (const payType of ['cash', 'wechat']) {
      const { id, rechargeNo } = await recharge(null, { payType })
      const answer = await account.must('shop/rechargeLog/refund', { amount: '20.00', reason: '充错金额' }, { id })
      expect(answer).toMatchObject({ backState: 'byHand', howBack: expect.stringContaining('退') })
      await account.runJobs(1)
      const [back] = await backsOf(rechargeNo)
      expect(back.state).toBe('byHand')
      const handOver = (remark?: string) => account.call('pay/paymentRefund/handOver', { remark }, { id: back.id })
      expect((await handOver()).status).toBe(400)
      expect((await handOver('收银台现金')).status).toBe(200)
      expect((await backsOf(rechargeNo))[0]).toMatchObject({ state: 'handed', note: '收银台现金' })
      expect((await handOver('再来一次')).status).not.toBe(200)
    }
  })

  test('made at WeChat Pay is booked once: the balance goes with it, or it is refused where it was spent', async () => {
    nextDay()
    const no = number()
    const payment = account.pay(no, CENTS)
    const { wxUserId, rechargeNo } = await recharge(no, { shopId: account.shopId })
    const { knowRefund } = await import('#simulators/wechatpay/refunds.ts')
    knowRefund(account.wechat.world, payment.transactionId, { outNo: `HAND${no}`, amount: 2000, at: account.now() })
    const day = today()
    account.advance(86_400)
    await account.compare(day)
    const found = (await account.open(day)).find(({ kind }) => kind === 'refundUnknownHere')
    expect(found).toMatchObject({ orderNo: rechargeNo, orderId: null })
    await account.must('tally/difference/settle', undefined, { id: found.id })
    await account.settle(found.id)
    expect(await balanceOf(wxUserId)).toBe(CENTS - 2000)
    expect(await backsOf(rechargeNo)).toMatchObject([{ state: 'done', amount: 2000, refundNo: `HAND${no}` }])
    await account.runJobs(1)
    expect(refundedAtWechat(no)).toBe(2000)
    await allIsWell()
  })
})

describe("a merchant's number at WeChat Pay that has changed", () => {
  const OTHER = '1900000208'
  const setNumber = async (subMchid: string) => {
    await account.must('merchant/merchantInfo/submit', { id: account.merchantId, subMchid })
    // Payment times are whole seconds.
    account.advance(2)
  }

  test('is still read: payments and refunds of before stand in its statement, days and bill agree', async () => {
    nextDay()
    const early = number()
    account.pay(early, 1000, { at: account.now() })
    await account.order(early, 'wechat', 1000)
    account.advance(3600)
    await setNumber(OTHER)
    const late = number()
    account.pay(late, 2000, { sub: OTHER, at: account.now() })
    const order = await account.order(late, 'wechat', 2000)
    const [first] = [early, order.orderNo]
    const [paidFirst] = await account.rows('shopping_order', sql`r.transaction_no = ${first}`)
    account.advance(61)
    const body = { orderId: paidFirst.id, full: true, reason: '商品破损', restock: false }
    await account.must('shop/refunds/now', body)
    await account.runJobs()
    account.advance(61)
    await account.runJobs()
    expect(refundedAtWechat(early)).toBe(1000)
    const refundCall = account.wechat.calls.findLast((one) => one.path.endsWith('/refunds') && one.method === 'POST')
    expect(refundCall!.body).toMatchObject({ sub_mchid: SUB, transaction_id: early })
    const day = today()
    account.advance(86_400)
    const { services } = account.tenants
    const context = {
      signal: AbortSignal.timeout(60_000),
      jobId: '1',
      attempt: 1,
      services,
      tenantId: account.tenantId,
    }
    await enqueueDayComparisonsJob.run({}, context)
    await account.runJobs(2)
    const days = await account.rows('tally_day', sql`r.day = ${day} and r.side = 'wechat'`)
    expect(days.map((one) => [one.accountNo, one.ours, one.remainder, one.differences])).toEqual([
      [SUB, 0, 0, 0],
      [OTHER, 2000 - feeOf(2000), 0, 0],
    ])
    expect(await account.open(day)).toEqual([])
    const bill = (await account.inTenant((db) => makeBill(db, account.merchantId, billPeriodOf('day', day))))!
    await account.inTenant((db) => db.enqueue(statementQueue, { id: bill.id }, { key: bill.id }))
    await account.runJobs(1)
    expect(await account.rows('merchant_bill', sql`r.id = ${bill.id}`)).toMatchObject([{ differences: 0 }])
    await setNumber(SUB)
  })

  test('because it was mistyped does no harm: what was paid is found where it lies, and goes back', async () => {
    nextDay()
    await setNumber('1900000999')
    const no = number()
    account.pay(no, 1000)
    const order = await account.order(no, 'wechat', 1000)
    account.advance(60)
    await setNumber(SUB)
    await account.must('shop/refunds/now', { orderId: order.id, full: true, reason: '商品破损', restock: false })
    await account.runJobs()
    await finishRefunds()
    expect(refundedAtWechat(no)).toBe(1000)
    const day = today()
    account.advance(86_400)
    expect(await account.compare(day)).toMatchObject({ differences: 0, remainder: 0 })
    expect(await account.open(day)).toEqual([])
  })
})

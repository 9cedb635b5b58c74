import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { moneyMove } from '#domains/money/payment-channels/index.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { saleBodyOf, type Register } from '#tests/support/test-tenants.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { findOrCreatePaymentAttempt, type PaymentAttempt } from './create-attempt.ts'
import { checkPaymentAttemptJob, requeuePaymentAttemptsJob } from './attempt.job.ts'
import { payAttempt } from './pay-attempt.resource.ts'

const SUB = '1900000109'
const CODE = '134567890123456789'
const ENTERS_PASSWORD = '134567890123451111'
const NOT_ENOUGH = '134567890123450000'
let ground: Awaited<ReturnType<typeof testWechat>>
let register: Register
let good: { id: string; upc: string }
let shopId: string
beforeAll(async () => {
  ground = await testWechat()
  const { tenants } = ground
  shopId = tenants.north.shops[0]!
  good = await tenants.good(tenants.north, shopId)
  await tenants.receive(tenants.north, shopId, good.id, 1000)
  register = await tenants.register(tenants.north, shopId)
  const body = { name: '商户', merchantNo: 'M1', type: 'enterprise', status: 1, shopIds: [shopId], subMchid: SUB }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
})
beforeEach(() => {
  ground.wechat.faults.length = 0
  ground.wechat.callbacks.mood = 'never'
})
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const runJobs = () => ground.tenants.server.jobs.runDue()
/** Advances the clock and makes queued payment jobs due. */
async function pass(seconds: number): Promise<void> {
  ground.advance(seconds)
  await ground.wechat.tick()
  await ground.tenants.services.systemPool.query(
    `update job set run_at = now() where state = 'asked' and queue in ('pay.attempt', 'pay.back')`,
  )
  await runJobs()
}

const basketOf = (quantity = 1) => {
  const { payType: _how, saleTime: _when, ...basket } = saleBodyOf(good.upc, {}, quantity)
  return basket
}
type Basket = ReturnType<typeof basketOf>
const pay = (basket: Basket, authCode = CODE, from = register) =>
  ground.tenants.beep(from, 'POST', 'pay', { body: { ...basket, authCode } })
const queryPayment = async (basket: Basket) =>
  (await ground.tenants.beep(register, 'GET', 'pay', { query: { saleNo: basket.saleNo } })).data
const orderNow = async (id: string) => (await inTenant((db) => db.get(shoppingOrder, id)))!
const attemptsOf = (orderId: string) =>
  inTenant((db) => db.find(payAttempt, sql`r.order_id = ${orderId}`, sql`order by r.id`))
const sentTo = (path: RegExp, no: string) =>
  ground.wechat.calls.filter((one) => one.method === 'POST' && path.test(one.path) && one.body.out_trade_no === no)
    .length
const refundedAtWechat = ({ transactionNo }: PaymentAttempt) =>
  ground.wechat.world.payments.get(transactionNo!)!.refunded
const stock = () => ground.tenants.stock(ground.tenants.north, good.id)
const allIsWell = async () => expect(await inTenant(checkLedgers)).toEqual([])

let clock = 0
/** Places an unpaid order of the mini program; returns its id. */
const toPay = (price = 500) =>
  inTenant(async (db) => {
    const line = { goodId: good.id, upc: good.upc, name: '可乐', price, quantity: 1, discount: 0, amount: price }
    const payDeadline = '2040-01-01 00:00:00'
    const draft = { shopId, source: 'mini', type: 'pickup', lines: [line], payAmount: price } as const
    return (await placeOrder(db, { ...draft, status: 0, payDeadline, remark: `${++clock}` })).id
  })
const showCode = (orderId: string) =>
  ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/pay/payAttempt/native', { body: { orderId } })
const cancelOrder = (id: string) =>
  ground.tenants.must(
    ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/shop/shoppingOrder/cancel', {
      body: { id, cancelReason: '顾客不要了' },
    }),
  )

describe('a payment code at a register', () => {
  test('pays the sale at once: the order is finished, the goods are gone, said again it is the same', async () => {
    const [basket, was] = [basketOf(2), await stock()]
    const { data } = await pay(basket)
    expect(data).toMatchObject({ state: 'paid', amount: '10.00', saleNo: basket.saleNo })
    expect(await orderNow(data.orderId)).toMatchObject({
      status: ORDER_STATE.finished,
      payType: 'wechat',
      payAmount: 1000,
      transactionNo: data.transactionNo,
      saleNo: basket.saleNo,
    })
    expect(await stock()).toBe(was - 2)
    expect((await pay(basket)).data).toMatchObject({ payNo: data.payNo, state: 'paid' })
    expect((await pay(basket, '134567890123456780')).data).toMatchObject({ payNo: data.payNo, state: 'paid' })
    expect(sentTo(/codepay$/, data.payNo)).toBe(1)
    expect(await attemptsOf(data.orderId)).toHaveLength(1)
    await allIsWell()
  })

  test('asked for six times at once is one payment, each time answered as such, and never refused', async () => {
    const basket = basketOf()
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(basket)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const { orderId, payNo } = answers[0]!.data
    expect(answers.map(({ data }) => data.payNo)).toEqual(Array(6).fill(payNo))
    expect((await queryPayment(basket)).state).toBe('paid')
    expect(sentTo(/codepay$/, payNo)).toBe(1)
    expect(await attemptsOf(orderId)).toHaveLength(1)
    // So does a caller who waited for the order's lock during the first payment.
    const late = await inTenant((db) =>
      findOrCreatePaymentAttempt(db, ground.tenants.services, { orderId, way: 'codepay', code: '134567890123456780' }),
    )
    expect(late).toMatchObject({ isNew: false, attempt: { state: 'paid' } })
    await allIsWell()
  })

  test('refused is the same refusal under the same code, and another code is asked for', async () => {
    const basket = basketOf()
    const { data: refused } = await pay(basket, NOT_ENOUGH)
    expect((await pay(basket, NOT_ENOUGH)).data).toMatchObject({ payNo: refused.payNo, state: 'refused' })
    const { data: paid } = await pay(basket)
    expect(paid).toMatchObject({ state: 'paid', orderId: refused.orderId })
    expect(paid.payNo).not.toBe(refused.payNo)
  })

  test('with another basket under the same number is refused, and so is a code of nobody', async () => {
    const basket = basketOf()
    await pay(basket)
    const other = await pay({ ...basketOf(3), saleNo: basket.saleNo })
    expect(other).toMatchObject({ status: 409, data: { reason: 'sale_differs' } })
    expect((await pay(basketOf(), '9999')).data.fields).toHaveProperty('authCode')
    expect((await queryPayment(basketOf())).reason).toBe('pay_no_attempt')
  })

  test('that makes the customer enter a password is paid when they did, told by asking alone', async () => {
    const basket = basketOf()
    const { data } = await pay(basket, ENTERS_PASSWORD)
    expect(data).toMatchObject({ state: 'paying', note: '顾客正在输入密码' })
    const again = await pay(basket, '134567890123456780')
    expect(again).toMatchObject({ status: 409, data: { reason: 'pay_under_way' } })
    await pass(6)
    expect(await queryPayment(basket)).toMatchObject({ state: 'paying' })
    ground.wechat.pay(data.payNo)
    await pass(6)
    expect(await queryPayment(basket)).toMatchObject({ state: 'paid', payNo: data.payNo })
    expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.finished)
  })

  test('whose password never comes is reversed after 45 seconds, not before, and may be tried again', async () => {
    const [basket, was] = [basketOf(), await stock()]
    const { data } = await pay(basket, ENTERS_PASSWORD)
    await pass(40)
    expect(await queryPayment(basket)).toMatchObject({ state: 'paying' })
    await pass(6)
    expect(await queryPayment(basket)).toMatchObject({ state: 'closed' })
    expect(ground.wechat.calls.filter(({ path }) => path.endsWith(`${data.payNo}/reverse`))).toHaveLength(1)
    expect([(await orderNow(data.orderId)).status, await stock()]).toEqual([ORDER_STATE.toPay, was])
    const { data: second } = await pay(basket)
    expect(second).toMatchObject({ state: 'paid', orderId: data.orderId })
    expect(second.payNo).not.toBe(data.payNo)
    await allIsWell()
  })

  test('without money on it is refused with the words of WeChat Pay; another code pays the same sale', async () => {
    const basket = basketOf()
    const { data } = await pay(basket, NOT_ENOUGH)
    expect(data).toMatchObject({ state: 'refused', note: '用户余额不足 (NOT_ENOUGH)' })
    expect((await pay(basket)).data).toMatchObject({ state: 'paid', orderId: data.orderId })
  })

  test.each(['deaf after doing', 'wrong sign'] as const)(
    'that WeChat Pay took and did not answer (%s) is not confirmed, then found paid; it is asked for once',
    async (kind) => {
      ground.wechat.faults.push({ kind, path: /codepay$/, times: 1 })
      const { data } = await pay(basketOf())
      expect(data.state).toBe('sent')
      expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.toPay)
      await pass(6)
      expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.finished)
      expect(sentTo(/codepay$/, data.payNo)).toBe(1)
    },
  )

  test.each(['down', 'silent'] as const)(
    'that never arrived (%s) is believed so only when it can no longer come, and is not sent again',
    async (kind) => {
      ground.wechat.faults.push({ kind, path: /codepay$/, times: 1 })
      const basket = basketOf()
      const { data } = await pay(basket)
      expect(data.state).toBe('sent')
      await pass(10)
      expect(await queryPayment(basket)).toMatchObject({ state: 'sent' })
      await pass(25)
      expect(await queryPayment(basket)).toMatchObject({ state: 'refused', note: expect.stringContaining('没有到达') })
      expect(sentTo(/codepay$/, data.payNo)).toBe(0)
      expect((await pay(basket, '134567890123456780')).data.state).toBe('paid')
    },
  )

  test('given up at the register ends the order; paid in that moment all the same, it goes back once', async () => {
    const [basket, was] = [basketOf(), await stock()]
    const { data } = await pay(basket, ENTERS_PASSWORD)
    const { data: given } = await ground.tenants.beep(register, 'POST', 'pay/cancel', {
      body: { saleNo: basket.saleNo },
    })
    expect(given.state).toBe('closing')
    await queryPayment(basket)
    const calls = ['POST /api/terminal/pay', 'GET /api/terminal/pay', 'POST /api/terminal/pay/cancel']
    expect(comparedAnswers(ground.tenants.server.http)).toEqual(expect.arrayContaining(calls))
    expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.cancelled)
    ground.wechat.pay(data.payNo)
    await pass(1)
    const [row] = await attemptsOf(data.orderId)
    expect(row).toMatchObject({ state: 'paid', backState: 'sent', note: expect.stringContaining('订单已取消') })
    await pass(61)
    await pass(61)
    expect((await attemptsOf(data.orderId))[0]).toMatchObject({ backState: 'done' })
    expect([refundedAtWechat(row!), await stock()]).toEqual([500, was])
    expect(ground.wechat.calls.filter(({ body }) => body.out_refund_no === row!.backNo)).toHaveLength(1)
    expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.cancelled)
    await allIsWell()
  })

  test('a register reported under another number meanwhile stays with that order, and nothing goes back', async () => {
    ground.wechat.faults.push({ kind: 'deaf after doing', path: /codepay$/, times: 1 })
    const { data } = await pay(basketOf())
    const wechatPayment = [...ground.wechat.world.payments.values()].find((one) => one.outTradeNo === data.payNo)!
    const saleTime = formatShanghaiTime(ground.tenants.services.now())
    const sale = saleBodyOf(good.upc, { payType: 'wechat', transactionNo: wechatPayment.transactionId, saleTime })
    await ground.tenants.must(ground.tenants.beep(register, 'POST', 'sale', { body: sale }))
    await pass(6)
    const [row] = await attemptsOf(data.orderId)
    expect(row).toMatchObject({ state: 'paid', backState: null, note: expect.stringContaining('另一张订单') })
    expect([wechatPayment.refunded, (await orderNow(data.orderId)).status]).toEqual([0, ORDER_STATE.toPay])
    await allIsWell()
  })

  test('of another register is not answered', async () => {
    const basket = basketOf()
    await pay(basket)
    const other = await ground.tenants.register(ground.tenants.north, shopId)
    const { data } = await ground.tenants.beep(other, 'GET', 'pay', { query: { saleNo: basket.saleNo } })
    expect(data.reason).toBe('pay_no_attempt')
  })
})

describe('a code the customer scans', () => {
  test('pays the order when WeChat Pay calls, also twice; asked for again it is the same code', async () => {
    const orderId = await toPay()
    const { data } = await showCode(orderId)
    expect(data).toMatchObject({ state: 'paying', codeUrl: expect.stringContaining('weixin://wxpay/') })
    expect((await showCode(orderId)).data).toMatchObject({ payNo: data.payNo, codeUrl: data.codeUrl })
    ground.wechat.callbacks.mood = 'twice'
    ground.wechat.pay(data.payNo)
    await ground.wechat.tick()
    await runJobs()
    expect(await orderNow(orderId)).toMatchObject({ status: ORDER_STATE.paid, payType: 'wechat' })
    expect(await attemptsOf(orderId)).toMatchObject([{ state: 'paid', backState: null }])
    await allIsWell()
  })

  test('that a forged callback, or one that came too early, calls paid is not paid', async () => {
    const orderId = await toPay()
    const { data } = await showCode(orderId)
    const url = `${ground.tenants.server.url}${ground.notifyPath}`
    const plain = { out_trade_no: data.payNo, trade_state: 'SUCCESS', transaction_id: '4200' }
    const { privateKey } = ground.wechat.world.certificate
    expect(await ground.wechat.callbacks.push(url, 'TRANSACTION.SUCCESS', plain, { privateKey })).toBe(403)
    expect(await ground.wechat.callbacks.push(url, 'TRANSACTION.SUCCESS', plain)).toBe(204)
    await runJobs()
    expect((await orderNow(orderId)).status).toBe(ORDER_STATE.toPay)
    await cancelOrder(orderId)
    await pass(1)
    expect(await attemptsOf(orderId)).toMatchObject([{ state: 'closed' }])
  })

  test('and the mini program beside it: paid twice, the second goes back once and says why', async () => {
    const orderId = await toPay()
    const { data: code } = await showCode(orderId)
    const { data: mini } = await ground.tenants.call(ground.tenants.north.admin, 'POST', '/api/pay/payAttempt/jsapi', {
      body: { orderId, openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
    })
    expect(mini.invoke).toMatchObject({ signType: 'RSA', package: `prepay_id=wx${mini.payNo}` })
    ground.wechat.callbacks.mood = 'held'
    ground.wechat.pay(code.payNo)
    ground.wechat.pay(mini.payNo)
    await ground.wechat.callbacks.release()
    await runJobs()
    const rows = await attemptsOf(orderId)
    expect(rows.map(({ state }) => state)).toEqual(['paid', 'paid'])
    const [kept, second] = rows.toSorted((a, b) => Number(Boolean(a.backNo)) - Number(Boolean(b.backNo)))
    expect([kept!.backNo, second!.note]).toEqual([null, expect.stringContaining('另一笔付款')])
    ground.wechat.callbacks.mood = 'twice'
    await pass(61)
    await pass(61)
    expect([refundedAtWechat(kept!), refundedAtWechat(second!)]).toEqual([0, 500])
    expect((await orderNow(orderId)).transactionNo).toBe(kept!.transactionNo)
    await allIsWell()
  })

  test('heard of late, after the order was cancelled and the code closed, goes back', async () => {
    const orderId = await toPay()
    const { data } = await showCode(orderId)
    await cancelOrder(orderId)
    await pass(1)
    expect(await attemptsOf(orderId)).toMatchObject([{ state: 'closed' }])
    const wechatPayment = [...ground.wechat.world.payments.values()].find((one) => one.outTradeNo === data.payNo)!
    wechatPayment.state = 'NOTPAY'
    ground.wechat.callbacks.mood = 'well'
    ground.wechat.pay(data.payNo)
    await ground.wechat.tick()
    await runJobs()
    await pass(61)
    await pass(61)
    const [row] = await attemptsOf(orderId)
    expect(row).toMatchObject({ state: 'paid', backState: 'done' })
    expect(refundedAtWechat(row!)).toBe(500)
    expect((await orderNow(orderId)).status).toBe(ORDER_STATE.cancelled)
    await allIsWell()
  })

  test('WeChat Pay will not give back says so, waits for a person, and goes again', async () => {
    const orderId = await toPay()
    const { data } = await showCode(orderId)
    await cancelOrder(orderId)
    ground.wechat.pay(data.payNo)
    const troubled = { kind: { status: 403, code: 'NOT_ENOUGH' }, path: /refunds$/, times: 1 }
    ground.wechat.faults.push(troubled)
    await pass(1)
    const [row] = await attemptsOf(orderId)
    expect(row).toMatchObject({ backState: 'failed', backNote: expect.stringContaining('NOT_ENOUGH') })
    const again = '/api/pay/payAttempt/giveBackAgain'
    await ground.tenants.must(ground.tenants.call(ground.tenants.north.admin, 'POST', again, { body: { id: row!.id } }))
    await pass(1)
    await pass(61)
    expect((await attemptsOf(orderId))[0]).toMatchObject({ backState: 'done' })
    expect(refundedAtWechat(row!)).toBe(500)
  })

  test('above the limit for one person goes again with two, once, and by nobody once it has arrived', async () => {
    const { tenants } = ground
    const orderId = await toPay(30_000)
    const { data } = await showCode(orderId)
    await cancelOrder(orderId)
    ground.wechat.pay(data.payNo)
    ground.wechat.faults.push({ kind: { status: 403, code: 'NOT_ENOUGH' }, path: /refunds$/, times: 1 })
    await pass(1)
    const [row] = await attemptsOf(orderId)
    const press = () =>
      tenants.call(tenants.north.admin, 'POST', '/api/pay/payAttempt/giveBackAgain', { body: { id: row!.id } })
    const responses = await Promise.all(Array.from({ length: 20 }, press))
    expect(responses.filter(({ status }) => status === 200).map(({ data: answer }) => answer.waits)).toEqual([true])
    expect(
      responses.filter(({ status }) => status !== 200).every(({ data: answer }) => answer.reason === 'money_waits'),
    ).toBe(true)
    await pass(1)
    expect([refundedAtWechat(row!), (await attemptsOf(orderId))[0]!.backState]).toEqual([0, 'failed'])
    const [move] = await inTenant((db) => db.find(moneyMove, sql`r.state = 'waiting'`))
    expect(move).toMatchObject({ kind: 'overpaid', amount: 30_000, subjectNo: data.payNo, orderId })
    const decide = (who: typeof tenants.north.admin, verb: string, id = move!.id) =>
      tenants.call(who, 'POST', `/api/pay/moneyMove/${verb}`, { body: { id, secondRemark: '看过' } })
    expect((await decide(tenants.north.admin, 'confirm')).data.reason).toBe('money_other_person')
    expect((await decide(tenants.north.admin, 'decline')).status).toBe(200)
    await pass(1)
    expect((await attemptsOf(orderId))[0]!.backState).toBe('failed')
    expect((await press()).data.waits).toBe(true)
    const [again] = await inTenant((db) => db.find(moneyMove, sql`r.state = 'waiting'`))
    const second = await tenants.person(tenants.north, 'finance', ['moneyMove', 'moneyMove_confirm'])
    const confirmations = await Promise.all(Array.from({ length: 20 }, () => decide(second, 'confirm', again!.id)))
    expect(confirmations.filter(({ status }) => status === 200)).toHaveLength(1)
    await pass(1)
    await pass(61)
    expect([refundedAtWechat(row!), (await attemptsOf(orderId))[0]!.backState]).toEqual([30_000, 'done'])
    expect((await press()).status).toBe(400)
  })

  test('of a shop that cannot take WeChat Pay is refused, and nothing is asked', async () => {
    const elsewhere = ground.tenants.north.shops[1]!
    const other = await ground.tenants.register(ground.tenants.north, elsewhere)
    const away = await ground.tenants.good(ground.tenants.north, elsewhere)
    const { payType: _how, saleTime: _when, ...basket } = saleBodyOf(away.upc)
    expect((await pay(basket, CODE, other)).data.reason).toBe('pay_not_taken')
    const left = (table: 'shopping_order' | 'register_sale') =>
      inTenant((db) =>
        db.query(sql`select 1 from ${raw(table)} where tenant_id = ${db.tenantId} and sale_no = ${basket.saleNo}`),
      )
    expect([await left('shopping_order'), await left('register_sale')]).toEqual([[], []])
    // A cash sale may use the same sale number.
    const cash = saleBodyOf(away.upc, { saleNo: basket.saleNo })
    expect((await ground.tenants.beep(other, 'POST', 'sale', { body: cash })).status).toBe(200)
  })
})

test('a server killed between row and answer asks for each payment once; the sweep finds it', async () => {
  const basket = basketOf()
  ground.wechat.faults.push({ kind: 'deaf after doing', path: /codepay$/, times: 1 })
  const { data } = await pay(basket)
  const { services, north } = ground.tenants
  // The job was lost with the server.
  await services.systemPool.query(`delete from job where queue = 'pay.attempt'`)
  await inTenant((db) =>
    db.run(sql`update pay_attempt set ask_time = now() - interval '10 minutes' where tenant_id = ${db.tenantId}
      and pay_no = ${data.payNo}`),
  )
  const context = { tenantId: north.tenantId, services, signal: AbortSignal.timeout(9000), jobId: '1', attempt: 1 }
  await requeuePaymentAttemptsJob.run({}, context)
  await runJobs()
  expect((await orderNow(data.orderId)).status).toBe(ORDER_STATE.finished)
  // Repeated runs change nothing more.
  const [row] = await attemptsOf(data.orderId)
  await Promise.all([1, 2, 3].map(() => checkPaymentAttemptJob.run({ id: row!.id }, context)))
  expect(sentTo(/codepay$/, data.payNo)).toBe(1)
  await allIsWell()
})

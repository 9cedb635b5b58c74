import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { makeBill, billPeriodOf } from '#domains/money/merchant-accounts/api.ts'
import { shareLog } from '#domains/money/merchant-accounts/index.ts'
import { bookExternalRefund, checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { book, feeOf, type Payment } from '#simulators/wechatpay/world.ts'
import { enqueueDayComparisonsJob, compareAccountDayJob } from './compare.job.ts'
import { DIFFERENCE_KINDS } from './kinds.ts'
import { moneyTrailCall } from './money-trail.calls.ts'

const SUB = '1900000109'
const DAYS = 30
const DAY_MS = 86_400_000
const PRICE = 1000
const FEE = feeOf(PRICE)

let ground: Awaited<ReturnType<typeof testWechat>>
let good: { id: string; upc: string }
let merchantId: string
let transactions = 0

beforeAll(async () => {
  ground = await testWechat()
  ground.toNoonTomorrow()
  const { tenants } = ground
  const shopId = tenants.north.shops[0]!
  good = await tenants.good(tenants.north, shopId, { salePrice: '10.00' })
  await tenants.receive(tenants.north, shopId, good.id, 10_000)
  const body = { name: '商户', merchantNo: 'M1', status: 1, shopIds: [shopId], subMchid: SUB, feeRate: '0.60' }
  merchantId = (
    await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
  ).id
})
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const rows = (table: 'tally_day' | 'tally_difference' | 'tally_back', where: Sql): Promise<any[]> =>
  inTenant((db) =>
    db.query(
      table === 'tally_day'
        ? sql`select r.* from tally_day r where r.tenant_id = ${db.tenantId} and ${where} order by r.day`
        : table === 'tally_back'
          ? sql`select r.* from tally_back r where r.tenant_id = ${db.tenantId} and ${where} order by r.id`
          : sql`select r.* from tally_difference r where r.tenant_id = ${db.tenantId} and ${where}
              order by r.day, r.mark`,
    ),
  )
const now = () => ground.tenants.services.now()
/** Date so many days ago, and a time on that day. */
const dayAt = (ago: number) => formatShanghaiTime(new Date(now().getTime() - ago * DAY_MS)).slice(0, 10)
const at = (ago: number, time = '10:00:00') => `${dayAt(ago)} ${time}`

type Sale = { orderId: string; orderNo: string; transactionNo: string; payment?: Payment }
/** Makes a sale of 10.00 here; at WeChat Pay it is missing (null), or has another amount or time. */
async function sale(ago: number, atWechat: { total?: number; at?: string } | null = {}, isPaid = true): Promise<Sale> {
  const transactionNo = `4200${String(++transactions).padStart(10, '0')}`
  const time = at(ago)
  const order = await inTenant((db) =>
    placeOrder(db, {
      shopId: ground.tenants.north.shops[0]!,
      source: 'mini',
      type: 'pickup',
      lines: [{ goodId: good.id, upc: good.upc, name: '可乐', price: 500, quantity: 2, discount: 0, amount: PRICE }],
      payAmount: PRICE,
      ...(isPaid
        ? { status: 1, payType: 'wechat', payTime: time, transactionNo }
        : { status: 0, payDeadline: '2040-01-01 00:00:00' }),
    }),
  )
  const payment = atWechat ? pay(transactionNo, order.orderNo!, atWechat.at ?? time, atWechat.total) : undefined
  return { orderId: order.id, orderNo: order.orderNo!, transactionNo, payment }
}
const pay = (transactionId: string, outTradeNo: string, time: string, total = PRICE): Payment =>
  ground.wechat.know({
    transactionId,
    outTradeNo,
    subMchid: SUB,
    total,
    isSharing: false,
    paidAt: parseShanghaiTime(time),
  })

/** Makes a refund at WeChat Pay, at a time and under a number. */
function refundAtWechat(payment: Payment, outNo: string, amount: number, time: string): void {
  const [when, id] = [parseShanghaiTime(time).getTime(), `50${outNo}`]
  const fee = -Math.round((feeOf(payment.total) * amount) / payment.total)
  const { world } = ground.wechat
  const facts = {
    fingerprint: '',
    status: 'SUCCESS' as const,
    ending: 'SUCCESS' as const,
    since: when,
    isFromFrozen: false,
  }
  world.trades.push({ at: when, payment, fee, refund: { id, outNo, payment, amount, doneAt: when, ...facts } })
  book(world, SUB, { kind: '退款', bizNo: id, amount: -amount, at: when })
  book(world, SUB, { kind: '退还手续费', bizNo: id, amount: -fee, at: when })
}
const refundHere = (one: Sale, outNo: string, amount: number, time: string) =>
  inTenant((db) =>
    bookExternalRefund(db, one.orderId, { refundNo: outNo, amount, reason: '顾客退货' }, parseShanghaiTime(time)),
  )

const CONTEXT = { signal: AbortSignal.timeout(600_000), jobId: '1', attempt: 1 }
const compare = async (ago: number, isFetched = true) => {
  const { services, north } = ground.tenants
  const ask = { side: 'wechat', id: merchantId, day: dayAt(ago), isFetched }
  await compareAccountDayJob.run(ask, { ...CONTEXT, services, tenantId: north.tenantId })
  return (await rows('tally_day', sql`r.day = ${dayAt(ago)}`))[0]
}
/** Makes queued jobs due and runs them, except the payment deadlines of orders. */
async function runJobs(rounds = 6): Promise<void> {
  for (let n = 0; n < rounds; n++) {
    await ground.tenants.services.systemPool.query(
      `update job set run_at = clock_timestamp() where state = 'asked'
        and queue in ('tally.day', 'tally.back', 'refund.send')`,
    )
    await ground.tenants.server.jobs.runDue()
    await ground.wechat.tick()
  }
}
const open = (ago: number) => rows('tally_difference', sql`r.day = ${dayAt(ago)} and r.state <> 'settled'`)
const kindsOf = async (ago: number) => (await open(ago)).map(({ kind }) => kind)
const act = (action: 'settle' | 'accept', id: string, body?: object) =>
  ground.tenants.call(ground.tenants.north.admin, 'POST', `/api/tally/difference/${action}`, {
    query: { id },
    ...(body && { body }),
  })
const resolveNow = async (id: string) => {
  await ground.tenants.must(act('settle', id))
  await runJobs()
}
const one = async (ago: number) => (await open(ago))[0]

test('a day whose three sides agree has no difference, and its sums tie to 0.00', async () => {
  await sale(40)
  await sale(40)
  const day = await compare(40)
  expect(day).toMatchObject({ ours: 2 * (PRICE - FEE), stated: 2 * (PRICE - FEE), moved: 2 * (PRICE - FEE) })
  expect(day).toMatchObject({ differences: 0, worth: 0, remainder: 0, accountName: '商户' })
  expect(await open(40)).toEqual([])
})

test('a statement in which a payment stands twice is not compared, and the day says so', async () => {
  await sale(42)
  const [first] = ground.wechat.world.trades.slice(-1)
  ground.wechat.world.trades.push({ ...first! })
  const day = await compare(42)
  expect(day.problem).toBeTruthy()
  expect(await open(42)).toEqual([])
  ground.wechat.world.trades.pop()
  expect(await compare(42)).toMatchObject({ problem: null, differences: 0, remainder: 0 })
})

/** Kinds of trouble, one for each day, with the difference expected; all other days agree. */
const troubles: [kind: string, make: (ago: number) => Promise<unknown>, worth: number][] = [
  ['payNotBooked', (ago) => sale(ago, {}, false), PRICE - FEE],
  ['payWithoutOrder', async (ago) => pay(`STRAY${ago}`, `NOBODY${ago}`, at(ago)), PRICE - FEE],
  ['paidTwice', async (ago) => pay(`TWICE${ago}`, (await sale(ago)).orderNo, at(ago, '10:01:00')), PRICE - FEE],
  ['payUnknownThere', (ago) => sale(ago, null), FEE - PRICE],
  ['amountDiffers', (ago) => sale(ago, { total: 900 }), 900 - feeOf(900) - (PRICE - FEE)],
  [
    'feeDiffers',
    async (ago) => {
      const { payment } = await sale(ago)
      ground.wechat.world.trades.find((trade) => trade.payment === payment)!.fee += 2
      book(ground.wechat.world, SUB, {
        kind: '扣除交易手续费',
        bizNo: payment!.transactionId,
        amount: -2,
        at: parseShanghaiTime(at(ago)).getTime(),
      })
    },
    -2,
  ],
  [
    'refundUnknownHere',
    async (ago) => refundAtWechat((await sale(ago)).payment!, `RX${ago}`, 400, at(ago, '12:00:00')),
    -398,
  ],
  [
    'refundNotMade',
    async (ago) => {
      const made = await sale(ago)
      const { tenants } = ground
      const detail = await inTenant((db) =>
        db.one<{ id: string }>(sql`select id from shopping_order_detail where tenant_id = ${db.tenantId}
          and order_id = ${made.orderId}`),
      )
      const lines = [{ detailId: detail!.id, quantity: 0, amount: '3.00' }]
      const body = { orderId: made.orderId, lines, reason: '商品破损', restock: false }
      await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/shop/refunds/now', { body }))
      // Requested on that day, but the job has not run.
      await inTenant((db) =>
        db.run(sql`update refund_payment set asked_time = ${at(ago, '11:00:00')} where tenant_id = ${db.tenantId}
          and order_id = ${made.orderId}`),
      )
      await tenants.services.systemPool.query(`delete from job where queue = 'refund.send'`)
    },
    298,
  ],
  [
    'refundDiffers',
    async (ago) => {
      const made = await sale(ago)
      refundAtWechat(made.payment!, `RD${ago}`, 200, at(ago, '12:00:00'))
      await refundHere(made, `RD${ago}`, 300, at(ago, '12:00:00'))
    },
    99,
  ],
  ['refundUnknownThere', async (ago) => refundHere(await sale(ago), `RT${ago}`, 500, at(ago, '12:00:00')), 500 - 3],
  [
    'shareNotMade',
    async (ago) => {
      const made = await sale(ago)
      await inTenant((db) =>
        db.withTimestamp(parseShanghaiTime(at(ago)), (past) =>
          past.insert(shareLog, {
            outOrderNo: `SH${ago}`,
            kind: 'share',
            orderId: made.orderId,
            shopId: ground.tenants.north.shops[0]!,
            merchantId,
            transactionNo: made.transactionNo,
            receivers: [],
            amount: 100,
            description: '服务费',
            status: 1,
          }),
        ),
      )
    },
    100,
  ],
  [
    'flowMissing',
    async (ago) => {
      const { payment } = await sale(ago)
      const { flows } = ground.wechat.world
      ground.wechat.world.flows = flows.filter(({ bizNo }) => bizNo !== payment!.transactionId)
    },
    FEE - PRICE,
  ],
]

test('a month with twelve kinds of difference: each is named, worth its cents, and all days tie to 0.00', async () => {
  for (let ago = DAYS; ago >= 1; ago--) for (let n = 0; n < 2; n++) await sale(ago)
  for (const [n, [, make]] of troubles.entries()) await make(DAYS - 2 * n)
  for (let ago = DAYS; ago >= 1; ago--) await compare(ago)
  for (const [n, [kind, , worth]] of troubles.entries()) {
    const ago = DAYS - 2 * n
    expect((await open(ago)).map((found) => [found.kind, found.worth])).toEqual([[kind, worth]])
    expect((await open(ago - 1)).map(({ kind: other }) => [ago - 1, other])).toEqual([])
  }
  const days = await rows('tally_day', sql`r.day >= ${dayAt(DAYS)}`)
  expect(days).toHaveLength(DAYS)
  expect(days.filter(({ remainder }) => remainder !== 0)).toEqual([])
  const total = (key: string) => days.reduce((sum, day) => sum + day[key], 0)
  expect(total('moved') - total('ours')).toBe(troubles.reduce((sum, [, , worth]) => sum + worth, 0))
  expect(total('moved') - total('ours') - total('worth')).toBe(0)
  const found = await rows('tally_difference', sql`true`)
  expect(found.filter(({ kind }) => !(kind in DIFFERENCE_KINDS))).toEqual([])
  expect(new Set(found.map(({ kind }) => kind)).size).toBe(troubles.length)
})

test('the same statements once more have no effect: no line, difference or decision is other than before', async () => {
  const [accepted] = await open(DAYS - 2 * 3)
  await ground.tenants.must(act('accept', accepted.id, { remark: '平台已说明' }))
  await runJobs()
  const lines = () =>
    inTenant((db) => db.query(sql`select id, amount, fee from tally_line where tenant_id = ${db.tenantId} order by id`))
  const without = (all: any[]) =>
    all.map(({ runNo: _run, updateTime: _time, version: _version, readTime: _read, ...row }) => row)
  const all = async () => [
    await lines(),
    without(await rows('tally_day', sql`true`)),
    without(await rows('tally_difference', sql`true`)),
  ]
  const before = await all()
  for (let ago = DAYS; ago >= 1; ago--) await compare(ago)
  expect(await all()).toEqual(before)
})

test('a payment nobody heard of is booked: goods leave once, the bill of the day it is heard has it', async () => {
  const ago = DAYS
  const stock = await ground.tenants.stock(ground.tenants.north, good.id)
  const found = await one(ago)
  for (let then = DAYS; then >= 1; then--)
    await inTenant((db) => makeBill(db, merchantId, billPeriodOf('day', dayAt(then))))
  await inTenant((db) =>
    db.run(sql`update merchant_bill set status = 1 where tenant_id = ${db.tenantId}
    and period_start = ${dayAt(ago)}`),
  )
  await resolveNow(found.id)
  expect(await kindsOf(ago)).toEqual([])
  expect(await ground.tenants.stock(ground.tenants.north, good.id)).toBe(stock - 2)
  expect((await act('settle', found.id)).status).not.toBe(200)
  expect(await ground.tenants.stock(ground.tenants.north, good.id)).toBe(stock - 2)
  const bill = await inTenant((db) =>
    makeBill(db, merchantId, billPeriodOf('day', new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10))),
  )
  const stands = await inTenant((db) =>
    db.query<{ billId: string }>(sql`select bill_id from merchant_bill_detail where tenant_id = ${db.tenantId}
      and order_no = ${found.orderNo} and kind = 'pay'`),
  )
  expect(stands).toEqual([{ billId: bill!.id }])
})

test('money without an order, and what was paid twice, goes back once, whoever presses twice', async () => {
  for (const ago of [DAYS - 2, DAYS - 4]) {
    const found = await one(ago)
    await resolveNow(found.id)
    await act('settle', found.id)
    ground.advance(60)
    await runJobs()
    expect(await rows('tally_back', sql`r.difference_id = ${found.id}`)).toMatchObject([{ state: 'done', paid: PRICE }])
    const refunds = [...ground.wechat.world.refunds.values()].filter(
      (refund) => refund.payment.transactionId === found.transactionNo,
    )
    expect(refunds).toMatchObject([{ amount: PRICE, status: 'SUCCESS' }])
    expect(await kindsOf(ago)).toEqual([])
  }
})

test('a time-out is asked about, never repeated: the money goes back once', async () => {
  pay('STRAYTIMEOUT', 'NOBODYTIMEOUT', at(41))
  await compare(41)
  const found = await one(41)
  ground.wechat.faults.push({ path: /domestic\/refunds$/, kind: 'deaf after doing', times: 1 })
  await resolveNow(found.id)
  ground.advance(120)
  await runJobs()
  expect(
    [...ground.wechat.world.refunds.values()].filter(({ payment }) => payment.transactionId === 'STRAYTIMEOUT'),
  ).toHaveLength(1)
  expect(await kindsOf(41)).toEqual([])
})

test('a fee the platform took is taken into the bill, its net follows, and a checked bill is not changed', async () => {
  const ago = DAYS - 10
  const found = await one(ago)
  const bill = (await inTenant((db) => makeBill(db, merchantId, billPeriodOf('day', dayAt(ago)))))!
  await inTenant((db) =>
    db.run(sql`update merchant_bill set status = 1 where tenant_id = ${db.tenantId} and id = ${bill.id}`),
  )
  expect((await act('settle', found.id)).data).toMatchObject({ reason: 'bill_is_checked' })
  await inTenant((db) =>
    db.run(sql`update merchant_bill set status = 0 where tenant_id = ${db.tenantId} and id = ${bill.id}`),
  )
  await resolveNow(found.id)
  const after = await inTenant((db) =>
    db.one<{ fee: number; net: number }>(
      sql`select fee, net from merchant_bill where tenant_id = ${db.tenantId} and id = ${bill.id}`,
    ),
  )
  expect(after).toEqual({ fee: bill.fee! + 2, net: bill.net! - 2 })
  expect(await kindsOf(ago)).toEqual([])
})

test('a refund made at the platform is booked once without goods, explained by the day it is booked on', async () => {
  const ago = DAYS - 12
  const stock = await ground.tenants.stock(ground.tenants.north, good.id)
  const found = await one(ago)
  await resolveNow(found.id)
  expect((await open(ago)).map(({ kind, state }) => [kind, state])).toEqual([['otherDay', 'explained']])
  expect(await ground.tenants.stock(ground.tenants.north, good.id)).toBe(stock)
  const order = await inTenant((db) =>
    db.one<{ refundAmount: number }>(sql`select refund_amount from shopping_order where tenant_id = ${db.tenantId}
      and id = ${found.orderId}`),
  )
  expect(order).toEqual({ refundAmount: 400 })
})

test('a refund made at the platform of a payment a register told names its order, and is booked', async () => {
  const ago = 44
  const made = await sale(ago, null)
  // The register had sent the payment itself, so its number there is unknown here.
  const payment = pay(made.transactionNo, `POS${ago}`, at(ago))
  await compare(ago)
  refundAtWechat(payment, `RPOS${ago}`, 400, at(ago, '12:00:00'))
  await compare(ago)
  const found = await one(ago)
  expect(found).toMatchObject({ kind: 'refundUnknownHere', orderId: made.orderId, shopId: expect.any(String) })
  await resolveNow(found.id)
  expect(await kindsOf(ago)).toEqual(['otherDay'])
})

test('a fee that differs before the bill of its day was made is taken into the bill, which is made then', async () => {
  const ago = 45
  const { payment } = await sale(ago)
  ground.wechat.world.trades.find((trade) => trade.payment === payment)!.fee += 2
  book(ground.wechat.world, SUB, {
    kind: '扣除交易手续费',
    bizNo: payment!.transactionId,
    amount: -2,
    at: parseShanghaiTime(at(ago)).getTime(),
  })
  await compare(ago)
  const found = await one(ago)
  expect(found.kind).toBe('feeDiffers')
  await resolveNow(found.id)
  expect(await kindsOf(ago)).toEqual([])
  const bill = await inTenant((db) =>
    db.one<{ fee: number }>(
      sql`select fee from merchant_bill where tenant_id = ${db.tenantId} and period_start = ${dayAt(ago)}`,
    ),
  )
  expect(bill).toEqual({ fee: FEE + 2 })
})

test('a refund that was asked and never made is asked again under its number, and made once', async () => {
  const ago = DAYS - 14
  const found = await one(ago)
  await resolveNow(found.id)
  expect(await kindsOf(ago)).toEqual(['refundNotMade'])
  ground.advance(61)
  await runJobs()
  await compare(ago, false)
  expect(await kindsOf(ago)).toEqual([])
  expect(ground.wechat.world.refunds.get(found.refundNo)).toMatchObject({ amount: 300, status: 'SUCCESS' })
  expect(ground.wechat.calls.filter(({ body }) => body?.out_refund_no === found.refundNo)).toHaveLength(1)
})

test('what was accepted stays accepted with its reason and is counted; days tie to 0.00 after all of it', async () => {
  for (let ago = DAYS; ago >= 1; ago--) await compare(ago)
  const [accepted] = await open(DAYS - 6)
  expect(accepted).toMatchObject({ state: 'accepted', remark: '平台已说明', kind: 'payUnknownThere' })
  const days = await rows('tally_day', sql`true`)
  expect(days.filter(({ remainder }) => remainder !== 0)).toEqual([])
  expect(await inTenant((db) => checkLedgers(db))).toEqual([])
})

test('large amounts need a second person before money leaves', async () => {
  const { tenants } = ground
  pay('STRAYBIG', 'NOBODYBIG', at(42), 30_000)
  await compare(42)
  const found = await one(42)
  await tenants.must(act('settle', found.id))
  await runJobs()
  expect((await one(42)).state).toBe('waits')
  expect(ground.wechat.world.payments.get('STRAYBIG')!.refunded).toBe(0)
  expect((await act('settle', found.id)).data).toMatchObject({ reason: 'money_waits' })
  const move = (await inTenant((db) =>
    db.one<{ id: string }>(
      sql`select id from money_move where tenant_id = ${db.tenantId} and subject_key = ${found.id}`,
    ),
  ))!
  const confirm = (person: typeof tenants.north.admin) =>
    tenants.call(person, 'POST', '/api/pay/moneyMove/confirm', { query: { id: move.id } })
  expect((await confirm(tenants.north.admin)).data).toMatchObject({ reason: 'money_other_person' })
  await tenants.must(confirm(await tenants.person(tenants.north, 'second', ['moneyMove', 'moneyMove_confirm'])))
  ground.advance(60)
  await runJobs()
  expect(ground.wechat.world.payments.get('STRAYBIG')!.refunded).toBe(30_000)
})

test('a withdrawal to the bank is no difference; the way of a sale ends in the line it arrived in', async () => {
  const made = await sale(43)
  const when = parseShanghaiTime(at(43, '23:00:00')).getTime()
  book(ground.wechat.world, SUB, { kind: '提现', bizNo: 'W1', amount: -500, at: when })
  expect(await compare(43)).toMatchObject({ withdrawn: 500, remainder: 0, differences: 0 })
  const { tenants } = ground
  const trail = await tenants.must(tenants.ask(tenants.north.admin, moneyTrailCall, { orderId: made.orderId }))
  await inTenant((db) => makeBill(db, merchantId, billPeriodOf('day', dayAt(43))))
  expect(trail).toMatchObject({ orderNo: made.orderNo, arrived: '9.94' })
  expect(trail.stands.map((stand) => [stand.source, stand.amount])).toEqual([
    ['trade', '9.94'],
    ['flow', '10.00'],
    ['flow', '-0.06'],
  ])
})

test('the clock asks for the days of every account that are not there, each once', async () => {
  const { services, north } = ground.tenants
  await enqueueDayComparisonsJob.run({}, { ...CONTEXT, services, tenantId: north.tenantId })
  const { rows: jobs } = await services.systemPool.query(
    `select payload from job where queue = 'tally.day' and state = 'asked' and tenant_id = $1`,
    [north.tenantId],
  )
  const queued = jobs.map((job: any) => `${job.payload.day} ${job.payload.isFetched}`)
  expect(new Set(queued).size).toBe(queued.length)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBill, merchantConsistencySql, billPeriodOf } from '#domains/money/merchant-accounts/api.ts'
import { shareLog } from '#domains/money/merchant-accounts/index.ts'
import { buyMembership, bookRecharge } from '#domains/sales/customers/api.ts'
import { bookExternalRefund, placeOrder } from '#domains/sales/orders/api.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { sql } from '#kit/server/database/db.ts'
import { createRandom } from '#kit/server/base/random.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { testAccount, type TestAccount } from './test-account.ts'

/**
 * Run with another seed and length: `BILLS_SEED=7 BILLS_DAYS=120 npx vitest run --project code
 * domains/money/reconciliation/bills-of-a-random-trade.test.ts`
 */
const SEED = Number(process.env.BILLS_SEED ?? 20_261_129)
const DAYS = Number(process.env.BILLS_DAYS ?? 45)
const DAY_MS = 86_400_000

/** A payment or refund that must be in exactly one bill of a type, of this merchant. */
type Move = { kind: 'pay' | 'refund'; merchantId: string; no: string; cents: number; known: string }
type Order = { id: string; no: string; at: Date; shopId: string; left: number; shared: number }
/** The merchant of a shop from a time on. */
type Term = { shopId: string; merchantId: string | null; from: number }

const random = createRandom(SEED)
let account: TestAccount
let customerId: string
let merchants: string[]
let first: number
const terms: Term[] = []
const orders: Order[] = []
const moves: Move[] = []
const shared = new Map<string, number>()
let made = 0
beforeAll(async () => {
  account = await testAccount()
  // Every shop has a merchant from the start, as earlier payments would go to its first one.
  const shopIds = account.tenants.north.shops.filter((id) => id !== account.shopId)
  const other = { name: '另一商户', merchantNo: 'M2', status: 1, subMchid: '1900000777', feeRate: '0.38', shopIds }
  merchants = [account.merchantId, (await account.must('merchant/merchantInfo/submit', other)).id]
  customerId = await account.customer()
  first = new Date(`${account.dayAt(DAYS)}T00:00:00+08:00`).getTime()
  terms.push({ shopId: account.shopId, merchantId: account.merchantId, from: 0 })
  for (const shopId of shopIds) terms.push({ shopId, merchantId: merchants[1]!, from: 0 })
})
afterAll(() => account?.close())

const dayOf = (at: Date) => formatShanghaiTime(at).slice(0, 10)
const dayNo = (n: number) => dayOf(new Date(first + n * DAY_MS))
/** A random time of a day, often its first or last second. */
const momentOf = (n: number) =>
  new Date(first + n * DAY_MS + (random.chance(0.25) ? random.pick([0, 86_399]) : random.int(0, 86_399)) * 1000)
const merchantAt = (shopId: string, at: Date): string | null =>
  terms.findLast((one) => one.shopId === shopId && one.from <= at.getTime())!.merchantId

/** Makes a payment that is reported at once or days later. */
async function pay(n: number): Promise<void> {
  const reportedAt = momentOf(n)
  const at = random.chance(0.2) ? momentOf(Math.max(0, n - random.int(1, 9))) : reportedAt
  const known = at > reportedAt ? at : reportedAt
  const shopId = random.pick(account.tenants.north.shops)
  const payType = random.pick(['wechat', 'wechat', 'alipay', 'cash'] as const)
  const no = `T${++made}`
  const paid = { payType, transactionNo: payType === 'cash' ? null : no, shopId }
  const amount = random.int(1, 20_000)
  const book = (by: string, cents: number) => {
    const merchantId = merchantAt(shopId, at)
    if (merchantId) moves.push({ kind: 'pay', merchantId, no: by, cents, known: dayOf(known) })
  }
  const buyer = { ...paid, wxUserId: customerId, at: formatShanghaiTime(at) }
  const what = random.int(0, 9)
  await account.inTenant((db) =>
    db.withTimestamp(known, async (past) => {
      if (what < 7) {
        const line = { goodId: null, upc: 'X', name: '可乐', price: amount, quantity: 1, discount: 0, amount }
        const order = await placeOrder(past, {
          ...paid,
          source: 'register',
          type: 'store',
          lines: [line],
          payAmount: amount,
          payTime: formatShanghaiTime(at),
        })
        orders.push({ id: order.id, no: order.orderNo!, at, shopId, left: amount, shared: 0 })
        return book(order.orderNo!, amount)
      }
      // Numbers of recharges and fees are chosen by the callers and may be equal.
      const number = `${made}`
      await bookRecharge(past, { ...buyer, rechargeNo: number, amount })
      book(number, amount)
      if (what === 9) {
        const transactionNo = paid.transactionNo && `${no}F`
        await buyMembership(past, { ...buyer, transactionNo, feeNo: number, confId: account.feeConfId })
        book(number, 1000)
      }
    }),
  )
}

/** Refunds all or part of a random order. */
async function refundRandom(at: Date): Promise<void> {
  const order = random.pick(orders)
  if (order.at > at || !order.left) return
  const cents = random.chance(0.4) ? order.left : random.int(1, order.left)
  const refundNo = `R${++made}`
  await account.inTenant((db) => bookExternalRefund(db, order.id, { refundNo, amount: cents, reason: '退' }, at))
  order.left -= cents
  const [{ refundNo: no }] = await account.rows('refunds', sql`r.request_key = ${refundNo}`)
  const merchantId = merchantAt(order.shopId, order.at)
  if (merchantId) moves.push({ kind: 'refund', merchantId, no, cents, known: dayOf(at) })
}

/** Completes a profit share of a random order, however old, or returns part of one. */
async function share(at: Date): Promise<void> {
  const order = random.pick(orders)
  const merchantId = merchantAt(order.shopId, order.at)
  if (order.at > at || !merchantId) return
  await account.inTenant(async (db) => {
    const [of] = order.shared
      ? await db.find(shareLog, sql`r.order_id = ${order.id} and r.kind = 'share' and r.finish_amount > 0`)
      : []
    const isBack = of !== undefined && random.chance(0.6)
    const amount = random.int(1, isBack ? of.finishAmount! : 500)
    if (isBack) await db.update(shareLog, of.id, { finishAmount: of.finishAmount! - amount })
    await db.insert(shareLog, {
      kind: isBack ? 'return' : 'share',
      outOrderNo: `SH${++made}`,
      orderId: order.id,
      shopId: order.shopId,
      merchantId,
      receivers: [{ type: 'MERCHANT_ID', account: '1900000401', name: '云服务', amount: formatYuan(amount) }],
      amount,
      finishAmount: amount,
      description: '服务费',
      status: 2,
      finishTime: formatShanghaiTime(at),
      ofShareNo: isBack ? of.outOrderNo : null,
    })
    const cents = isBack ? -amount : amount
    order.shared += cents
    shared.set(merchantId, (shared.get(merchantId) ?? 0) + cents)
  })
}

/** Gives a shop another merchant, or none, from the next day on. */
async function moveShop(n: number): Promise<void> {
  const shopId = random.pick(account.tenants.north.shops)
  const merchantId = random.pick([...merchants, null])
  if (terms.findLast((one) => one.shopId === shopId)!.merchantId === merchantId) return
  const from = first + (n + 1) * DAY_MS
  terms.push({ shopId, merchantId, from })
  await account.inTenant((db) =>
    db.run(sql`insert into merchant_term (id, tenant_id, shop_id, merchant_id, fee_rate, start_time)
      values (${newId()}, ${db.tenantId}, ${shopId}, ${merchantId}, 0.38, ${new Date(from)})`),
  )
}

/** Makes the bills of the night after a day and checks some of them. */
async function night(n: number): Promise<void> {
  const today = dayNo(n + 1)
  const days = [n - 2, n - 1, n].filter((one) => one >= 0).map((one) => billPeriodOf('day', dayNo(one)))
  const month = Number(today.slice(8)) <= 3 ? [billPeriodOf('month', dayNo(n - 3))] : []
  for (const merchantId of merchants)
    for (const period of [...days, ...month.filter(({ end }) => end < today)])
      await account.inTenant((db) => makeBill(db, merchantId, period, 'kept'))
  if (random.chance(0.5))
    await account.inTenant((db) =>
      db.run(sql`update merchant_bill set status = 1 where tenant_id = ${db.tenantId} and bill_type = 'day'
        and status = 0 and period_start = ${dayNo(Math.max(0, n - random.int(0, 3)))}`),
    )
}

type Line = { billType: 'day' | 'month'; merchantId: string; kind: string; no: string; cents: number; share: number }
const billed = () =>
  account.inTenant((db) =>
    db.query<Line>(sql`select b.bill_type, b.merchant_id, d.kind, coalesce(d.refund_no, d.order_no) as no,
      d.amount + d.refund as cents, d.share from merchant_bill_detail d
      join merchant_bill b on b.tenant_id = d.tenant_id and b.id = d.bill_id where d.tenant_id = ${db.tenantId}`),
  )
const marks = (all: readonly { merchantId: string; kind: string; no: string; cents: number }[]) =>
  all.map(({ merchantId, kind, no, cents }) => `${merchantId} ${kind} ${no} ${cents}`).toSorted()

test(`each payment, refund and share of a random trade is billed once by day and month, seed ${SEED}`, async () => {
  for (let n = 0; n < DAYS; n++) {
    for (let k = random.int(2, 6); k > 0; k--) await pay(n)
    for (let k = random.int(0, 3); k > 0 && orders.length; k--) await refundRandom(momentOf(n))
    for (let k = random.int(0, 2); k > 0 && orders.length; k--) await share(momentOf(n))
    if (random.chance(0.12)) await moveShop(n)
    await night(n)
  }
  const lines = await billed()
  const ofType = (type: Line['billType']) => lines.filter(({ billType, kind }) => billType === type && kind !== 'share')
  expect(marks(ofType('day'))).toEqual(marks(moves))
  // Each month is closed on the third night after it; what is reported later is in the next month.
  const last = dayNo(DAYS).slice(0, 7)
  const inMonths = new Set(marks(ofType('month')))
  const over = moves.filter(({ known }) => known.slice(0, 7) < last)
  expect(marks(over).filter((mark) => !inMonths.has(mark))).toEqual([])
  expect(inMonths.size).toBe(ofType('month').length)
  for (const merchantId of merchants) {
    const ours = lines.filter((one) => one.billType === 'day' && one.merchantId === merchantId)
    expect(ours.reduce((sum, one) => sum + one.share, 0)).toBe(shared.get(merchantId) ?? 0)
  }
  for (const check of Object.values(merchantConsistencySql))
    expect(await account.inTenant((db) => db.query(check))).toEqual([])
}, 300_000)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { merchantConsistencySql, makeBill, billPeriodOf } from '#domains/money/merchant-accounts/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { SUB, testAccount, type TestAccount } from './test-account.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const DAY_S = 86_400
const PARTNER = '1900000401'
let account: TestAccount
beforeAll(async () => {
  account = await testAccount()
  const { world } = account.wechat
  world.receivers.add(`${SUB}/${PARTNER}`)
  for (const one of [SUB, PARTNER]) world.balances.set(one, 100_000_000)
  const [{ id, version }] = await account.rows('merchant_info')
  await account.must('merchant/merchantInfo/submit', { id, version, shareRatio: '30.00' })
})
afterAll(() => account?.close())

const billed = (billType: 'day' | 'month', day: string) =>
  account.inTenant((db) => makeBill(db, account.merchantId, billPeriodOf(billType, day)))
const linesOf = (id: string) => account.rows('merchant_bill_detail', sql`r.bill_id = ${id}`)
const pass = async (seconds: number) => {
  account.advance(seconds)
  await account.runJobs()
}
/** Lets hours pass until all requests to WeChat Pay have ended. */
const passHours = async (hours = 3) => {
  for (let n = 0; n < hours; n++) await pass(3600)
}
/** Creates an order of 100.00 that is frozen at WeChat Pay. */
async function frozen(transactionId: string) {
  const order = await account.order(transactionId, 'wechat', 10_000)
  const { now, wechat } = account
  const known = { transactionId, outTradeNo: order.orderNo!, subMchid: SUB, total: 10_000, paidAt: now() }
  wechat.know({ ...known, isSharing: true })
  await pass(120)
  return order
}
const share = (orderId: string, amount: string) =>
  account.must('merchant/shareLog/submit', {
    orderId,
    receivers: [{ type: 'MERCHANT_ID', account: PARTNER, name: '云服务', amount }],
    description: '技术服务费',
  })
const checksFind = async () => {
  const found = []
  for (const check of Object.values(merchantConsistencySql))
    found.push(...(await account.inTenant((db) => db.query(check))))
  return found
}

test('what is shared after its bill was checked, and what comes back, stand in the bills of then', async () => {
  const order = await frozen('SHARED1')
  const day = account.dayAt(0)
  await share(order.id, '5.00')
  await passHours()
  await pass(DAY_S)
  const first = (await billed('day', day))!
  expect(first).toMatchObject({ income: 10_000, shareOut: 500, fee: 60, net: 9440 })
  await account.must('merchant/bill/check', { id: first.id })
  await share(order.id, '20.00')
  await passHours()
  await pass(DAY_S)
  const second = (await billed('day', account.dayAt(1)))!
  expect(second).toMatchObject({ orderCount: 0, income: 0, shareOut: 2000, net: -2000 })
  expect(await linesOf(second.id)).toMatchObject([{ kind: 'share', orderNo: order.orderNo, share: 2000, amount: 0 }])
  // Statements do not contain shares, so comparing one finds nothing missing.
  await account.inTenant((db) =>
    db.enqueue(defineQueue<{ id: string }>('bill.statement'), { id: second.id }, { key: second.id }),
  )
  await account.runJobs()
  const [read] = await account.rows('merchant_bill', sql`r.id = ${second.id}`)
  expect(read).toMatchObject({ differences: 0, statementTime: expect.any(String), shareOut: 2000 })
  // A full refund first returns the share.
  await account.must('shop/refunds/now', { orderId: order.id, full: true, reason: '商品破损', restock: true })
  await passHours(5)
  await pass(DAY_S)
  const third = (await billed('day', account.dayAt(1)))!
  expect(third).toMatchObject({ refund: 10_000, shareOut: -2500, fee: -60, net: -7440 })
  const month = await billed('month', day)
  const inMonth = [day, account.dayAt(2), account.dayAt(1)].filter((one) => one.slice(0, 7) === day.slice(0, 7))
  const nets = [first, second, third].slice(0, inMonth.length).reduce((sum, { net }) => sum + net!, 0)
  expect(month!.net).toBe(nets)
  expect(await checksFind()).toEqual([])
})

test('a fee the platform took stays in bills that are made anew, and is in the bill of the month', async () => {
  await account.order('FEE1', 'wechat', 1000)
  const payment = account.pay('FEE1', 1000)
  account.wechat.world.trades.find((trade) => trade.payment === payment)!.fee += 2
  const day = account.dayAt(0)
  await pass(DAY_S)
  const monthBefore = (await billed('month', day))!
  await account.compare(day)
  const found = (await account.open(day)).find(({ kind }) => kind === 'feeDiffers')
  await account.tenants.must(account.settle(found.id))
  await account.runJobs()
  const [dayBill] = await account.rows('merchant_bill', sql`r.bill_type = 'day' and r.period_start = ${day}`)
  expect(dayBill).toMatchObject({ fee: 8, net: 992 })
  const [month] = await account.rows('merchant_bill', sql`r.id = ${monthBefore.id}`)
  expect(month.fee).toBe(monthBefore.fee! + 2)
  expect(await billed('day', day)).toMatchObject({ fee: 8, net: 992 })
  expect(await billed('month', day)).toMatchObject({ fee: month.fee, net: month.net })
  await account.compare(day)
  expect((await account.open(day)).filter(({ kind }) => kind === 'feeDiffers')).toEqual([])
  expect(await checksFind()).toEqual([])
})

test('a recharge and a fee under one number of their callers are billed both', async () => {
  const wxUserId = await account.customer()
  const { must, shopId, feeConfId } = account
  const paid = { wxUserId, payType: 'wechat', shopId, reason: '前台' }
  await must('shop/rechargeLog/recharge', { ...paid, amount: '50.00', transactionNo: 'ONE1', rechargeNo: '1001' })
  const day = account.dayAt(0)
  await pass(DAY_S)
  expect(await billed('day', day)).toMatchObject({ orderCount: 1, income: 5000 })
  await must('shop/annualFeeLog/buy', { ...paid, confId: feeConfId, transactionNo: 'ONE2', feeNo: '1001' })
  await must('shop/rechargeLog/recharge', { ...paid, amount: '1.00', transactionNo: 'ONE3', rechargeNo: '1002' })
  await must('shop/annualFeeLog/buy', { ...paid, confId: feeConfId, transactionNo: 'ONE4', feeNo: '1002' })
  await pass(DAY_S)
  expect(await billed('day', account.dayAt(1))).toMatchObject({ orderCount: 3, income: 2100 })
  expect(await checksFind()).toEqual([])
})

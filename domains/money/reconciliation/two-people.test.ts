import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { testAccount, type TestAccount } from './test-account.ts'

// Refunds above the limit need two people, whatever was paid; orders have a test of their own.

let account: TestAccount
let second: CastMember
let made = 0
const number = () => `4300${String(++made).padStart(10, '0')}`
beforeAll(async () => {
  account = await testAccount()
  second = await account.tenants.person(account.tenants.north, 'finance', ['moneyMove', 'moneyMove_confirm'])
})
afterAll(() => account?.close())

/** Creates payments of 300.00 through WeChat Pay, with the routes that refund them. */
const KINDS = {
  recharge: async (no: string) => {
    const wxUserId = await account.customer()
    const body = { wxUserId, amount: '300.00', payType: 'wechat', transactionNo: no, reason: '到店充值' }
    const { id } = await account.must('shop/rechargeLog/recharge', { ...body, shopId: account.shopId })
    return { id: id as string, path: 'shop/rechargeLog/refund', table: 'recharge_log', wxUserId }
  },
  fee: async (no: string) => {
    const wxUserId = await account.customer()
    const { level } = (await account.rows('annual_fee_conf', sql`r.id = ${account.feeConfId}`))[0]
    const conf = { name: `三年${no}`, level, fee: '300.00', months: 36, enabled: true }
    const { id: confId } = await account.must('shop/annualFeeConf/submit', conf)
    const body = { wxUserId, confId, payType: 'wechat', transactionNo: no, shopId: account.shopId }
    const { id } = await account.must('shop/annualFeeLog/buy', body)
    return { id: id as string, path: 'shop/annualFeeLog/refund', table: 'annual_fee_log', wxUserId }
  },
}
const TWENTY = Array.from({ length: 20 }, (_none, n) => n)
const decide = (who: CastMember, verb: 'confirm' | 'decline', id: string) =>
  account.tenants.call(who, 'POST', `/api/pay/moneyMove/${verb}`, { body: { id, secondRemark: '看过' } })
const waiting = () => account.rows('money_move', sql`r.state = 'waiting'`)
const refundedAtWechat = (no: string) => account.wechat.world.payments.get(no)!.refunded
const finishRefunds = async () => {
  for (let n = 0; n < 3; n++) {
    await account.runJobs(2)
    account.advance(61)
  }
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('money of a %s above the limit', (kind) => {
  const begin = async () => {
    account.toNoonTomorrow()
    const no = number()
    account.pay(no, 30_000)
    const one = await KINDS[kind](no)
    const refund = (amount: string) => account.call(one.path, { amount, reason: '顾客不再来' }, { id: one.id })
    const booked = async () => (await account.rows(one.table, sql`r.id = ${one.id}`))[0].refundAmount ?? 0
    return { ...one, no, refund, booked }
  }

  test('goes back when a second person has said so, once, however often both press', async () => {
    const { no, refund, booked } = await begin()
    const responses = await Promise.all(TWENTY.map(() => refund('250.00')))
    expect(responses.filter(({ status }) => status === 200).map(({ data }) => data.waits)).toEqual([true])
    expect(responses.filter(({ status }) => status !== 200).every(({ data }) => data.reason === 'money_waits')).toBe(
      true,
    )
    expect((await refund('1.00')).data.reason).toBe('money_waits')
    await finishRefunds()
    expect([await booked(), refundedAtWechat(no)]).toEqual([0, 0])
    const [move] = await waiting()
    expect(move).toMatchObject({ kind: 'paidBack', amount: 25_000, shopId: account.shopId })
    expect((await decide(account.admin, 'confirm', move.id)).data.reason).toBe('money_other_person')
    const confirmations = await Promise.all(TWENTY.map(() => decide(second, 'confirm', move.id)))
    expect(confirmations.filter(({ status }) => status === 200)).toHaveLength(1)
    await finishRefunds()
    expect([await booked(), refundedAtWechat(no), await waiting()]).toEqual([25_000, 25_000, []])
    expect(await account.inTenant(checkLedgers)).toEqual([])
  })

  test('takes two in pieces as well, and what was declined goes nowhere', async () => {
    const { no, refund, booked } = await begin()
    expect((await refund('150.00')).data.waits).toBeUndefined()
    expect((await refund('300.00')).status).toBe(400)
    expect((await refund('100.00')).data).toMatchObject({ waits: true, howBack: expect.stringContaining('第二') })
    const [move] = await waiting()
    expect((await decide(account.admin, 'decline', move.id)).status).toBe(200)
    await finishRefunds()
    expect([await booked(), refundedAtWechat(no)]).toEqual([15_000, 15_000])
    expect((await refund('150.00')).data.waits).toBe(true)
    const [again] = await waiting()
    expect((await decide(second, 'confirm', again.id)).status).toBe(200)
    await finishRefunds()
    expect([await booked(), refundedAtWechat(no)]).toEqual([30_000, 30_000])
    expect(await account.inTenant(checkLedgers)).toEqual([])
  })

  test('that went back at WeChat Pay meanwhile is not given again by the second person', async () => {
    const { no, refund, booked } = await begin()
    expect((await refund('250.00')).data.waits).toBe(true)
    const { knowRefund } = await import('#simulators/wechatpay/refunds.ts')
    const transactionId = account.wechat.world.payments.get(no)!.transactionId
    knowRefund(account.wechat.world, transactionId, { outNo: `HAND${no}`, amount: 4000, at: account.now() })
    const day = account.dayAt(0)
    account.advance(86_400)
    await account.compare(day)
    const found = (await account.open(day)).find(({ kind: what }) => what === 'refundUnknownHere')
    await account.must('tally/difference/settle', undefined, { id: found.id })
    const [move] = await waiting()
    expect((await decide(second, 'confirm', move.id)).data.reason).toBe('changed_meanwhile')
    expect((await decide(second, 'decline', move.id)).status).toBe(403)
    expect((await decide(account.admin, 'decline', move.id)).status).toBe(200)
    await finishRefunds()
    expect([await booked(), refundedAtWechat(no)]).toEqual([4000, 4000])
    expect(await account.inTenant(checkLedgers)).toEqual([])
  })
})

test('money of nobody takes two by what leaves, not by what is left of it after the fee', async () => {
  account.toNoonTomorrow()
  const no = number()
  account.pay(no, 20_100)
  const day = account.dayAt(0)
  account.advance(86_400)
  await account.compare(day)
  const [found] = await account.open(day)
  expect([found.kind, found.worth < 20_000]).toEqual(['payWithoutOrder', true])
  expect((await account.settle(found.id)).data).toMatchObject({ waits: true })
  const [move] = await waiting()
  expect(move.amount).toBe(20_100)
  const confirmations = await Promise.all(TWENTY.map(() => decide(second, 'confirm', move.id)))
  expect(confirmations.filter(({ status }) => status === 200)).toHaveLength(1)
  await finishRefunds()
  expect(refundedAtWechat(no)).toBe(20_100)
  await account.compare(day)
  expect(await account.open(day)).toEqual([])
})

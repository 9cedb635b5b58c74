import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { CastMember } from '#tests/support/server.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { moneyReturnCall } from './return.job.ts'
import { testAccount, type TestAccount } from './test-account.ts'

// Money that belongs to nothing is returned once, whatever two concurrent job runs hear about its number.

let account: TestAccount
let second: CastMember
let made = 0
beforeAll(async () => {
  account = await testAccount()
  second = await account.tenants.person(account.tenants.north, 'finance', [
    'moneyMove',
    'moneyMove_confirm',
    'moneyMove_decline',
  ])
})
beforeEach(() => {
  account.wechat.faults.length = 0
  account.wechat.world.refundEnding = undefined
})
afterAll(() => account?.close())

const REFUSED = { kind: { status: 403, code: 'NOT_ENOUGH' }, path: /refunds$/ } as const
const TWENTY = Array.from({ length: 20 }, (_none, n) => n)

/** Creates a payment without an order and compares its day; returns the difference to resolve. */
async function stray(cents: number) {
  account.toNoonTomorrow()
  const no = `4400${String(++made).padStart(10, '0')}`
  account.pay(no, cents)
  const day = account.dayAt(0)
  account.advance(86_400)
  await account.compare(day)
  const [{ id }] = (await account.open(day)) as { id: string }[] as [{ id: string }]
  return {
    id,
    no,
    day,
    back: async () => (await account.rows('tally_back', sql`r.transaction_no = ${no}`))[0],
    difference: async () => (await account.rows('tally_difference', sql`r.id = ${id}`))[0],
    refunded: () => account.wechat.world.payments.get(no)!.refunded,
    shown: async (lang: 'zh' | 'en' = 'zh') =>
      (
        await account.tenants.call(account.admin, 'GET', '/api/tally/difference/detail', {
          query: { id },
          ...(lang === 'en' && { lang }),
        })
      ).data,
  }
}

/** Runs the job once. */
const runReturnJob = (id: string, services: Services = account.tenants.services) =>
  moneyReturnCall.sendJob.run(
    { id },
    { services, tenantId: account.tenantId, signal: AbortSignal.timeout(60_000), jobId: `${id}`, attempt: 1 },
  )

/** Starts a run that has its answer but stores it only when `letGo` is called. */
function turnHeld(id: string) {
  let letGo!: () => void
  let reportAnswered!: () => void
  const [held, answered] = [new Promise<void>((on) => (letGo = on)), new Promise<void>((on) => (reportAnswered = on))]
  let units = 0
  const unit = async (...given: Parameters<Services['unit']>) => {
    if (++units > 1) {
      reportAnswered()
      await held
    }
    return account.tenants.services.unit(...given)
  }
  const services = Object.create(account.tenants.services, { unit: { value: unit } }) as Services
  const over = runReturnJob(id, services)
  const goOn = (): Promise<void> => {
    letGo()
    return over
  }
  return { answered, letGo: goOn }
}
const finishRefunds = async () => {
  for (let n = 0; n < 3; n++) {
    await account.runJobs(2)
    account.advance(61)
  }
  await account.runJobs(2)
}
const allIsWell = async () => expect(await account.inTenant(checkLedgers)).toEqual([])

describe('two turns for one payment', () => {
  test('of which one was refused after the other arrived: it stays gone back', async () => {
    const one = await stray(1000)
    expect((await account.settle(one.id)).status).toBe(200)
    const { id } = await one.back()
    account.wechat.faults.push({ ...REFUSED, times: 1 })
    const refused = turnHeld(id)
    await refused.answered
    await finishRefunds()
    expect([(await one.back()).state, one.refunded()]).toEqual(['done', 1000])
    await refused.letGo()
    expect(await one.back()).toMatchObject({ id, state: 'done', lastError: null })
    await account.compare(one.day)
    expect([(await one.difference()).state, one.refunded()]).toEqual(['settled', 1000])
    await allIsWell()
  })

  test('of which one was refused before the other arrived: its number pays nothing any more', async () => {
    const one = await stray(1000)
    expect((await account.settle(one.id)).status).toBe(200)
    const { id } = await one.back()
    account.wechat.faults.push({ ...REFUSED, times: 1 })
    const refused = turnHeld(id)
    await refused.answered
    const sent = turnHeld(id)
    await sent.answered
    await refused.letGo()
    expect([(await one.back()).state, (await one.difference()).state]).toEqual(['failed', 'open'])
    await sent.letGo()
    await finishRefunds()
    expect([(await one.back()).state, one.refunded()]).toEqual(['done', 1000])
    const body = { wxUserId: await account.customer(), payType: 'wechat', transactionNo: one.no, reason: '到店充值' }
    const recharge = await account.call('shop/rechargeLog/recharge', { ...body, amount: '10.00' })
    expect(recharge.data.reason).toBe('transaction_used')
    await allIsWell()
  })

  test.each([1, 10, 19])('twenty at once, %d of them refused, send it back once', async (times) => {
    const one = await stray(1000)
    expect((await account.settle(one.id)).status).toBe(200)
    const { id } = await one.back()
    account.wechat.faults.push({ ...REFUSED, times })
    await Promise.all([...TWENTY.map(() => runReturnJob(id)), ...TWENTY.map(() => account.settle(one.id))])
    account.wechat.faults.length = 0
    await finishRefunds()
    // If the last answer was a refusal, somebody presses the button again.
    await account.settle(one.id)
    await finishRefunds()
    expect([(await one.back()).state, one.refunded()]).toEqual(['done', 1000])
    await account.compare(one.day)
    expect((await one.difference()).state).toBe('settled')
    await allIsWell()
  })
})

test('what was refused says why, is asked again under its number, and is free for what it did pay', async () => {
  const one = await stray(1000)
  account.wechat.faults.push({ ...REFUSED, times: 1 })
  expect((await account.settle(one.id)).status).toBe(200)
  await account.runJobs(1)
  const refused = await one.back()
  expect(refused).toMatchObject({ state: 'failed', lastError: expect.stringContaining('NOT_ENOUGH') })
  expect(await one.difference()).toMatchObject({ state: 'open', remark: expect.stringContaining('NOT_ENOUGH') })
  await account.compare(one.day)
  expect((await account.open(one.day)).map(({ kind }) => kind)).toEqual(['payWithoutOrder'])
  expect((await account.settle(one.id)).status).toBe(200)
  await finishRefunds()
  expect(await one.back()).toMatchObject({ id: refused.id, outNo: refused.outNo, state: 'done' })
  expect(one.refunded()).toBe(1000)

  const other = await stray(1000)
  account.wechat.faults.push({ ...REFUSED, times: 1 })
  expect((await account.settle(other.id)).status).toBe(200)
  await account.runJobs(1)
  const body = { wxUserId: await account.customer(), payType: 'wechat', transactionNo: other.no, reason: '到店充值' }
  await account.must('shop/rechargeLog/recharge', { ...body, amount: '10.00' })
  expect((await account.settle(other.id)).data.reason).toBe('tally_paid_here')
  await finishRefunds()
  expect(other.refunded()).toBe(0)
  await allIsWell()
})

test('what WeChat Pay has closed goes again under the next number', async () => {
  const one = await stray(1000)
  account.wechat.world.refundEnding = 'CLOSED'
  expect((await account.settle(one.id)).status).toBe(200)
  await finishRefunds()
  const closed = await one.back()
  expect([closed.state, one.refunded()]).toEqual(['failed', 0])
  expect(await one.shown()).toMatchObject({ state: 'open', remark: expect.stringContaining('关闭') })
  expect((await one.shown('en')).remark).toContain('closed')
  account.wechat.world.refundEnding = undefined
  expect((await account.settle(one.id)).status).toBe(200)
  await finishRefunds()
  expect([(await one.back()).state, one.refunded()]).toEqual(['done', 1000])
  expect(closed.outNo).toMatch(/_2$/)
  await allIsWell()
})

describe('a settling a second person declined', () => {
  const decide = (verb: 'confirm' | 'decline', id: string, secondRemark = '不是退款，是定金') =>
    account.tenants.call(second, 'POST', `/api/pay/moneyMove/${verb}`, { body: { id, secondRemark } })
  const waiting = async () => (await account.rows('money_move', sql`r.state = 'waiting'`))[0]

  test('says so with who and why, in both languages, also after the next comparison, and is asked again', async () => {
    const one = await stray(30_000)
    expect((await account.settle(one.id)).data).toMatchObject({ waits: true })
    expect((await one.shown()).state).toBe('waits')
    expect((await decide('decline', (await waiting()).id)).status).toBe(200)
    const declined = { state: 'declined', doneUser: second.userId }
    expect(await one.shown()).toMatchObject({
      ...declined,
      remark: expect.stringMatching(/第二人已驳回.*不是退款，是定金/),
    })
    expect(await one.shown('en')).toMatchObject({ remark: expect.stringMatching(/Rejected.*不是退款，是定金/) })
    await account.compare(one.day)
    expect(await one.shown()).toMatchObject(declined)
    await finishRefunds()
    expect([await one.back(), one.refunded()]).toEqual([undefined, 0])
    expect((await account.settle(one.id)).data).toMatchObject({ waits: true })
    expect(await one.shown()).toMatchObject({ state: 'waits', remark: '', doneUser: account.admin.userId })
    expect((await decide('confirm', (await waiting()).id, '查过了')).status).toBe(200)
    await finishRefunds()
    expect([(await one.back()).state, one.refunded()]).toEqual(['done', 30_000])
    await allIsWell()
  })

  test('stays what it became meanwhile', async () => {
    const one = await stray(30_000)
    expect((await account.settle(one.id)).data).toMatchObject({ waits: true })
    await account.must('tally/difference/accept', { id: one.id, remark: '平台已说明' })
    expect((await decide('decline', (await waiting()).id)).status).toBe(200)
    expect(await one.shown()).toMatchObject({ state: 'accepted', remark: '平台已说明' })
  })

  test('is decided once, who confirms and who declines at the same moment, while others settle', async () => {
    const one = await stray(30_000)
    expect((await account.settle(one.id)).data).toMatchObject({ waits: true })
    const { id } = await waiting()
    const responses = await Promise.all(
      TWENTY.map((n) => (n % 3 === 2 ? account.settle(one.id) : decide(n % 3 ? 'confirm' : 'decline', id))),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    const [move] = await account.rows('money_move', sql`r.id = ${id}`)
    await finishRefunds()
    expect(one.refunded()).toBe(move.state === 'confirmed' ? 30_000 : 0)
    expect(move.state).not.toBe('waiting')
    await allIsWell()
  })
})

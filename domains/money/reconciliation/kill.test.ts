import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { memberConsistencySql } from '#domains/sales/customers/api.ts'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { checkLedgers, placeOrder } from '#domains/sales/orders/api.ts'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { startStallingProxy } from '#tests/support/stalling-proxy.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { SUB, testAccount, type TestAccount } from './test-account.ts'

// Money other than sales while servers are killed: recharges, fees and their refunds, payments no order accepted, money
// returned by reconciliation, and frozen money that is released.

const MOVES_MONEY = /^\/v3\/(refund\/domestic\/refunds|profitsharing\/orders\/unfreeze)$/
const CENTS = 10_000
const HOURS_AGO = 50 * 3_600_000

let account: TestAccount
let second: CastMember
let proxy: Awaited<ReturnType<typeof startStallingProxy>>
/** Purpose of each payment, by transaction number. */
const paidFor = new Map<string, string>()
beforeAll(async () => {
  account = await testAccount({ isByTheWall: true })
  const { tenants, wechat, accountNo, tenantId } = account
  proxy = await startStallingProxy(wechat.url, ({ method, path, body }) =>
    method === 'POST' && MOVES_MONEY.test(path)
      ? paidFor.get((JSON.parse(body) as { transaction_id: string }).transaction_id)
      : undefined,
  )
  Object.assign(wechat.world.pace, { refund: 500, share: 500, beforeShare: 0 })
  wechat.world.balances.set(SUB, 100_000_000)
  second = await tenants.person(tenants.north, 'finance', ['moneyMove', 'moneyMove_confirm'])
  const platform = await tenants.server.as('admin')
  const { publicKeyNo, publicKeyPem, ...keys } = wechat.account
  const body = { id: accountNo, tenantId, name: '服务商', ...keys, publicKeyNo, publicKeyPem, endpoint: proxy.url }
  await tenants.must(
    tenants.call(platform, 'POST', '/api/pay/payAccount/submit', { body: { ...body, notifyBase: tenants.server.url } }),
  )
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 120_000)
afterAll(async () => {
  await killAll()
  await proxy?.close()
  await account?.close()
})

const { start, killAll } = processesOf(() => ({
  databaseUrl: account.tenants.server.databaseUrl,
  dataDir: account.tenants.services.config.dataDir,
}))

let made = 0
const newNumber = () => `4700${String(++made).padStart(10, '0')}`
/** Creates a payment of so many cents at WeChat Pay; returns its number. */
function paid(what: string, cents: number, more: Parameters<TestAccount['pay']>[2] = {}): string {
  const no = newNumber()
  account.pay(no, cents, more)
  paidFor.set(no, what)
  return no
}
const wechatPayment = (no: string) => account.wechat.world.payments.get(no)!

/** Creates payments without an order on a past day and compares the day; returns their differences. */
async function strays(count: number): Promise<{ id: string; no: string }[]> {
  const at = new Date(account.now().getTime() - HOURS_AGO)
  const numbers = Array.from({ length: count }, () => paid('return', CENTS, { at }))
  const day = new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  await account.compare(day)
  const found = (await account.open(day)) as { id: string; transactionNo: string }[]
  return numbers.map((no) => ({ no, id: found.find(({ transactionNo }) => transactionNo === no)!.id }))
}

/** Creates an order whose money is frozen for sharing. */
async function frozen(): Promise<{ id: string; no: string }> {
  const no = newNumber()
  const { id } = await account.order(no, 'wechat', CENTS)
  account.wechat.know({ transactionId: no, outTradeNo: `X${no}`, subMchid: SUB, total: CENTS, isSharing: true })
  paidFor.set(no, 'release')
  return { id, no }
}

/** Creates a payment for an order that was cancelled in that moment. */
async function unmatched(): Promise<{ orderId: string; no: string }> {
  const line = { goodId: null, upc: 'X', name: '可乐', price: CENTS, quantity: 1, discount: 0, amount: CENTS }
  const order = await account.inTenant((db) =>
    placeOrder(db, {
      shopId: account.shopId,
      source: 'mini',
      type: 'pickup',
      status: 0,
      payDeadline: '2040-01-01 00:00:00',
      lines: [line],
      payAmount: CENTS,
    }),
  )
  const { payNo } = await account.must('pay/payAttempt/native', { orderId: order.id })
  const no = [...account.wechat.world.payments.values()].find(({ outTradeNo }) => outTradeNo === payNo)!.transactionId
  paidFor.set(no, 'unmatched')
  await account.must('shop/shoppingOrder/cancel', { id: order.id, cancelReason: '顾客不要了' })
  account.wechat.pay(payNo)
  return { orderId: order.id, no }
}

/** Makes queued jobs due and advances the simulated WeChat Pay. */
async function advance(): Promise<void> {
  await account.wechat.tick()
  await account.tenants.services.systemPool.query(
    `update job set run_at = now() where state = 'asked' and tenant_id = $1 and run_at > now() + interval '3 seconds'`,
    [account.tenantId],
  )
}
/** Expires the leases of killed processes. */
async function expireHolds(): Promise<void> {
  await expireLeases(account.tenants.services.systemPool)
  await account.inTenant((db) =>
    db.run(sql`update payment_refund set ask_time = now() where tenant_id = ${db.tenantId} and ask_time > now()`),
  )
}

const balanceOf = async (id: string) => (await account.rows('wx_user', sql`r.id = ${id}`))[0].balance as number
/** Amounts and states of the refunds of a recharge or fee. */
const backOf = async (no: string) =>
  (await account.rows('payment_refund', sql`r.transaction_no = ${no}`)).map(({ amount, state }) => [amount, state])

/** Numbers of refunds and releases WeChat Pay executed more than once. */
const movedTwice = () => {
  const times = new Map<string, number>()
  for (const { method, path, status, body } of account.wechat.calls) {
    if (method !== 'POST' || status !== 200 || !MOVES_MONEY.test(path)) continue
    const no = String(body.out_refund_no ?? body.out_order_no)
    times.set(no, (times.get(no) ?? 0) + 1)
  }
  return [...times].filter(([, n]) => n !== 1)
}
async function expectAllIsWell(): Promise<void> {
  expect(movedTwice()).toEqual([])
  expect(await account.inTenant(checkLedgers)).toEqual([])
  for (const [name, check] of Object.entries({ ...merchantConsistencySql, ...memberConsistencySql }))
    expect([name, await account.inTenant((db) => db.query(check))]).toEqual([name, []])
}

describe.each(['before', 'after'] as const)('a server killed %s its request was done there', (mode) => {
  test('has given back and let go each amount once when it is back', async () => {
    const [rechargeNo, feeNo] = [paid('recharge', CENTS), paid('fee', 1000)]
    const [charged, member] = [await account.customer(), await account.customer()]
    const payment = { payType: 'wechat', reason: '到店办理' }
    const recharge = await account.must('shop/rechargeLog/recharge', {
      ...payment,
      wxUserId: charged,
      amount: '100.00',
      transactionNo: rechargeNo,
    })
    const fee = await account.must('shop/annualFeeLog/buy', {
      ...payment,
      wxUserId: member,
      confId: account.feeConfId,
      transactionNo: feeNo,
    })
    const [late, [stray], held] = [await unmatched(), await strays(1), await frozen()]
    // All are written, none is sent.
    await account.must('shop/rechargeLog/refund', { id: recharge.id, amount: '40.00', reason: '充错金额' })
    await account.must('shop/annualFeeLog/refund', { id: fee.id, amount: '10.00', reason: '不来了' })
    await account.must('tally/difference/settle', undefined, { id: stray!.id })
    await account.must('merchant/shareLog/letGo', { orderId: held.id })
    account.wechat.calls.length = 0

    proxy.held.clear()
    proxy.mode = mode
    const first = await start()
    const kinds = ['fee', 'recharge', 'release', 'return', 'unmatched']
    await vi.waitFor(() => expect([...proxy.held].toSorted()).toEqual(kinds), { timeout: 60_000, interval: 50 })
    await first.kill()
    proxy.mode = 'pass'
    const attempt = async () => (await account.rows('pay_attempt', sql`r.order_id = ${late.orderId}`))[0]
    const returned = async () => (await account.rows('tally_back', sql`r.transaction_no = ${stray!.no}`))[0]
    const release = async () => (await account.rows('share_log', sql`r.order_id = ${held.id}`))[0]
    // Marked as sent, without a result.
    expect([await backOf(rechargeNo), await backOf(feeNo)]).toEqual([[[4000, 'sent']], [[1000, 'sent']]])
    expect([(await attempt()).backState, (await returned()).state, (await release()).status]).toEqual([
      'sent',
      'sent',
      1,
    ])
    await expireHolds()

    const again = await start()
    await vi.waitFor(
      async () => {
        await advance()
        expect([await backOf(rechargeNo), await backOf(feeNo)]).toEqual([[[4000, 'done']], [[1000, 'done']]])
        expect([(await attempt()).backState, (await returned()).state, (await release()).status]).toEqual([
          'done',
          'done',
          2,
        ])
        expect((await account.rows('tally_difference', sql`r.id = ${stray!.id}`))[0].state).toBe('settled')
      },
      { timeout: 100_000, interval: 200 },
    )
    await again.kill()

    expect([rechargeNo, feeNo, late.no, stray!.no, held.no].map((no) => wechatPayment(no).refunded)).toEqual([
      4000,
      1000,
      CENTS,
      CENTS,
      0,
    ])
    expect([wechatPayment(held.no).isFinished, wechatPayment(held.no).frozen]).toEqual([true, 0])
    expect([await balanceOf(charged), await balanceOf(member)]).toEqual([6000, 0])
    await expectAllIsWell()
  }, 240_000)
})

const CUSTOMERS = 8
/** Answer counts at which a process is killed. */
const DEATHS = [9, 23, 38, 52]

type Reply = { status: number; data: any; wasSilent: boolean }

/** Starts a server again whenever one is killed; `ask` repeats a request with the next one until it is answered. */
function mortalServers() {
  let serving = start()
  let answers = 0
  let isDying = false
  const deaths = [...DEATHS]
  const replace = async (dead: Awaited<ReturnType<typeof start>>) => {
    await dead.kill()
    await expireHolds()
    isDying = false
    return start()
  }
  const ask = async (person: CastMember, path: string, body: object): Promise<Reply> => {
    for (let wasSilent = false; ; wasSilent = true) {
      const alive = await serving
      const headers = { 'blade-auth': `bearer ${person.token}`, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${alive.url}/api/${path}`, init)
        .then(async (response) => ({ status: response.status, ...((await response.json()) as { data: any }) }))
        .catch(() => undefined)
      if (!answer) continue
      answers++
      if (!isDying && answers >= (deaths[0] ?? Infinity)) {
        deaths.shift()
        isDying = true
        serving = replace(alive)
      }
      return { status: answer.status, data: answer.data, wasSilent }
    }
  }
  return { ask, last: () => serving, left: () => deaths.length }
}

/** Expects success, or a refusal after an unanswered attempt that had already done it. */
function expectOnce({ status, data, wasSilent }: Reply, ...doneBefore: string[]): void {
  if (status === 200) return
  expect(wasSilent).toBe(true)
  expect(doneBefore).toContain(data.reason)
}

test('servers killed one after the other while they book take and give back each amount once', async () => {
  const { admin } = account
  const found = await strays(CUSTOMERS)
  const orders: { id: string; no: string }[] = []
  const customers: string[] = []
  for (let n = 0; n < CUSTOMERS; n++) {
    orders.push(await frozen())
    customers.push(await account.customer())
  }
  account.wechat.calls.length = 0
  const { ask, last, left } = mortalServers()

  const life = async (wxUserId: string, n: number) => {
    const [rechargeNo, bigNo, feeNo] = [paid('recharge', CENTS), paid('recharge', 3 * CENTS), paid('fee', 1000)]
    const payment = { wxUserId, payType: 'wechat', reason: '到店办理' }
    const recharge = async (transactionNo: string, amount: string, no: string): Promise<string> => {
      const body = { ...payment, amount, transactionNo, rechargeNo: no }
      const reply = await ask(admin, 'shop/rechargeLog/recharge', body)
      expect([reply.status, reply.wasSilent || !reply.data.repeated]).toEqual([200, true])
      return reply.data.id
    }
    const giveBack = async (resource: string, id: string, amount: string, refundedBefore: string) => {
      const body = { id, amount, reason: '充错金额', refundedBefore }
      expectOnce(await ask(admin, `shop/${resource}/refund`, body), 'changed_meanwhile', 'action_not_now')
    }
    const id = await recharge(rechargeNo, '100.00', `RCK${n}`)
    await giveBack('rechargeLog', id, '40.00', '0.00')
    await giveBack('rechargeLog', id, '60.00', '40.00')
    const buy = { ...payment, confId: account.feeConfId, transactionNo: feeNo, feeNo: `AFK${n}` }
    const { status, data } = await ask(admin, 'shop/annualFeeLog/buy', buy)
    expect(status).toBe(200)
    await giveBack('annualFeeLog', data.id, '10.00', '0.00')
    // This amount needs two people: one requests, another approves.
    const big = await recharge(bigNo, '300.00', `RCL${n}`)
    const bigBack = { id: big, amount: '300.00', reason: '充错金额', refundedBefore: '0.00' }
    expectOnce(await ask(admin, 'shop/rechargeLog/refund', bigBack), 'money_waits')
    const [move] = await account.rows('money_move', sql`r.subject_key = ${`rechargeLog/${big}`}`)
    expectOnce(await ask(second, 'pay/moneyMove/confirm', { id: move.id, secondRemark: '查过了' }), 'action_not_now')
    expectOnce(await ask(admin, 'tally/difference/settle', { id: found[n]!.id }), 'action_not_now')
    expectOnce(await ask(admin, 'merchant/shareLog/letGo', { orderId: orders[n]!.id }), 'share_order_let_go')
    return { wxUserId, rechargeNo, bigNo, feeNo }
  }
  const lives = await Promise.all(customers.map(life))
  expect(left()).toBe(0)

  await vi.waitFor(
    async () => {
      await advance()
      for (const { rechargeNo, bigNo, feeNo } of lives)
        expect([await backOf(rechargeNo), await backOf(bigNo), await backOf(feeNo)]).toEqual([
          [
            [4000, 'done'],
            [6000, 'done'],
          ],
          [[3 * CENTS, 'done']],
          [[1000, 'done']],
        ])
      const differences = await account.rows(
        'tally_difference',
        sql`r.id = any(${found.map(({ id }) => id)}::bigint[])`,
      )
      expect(differences.map(({ state }) => state)).toEqual(found.map(() => 'settled'))
      const releases = await account.rows('share_log', sql`r.order_id = any(${orders.map(({ id }) => id)}::bigint[])`)
      expect(releases.map(({ status }) => status)).toEqual(orders.map(() => 2))
    },
    { timeout: 120_000, interval: 300 },
  )
  await (await last()).kill()

  for (const { wxUserId, rechargeNo, bigNo, feeNo } of lives) {
    expect([rechargeNo, bigNo, feeNo].map((no) => wechatPayment(no).refunded)).toEqual([CENTS, 3 * CENTS, 1000])
    expect(await balanceOf(wxUserId)).toBe(0)
    expect(await account.rows('recharge_log', sql`r.wx_user_id = ${wxUserId}`)).toHaveLength(2)
    expect(await account.rows('annual_fee_log', sql`r.wx_user_id = ${wxUserId}`)).toHaveLength(1)
    const [{ vipLevel }] = await account.rows('wx_user', sql`r.id = ${wxUserId}`)
    expect(vipLevel).toBe(0)
  }
  expect(found.map(({ no }) => wechatPayment(no).refunded)).toEqual(found.map(() => CENTS))
  expect(orders.map(({ no }) => wechatPayment(no).isFinished)).toEqual(orders.map(() => true))
  await expectAllIsWell()
}, 360_000)

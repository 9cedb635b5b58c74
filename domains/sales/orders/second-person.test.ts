import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { shareLog } from '#domains/money/merchant-accounts/index.ts'
import { moneyMove } from '#domains/money/payment-channels/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { CastMember } from '#tests/support/server.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { placeOrder } from './place-order.ts'
import { createRefund } from './refund.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

const SUB = '1900000109'
const CARD = { target: 'customer', bankType: 'ICBC_DEBIT', bankAccount: '6222021202009012346', realName: '王小明' }
let ground: Awaited<ReturnType<typeof testWechat>>
let goodId: string
let [first, second, clerk]: CastMember[] = []
beforeAll(async () => {
  ground = await testWechat()
  const { tenants, wechat } = ground
  const shopId = tenants.north.shops[0]!
  goodId = (await tenants.good(tenants.north, shopId)).id
  await tenants.receive(tenants.north, shopId, goodId, 1000)
  const body = { name: '商户', merchantNo: 'M1', type: 'enterprise', status: 1, shopIds: [shopId], subMchid: SUB }
  await tenants.must(tenants.call(tenants.north.admin, 'POST', '/api/merchant/merchantInfo/submit', { body }))
  wechat.world.receivers.add(`${SUB}/1900000401`)
  const mayMove = ['refunds', 'refunds_redirect', 'moneyMove', 'moneyMove_confirm', 'moneyMove_decline']
  first = await tenants.person(tenants.north, 'boss', [...mayMove, 'shareLog', 'shareLog_unfreeze'])
  second = await tenants.person(tenants.north, 'boss', mayMove)
  clerk = await tenants.person(tenants.north, 'clerk', ['refunds', 'refunds_approve', 'moneyMove'])
  const staff = [first, second, clerk].map(({ userId }) => ({ userId, position: 'boss' }))
  const call = tenants.call(tenants.north.admin, 'POST', '/api/shop/basicShopInfo/staff', {
    body: { id: shopId, staff },
  })
  await tenants.must(call)
})
beforeEach(() => {
  ground.wechat.faults.length = 0
  ground.wechat.callbacks.mood = 'well'
})
afterAll(() => ground.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
/** Lets time pass and runs all waiting jobs. */
async function pass(seconds: number): Promise<void> {
  ground.advance(seconds)
  await ground.wechat.tick()
  await ground.tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
  await ground.tenants.server.jobs.runDue()
}
const act = (who: CastMember | undefined, path: string, body: object) =>
  ground.tenants.call(who, 'POST', `/api${path}`, { body })
const reasonOf = async (answer: ReturnType<typeof act>) => (await answer).data.reason
const setLimit = async (paramValue: string) => {
  const platform = await ground.tenants.server.as('admin')
  const query = { paramKey: 'refund.secondSignatureAbove' }
  const { data } = await ground.tenants.call(platform, 'GET', '/api/blade-system/param/list', { query })
  const { id, paramName, paramKey } = data.records[0]
  await ground.tenants.must(act(platform, '/blade-system/param/submit', { id, paramName, paramKey, paramValue }))
}

let made = 0
/** An order of `pieces` at 5.00 each, paid by WeChat Pay and shareable. */
async function order(pieces: number) {
  const transactionNo = `42000000900${++made}`
  const amount = pieces * 500
  const placed = await inTenant((db) =>
    placeOrder(db, {
      shopId: ground.tenants.north.shops[0]!,
      source: 'register',
      type: 'store',
      lines: [{ goodId, upc: 'G', name: '可乐', price: 500, quantity: pieces, discount: 0, amount }],
      payAmount: amount,
      payType: 'wechat',
      payTime: formatShanghaiTime(ground.tenants.services.now()),
      transactionNo,
    }),
  )
  const known = { transactionId: transactionNo, outTradeNo: placed.orderNo!, subMchid: SUB, total: amount }
  ground.wechat.know({ ...known, isSharing: true })
  return placed.id
}
const refundNow = async (id: string) => (await inTenant((db) => db.get(refunds, id)))!
const outNoOf = async (id: string) =>
  (await inTenant((db) =>
    db.one<{ outNo: string; redirectTo: string | null }>(sql`select out_no, redirect_to from refund_payment
      where tenant_id = ${db.tenantId} and refund_id = ${id}`),
  ))!
/** A refund WeChat Pay cannot bring to the card that paid. */
async function abnormal(pieces: number) {
  const orderId = await order(pieces)
  const { id } = await inTenant(async (db) => {
    const row = (await db.get(shoppingOrder, orderId, 'forUpdate'))!
    const signer = { userId: '7', at: formatShanghaiTime(new Date()), limit: Number.POSITIVE_INFINITY }
    const ask = { lines: [], full: true, reason: '商品破损', restock: true }
    return (await createRefund(db, row, ask, { secondAbove: Number.POSITIVE_INFINITY, signer })).refund
  })
  await pass(1)
  const { outNo } = await outNoOf(id)
  ground.wechat.endRefundAs(outNo, 'ABNORMAL')
  await pass(61)
  expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.processing, isAbnormal: true })
  return { id, outNo }
}
const redirects = (outNo: string) =>
  ground.wechat.calls.filter((one) => one.path.endsWith('apply-abnormal-refund') && one.body.out_refund_no === outNo)
const waiting = () => inTenant((db) => db.find(moneyMove, sql`r.state = 'waiting'`, sql`order by r.id`))

describe('a refund that cannot arrive', () => {
  test('goes to another card a person names, is asked for once and succeeds; the number stays sealed', async () => {
    const { id, outNo } = await abnormal(2)
    await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    expect(await refundNow(id)).toMatchObject({ isAbnormal: false, channelNote: expect.stringContaining('改退') })
    expect((await outNoOf(id)).redirectTo).toMatch(/^sealed2:/)
    await pass(1)
    expect(redirects(outNo)).toMatchObject([{ body: { type: 'USER_BANK_CARD', bank_type: 'ICBC_DEBIT' } }])
    expect(redirects(outNo)[0]!.body.bank_account).not.toContain('6222')
    expect((await outNoOf(id)).redirectTo).toBeNull()
    await pass(61)
    await pass(301)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded, isAbnormal: false, channelNote: null })
    expect(redirects(outNo)).toHaveLength(1)
    await flushLogs(ground.tenants.services)
    const { rows } = await ground.tenants.services.systemPool.query(
      `select count(*) filter (where l::text like '%6222021202009012346%')::int as plain, count(*)::int > 0 as is_logged
        from log_api l where l::text like '%redirect%'`,
    )
    expect(rows).toEqual([{ plain: 0, is_logged: true }])
    expect(await inTenant(checkLedgers)).toEqual([])
  })

  test('asked for through a bad line is asked about, and sent once', async () => {
    const { id, outNo } = await abnormal(1)
    ground.wechat.faults.push({ kind: 'deaf after doing', path: /apply-abnormal-refund$/, times: 1 })
    await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, target: 'merchant' }))
    await pass(1)
    await pass(61)
    await pass(301)
    expect(redirects(outNo)).toHaveLength(1)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
  })

  test('is not sent to a card that is not whole, nor by who may not, nor when it is well', async () => {
    const { id, outNo } = await abnormal(1)
    const { data } = await act(first, '/shop/refunds/redirect', { id, ...CARD, realName: '' })
    expect(data.fields).toHaveProperty('realName')
    expect((await act(clerk, '/shop/refunds/redirect', { id, ...CARD })).status).toBe(403)
    await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    expect(await reasonOf(act(first, '/shop/refunds/redirect', { id, ...CARD }))).toBe('action_not_now')
    await pass(1)
    expect(redirects(outNo)).toHaveLength(1)
  })

  test('whose other card WeChat Pay does not take stays abnormal with its words, to be entered again', async () => {
    const { id } = await abnormal(1)
    const kind = { status: 400, code: 'PARAM_ERROR' }
    ground.wechat.faults.push({ kind, path: /apply-abnormal-refund$/, times: 1 })
    await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    await pass(1)
    expect(await refundNow(id)).toMatchObject({
      status: REFUND_STATE.processing,
      isAbnormal: true,
      channelNote: expect.stringContaining('PARAM_ERROR'),
    })
    await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    await pass(1)
    await pass(61)
    await pass(301)
    expect(await refundNow(id)).toMatchObject({ status: REFUND_STATE.succeeded })
  })
})

describe('money above the parameter', () => {
  test('waits for a second person: not who asked, nor who may not; it is done once, in their word', async () => {
    const { id, outNo } = await abnormal(60)
    const pending = await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    expect(pending).toMatchObject({ waits: true })
    await pass(1)
    expect([redirects(outNo).length, (await refundNow(id)).isAbnormal]).toEqual([0, true])
    expect(await reasonOf(act(second, '/shop/refunds/redirect', { id, ...CARD }))).toBe('money_waits')
    const move = { id: pending.id, secondRemark: '已核对' }
    expect(await reasonOf(act(first, '/pay/moneyMove/confirm', move))).toBe('money_other_person')
    expect((await act(clerk, '/pay/moneyMove/confirm', move)).status).toBe(403)
    const answers = await Promise.all([1, 2].map(() => act(second, '/pay/moneyMove/confirm', move)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    expect(await reasonOf(act(second, '/pay/moneyMove/decline', move))).toBe('action_not_now')
    await pass(1)
    expect(redirects(outNo)).toHaveLength(1)
    const row = (await inTenant((db) => db.get(moneyMove, pending.id)))!
    expect(row).toMatchObject({
      state: 'confirmed',
      askUser: first!.userId,
      secondUser: second!.userId,
      sealedAsk: null,
    })
  })

  test('goes on waiting when the parameter rises meanwhile, and what is declined has not happened', async () => {
    const { id, outNo } = await abnormal(60)
    const pending = await ground.tenants.must(act(first, '/shop/refunds/redirect', { id, ...CARD }))
    await setLimit('10000')
    await pass(61)
    expect((await waiting()).map((row) => row.id)).toEqual([pending.id])
    expect(redirects(outNo)).toHaveLength(0)
    expect(await reasonOf(act(first, '/pay/moneyMove/confirm', { id: pending.id }))).toBe('money_other_person')
    await ground.tenants.must(act(second, '/pay/moneyMove/decline', { id: pending.id, secondRemark: '卡号不对' }))
    await setLimit('200')
    await pass(1)
    expect([redirects(outNo).length, (await refundNow(id)).isAbnormal]).toEqual([0, true])
  })

  test('that is frozen with an order is let go by two; below it by one', async () => {
    const shares = async (pieces: number) => {
      const orderId = await order(pieces)
      ground.advance(61)
      const receivers = [{ type: 'MERCHANT_ID', account: '1900000401', name: '云服务', amount: '1.00' }]
      const body = { orderId, receivers, description: '技术服务费' }
      const call = act(ground.tenants.north.admin, '/merchant/shareLog/submit', body)
      const { id } = await ground.tenants.must(call)
      await pass(1)
      await pass(61)
      return { id, orderId }
    }
    const letGoOf = (orderId: string) =>
      inTenant((db) => db.find(shareLog, sql`r.order_id = ${orderId} and r.kind = 'unfreeze'`))
    const small = await shares(20)
    await ground.tenants.must(act(first, '/merchant/shareLog/unfreeze', { id: small.id }))
    expect(await letGoOf(small.orderId)).toHaveLength(1)
    const large = await shares(60)
    const pending = await ground.tenants.must(act(first, '/merchant/shareLog/unfreeze', { id: large.id }))
    expect(await letGoOf(large.orderId)).toEqual([])
    expect(await inTenant((db) => db.get(moneyMove, pending.id))).toMatchObject({ amount: 29_900, kind: 'unfreeze' })
    expect(await reasonOf(act(first, '/pay/moneyMove/confirm', { id: pending.id }))).toBe('money_other_person')
    await ground.tenants.must(act(second, '/pay/moneyMove/confirm', { id: pending.id }))
    expect(await letGoOf(large.orderId)).toHaveLength(1)
  })
})

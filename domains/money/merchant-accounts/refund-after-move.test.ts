import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { saleBodyOf, type Register } from '#tests/support/test-tenants.ts'
import { testWechat } from '#tests/support/wechat.ts'

// A refund uses the number that took the payment, whichever merchant has the shop by then.

const [SUB_A, SUB_B, CODE] = ['1900000109', '1900000208', '134567890123456789']
const [PROCESSING, SUCCEEDED] = [2, 3]
let ground: Awaited<ReturnType<typeof testWechat>>
let register: Register
let shopId: string
let upc: string
let [first, second] = ['', '']
beforeAll(async () => {
  ground = await testWechat()
  const { tenants } = ground
  shopId = tenants.north.shops[0]!
  const good = await tenants.good(tenants.north, shopId)
  upc = good.upc
  await tenants.receive(tenants.north, shopId, good.id, 1000)
  register = await tenants.register(tenants.north, shopId)
  first = await save({ name: '先前的商户', merchantNo: 'M1', shopIds: shopId, subMchid: SUB_A })
  second = await save({ name: '接手的商户', merchantNo: 'M2', subMchid: SUB_B })
})
beforeEach(async () => {
  ground.wechat.faults.length = 0
  ground.wechat.callbacks.mood = 'never'
  ground.wechat.calls.length = 0
  await save({ id: second, shopIds: '', subMchid: SUB_B })
  await save({ id: first, shopIds: shopId, subMchid: SUB_A })
})
afterAll(() => ground?.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, work)
const post = (path: string, ask: { body?: object; query?: Record<string, unknown> }) =>
  ground.tenants.must(ground.tenants.call(ground.tenants.north.admin, 'POST', `/api/${path}`, ask))
const save = async (body: object): Promise<string> =>
  (await post('merchant/merchantInfo/submit', { body: { type: 'enterprise', status: 1, ...body } })).id
const letGo = () => save({ id: first, shopIds: '' })
const moveToSecond = async () => {
  await letGo()
  await save({ id: second, shopIds: shopId })
}
const runJobs = () => ground.tenants.server.jobs.runDue()
const pass = async (seconds: number) => {
  ground.advance(seconds)
  await ground.wechat.tick()
  await ground.tenants.services.systemPool.query(`update job set run_at = now() where state = 'asked'`)
  await runJobs()
}
/** Sells and pays by the customer's code; returns the order id. */
const pay = async (): Promise<string> => {
  const { payType: _how, saleTime: _when, ...basket } = saleBodyOf(upc, {}, 1)
  const { data } = await ground.tenants.beep(register, 'POST', 'pay', { body: { ...basket, authCode: CODE } })
  expect(data.state).toBe('paid')
  ground.wechat.calls.length = 0
  return data.orderId
}
const refund = async (orderId: string): Promise<string> => {
  const { id } = await post('shop/refunds/now', { body: { orderId, full: true, reason: '不要了' } })
  await runJobs()
  return id
}
const stateOf = async (id: string) =>
  (await inTenant((db) =>
    db.one<{ status: number; note: string | null; way: string; outNo: string; there: string | null }>(sql`select
      r.status, r.channel_note as note, p.way, p.out_no, p.channel_refund_id as there from refunds r
      join refund_payment p on p.tenant_id = r.tenant_id and p.refund_id = r.id
      where r.tenant_id = ${db.tenantId} and r.id = ${id}`),
  ))!
/** Sub-merchant numbers of the refund requests WeChat Pay received. */
const asks = () =>
  ground.wechat.calls
    .filter((one) => one.method === 'POST' && one.path.endsWith('refunds'))
    .map((one) => one.body.sub_mchid)
/** Expects one refund request, by the number that took the money, and that it succeeded. */
async function expectBack(id: string): Promise<void> {
  await pass(1000)
  const { status, outNo, there } = await stateOf(id)
  const known = ground.wechat.world.refunds.get(outNo)
  expect([status, known?.status, known?.id]).toEqual([SUCCEEDED, 'SUCCESS', there])
  expect(asks()).toEqual([SUB_A])
}

describe('a payment we asked for goes back by the number that took it', () => {
  test('when its shop has no merchant any more; it is not booked as done without WeChat Pay', async () => {
    const orderId = await pay()
    await letGo()
    const id = await refund(orderId)
    expect(await stateOf(id)).toMatchObject({ status: PROCESSING, way: expect.stringMatching(/^wechat\//) })
    await expectBack(id)
  })

  test('when its shop has another merchant by now, who is not asked for it', async () => {
    const orderId = await pay()
    await moveToSecond()
    await expectBack(await refund(orderId))
  })

  test('when its merchant has another number by now', async () => {
    const orderId = await pay()
    await save({ id: first, subMchid: '1900000777' })
    await expectBack(await refund(orderId))
  })

  test('also where the first ask never arrived and the shop moved meanwhile', async () => {
    const orderId = await pay()
    ground.wechat.faults.push({ kind: 'down', path: /refunds$/, times: 1 })
    const id = await refund(orderId)
    await moveToSecond()
    ground.wechat.calls.length = 0
    await pass(61)
    await expectBack(id)
  })

  test('later, where no account is in use: it waits and says why, and does not leave another way', async () => {
    const orderId = await pay()
    const enable = (enabled: boolean) =>
      inTenant((db) =>
        db.run(
          sql`update pay_account set enabled = ${enabled}, version = version + 1 where tenant_id = ${db.tenantId}`,
        ),
      )
    await enable(false)
    const id = await refund(orderId)
    expect(await stateOf(id)).toMatchObject({ status: PROCESSING, note: expect.stringContaining('不可用') })
    expect(asks()).toEqual([])
    await enable(true)
    await pass(61)
    await expectBack(id)
  })
})

describe('a payment somebody else asked for', () => {
  test('that is under way by a number is not asked for by another one', async () => {
    const transactionNo = `42000009${Date.now()}`
    const sale = saleBodyOf(upc, { payType: 'wechat', transactionNo }, 1)
    const { orderId, orderNo } = await ground.tenants.must(
      ground.tenants.beep(register, 'POST', 'sale', { body: sale }),
    )
    ground.wechat.know({ transactionId: transactionNo, outTradeNo: orderNo, subMchid: SUB_A, total: 500 })
    ground.wechat.faults.push({ kind: 'down', path: /refunds$/, times: 1 })
    const id = await refund(orderId)
    await save({ id: first, subMchid: '1900000777' })
    ground.wechat.calls.length = 0
    await pass(61)
    await expectBack(id)
  })
})

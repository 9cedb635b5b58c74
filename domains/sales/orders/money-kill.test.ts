import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { storeFile } from '#domains/platform/files/api.ts'
import { merchantConsistencySql } from '#domains/money/merchant-accounts/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { startStallingProxy } from '#tests/support/stalling-proxy.ts'
import { paintedPicture } from '#tests/support/pictures.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { checkLedgers } from './ledgers.ts'
import { testMoney, type PaidOrder, type TestMoney } from './test-money.ts'

const [PARTNER, , TROUBLED] = ['1900000401', '1900000403', '1900000402']
/** Requests that move money at WeChat Pay, with the name used here. */
const MOVES: readonly (readonly [string, RegExp])[] = [
  ['application', /^\/v3\/applyment4sub\/applyment\/$/],
  ['refund', /^\/v3\/refund\/domestic\/refunds$/],
  ['unfreeze', /^\/v3\/profitsharing\/orders\/unfreeze$/],
  ['share', /^\/v3\/profitsharing\/orders$/],
  ['return', /^\/v3\/profitsharing\/return-orders$/],
]
const KINDS = MOVES.map(([kind]) => kind).toSorted()

let money: TestMoney
let proxy: Awaited<ReturnType<typeof startStallingProxy>>
beforeAll(async () => {
  money = await testMoney(1)
  const { tenants, wechat } = money
  proxy = await startStallingProxy(wechat.url, ({ method, path }) =>
    method === 'POST' ? MOVES.find(([, one]) => one.test(path))?.[0] : undefined,
  )
  Object.assign(wechat.world.pace, { refund: 500, share: 500, beforeShare: 0 })
  await useAddress(proxy.url)
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 120_000)
afterAll(async () => {
  await killAll()
  await proxy?.close()
  await money?.close()
})

/** Changes only the account's address. */
async function useAddress(endpoint: string): Promise<void> {
  const { tenants, wechat, accountNo } = money
  const platform = await tenants.server.as('admin')
  const { publicKeyNo, publicKeyPem, ...keys } = wechat.account
  const body = { id: accountNo, tenantId: money.tenantId, name: '服务商', ...keys, publicKeyNo, publicKeyPem, endpoint }
  await tenants.must(
    tenants.call(platform, 'POST', '/api/pay/payAccount/submit', { body: { ...body, notifyBase: tenants.server.url } }),
  )
}
const { start, killAll } = processesOf(() => ({
  databaseUrl: money.tenants.server.databaseUrl,
  dataDir: money.tenants.services.config.dataDir,
}))
const must = async (path: string, ask: Parameters<TestMoney['post']>[1]) => money.tenants.must(money.post(path, ask))

/** Lets time pass at WeChat Pay and makes waiting jobs due now. */
async function passTime(): Promise<void> {
  await money.wechat.tick()
  await money.tenants.services.systemPool.query(
    `update job set run_at = now() where state = 'asked' and tenant_id = $1 and run_at > now() + interval '3 seconds'`,
    [money.tenantId],
  )
}
const share = (order: PaidOrder, account: string, amount: string) =>
  must('merchant/shareLog/submit', {
    body: {
      orderId: order.id,
      receivers: [{ type: 'MERCHANT_ID', account, name: '云服务', amount }],
      description: '技术服务费',
    },
  })
const refund = (order: PaidOrder) =>
  must('shop/refunds/now', { body: { orderId: order.id, full: true, reason: '商品破损', restock: true } })

async function application(): Promise<string> {
  const { services, north } = money.tenants
  const keep = (seed: number) =>
    storeFile(services, { tenantId: north.tenantId, bytes: paintedPicture({ seed }), name: `${seed}.png` })
  const links = (await Promise.all([1, 2, 3, 4, 5].map(keep))).map(({ link }) => link)
  const { id: merchantId } = await must('merchant/merchantInfo/submit', {
    body: { name: '新商户', merchantNo: `M${Date.now()}`, type: 'individual', status: 1, shopIds: '' },
  })
  const { id } = await must('pay/payApply/submit', {
    body: {
      merchantId,
      contactType: 'LEGAL',
      contactName: '张三',
      mobilePhone: '13857103621',
      contactEmail: 'zhangsan@beijie.cn',
      subjectType: 'individual',
      licenseCopy: links[0],
      licenseNumber: '92330106MA2ABCDE1D',
      licenseName: '北街小店',
      legalPerson: '张三',
      licenseBegin: '2020-01-01',
      idCardCopy: links[1],
      idCardNational: links[2],
      idCardName: '张三',
      idCardNumber: '33010619900101123X',
      idCardBegin: '2015-01-01',
      idCardEnd: '2035-01-01',
      merchantShortname: '北街小店',
      servicePhone: '13800000001',
      storeName: '北街小店',
      storeRegion: '330106',
      storeAddress: '文三路 1 号',
      storeEntrance: [links[3]],
      storeIndoor: [links[4]],
      settlementId: '719',
      qualificationType: '零售',
      bankAccountType: 'corporate',
      accountName: '北街小店',
      accountBank: '招商银行',
      bankName: '招商银行杭州分行',
      bankRegion: '330106',
      accountNumber: '6222021202009012',
    },
  })
  return id
}

/** Two orders whose shares have ended: one succeeded, one failed. */
async function shared(): Promise<{ well: PaidOrder; ill: PaidOrder; illShare: string }> {
  const [well, ill] = [await money.order(20), await money.order(20)]
  await share(well, PARTNER, '20.00')
  const { id: illShare } = await share(ill, TROUBLED, '5.00')
  await vi.waitFor(
    async () => {
      await passTime()
      await money.work()
      await money.wechat.tick()
      const rows = await statesOf('share_log', [well, ill])
      expect(rows).toEqual([2, 3])
    },
    { timeout: 60_000, interval: 300 },
  )
  return { well, ill, illShare }
}
const statesOf = (table: 'share_log' | 'refunds', orders: readonly PaidOrder[]) =>
  money.unit(async (db) => {
    const ids = orders.map(({ id }) => id)
    const rows = await db.query<{ status: number }>(
      table === 'refunds'
        ? sql`select status from refunds where tenant_id = ${db.tenantId} and order_id = any(${ids}::bigint[])
            order by id`
        : sql`select status from share_log where tenant_id = ${db.tenantId} and order_id = any(${ids}::bigint[])
            order by id`,
    )
    return rows.map(({ status }) => status)
  })
const applicationNow = (id: string) =>
  money.unit((db) =>
    db.one<{ status: string; businessCode: string }>(
      sql`select status, business_code from pay_apply where tenant_id = ${db.tenantId} and id = ${id}`,
    ),
  )

describe.each(['before', 'after'] as const)('a server killed %s its request was done there', (mode) => {
  test('has asked for each refund, share, return, release and application once when it is back', async () => {
    const { world } = money.wechat
    const { well, ill, illShare } = await shared()
    const [plain, sharing] = [await money.order(2), await money.order(20)]
    const applyId = await application()
    // All jobs are stored; none has run.
    await refund(plain)
    await share(sharing, PARTNER, '10.00')
    await refund(well)
    await must('merchant/shareLog/unfreeze', { query: { id: illShare } })
    await must('pay/payApply/apply', { query: { id: applyId } })
    money.moneyRequests.clear()
    money.wechat.calls.length = 0

    proxy.held.clear()
    proxy.mode = mode
    const first = await start()
    await vi.waitFor(() => expect([...proxy.held].toSorted()).toEqual(KINDS), { timeout: 60_000, interval: 50 })
    await first.kill()
    await expireLeases(money.tenants.services.systemPool, 'refund/')
    proxy.mode = 'pass'
    const orders = [plain, sharing, well, ill]
    expect((await statesOf('refunds', orders)).every((state) => state === REFUND_STATE.processing)).toBe(true)

    const second = await start()
    await vi.waitFor(
      async () => {
        await passTime()
        expect(await statesOf('refunds', orders)).toEqual([REFUND_STATE.succeeded, REFUND_STATE.succeeded])
        expect((await statesOf('share_log', orders)).filter((state) => state < 2)).toEqual([])
        expect((await applicationNow(applyId))?.status).toBe('auditing')
      },
      { timeout: 100_000, interval: 200 },
    )
    await second.kill()

    const times = new Map<string, number>()
    for (const { method, path, status, body } of money.wechat.calls) {
      const kind = method === 'POST' && status === 200 && MOVES.find(([, one]) => one.test(path))?.[0]
      const no = String(body.out_refund_no ?? body.out_return_no ?? body.out_order_no ?? body.business_code)
      if (kind) times.set(`${kind} ${no}`, (times.get(`${kind} ${no}`) ?? 0) + 1)
    }
    expect([...times].filter(([, n]) => n !== 1)).toEqual([])
    expect([plain, sharing, well, ill].map(({ payment }) => [payment.refunded, payment.shared])).toEqual([
      [1000, 0],
      [0, 1000],
      [10_000, 2000],
      [0, 0],
    ])
    expect([...world.returns.values()].filter(({ share: { payment } }) => payment === well.payment)).toHaveLength(1)
    expect([...world.applyments.keys()].filter((code) => times.has(`application ${code}`))).toHaveLength(1)
    expect(await money.unit(checkLedgers)).toEqual([])
    for (const check of Object.values(merchantConsistencySql))
      expect(await money.unit((db) => db.query(check))).toEqual([])
  }, 240_000)
})

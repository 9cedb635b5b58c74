import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFile } from '#domains/platform/files/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { paintedPicture } from '#tests/support/pictures.ts'
import type { CastMember } from '#tests/support/server.ts'
import { startWechatPay } from '#simulators/wechatpay/wechatpay.simulator.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

const dayComparisonQueue = defineQueue<{ side: string; id: string; day: string; isFetched: boolean }>('tally.day')

const tenantId = '100001'
const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
let office: BrowserSession
let wechat: Awaited<ReturnType<typeof startWechatPay>>
let wu: CastMember
const clock = { ahead: 0 }

beforeAll(async () => {
  const now = () => new Date(Date.now() + clock.ahead)
  ;[office, wechat] = await Promise.all([
    openBrowserSession({ storyDays: 2, hasPolicy: true, now }),
    startWechatPay({ now }),
  ])
  wu = await office.server.as('wu', { tenantId })
  const { id } = (await request('GET', '/api/pay/payAccount/list', {})).records[0]
  const body = { id, name: '服务商', ...wechat.account, notifyBase: office.server.url, enabled: true }
  const platform = await office.server.as('admin')
  const saved = await office.server.call(platform, 'POST', '/api/pay/payAccount/submit', { body })
  expect(saved.status).toBe(200)
})
afterAll(() => Promise.all([office?.close(), wechat?.close()]))

const request = async (method: 'GET' | 'POST', path: string, query: Record<string, unknown>, body?: object) => {
  const answer = await office.server.call(wu, method, path, { query, body })
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.data
}
/** Advances WeChat Pay's clock and makes the waiting jobs due. */
async function pass(seconds: number): Promise<void> {
  clock.ahead += seconds * 1000
  await wechat.tick()
  await office.server.services.systemPool.query(`update job set run_at = now() where state = 'asked'
    and queue in ('refund.send', 'share.move', 'pay.attempt', 'pay.back', 'pay.apply', 'pay.apply.status')`)
}
const one = async <T>(statement: ReturnType<typeof sql>): Promise<T> =>
  (await office.server.services.unit({ tenantId }, (db) => db.one(statement))) as T
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
const shows = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 20_000 })

async function newApplication(): Promise<{ id: string; merchantId: string }> {
  const { services } = office.server
  const links = await Promise.all(
    [1, 2, 3, 4, 5].map((n) =>
      storeFile(services, { tenantId, bytes: paintedPicture({ width: 1200, height: 800, seed: n }), name: `${n}.png` }),
    ),
  )
  const [licenseCopy, idCardCopy, idCardNational, storeEntrance, storeIndoor] = links.map(({ link }) => link)
  const { id: merchantId } = await request(
    'POST',
    '/api/merchant/merchantInfo/submit',
    {},
    {
      name: '北街小店',
      merchantNo: 'BJ01',
      type: 'individual',
      status: 1,
      shopIds: '',
    },
  )

  const { id } = await request(
    'POST',
    '/api/pay/payApply/submit',
    {},
    {
      merchantId,
      contactType: 'LEGAL',
      contactName: '张三',
      mobilePhone: '13857103621',
      contactEmail: 'zhangsan@beijie.cn',
      subjectType: 'individual',
      licenseCopy,
      licenseNumber: '92330106MA2ABCDE1D',
      licenseName: '北街小店',
      legalPerson: '张三',
      licenseBegin: '2020-01-01',
      idCardCopy,
      idCardNational,
      idCardName: '张三',
      idCardNumber: '33010619900101123X',
      idCardBegin: '2015-01-01',
      idCardEnd: '2035-01-01',
      // The simulator refuses a name with this word.
      merchantShortname: '北街驳回',
      servicePhone: '13857103621',
      storeName: '北街小店',
      storeRegion: '330106',
      storeAddress: '文三路 100 号一层',
      storeEntrance,
      storeIndoor,
      settlementId: '719',
      qualificationType: '零售',
      bankAccountType: 'personal',
      accountName: '张三',
      accountBank: '招商银行',
      bankRegion: '330106',
      accountNumber: '6222021202009012346',
    },
  )

  return { id, merchantId }
}

test('a merchant applies on a phone, is refused, puts it right where it was refused, and takes money', async () => {
  const { id, merchantId } = await newApplication()
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', PHONE)

  /** Advances WeChat Pay's clock and queries the application's status until it is reached. */
  const comesTo = async (status: string) => {
    clock.ahead += 61_000
    const stands = async () => {
      await office.server.call(wu, 'POST', '/api/pay/payApply/applystatus', { query: { id } })
      return (
        await one<{ status: string }>(sql`select status from pay_apply where tenant_id = ${tenantId}
        and id = ${id}`)
      ).status
    }
    await expect.poll(stands, { timeout: 20_000, interval: 500 }).toBe(status)
    await page.reload()
  }

  const handIn = async () => {
    await page.getByRole('button', { name: '提交微信支付' }).tap()
    await page.locator('.ant-modal').getByRole('button', { name: '提交微信支付' }).tap()
    await shows(page, '微信支付审核中')
  }

  await page.goto(`${office.url}/pay/payApplyEdit/${merchantId}/${id}/view`)
  await shows(page, '资料已齐全，未发现问题')
  expect(await fits(page)).toBe(true)
  await handIn()
  await comesTo('rejected')
  await shows(page, '支付平台驳回了这些内容')

  // Its reasons are shown next to the submitted values and link to their fields.
  await shows(page, '（上次提交：北街驳回）')
  await page.getByRole('button', { name: '修改', exact: true }).tap()
  await page.getByRole('button', { name: '商户简称' }).first().tap()
  const name = page.getByLabel('商户简称')
  await name.fill('北街小店')
  await page.getByRole('button', { name: '下一步' }).tap()
  await page.goto(`${office.url}/pay/payApplyEdit/${merchantId}/${id}/view`)
  await shows(page, '资料已齐全，未发现问题')
  await handIn()
  await comesTo('toSign')

  // The QR code for signing is large enough to be scanned.
  const code = page.locator('.ant-qrcode svg')
  await code.waitFor()
  expect((await code.boundingBox())!.width).toBeGreaterThan(150)
  expect(await fits(page)).toBe(true)
  await comesTo('signing')
  await comesTo('finished')
  await page.getByRole('button', { name: '绑定门店' }).waitFor()

  const { subMchid } = await one<{ subMchid: string }>(
    sql`select sub_mchid from pay_apply where tenant_id = ${tenantId} and id = ${id}`,
  )
  await shows(page, subMchid)
  expect(complaints).toEqual([])
  await close()
})

test('a payment by code at a register, shared with a partner, goes back whole when it is refunded', async () => {
  const good = await one<{ upc: string; salePrice: number; shopId: string; registerId: string }>(
    sql`select g.upc, g.sale_price, g.shop_id, c.id as register_id from good_info g join cash_register c
      on c.tenant_id = g.tenant_id and c.shop_id = g.shop_id and c.is_deleted = 0 and c.status = 1
      where g.tenant_id = ${tenantId} and g.is_deleted = 0 and g.on_sale and g.stock >= 2 and g.sale_price >= 300
      order by g.stock desc, g.id limit 1`,
  )
  const { sn, secret } = await request('POST', '/api/shop/cashRegister/issue', { id: good.registerId })
  const price = (good.salePrice / 100).toFixed(2)
  const amount = ((good.salePrice * 2) / 100).toFixed(2)
  const line = { upc: good.upc, name: '', price, quantity: 2, discount: '0.00', amount }
  const response = await fetch(`${office.server.url}/api/terminal/pay`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${sn}:${secret}`).toString('base64')}`,
    },
    body: JSON.stringify({ saleNo: 'JOURNEY-1', payAmount: amount, lines: [line], authCode: '134567890123456789' }),
  })
  const { data: paid } = (await response.json()) as { data: Record<string, string> }
  expect(paid).toMatchObject({ state: 'paid', amount })

  const { page, complaints, close } = await office.signIn(tenantId, 'wu')
  await page.goto(`${office.url}/order/shoppingOrder/${paid.orderId}`)
  await shows(page, '收款')
  await page.getByText('付款码', { exact: true }).waitFor()

  wechat.world.receivers.add(`${[...wechat.world.payments.values()].at(-1)!.subMchid}/1900000109`)
  const receivers = [{ type: 'MERCHANT_ID', account: '1900000109', name: '小店云服务', amount: '1.00' }]
  clock.ahead += 61_000
  const body = { orderId: paid.orderId, receivers, description: '技术服务费' }
  const share = await request('POST', '/api/merchant/shareLog/submit', {}, body)
  await expect
    .poll(
      async () => {
        await pass(31)
        return shareState(share.id)
      },
      { timeout: 30_000 },
    )
    .toBe(2)

  await page.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = page.locator('.refund-dialog')
  await dialog.getByRole('checkbox', { name: '全部' }).check()
  await dialog.getByText('商品破损', { exact: true }).click()
  await dialog.getByRole('button', { name: '下一步' }).click()
  await dialog.getByRole('button', { name: '确认退款' }).click()
  await expect
    .poll(
      async () => {
        await pass(61)
        return refundState(paid.orderId!)
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe(3)
  await shows(page, '退款成功')
  const payment = [...wechat.world.payments.values()].find((known) => known.transactionId === paid.transactionNo)!
  expect(payment.refunded).toBe(good.salePrice * 2)
  expect([...wechat.world.refunds.values()].filter((known) => known.payment === payment)).toHaveLength(1)
  expect(complaints).toEqual([])
  await close()
})

test('money without an order is found the day after, and goes back once when somebody settles it', async () => {
  const subMchid = `19${Date.now() % 100_000_000}`
  // Yesterday's bill is only ready in the morning, whenever this test runs.
  const paidAt = new Date(Date.now() + clock.ahead - 50 * 3_600_000)
  const transactionId = `42007${Date.now()}`
  const outTradeNo = `N${Date.now()}`
  const nobodys = { transactionId, outTradeNo, subMchid, total: 1234, isSharing: false, paidAt }
  wechat.know(nobodys)

  const merchant = { name: `对账小店${Date.now()}`, merchantNo: `DZ${Date.now()}`, type: 'individual', status: 1 }
  const { id } = await request('POST', '/api/merchant/merchantInfo/submit', {}, { ...merchant, shopIds: '', subMchid })
  const day = new Date(paidAt.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  const { services } = office.server

  // As the scheduled job does in the morning.
  await services.unit({ tenantId }, (db) =>
    db.enqueue(dayComparisonQueue, { side: 'wechat', id, day, isFetched: true }, { key: `journey/${id}` }),
  )
  const { page, complaints, close } = await office.signIn(tenantId, 'wu')
  const row = page.locator('tr', { hasText: outTradeNo })

  const state = async () =>
    (
      await one<{ state: string } | undefined>(sql`select state from tally_difference where tenant_id = ${tenantId}
      and transaction_no = ${transactionId}`)
    )?.state

  await expect.poll(state, { timeout: 60_000, interval: 500 }).toBe('open')
  await page.goto(`${office.url}/merchant/tallyDifference`)
  await row.getByText('平台已收款，没有订单').waitFor()
  await row.getByText(outTradeNo).click()
  await shows(page, '原路退给顾客')
  await shows(page, '这笔钱只退一次，退款号固定；微信支付确认后这条差异自动了结')
  await page.locator('.ant-drawer').getByRole('button', { name: '处理', exact: true }).click()
  await page.locator('.ant-modal .ant-btn-primary, .ant-popconfirm .ant-btn-primary').first().click()

  await expect
    .poll(
      async () => {
        await services.systemPool.query(`update job set run_at = now() where state = 'asked'
          and queue in ('tally.day', 'tally.back')`)
        await pass(61)
        return state()
      },
      { timeout: 60_000, interval: 500 },
    )
    .toBe('settled')

  const back = [...wechat.world.refunds.values()].filter((known) => known.payment.transactionId === transactionId)
  expect(back).toMatchObject([{ amount: 1234, status: 'SUCCESS' }])
  await page.goto(`${office.url}/merchant/tallyDifference?state=settled&title=${outTradeNo}`)
  await row.getByText('已了结').waitFor()
  expect(complaints).toEqual([])
  await close()
}, 240_000)

const shareState = async (id: string): Promise<number> =>
  (await one<{ status: number }>(sql`select status from share_log where tenant_id = ${tenantId} and id = ${id}`)).status
const refundState = async (orderId: string): Promise<number | undefined> =>
  (
    await one<{ status: number } | undefined>(
      sql`select status from refunds where tenant_id = ${tenantId} and order_id = ${orderId}`,
    )
  )?.status

import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { importEleDemo } from '#domains/sales/ele/api.ts'
import { importMeituanDemo } from '#domains/sales/meituan/api.ts'
import { platformAsk } from '#domains/sales/delivery-platforms/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { startEle } from '#simulators/ele/ele.simulator.ts'
import { startMeituan } from '#simulators/meituan/meituan.simulator.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const tenantId = '100001'
const SECRET = 'secret of a journey'
let office: BrowserSession
let ele: Awaited<ReturnType<typeof startEle>>
let meituan: Awaited<ReturnType<typeof startMeituan>>

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  ele = await startEle()
  ele.world.auditMs = 200
  meituan = await startMeituan({ auditMs: 0, perSecond: 10_000 })
  const { services } = office.server
  const [{ seedEleAccount: connectEle }, { connectMeituanToSimulator: connectPlatform }] = await Promise.all([
    importEleDemo(),
    importMeituanDemo(),
  ])
  const callbackUrl = `${office.server.url}/api/meituan/callback`
  await services.unit({ tenantId }, async (db) => {
    const account = (await connectEle(db, services, { url: ele.url, secret: SECRET }))!
    const callback = `${office.server.url}/api/ele/callback/${tenantId}-${account.id}`
    ele.world.accounts.set(account.appKey, { secret: SECRET, callback })
    const app = (await connectPlatform(db, services, { endpoint: meituan.endpoint, callbackUrl, secret: SECRET }))!
    meituan.know(app.appNo, { secret: SECRET, callbackUrl })
  })
}, 240_000)
afterAll(async () => {
  await office?.close()
  await Promise.all([ele?.close(), meituan?.close()])
})

/** Creates a shop that is on no platform. */
async function bareShop(): Promise<{ id: string; shopName: string }> {
  const { server } = office
  const shopCode = `Z${Date.now()}`
  const draft = { shopName: `从零开的店${shopCode}`, shopCode, status: 1 }
  const wu = await server.as('wu', { tenantId })
  const { body } = await server.call(wu, 'POST', '/api/shop/basicShopInfo/submit', { body: draft })
  return { id: body.data.id, shopName: draft.shopName }
}

test('a shop listed on both platforms from nothing opens, and rests while its door is not safe', async () => {
  const { page } = await office.signIn(tenantId, 'wu')
  const shop = await bareShop()

  // A required field has a star behind its label.
  const named = (label: string) =>
    page
      .locator('.ant-drawer')
      .getByLabel(new RegExp(`^${label}`))
      .first()

  const fill = (label: string, value: string) => named(label).fill(value)

  const pick = async (label: string, words: string) => {
    await named(label).click()
    await page.keyboard.type(words)
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: words }).first().click()
  }

  for (const [path, hours, more] of [
    ['ele/eleShopInfo', '营业时间', { 经营类目: '101' }],
    ['meituan/meituanShopInfo', '营业时间', {}],
  ] as const) {
    await page.goto(`${office.url}/${path}`)
    await page.getByRole('button', { name: /新增/ }).first().click()
    await pick('门店', shop.shopName)
    const facts = {
      平台店名: shop.shopName,
      地址: '文二西路 1 号',
      经度: '120.12',
      纬度: '30.28',
      [hours]: '08:00-22:00',
    }
    for (const [label, value] of Object.entries({ ...facts, ...more })) await fill(label, value)
    await page.locator('.ant-drawer').getByLabel(/电话/).first().fill('0571-88000000')
    await page
      .locator('.ant-drawer')
      .getByRole('button', { name: /保\s*存/ })
      .click()
    await page.locator('.ant-drawer').waitFor({ state: 'detached' })
    const row = page.locator('tr', { hasText: shop.shopName })
    await row.waitFor()
    const direct = row.getByRole('button', { name: '申请入驻' })
    if (await direct.count()) await direct.click()
    else {
      await row.getByRole('button', { name: /更多/ }).click()
      await page.locator('.ant-dropdown:visible').getByText('申请入驻', { exact: true }).click()
    }
    const dialog = page.locator('.ant-modal', { hasText: shop.shopName })
    await dialog.locator('.ant-modal-footer button.ant-btn-primary').click()
    await page.getByText('已提交').first().waitFor()
  }

  const shopAtEle = () => [...ele.world.shops.values()].find((one) => one.shop_id && one.facts.name === shop.shopName)
  await expect.poll(() => shopAtEle()?.businessStatus, { timeout: 60_000 }).toBe(1)
  await page.goto(`${office.url}/order/platformParity`)
  await page.locator('.parity-shops li', { hasText: shop.shopName }).first().waitFor()
  const about = { shopId: shop.id, type: 'doorForced', subject: 'door/1' } as const
  const unit = office.server.services.unit
  await unit({ tenantId }, (db) => raiseEvent(db, { ...about, content: '1 号门被强行打开' }))
  await page.locator('.parity-paused', { hasText: '1 号门被强行打开' }).first().waitFor({ timeout: 60_000 })
  await expect.poll(() => shopAtEle()?.businessStatus, { timeout: 30_000 }).toBe(3)
}, 240_000)

test('what a platform never confirmed is told on the board, and asked about by a tap', async () => {
  const { page } = await office.signIn(tenantId, 'wu')
  const orderNo = `9${Date.now()}`
  await office.server.services.unit({ tenantId }, async (db) => {
    const shop = (await db.one<{ id: string; shopId: string }>(
      sql`select id, shop_id from ele_shop_info where tenant_id = ${tenantId} order by id limit 1`,
    ))!
    const ask = { platform: 'ele', kind: 'packed', platformOrderNo: orderNo, refundNo: '', state: 'unanswered' }
    await db.insert(platformAsk, { ...ask, shopId: shop.shopId, shopThere: shop.id, tries: 39 })
  })
  await page.goto(`${office.url}/order/platformParity`)
  await page.getByRole('link', { name: /条订单操作平台还没确认/ }).click()
  const row = page.locator('tr', { hasText: orderNo })
  await row.getByText('平台始终未确认').waitFor()
  await row.getByRole('button', { name: '立即查询' }).click()
  await page.locator('.ant-modal', { hasText: '现在再查一次' }).locator('.ant-btn-primary').click()
  // The platform does not know the order: its answer is shown in the row, and the query repeats.
  await row.getByText('已发送，平台未确认').waitFor()
  await row.getByText(/订单不存在/).waitFor()
  expect(await row.getByText('平台始终未确认').count()).toBe(0)
}, 120_000)

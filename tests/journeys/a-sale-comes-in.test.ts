import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

type Good = { id: string; upc: string; name: string; salePrice: string; stock: number }

let office: BrowserSession
let lin: CastMember
let shopId: string
let goods: Good[]
let register: { sn: string; secret: string }

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  const { server } = office
  lin = await server.as('lin', { tenantId: '100001' })
  const shops = await server.call(lin, 'GET', '/api/shop/basicShopInfo/query')
  shopId = shops.data.find((shop: { shopCode: string }) => shop.shopCode === 'S001').id
  const registers = await server.call(lin, 'GET', '/api/shop/cashRegister/list', { query: { shopId, status: 1 } })
  register = (
    await server.call(lin, 'POST', '/api/shop/cashRegister/issue', { query: { id: registers.data.records[0].id } })
  ).data
  goods = (
    await server.call(lin, 'GET', '/api/shop/goodInfo/list', { query: { shopId, stock_ge: 5, onSale: true, size: 2 } })
  ).data.records
})
afterAll(() => office?.close())

const clock = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
const cents = (yuan: string) => Math.round(Number(yuan) * 100)

let sales = 0

/** Reports a sale of two products, one piece each, paid in cash, as a register. */
async function sell() {
  const saleNo = `J-${++sales}`
  const lines = goods.map(({ upc, name, salePrice }) => ({
    upc,
    name,
    price: salePrice,
    quantity: 1,
    discount: '0.00',
    amount: salePrice,
  }))
  const payAmount = (lines.reduce((sum, line) => sum + cents(line.amount), 0) / 100).toFixed(2)
  const answer = await office.server.call(undefined, 'POST', '/api/terminal/sale', {
    headers: { authorization: basic(register.sn, register.secret) },
    body: { saleNo, saleTime: clock(), payType: 'cash', payAmount, lines },
  })
  expect(answer).toMatchObject({ status: 200, success: true })
  return answer.data as { orderId: string; orderNo: string }
}

const stockOf = async (id: string) =>
  (await office.server.call(lin, 'GET', '/api/shop/goodInfo/detail', { query: { id } })).data.stock as number
const orderOf = async (id: string) =>
  (await office.server.call(lin, 'GET', '/api/shop/shoppingOrder/whole', { query: { id } })).data

test(
  "a register's sale appears in the boss's open order list without reload; he refunds one item of " +
    "two, once; a stranger's tenant sees nothing",
  async () => {
    const { page, complaints } = await office.signIn('100001', 'lin')
    await page.goto(`${office.url}/order/shoppingOrder`)
    await page.waitForSelector('.ant-table-row .kit-money, .ant-table-row .kit-number')
    await page.evaluate(() => Object.assign(window, { isStillTheSame: true }))

    const before = await Promise.all(goods.map(({ id }) => stockOf(id)))
    const { orderId, orderNo } = await sell()

    const row = page.locator('.ant-table-row', { hasText: orderNo })
    await row.waitFor()
    expect(await page.evaluate(() => 'isStillTheSame' in window)).toBe(true)
    expect(await Promise.all(goods.map(({ id }) => stockOf(id)))).toEqual(before.map((stock) => stock - 1))

    const [kept, returned] = goods as [Good, Good]
    await row.getByRole('button', { name: '退款' }).click()
    const dialog = page.locator('.refund-dialog')
    await dialog.locator('.refund-lines li', { hasText: returned.name }).getByRole('checkbox').check()
    await dialog.getByRole('button', { name: '拿错商品' }).click()
    await dialog.getByRole('button', { name: '下一步' }).click()
    await expect(dialog.locator('.refund-question').textContent()).resolves.toContain(`¥${returned.salePrice}`)
    // Twenty clicks on the same button.
    await dialog.getByRole('button', { name: /确认退款/ }).evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 20; click++) button.click()
    })
    await dialog.locator('[data-state=done]', { hasText: '退款成功' }).waitFor()

    const whole = await orderOf(orderId)
    expect(whole.refunds).toHaveLength(1)
    expect(whole.refunds[0]).toMatchObject({ status: 3, amount: returned.salePrice, reason: '拿错商品' })
    expect(whole.order).toMatchObject({ status: 3, refundAmount: returned.salePrice })
    expect(await stockOf(kept.id)).toBe(before[0]! - 1)
    expect(await stockOf(returned.id)).toBe(before[1])

    await dialog.getByRole('button', { name: '完成' }).click()
    await row.getByText('部分退款').waitFor()
    expect(complaints).toEqual([])

    const tang = await office.server.as('tang', { tenantId: '100002' })
    expect(
      await office.server.call(tang, 'GET', '/api/shop/shoppingOrder/whole', { query: { id: orderId } }),
    ).toMatchObject({ status: 404 })
    const refunded = await office.server.call(tang, 'POST', '/api/shop/refunds/now', {
      body: { orderId, full: true, reason: '与我无关' },
    })
    expect(refunded.success).toBe(false)
    expect((await orderOf(orderId)).refunds).toHaveLength(1)

    const stranger = await office.signIn('100002', 'tang')
    await stranger.page.goto(`${office.url}/order/shoppingOrder?orderNo_equal=${orderNo}`)
    await stranger.page.getByText('没有符合筛选条件的数据').waitFor()
    await stranger.page.goto(`${office.url}/order/shoppingOrder/${orderId}`)
    await stranger.page.getByText('订单不存在').waitFor()
    expect(await stranger.page.content()).not.toContain(returned.name)
  },
)

test('the home page of the boss counts a sale by itself', async () => {
  const { page, complaints } = await office.signIn('100001', 'lin', { at: '/wel/index' })
  const figure = page.locator('.home-figure', { hasText: '订单' }).locator('.home-value')
  const count = Number(await figure.textContent())
  await page.evaluate(() => Object.assign(window, { isStillTheSame: true }))
  await sell()
  await expect.poll(async () => Number(await figure.textContent()), { timeout: 15_000 }).toBe(count + 1)
  expect(await page.evaluate(() => 'isStillTheSame' in window)).toBe(true)
  // The number links to its rows.
  await figure.click()
  await page.waitForURL('**/order/shoppingOrder?*')
  await page.getByText(`共 ${count + 1} 条`).waitFor()
  expect(complaints).toEqual([])
})

test('a clerk asks for a refund, and nothing moves until the boss approves it', async () => {
  const [, returned] = goods as [Good, Good]
  const { orderId } = await sell()
  const before = await stockOf(returned.id)
  const clerk = await office.signIn('100001', 'zhou', { viewport: { width: 375, height: 812 }, hasTouch: true })
  await clerk.page.goto(`${office.url}/order/shoppingOrder/${orderId}`)
  await clerk.page.getByRole('button', { name: '退款' }).click()
  const dialog = clerk.page.locator('.refund-dialog')
  // With nothing chosen, the button is active and explains.
  await dialog.getByRole('button', { name: '下一步' }).click()
  await dialog.getByText('请选择要退款的商品').waitFor()
  // All missing fields are reported at once.
  await dialog.getByText('请填写退款原因').waitFor()
  await dialog
    .locator('.refund-lines li', { hasText: returned.name })
    .getByRole('button', { name: /多退一件/ })
    .click()
  expect(await dialog.getByText('请选择要退款的商品').count()).toBe(0)
  await dialog.getByRole('button', { name: '拿错商品' }).click()
  expect(await dialog.getByText('请填写退款原因').count()).toBe(0)
  await dialog.getByRole('button', { name: '下一步' }).click()
  await dialog.getByRole('button', { name: '提交申请' }).click()
  await dialog.getByText('等待审核').waitFor()
  expect((await orderOf(orderId)).refunds).toMatchObject([{ status: 0 }])
  expect(await stockOf(returned.id)).toBe(before)

  const boss = await office.signIn('100001', 'lin')
  await boss.page.goto(`${office.url}/order/shoppingOrder/${orderId}`)
  await boss.page.locator('.order-refunds').getByRole('button', { name: '同意' }).click()
  await boss.page.locator('.ant-modal').getByRole('button', { name: '同意' }).click()
  await boss.page.locator('.order-refunds').getByText('退款成功').waitFor()
  // The clerk's dialog is still open and updates itself.
  await dialog.locator('[data-state=done]', { hasText: '退款成功' }).waitFor()
  expect(await stockOf(returned.id)).toBe(before + 1)
  expect([...clerk.complaints, ...boss.complaints]).toEqual([])
})

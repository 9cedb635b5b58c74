import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserSession, type BrowserSession, type Visit } from './browser.ts'

/** Height of the head of a list: the bar at the top and one line of chips. */
const HEAD_MAX = 92
const LISTS = [
  '/order/shoppingOrder',
  '/order/payAttempt',
  '/goods/goodInfo',
  '/goods/storageBatch',
  '/goods/storageLog',
  '/shop/customerVisitLog',
  '/shop/doorControlLog',
  '/shop/event',
  '/member/balanceLog',
  '/device/camera',
]

let office: BrowserSession
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 3 })
})
afterAll(() => office?.close())

const phone = (height: number, options: { at?: string } = {}): Promise<Visit> =>
  office.signIn('100001', 'lin', { viewport: { width: 375, height }, hasTouch: true, ...options })
const linesOf = (page: Page): Locator => page.locator('.kit-list-row[data-row-key]')
const idsOf = (page: Page) => linesOf(page).evaluateAll((all) => all.map((one) => one.dataset.rowKey!))

/** What of a list is on the screen: the end of its head, rows wholly in sight, and what sticks out to the side. */
const measured = (page: Page) =>
  page.evaluate(() => {
    const lines = [...document.querySelectorAll('.kit-list-row[data-row-key]')].map((one) =>
      one.getBoundingClientRect(),
    )
    return {
      head: document.querySelector('.kit-phone-head')!.getBoundingClientRect().bottom,
      rows: lines.length,
      inSight: lines.filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length,
      aside: document.documentElement.scrollWidth - innerWidth,
    }
  })

for (const [height, rowsMin] of [
  [812, 8],
  [635, 6],
] as const)
  test(`at 375 × ${height} a list shows at least ${rowsMin} rows under at most ${HEAD_MAX} px of head`, async () => {
    const { page, complaints } = await phone(height)
    for (const path of LISTS) {
      await page.goto(office.url + path)
      await page.locator('.kit-list-row[data-row-key], .kit-state').first().waitFor()
      const { head, rows, inSight, aside } = await measured(page)
      expect([path, head <= HEAD_MAX, inSight >= Math.min(rows, rowsMin), aside]).toEqual([path, true, true, 0])
    }
    expect(complaints).toEqual([])
  })

test('a list goes on by scrolling, says every row once, and is where it was left after a row was opened', async () => {
  const { page, complaints } = await phone(812, { at: '/goods/goodInfo' })
  await linesOf(page).nth(29).waitFor()
  for (const seen of [30, 60]) {
    await linesOf(page)
      .nth(seen - 1)
      .scrollIntoViewIfNeeded()
    await linesOf(page)
      .nth(seen + 20)
      .waitFor()
  }
  const ids = await idsOf(page)
  expect(new Set(ids).size).toBe(ids.length)
  const place = () =>
    page.evaluate(
      () => [...document.querySelectorAll('.page-scroll')].find((one) => one.getClientRects().length)!.scrollTop,
    )
  const row = linesOf(page).nth(50)
  await row.scrollIntoViewIfNeeded()
  const before = await place()
  await row.tap()
  await page.waitForURL('**/goods/good/*')
  await page.goBack()
  await expect.poll(place).toBeGreaterThan(before - 200)
  expect((await idsOf(page)).slice(0, 60)).toEqual(ids.slice(0, 60))
  expect(complaints).toEqual([])
})

test('a list whose next rows cannot be fetched says so and asks again; it does not seem to end', async () => {
  const { page } = await phone(812, { at: '/goods/goodInfo' })
  await linesOf(page).nth(29).waitFor()
  await page.route('**/goodInfo/list?*current=2*', (route) => route.fulfill({ status: 500, body: '{"code":500}' }))
  await linesOf(page).nth(29).scrollIntoViewIfNeeded()
  const again = page.getByRole('button', { name: /数据没有加载出来/ })
  await again.waitFor()
  expect(await linesOf(page).count()).toBe(30)
  await page.unroute('**/goodInfo/list?*current=2*')
  await again.tap()
  await linesOf(page).nth(59).waitFor()
  expect(await again.count()).toBe(0)
})

test('rows stay while those of another filter are on the way', async () => {
  const { page } = await phone(812, { at: '/order/shoppingOrder' })
  await linesOf(page).nth(5).waitFor()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/boss/list?*status=*', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: '筛选', exact: true }).tap()
  const request = page.waitForRequest('**/boss/list?*status=*')
  await page.getByRole('dialog', { name: '筛选' }).getByRole('button', { name: '已取消' }).tap()
  await request
  expect(await linesOf(page).count()).toBeGreaterThan(5)
  release()
})

test('the head of a day says what its rows come to', async () => {
  const { page } = await phone(812, { at: '/order/shoppingOrder' })
  const heading = page.locator('.kit-list-row-heading').first()
  await heading.getByText(/共 \d+ 条 · 销售额 ¥/).waitFor()
  const day = await page.evaluate(() => new Date(Date.now() + 8 * 3600e3).toISOString().slice(0, 10))
  const lin = await office.server.as('lin', { tenantId: '100001' })
  const { data } = await office.server.call(lin, 'GET', '/api/kit/day-totals/shoppingOrder', { query: { days: day } })
  if (data.length) await heading.getByText(`共 ${data[0].count} 条`).waitFor()
})

test('days are chosen by one touch and said on the chip; the address keeps them', async () => {
  const { page, complaints } = await phone(812, { at: '/order/shoppingOrder' })
  const chip = page.locator('.kit-chip').first()
  await chip.tap()
  await page.getByRole('dialog', { name: '支付时间' }).getByRole('button', { name: '昨天' }).tap()
  await expect.poll(() => chip.innerText()).toContain('昨天')
  await page.getByRole('dialog', { name: '支付时间' }).waitFor({ state: 'detached' })
  expect([...new URL(page.url()).searchParams.keys()].filter((key) => key.startsWith('payTime_'))).toHaveLength(2)
  await page.reload()
  await expect.poll(() => page.locator('.kit-chip').first().innerText()).toContain('昨天')
  expect(complaints).toEqual([])
})

test('conditions are chosen in a sheet that counts while one chooses', async () => {
  const { page } = await phone(812, { at: '/order/shoppingOrder' })
  await page.getByRole('button', { name: '筛选', exact: true }).tap()
  const sheet = page.getByRole('dialog', { name: '筛选' })
  const show = sheet.getByRole('button', { name: /^看 / })
  const before = await show.innerText()
  await sheet.getByRole('button', { name: '已取消' }).tap()
  await expect.poll(() => show.innerText()).not.toBe(before)
  const found = /[\d,]+/.exec(await show.innerText())![0]
  await show.tap()
  await sheet.waitFor({ state: 'detached' })
  const lin = await office.server.as('lin', { tenantId: '100001' })
  const status = new URL(page.url()).searchParams.get('status')!
  const { data } = await office.server.call(lin, 'GET', '/api/shop/shoppingOrder/web/boss/list', { query: { status } })
  expect(data.total.toLocaleString('en-US')).toBe(found)
})

test('a long press chooses a row, further touches more; a swipe offers actions, and opens nothing', async () => {
  const { page, complaints } = await phone(812, { at: '/order/shoppingOrder' })
  const session = await page.context().newCDPSession(page)
  const touch = async (row: Locator, moveX: number, holdMs: number) => {
    const box = (await row.boundingBox())!
    const [x, y] = [box.x + box.width - 60, box.y + box.height / 2]
    const point = (at: number) => ({ touchPoints: [{ x: at, y }] })
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', ...point(x) })
    if (holdMs)
      await page.waitForFunction(
        (until) => performance.now() > until,
        (await page.evaluate(() => performance.now())) + holdMs,
      )
    for (const part of moveX ? [0.3, 0.6, 1] : [])
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', ...point(x + moveX * part) })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await linesOf(page).nth(5).waitFor()
  const address = page.url()
  await touch(linesOf(page).nth(1), -160, 0)
  await page.locator('.kit-list-row-swipe').getByRole('button').first().waitFor()
  expect(page.url()).toBe(address)

  await touch(linesOf(page).nth(3), 0, 600)
  await page.getByRole('toolbar', { name: '已选 1 条' }).waitFor()
  await linesOf(page).nth(4).tap()
  await page.getByRole('toolbar', { name: '已选 2 条' }).waitFor()
  expect(page.url()).toBe(address)
  expect(complaints).toEqual([])
})

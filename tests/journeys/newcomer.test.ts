import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { signInThroughForm, navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'
import { untranslated } from './untranslated.ts'

let office: BrowserSession
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
})
afterAll(() => office?.close())

const PAGES = [
  '/order/shoppingOrder',
  '/order/refunds',
  '/goods/goodInfo',
  '/goods/goodType',
  '/goods/storageBatch',
  '/goods/storageLog',
  '/shop/basicShopInfo',
  '/shop/wxUser',
  '/device/cashRegister',
  '/goods/barcodes',
]

/** Waits until a page shows rows, or that there are none. */
const rowsShown = (page: Page) =>
  page.waitForFunction(() => {
    const page = [...document.querySelectorAll<HTMLElement>('.kit-page')].find((one) => one.offsetParent)
    return (
      page &&
      !page.querySelector('.kit-skeleton') &&
      page.querySelector('.ant-table-row, .kit-list-row[data-row-key], .kit-state')
    )
  })

test(
  'a newcomer signs in through the captcha, sees figures, turns to English and dark, and opens ten ' +
    'pages; nothing is untranslated and the console is silent',
  async () => {
    const { page, complaints } = await office.visit()
    await signInThroughForm(page, office.server, office.url, { tenantId: '100001', account: 'wu' })
    const figures = () => page.locator('.home-figure .home-value').allTextContents()
    await expect
      .poll(figures, { timeout: 10_000 })
      .toEqual([
        expect.stringMatching(/^¥[\d,]+\.\d\d$/),
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^¥/),
      ])
    await page.locator('.kit-drawing svg').waitFor()
    expect(await page.locator('.home-shop').count()).toBe(5)

    expect((await untranslated(page)).length).toBeGreaterThan(10)
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Theme', exact: true }).click()
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.documentElement.dataset.dark)).toBe('true')
    expect(await untranslated(page)).toEqual([])

    for (const path of PAGES) {
      const link = page.locator(`.side a[href="${path}"]`)
      if (await link.evaluate((one) => !!one.closest('[inert]')))
        await page
          .locator('.side .tree > li', { has: page.locator(`a[href="${path}"]`) })
          .locator('button.tree-item')
          .first()
          .click()
      await link.click()
      await page.waitForURL(`**${path}`)
      await rowsShown(page)
      expect([path, await untranslated(page)]).toEqual([path, []])
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([
        path,
        true,
      ])
    }
    expect(complaints).toEqual([])
  },
)

test('every number of the home page opens as many rows as it says', async () => {
  const { page, complaints } = await office.signIn('100001', 'wu', { at: '/wel/index' })
  // The live home page stays open beside the lists, while shops go on working.
  const home = await page.context().newPage()
  await home.goto(`${office.url}/wel/index`)
  await home.locator('.home-need').first().waitFor()
  const hrefs = await home.locator('.home-need').evaluateAll((needs) => needs.map((need) => need.getAttribute('href')!))
  expect(hrefs.length).toBeGreaterThan(3)
  const orders = home.locator('a.home-figure').nth(1)
  const numbers = hrefs.map((to) => ({ to, told: home.locator(`.home-need[href="${to}"] strong`) }))
  for (const { to, told } of [
    ...numbers,
    { to: (await orders.getAttribute('href'))!, told: orders.locator('.home-value') },
  ]) {
    await navigateWithin(page, to)
    await rowsShown(page)
    await expect
      .poll(
        async () => {
          const number = (await told.count()) ? await told.first().textContent() : '0'
          const total = page.locator('.page-scroll:visible .ant-pagination-total-text')
          const rows = (await total.count()) ? await total.textContent() : '共 0 条'
          return [to, rows === `共 ${number} 条` || `home says ${number}, the list ${rows}`]
        },
        { timeout: 20_000, interval: 250 },
      )
      .toEqual([to, true])
  }
  expect(complaints).toEqual([])
})

test('on a phone too: nothing is wider than the screen, and what is tapped is large enough', async () => {
  const { page, complaints } = await office.signIn('100001', 'lin', {
    at: '/wel/index',
    viewport: { width: 375, height: 812 },
    hasTouch: true,
  })
  await page.locator('.home-figure').first().waitFor()
  for (const path of ['/wel/index', ...PAGES.slice(0, 4)]) {
    await page.goto(office.url + path)
    if (path !== '/wel/index') await rowsShown(page)
    else await page.locator('.home-figure .home-value').first().waitFor()
    expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 375])
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll<HTMLElement>(
          '.kit-page :is(.kit-actions-wide button, a.home-card, a.home-need, .kit-list-row-body, .kit-phone-tool)',
        ),
      ]
        .filter((one) => one.offsetParent && one.getBoundingClientRect().height < 43)
        .map((one) => one.outerHTML.slice(0, 120)),
    )
    expect([path, small]).toEqual([path, []])
  }
  expect(complaints).toEqual([])
})

test('an order list travels in at most 500 KiB of gzipped script and style, and carries no chart', async () => {
  const { page } = await office.signIn('100001', 'lin')
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  const files = new Map<string, string>()
  let bytes = 0
  session.on(
    'Network.responseReceived',
    ({ requestId, response }) =>
      /\.(js|css)$/.test(new URL(response.url).pathname) && files.set(requestId, response.url),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (files.has(requestId)) bytes += encodedDataLength
  })
  await page.goto(`${office.url}/order/shoppingOrder`)
  await rowsShown(page)
  expect(files.size).toBeGreaterThan(3)
  expect(bytes / 1024).toBeLessThan(500)
})

test(
  'whoever looks at the demo comes in as one of its people with one touch, without captcha ' +
    'or password, and stays in after a reload',
  async () => {
    const { page, complaints } = await office.visit()
    await page.goto(`${office.url}/login`)
    await page.getByRole('group', { name: '小满便利' }).getByRole('button', { name: /林晓/ }).click()
    await page.waitForURL('**/wel/index')
    await page.locator('.shell-content h1').first().waitFor()
    await page.reload()
    await page.locator('.top-user', { hasText: '林晓' }).waitFor()
    expect(complaints).toEqual([])
  },
)

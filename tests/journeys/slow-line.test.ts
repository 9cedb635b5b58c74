import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const LIST = '/order/shoppingOrder'

let office: BrowserSession
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
})
afterAll(() => office?.close())

/** Holds back the answers of an address. Returns how to release them. */
async function holdBack(page: Page, address: string) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route: Route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Returns the positions of the first rows' cells and the order numbers. Other texts may change meanwhile. */
const placesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('tbody tr[data-row-key]')].flatMap((row) =>
      [...row.children].slice(0, -1).map((cell) => {
        const { x, y, width, height } = cell.getBoundingClientRect()
        const number = cell.querySelector('a.kit-number')?.textContent
        return [number, ...[x, y, width, height].map(Math.round)].join(' ')
      }),
    ),
  )

/** Records from the start every element that must not appear, even for one frame. */
const watchFlashes = (page: Page) =>
  page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(globalThis, { seen })
    new MutationObserver(() => {
      for (const name of ['tbody tr', '.kit-list-row[data-row-key]', '.kit-state', '.ant-message-notice', '.state'])
        if (document.querySelector(name)) seen.add(name)
    }).observe(document, { childList: true, subtree: true })
  })
const flashes = (page: Page) => page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])

test(
  'rows are asked for before anybody has said what the asker may, nothing is asked twice, and what is drawn without ' +
    'the library of tables does not move when that has come',
  async () => {
    const { page, complaints } = await office.signIn('100001', 'lin')
    // Stops the clock, since "3 minutes ago" would change the layout between the two measurements.
    await page.clock.setFixedTime(new Date())
    const requests: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(request.method() + pathname + search)
    })
    const releaseMenu = await holdBack(page, '**/api/blade-system/menu/held')
    const bring = await holdBack(page, '**/assets/table-*.js')
    await page.goto(office.url + LIST)
    await expect
      .poll(() => requests)
      .toEqual(expect.arrayContaining([expect.stringContaining('/boss/list?current=1&size=10'), 'GET/api/live']))
    await page.locator('.shell').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(0)

    releaseMenu()
    await page.locator('.kit-plain .kit-row-opens a.kit-number').first().waitFor({ state: 'attached' })
    expect(await page.locator('.ant-table').count()).toBe(0)
    expect(await page.locator('.kit-plain tbody tr').count()).toBe(10)
    const before = await placesOf(page)
    bring()
    await page.locator('.ant-table-row a.kit-number').first().waitFor({ state: 'attached' })
    expect(await page.locator('.kit-plain').count()).toBe(0)
    expect(await placesOf(page)).toEqual(before)
    await expect.poll(() => requests.some((one) => one.includes('/api/kit/views/'))).toBe(true)
    expect(requests.filter((one, at) => requests.indexOf(one) !== at)).toEqual([])
    expect(complaints).toEqual([])
  },
)

test('a phone shows the rows as lines from the beginning, asked for as early', async () => {
  const { page, complaints } = await office.signIn('100001', 'lin', { viewport: { width: 375, height: 812 } })
  const releaseMenu = await holdBack(page, '**/api/blade-system/menu/held')
  const rows = page.waitForRequest(/boss\/list\?current=1&size=30$/)
  await page.goto(office.url + LIST)
  await rows
  releaseMenu()
  await page.locator('.kit-list-row[data-row-key]').first().waitFor()
  expect(await page.locator('.kit-plain').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('who may not see a page sees none of its rows and no failure, not for a moment', async () => {
  const { page } = await office.signIn('100001', 'zhou')
  await watchFlashes(page)
  await page.goto(`${office.url}/authority/role`)
  await page.waitForURL('**/403')
  expect(await flashes(page)).toEqual([])
})

test('whose session is over is led to the sign-in page and sees neither rows nor a failure on the way', async () => {
  const { page } = await office.signIn('100001', 'lin', { at: '/wel/index' })
  await page.evaluate(() => {
    const name = 'store-office-token'
    const kept = JSON.parse(localStorage.getItem(name)!) as object
    localStorage.setItem(name, JSON.stringify({ ...kept, content: 'over' }))
  })
  await watchFlashes(page)
  await page.goto(office.url + LIST)
  await page.locator('.login-submit').waitFor()
  expect(await flashes(page)).toEqual([])
})

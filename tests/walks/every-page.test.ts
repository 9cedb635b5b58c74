import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '#apps/server/src/stories/demo.ts'
import type { Page } from 'playwright-core'
import { openOffice, type Office } from '../journeys/browser.ts'
import { untranslated } from '../journeys/untranslated.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
  await seedDemo(office.server.services, () => {}, { days: 2 })
}, 300_000)
afterAll(() => office?.close())

/** Addresses of every page in the menu of whoever is signed in, as the side bar has them. */
const menuPages = (page: Page) => page.evaluate(() => [...new Set([...document.querySelectorAll<HTMLAnchorElement>('.side a[href^="/"]')].map((link) => link.getAttribute('href')!))])

/** Nothing is being fetched any more: no skeleton, no busy table. */
const settled = (page: Page) => page.waitForFunction(() => {
  const here = [...document.querySelectorAll<HTMLElement>('.shell-content > *')].find((one) => one.offsetParent)
  return here?.querySelector('h1') && !here.querySelector('.kit-skeleton, .ant-skeleton')
}, undefined, { timeout: 20_000 })

/** What sticks out of the screen to the right, unless it scrolls by itself. */
const tooWide = (page: Page) => page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))

const WIDTHS = [{ width: 1440, height: 900 }, { width: 375, height: 812 }]
/** Pages kept alive in one window before it is opened afresh. */
const AT_ONCE = 12

test.each([['zh', ['100001', 'wu']], ['en', ['000000', 'admin']]] as const)('every menu page, in %s, wide and on a phone: the console is silent, nothing is untranslated, nothing is wider than the screen', async (lang, [tenantId, account]) => {
  const { page, complaints, close } = await office.signIn(tenantId, account)
  if (lang === 'en') {
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitem', { name: 'English' }).click()
    await page.waitForFunction(() => document.documentElement.lang.startsWith('en'))
  }
  const paths = await menuPages(page)
  expect(paths.length).toBeGreaterThan(90)
  const faults: unknown[] = []
  for (const [n, path] of paths.entries()) {
    await page.setViewportSize(WIDTHS[0]!)
    if (n % AT_ONCE === 0) await page.goto(office.url + path)
    else await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await settled(page).catch(() => faults.push([path, 'never settles']))
    for (const size of WIDTHS) {
      await page.setViewportSize(size)
      const over = await tooWide(page)
      if (over) faults.push([path, `${size.width}: ${over} px too wide`])
      if (lang === 'en') for (const words of new Set(await untranslated(page))) faults.push([path, `untranslated: ${words}`])
    }
    for (const words of complaints.splice(0)) faults.push([path, words])
    if (process.env.PICTURES) for (const size of WIDTHS) {
      await page.setViewportSize(size)
      await page.screenshot({ path: `${process.env.PICTURES}/${lang}-${size.width}${path.replaceAll('/', '_')}.png` })
    }
  }
  expect(faults).toEqual([])
  await close()
}, 600_000)

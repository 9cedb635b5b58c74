import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { openBrowserSession, type BrowserSession } from './browser.ts'
import { seriousFaults } from './serious-faults.ts'

let office: BrowserSession
let page: Page

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  page = (await office.signIn('100001', 'wu', { at: '/wel/index', reducedMotion: 'reduce' })).page
})
afterAll(() => office?.close())

/** One page of each kind; `npm run walk` checks every page of the menu. */
const LISTS = [
  '/order/shoppingOrder',
  '/goods/goodInfo',
  '/order/refunds',
  '/shop/wxUser',
  '/supplier/supplierOrder',
  '/system/user',
  '/device/cashRegister',
]
const OTHERS = ['/wel/index', '/info/index', '/shop/noticeSubscribe', '/goods/priceLoop']

/** Pages for the dark theme, where only colours differ: tags, links, charts and forms. */
const DARK = ['/order/refunds', '/goods/goodInfo', '/order/platformParity', '/wel/index', '/shop/noticeSubscribe']

/** Navigates as an in-app link does. The present page is first marked as left, then closed. */
const go = async (path: string) => {
  if (new URL(page.url()).pathname === path) return
  await page.evaluate((to) => {
    for (const one of document.querySelectorAll('.page-scroll')) one.toggleAttribute('data-left', one.checkVisibility())
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction(() => {
    const here = [...document.querySelectorAll('.page-scroll:not([data-left])')].find((one) => one.checkVisibility())
    return (
      here?.querySelector('h1, h2, .plain-page') &&
      !here.querySelector('.kit-skeleton, .ant-skeleton, .page-skeleton, .kit-busy')
    )
  })
  // Closed, since pages kept in the background would be checked too.
  await page.evaluate(() => {
    for (const close of document.querySelectorAll<HTMLElement>('.tab[data-active="false"] .tab-close')) close.click()
  })
}

test(
  'axe finds nothing serious on a page of each kind, light and dark, nor in ' + 'the drawer and the form over a list',
  async () => {
    const faults: string[] = []
    for (const path of [...LISTS, ...OTHERS]) {
      await go(path)
      faults.push(...(await seriousFaults(page, path)))
    }
    await go('/goods/goodInfo')
    await page.locator('.kit-toolbar .ant-btn-primary >> visible=true').click()
    await page.locator('.kit-form').waitFor()
    faults.push(...(await seriousFaults(page, 'form')))
    await page.keyboard.press('Escape')
    await go('/order/shoppingOrder')
    await page.locator('.kit-open >> visible=true').first().press('Enter')
    await page.locator('.ant-drawer-open .kit-detail-tabs').waitFor()
    faults.push(...(await seriousFaults(page, 'drawer')))
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '主题', exact: true }).click()
    await page.getByRole('dialog', { name: '主题' }).getByRole('button', { name: '黑色主题' }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.dark)).toBe('true')
    await page.keyboard.press('Escape')
    for (const path of DARK) {
      await go(path)
      faults.push(...(await seriousFaults(page, `${path} dark`, true)))
    }
    expect(faults).toEqual([])
  },
  400_000,
)

test(
  'what needs chosen rows waits at the foot until there are some, on lists ' +
    'that keep rowActions of their own as well',
  async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const [path, action] of [
      ['/system/user', '角色配置'],
      ['/authority/role', '权限设置'],
    ] as const) {
      await go(path)
      const toolbar = page.locator('.kit-toolbar >> visible=true')
      expect(await toolbar.getByRole('button', { name: action }).count(), path).toBe(0)
      await page.locator('.ant-table-row .ant-checkbox-input >> visible=true').first().check()
      // The pointer is still on the chosen row.
      expect(await seriousFaults(page, `${path} chosen`, true)).toEqual([])
      await page.locator('.kit-chosen-bar >> visible=true').getByRole('button', { name: action }).click()
      const drawer = page.locator('.ant-drawer-open', { hasText: action })
      await drawer.waitFor()
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
    }
  },
)

test(
  'a list begins in the first third of a desk screen: its filters stand in one ' + 'line with its buttons, and unfold',
  async () => {
    for (const path of ['/order/shoppingOrder', '/shop/wxUser', '/goods/goodInfo']) {
      await go(path)
      const { bar, head } = await page.evaluate(() => {
        const here = [...document.querySelectorAll('.page-scroll')].find((one) => one.checkVisibility())!
        return {
          bar: here.querySelector('.kit-bar')!.getBoundingClientRect().height,
          head: here.querySelector('thead')!.getBoundingClientRect().top,
        }
      })
      expect(bar, path).toBeLessThan(42)
      expect(head, path).toBeLessThan(path === '/goods/goodInfo' ? 280 : 240)
    }
    // The actions for chosen rows are at the foot of the screen.
    await page.locator('.ant-table-row .ant-checkbox-input >> visible=true').first().check()
    const bar = (await page.locator('.kit-chosen-bar >> visible=true').boundingBox())!
    expect(bar.y + bar.height).toBeLessThanOrEqual(900)
    expect(await page.evaluate(() => document.scrollingElement!.scrollHeight)).toBe(900)
    await go('/order/shoppingOrder')
    const boxes = page.locator('.kit-search-box >> visible=true')
    const inLine = await boxes.count()
    const more = page.getByRole('button', { name: '更多筛选' })
    expect(await more.getAttribute('aria-expanded')).toBe('false')
    await more.click()
    expect(await boxes.count()).toBeGreaterThan(inLine)
    await page.getByRole('button', { name: '收起', exact: true }).click()
    expect(await boxes.count()).toBe(inLine)
  },
)

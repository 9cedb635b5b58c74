import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { sql } from '#kit/server/database/db.ts'
import { endSessions } from '#domains/platform/identity/api.ts'
import { navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'

let office: BrowserSession
let page: Page

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  page = (await office.signIn('100001', 'wu', { at: '/wel/index' })).page
})
afterAll(() => office?.close())
// A failed test must not leave the others offline or with a closed page.
afterEach(async () => {
  await page.context().setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

const bar = () => page.locator('.line-bar')
const rows = () => page.locator('.page-scroll:visible .ant-table-row')
const rowOf = (name: string) => rows().filter({ hasText: name })
const go = (path: string) => navigateWithin(page, path)
const SOON = { timeout: 40_000 }
let ranks = 0
const shows = async (title: string) => {
  await page.locator('.page-scroll:visible h1', { hasText: title }).waitFor(SOON)
  await rows().first().waitFor(SOON)
}

test(
  'a page opened while the line is lost appears by itself when it is back; meanwhile a bar says ' +
    'so, and nothing has to be pressed or reloaded',
  async () => {
    const mark = await page.evaluate(() => Object.assign(globalThis, { unreloaded: true }).unreloaded)
    await page.context().setOffline(true)
    await expect.poll(() => bar().innerText()).toContain('连接已断开')
    await go('/order/refunds')
    await page.locator('.page-skeleton:visible').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().setOffline(false)
    await shows('退款')
    await expect.poll(() => bar().innerText()).not.toContain('连接已断开')
    expect(await page.evaluate(() => (globalThis as { unreloaded?: boolean }).unreloaded)).toBe(mark)
  },
)

test(
  'what is asked for while the line is lost is asked again when it is back, and ' +
    'what happened meanwhile is on screen',
  async () => {
    await go('/member/vipLevel')
    await shows('会员等级')
    const name = `断线时新增${randomUUID().slice(0, 4)}`
    expect(await rowOf(name).count()).toBe(0)
    await page.context().setOffline(true)
    await expect.poll(() => bar().innerText()).toContain('连接已断开')
    const { services } = office.server
    await services.unit({ tenantId: '100001' }, (db) =>
      db.insert(services.registry.resource('vipLevel'), {
        name,
        rank: 99 + ranks++,
        discountRate: 100,
        integralTimes: 1,
        spendThreshold: 0,
      }),
    )
    await page.context().setOffline(false)
    await expect.poll(() => rowOf(name).count(), SOON).toBe(1)
  },
)

/** Pages are prefetched after their first visit, so each test uses others. */
const unseen = [
  { first: '/system/dept', next: '/system/user', title: '用户' },
  { first: '/system/post', next: '/authority/role', title: '角色' },
  { first: '/goods/barcodes', next: '/goods/goodType', title: '商品分类' },
]

test(
  'a page that a new build has taken away: while work typed in another tab is unsaved it says so ' +
    'and nothing is lost, else the page reloads by itself and is there',
  async () => {
    const { first, next, title } = unseen.shift()!
    await go('/member/vipLevel')
    await page.locator('.page-scroll:visible').getByRole('button', { name: '新增' }).first().click()
    const dialog = page.locator('.ant-modal:visible, .ant-drawer:visible')
    const input = dialog.locator('input[type=text]').first()
    await input.fill('还没保存的等级')
    let isGone = true
    await page.route('**/version.json', (route) => route.fulfill({ json: { version: 'another' } }))
    await page.route('**/*', async (route) => {
      if (route.request().resourceType() === 'document') isGone = false
      return isGone && route.request().url().includes('/assets/') ? route.fulfill({ status: 404 }) : route.fallback()
    })
    await go(first)
    await page.locator('.new-version', { hasText: '尚未保存' }).waitFor()
    expect(isGone).toBe(true)
    await go('/member/vipLevel')
    expect(await input.inputValue()).toBe('还没保存的等级')
    await dialog.locator('.ant-modal-close, .ant-drawer-close').first().click()
    await page.getByRole('button', { name: '放弃修改' }).click()
    const loaded = page.waitForEvent('load')
    await go(next)
    await loaded
    await shows(title)
    expect(new URL(page.url()).pathname).toBe(next)
  },
)

test(
  'who is put out by an administrator reads so on the sign-in page, at once and without touching ' +
    'anything, and comes back to where they were',
  async () => {
    await go('/order/refunds')
    await shows('退款')
    const { services } = office.server
    const who = await services.unit({ tenantId: '100001' }, async (db) => {
      const user = await db.one<{ id: string }>(
        sql`select id::text from sys_user where tenant_id = '100001' and account = 'wu'`,
      )
      await endSessions(db, services, { userIds: [user!.id] }, 'ended by an administrator')
      return user!.id
    })
    expect(who).toBeTruthy()
    await page.getByText('管理员结束了您的登录。').waitFor()
    expect(page.url()).toContain(encodeURIComponent('/order/refunds'))
    await page.reload()
    await page.getByText('管理员结束了您的登录。').waitFor()
  },
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

let office: BrowserSession
let wu: CastMember
let page: Page

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  wu = await office.server.as('wu', { tenantId: '100001' })
  page = (await office.signIn('100001', 'wu', { reducedMotion: 'reduce' })).page
})
afterAll(() => office?.close())

const all = async (path: string, query: Record<string, unknown> = {}) =>
  (await office.server.call(wu, 'GET', path, { query })).data.records as Record<string, any>[]
const visit = async (path: string) => {
  await page.goto(office.url + path)
  await page.waitForSelector('.ant-table-row')
}
/** For steps that wait for the server. */
const WAIT = { timeout: 30_000 }
const hasFocus = (target: Locator) =>
  target.evaluate(
    (element) =>
      element === document.activeElement ||
      (element.contains(document.activeElement) && element.matches('[role=dialog]')),
  )
/** Waits until the element has the focus. */
const focused = async (target: Locator) => {
  await expect.poll(() => hasFocus(target.first()), WAIT).toBe(true)
}
/** Presses Tab until the target has the focus, at most `most` times. */
async function tabTo(target: Locator, most = 40, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await target.first().waitFor()
  for (let count = 0; count < most; count++) {
    if (await hasFocus(target.first())) return
    await page.keyboard.press(key)
  }
  const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
  throw new Error(`${most} tabs do not reach it; the focus is at ${at}`)
}
/** Skips the frame by its first link, as keyboard users do. */
async function skipToContent() {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
}
const rowOf = (id: string) => page.locator(`[data-row-key="${id}"]:visible`)
const dialog = (text: string) => page.getByRole('dialog').filter({ hasText: text }).last()
const NO_NUMBER = /^(?!.*\d{15})/

test(
  'an order is found, opened and left by keys: the drawer takes the focus, Esc gives it back to ' +
    'the row, and so does the way back from a page',
  async () => {
    const [order] = (await all('/api/shop/shoppingOrder/web/boss/list', { size: 1, descs: 'createTime' })) as [
      Record<string, string>,
    ]
    await visit('/order/shoppingOrder')
    await skipToContent()
    const box = page.getByRole('textbox', { name: '订单号', exact: true })
    await tabTo(box)
    await page.keyboard.type(order.orderNo!)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.ant-table-row').count(), WAIT).toBe(1)
    // Not rendered anew: the user can go on correcting the number.
    await focused(box)
    const handle = rowOf(order.id!).locator('.kit-open')
    await tabTo(handle, 60)
    expect(await handle.getAttribute('aria-label')).toContain(order.orderNo)
    await page.keyboard.press('Enter')
    await focused(dialog(order.orderNo!))
    await dialog(order.orderNo!).locator('.kit-detail-tabs').waitFor()
    await focused(dialog(order.orderNo!))
    await page.keyboard.press('Escape')
    await focused(handle)
    // The order's own page, and back with the frame's keys.
    await tabTo(rowOf(order.id!).locator('a'), 4)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/shoppingOrder/${order.id}`)
    // The address changes before the page does, and the keys close the tab that is shown.
    await page
      .locator('.tab-name[aria-current]')
      .filter({ hasText: order.orderNo!.slice(-6) })
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('x')
    await expect.poll(() => new URL(page.url()).pathname, WAIT).toBe('/order/shoppingOrder')
    await focused(rowOf(order.id!).locator('a'))
  },
)

test(
  'a price is changed in its place by keys: the input says whose and what it is, and ' +
    'Enter and Esc leave the focus at the cell',
  async () => {
    const [good] = (await all('/api/shop/goodInfo/list', { size: 1 })) as [Record<string, string>]
    const price = async () =>
      (await office.server.call(wu, 'GET', '/api/shop/goodInfo/detail', { query: { id: good.id } })).data
        .salePrice as string
    await visit(`/goods/goodInfo?upc_likeright=${good.upc}`)
    await rowOf(good.id!).locator('.kit-open').focus()
    const cell = rowOf(good.id!).getByRole('button', { name: /^售价/ })
    await tabTo(cell, 20)
    await page.keyboard.press('Enter')
    const input = page.getByLabel(`${good.name} 售价`)
    await focused(input)
    const raised = (Number(await price()) + 1.11).toFixed(2)
    await page.keyboard.type(raised)
    await page.keyboard.press('Enter')
    await expect.poll(price, WAIT).toBe(raised)
    await focused(cell)
    await page.keyboard.press('Enter')
    await focused(input)
    await page.keyboard.type('1')
    await page.keyboard.press('Escape')
    await focused(cell)
    expect(await price()).toBe(raised)
  },
)

test(
  'a refund is agreed to by keys: the question takes the focus, and when it ' + 'is gone the focus is in the list',
  async () => {
    const [waiting] = (await all('/api/shop/refunds/list', { status: 0, size: 1 })) as [Record<string, string>]
    await visit('/order/refunds?status=0')
    await rowOf(waiting.id!).locator('.kit-open').focus()
    const agree = rowOf(waiting.id!).getByRole('button', { name: '同意' })
    await tabTo(agree, 20)
    await page.keyboard.press('Enter')
    const remark = page.getByLabel('审核意见')
    await focused(remark)
    await page.keyboard.press('Escape')
    await focused(agree)
    await page.keyboard.press('Enter')
    await focused(remark)
    await page.keyboard.type('已核实')
    await page.keyboard.press('Enter')
    await expect
      .poll(
        async () =>
          (await office.server.call(wu, 'GET', '/api/shop/refunds/detail', { query: { id: waiting.id } })).data.status,
        WAIT,
      )
      .not.toBe(0)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => !!document.activeElement?.closest('.kit-table, .kit-state, .page-scroll')), WAIT)
      .toBe(true)
  },
)

test(
  'a new good is written down by keys: what must be filled in says so, and the button ' +
    'that opened the form has the focus again',
  async () => {
    const name = `键盘${Date.now()}`
    await visit('/goods/goodInfo')
    await skipToContent()
    const add = page.getByRole('button', { name: '新增' })
    await tabTo(add)
    await page.keyboard.press('Enter')
    await focused(dialog('新增商品'))
    const form = dialog('新增商品')
    const field = (label: string) =>
      form
        .getByRole('textbox', { name: label, exact: true })
        .or(form.getByRole('combobox', { name: label, exact: true }))
    for (const label of ['商品名称', '门店', '条码', '售价'])
      expect(await field(label).getAttribute('aria-required'), label).toBe('true')
    expect(await field('规格').getAttribute('aria-required')).toBe(null)
    await tabTo(field('商品名称'))
    await page.keyboard.type(name)
    await tabTo(field('门店'))
    await page.keyboard.press('ArrowDown')
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().waitFor()
    await page.keyboard.press('Enter')
    await tabTo(field('条码'))
    await page.keyboard.type('KEY1')
    await tabTo(field('售价'))
    await page.keyboard.type('3.50')
    await page.keyboard.press('Enter')
    await form.waitFor({ state: 'detached' })
    await focused(add)
    expect(await all('/api/shop/goodInfo/list', { name_like: name })).toMatchObject([{ name, salePrice: '3.50' }])
  },
)

test(
  'a list is filtered and sorted by keys: headings and rows move together, rows are named by ' +
    'their words, nothing measured is stopped at',
  async () => {
    await page.setViewportSize({ width: 1100, height: 800 })
    await visit('/goods/goodInfo')
    await page.getByRole('textbox', { name: '商品名称', exact: true }).focus()
    await page.keyboard.type('水')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('name_like'), WAIT).toBe('水')
    await focused(page.getByRole('textbox', { name: '商品名称', exact: true }))
    const heading = page.locator('th', { hasText: '库存' }).filter({ hasNotText: '库存预警' }).first()
    await tabTo(heading, 80)
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('descs'), WAIT).toBe('stock')
    await focused(heading)
    const apart = () =>
      page.evaluate(() => {
        const head = [...document.querySelectorAll('.ant-table-header th')]
        const row = [...document.querySelector('.ant-table-row')!.children]
        return Math.max(
          ...head.map((one, at) => Math.abs(one.getBoundingClientRect().left - row[at]!.getBoundingClientRect().left)),
        )
      })
    // To the last heading: each one stays above its column after scrolling.
    for (let count = 0; count < 12; count++) {
      await page.keyboard.press('Tab')
      await expect.poll(apart, { message: `after ${count + 1} more`, ...WAIT }).toBeLessThan(2)
    }
    const names = await page
      .locator('.ant-table-row .ant-checkbox-input')
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')))
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(name).toMatch(NO_NUMBER)
    expect(
      await page.evaluate(
        () =>
          [...document.querySelectorAll('[aria-hidden=true] input, [aria-hidden=true] button')].filter((one) =>
            one.checkVisibility({ visibilityProperty: true }),
          ).length,
      ),
    ).toBe(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  },
)

test(
  'what opens beside its button is one Tab away, and Esc and the Tab beyond ' + 'its end lead back to the button',
  async () => {
    await visit('/goods/goodInfo')
    for (const name of ['主题', '列设置']) {
      const button = page.getByRole('button', { name, exact: true })
      await button.focus()
      await page.keyboard.press('Enter')
      const popup = page.getByRole('dialog', { name, exact: true })
      await focused(popup)
      await popup.locator('button').first().waitFor()
      await page.keyboard.press('Tab')
      expect(
        await popup.evaluate((box) => box !== document.activeElement && box.contains(document.activeElement)),
      ).toBe(true)
      await page.keyboard.press('Escape')
      await focused(button)
      await page.keyboard.press('Enter')
      await focused(popup)
      await page.keyboard.press('Shift+Tab')
      await focused(button)
      await popup.waitFor({ state: 'hidden' })
    }
  },
)

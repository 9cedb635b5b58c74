import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueDueReports } from '#domains/insight/reports/timing.server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
const DAY_MS = 24 * 3_600_000
let office: BrowserSession
/** How far the test advanced the server's clock; earlier sessions have expired then. */
let later = 0

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true, now: () => new Date(Date.now() + later) })
})
afterAll(() => office?.close())

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.locator('.report-box', { hasText: label }).locator('.ant-select').first().click()
  // Long lists show matches only after typing.
  await page.keyboard.type(option)
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).first().click()
  await page.keyboard.press('Escape')
}

const save = (page: Page, within: string) =>
  page
    .locator(within)
    .getByRole('button', { name: /保\s*存/ })
    .click()

/** Returns the page sizes of a PDF in tens of points: A4 is 595 by 842 points. */
const paperOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]/g)].map(([, width, height]) => [
    Math.floor(Number(width) / 10),
    Math.floor(Number(height) / 10),
  ])

test('a report is built from nothing, opens its rows, is printed, and is on the phone the next morning', async () => {
  const name = '晨会日报'
  const { page, complaints, close } = await office.signIn(tenantId, 'wu')
  await page.goto(`${office.url}/statistics/report/new`)
  await choose(page, '数据', '订单')
  await choose(page, '指标', '订单数')
  await page.locator('.report-pivot').waitFor()
  await page.locator('.report-acts').getByRole('button', { name: '保存' }).click()
  await page.getByLabel('名称', { exact: true }).fill(name)
  await save(page, '.ant-modal')
  await page.getByRole('heading', { name }).waitFor()

  const print = await page.pdf({ preferCSSPageSize: true })
  expect(paperOf(print)).toEqual([[59, 84]])
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.report-paper h1').innerText()).toBe(name)
  // Only the paper is printed, not the page around it.
  expect(await page.locator('.report-page').filter({ visible: true }).count()).toBe(0)
  await page.emulateMedia({ media: 'screen' })

  await page.getByRole('button', { name: '定时发送' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '页面' }).check()
  // Without views, the form has no fields for them.
  expect((await dialog.locator('.kit-field > label').allInnerTexts()).map((label) => label.replace(' *', ''))).toEqual([
    '名称',
    '报表',
    '内容',
    '时间',
    '接收人',
    '启用',
  ])
  expect(await dialog.getByRole('radio', { name: '提醒' }).count()).toBe(0)
  await save(page, '[role=dialog]')
  await dialog.waitFor({ state: 'hidden' })

  // The last figure of the first row counts orders and opens that many rows.
  const figure = page.locator('.report-pivot tbody tr.ant-table-row').first().getByRole('link').last()
  const orders = Number(await figure.innerText())
  await figure.click()
  await page.waitForURL(/\/order\/shoppingOrder\?/)
  await page.getByText(`共 ${orders} 条`).waitFor()
  await page.locator('.ant-table-row').filter({ visible: true }).first().waitFor()
  await close()

  later += DAY_MS
  expect(await enqueueDueReports(office.server.services)).toBeGreaterThan(0)
  await office.server.jobs.runDue()
  const phone = await office.signIn(tenantId, 'wu', PHONE)
  await phone.page.goto(`${office.url}/statistics/reportSent`)
  const card = phone.page.locator('.kit-list-row', { hasText: name })
  await card.getByText('已发送').waitFor()
  await card.getByRole('button', { name: '打开' }).click()
  await phone.page.getByRole('heading', { name }).waitFor()
  const counted = phone.page.locator('.report-lines li').first().locator('dd').last()
  expect(await counted.innerText()).toBe(String(orders))
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await phone.close()
  expect([complaints, phone.complaints]).toEqual([[], []])
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
let office: BrowserSession

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
})
afterAll(() => office?.close())

const property = (page: Page, label: RegExp) => page.locator('.flow-property', { hasText: label })

/** Chooses an option by a part of its name. */
async function pick(page: Page, label: RegExp, name: string): Promise<void> {
  await property(page, label).locator('.ant-select').click()
  await page.keyboard.type(name)
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: name }).first().click()
}

async function decide(account: string, process: string, answer: RegExp, comment = ''): Promise<string[]> {
  const { page, complaints, close } = await office.signIn(tenantId, account, { ...PHONE, at: '/work/todo' })
  await page.locator('.work-list li', { hasText: process }).getByRole('link').first().click()
  if (comment) {
    // Explains why it cannot be rejected until there is a comment.
    const why = page.getByText('驳回要填写批复意见')
    await why.waitFor()
    await page.getByLabel('批复意见').fill(comment)
    await why.waitFor({ state: 'detached' })
  }
  await page.locator('.work-thumbs').getByRole('button', { name: answer }).click()
  await page.getByText('已办理').first().waitFor()
  await close()
  return complaints
}

test('a process is drawn, and run by three people, two of them on phones', async () => {
  const { page, complaints } = await office.signIn(tenantId, 'wu')
  await page.goto(`${office.url}/flow/design/new`)
  await page.locator('[data-element-id="sign"]').waitFor()
  // Elements that the engine does not support are not offered.
  expect(await page.locator('.djs-palette .entry').count()).toBe(8)
  await page.getByPlaceholder('模型名称').fill('用章申请')
  await page.locator('[data-element-id="sign"] .djs-hit').first().click()
  await property(page, /^名称/).locator('input').fill('店主初审')
  await pick(page, /^办理人/, '林晓')
  await page.locator('.djs-context-pad .entry[title="接人工任务"]').click()
  await property(page, /^名称/).locator('input').fill('陈立复审')
  await pick(page, /^办理人/, '陈立')
  await page.locator('.djs-context-pad .entry[title="接结束"]').click()
  await page.getByRole('button', { name: '保存并部署' }).click()
  await page.locator('.ant-modal').getByRole('button', { name: '保存并部署' }).click()
  await page.getByText('已部署，可以发起').waitFor()
  await page.locator('.bjs-powered-by').waitFor({ state: 'visible' })

  const clerk = await office.signIn(tenantId, 'zhou', { ...PHONE, at: '/work/start' })
  await clerk.page.locator('.work-list li', { hasText: '用章申请' }).getByRole('link').first().click()
  await clerk.page.getByRole('button', { name: '提交申请' }).click()
  // The requester sees it among sent tasks; the list it was chosen from stays open in its tab.
  await clerk.page.waitForURL('**/work/send')
  const sentRow = clerk.page.locator('.work-list li', { hasText: '用章申请' }).filter({ visible: true })
  await sentRow.getByText('进行中').waitFor()
  await sentRow.getByRole('link').click()
  const first = clerk.page.locator('.work-card li', { hasText: '周倩' })
  await first.getByText('发起', { exact: true }).waitFor()
  expect(await decide('lin', '店主初审', /同\s?意/)).toEqual([])
  await clerk.close()
  expect(await decide('chen', '陈立复审', /驳\s?回/, '材料不全')).toEqual([])
  const zhou = await office.server.as('zhou', { tenantId })
  const sent = await office.server.call(zhou, 'GET', '/api/blade-flow/work/send-list')
  expect(sent.data.records).toMatchObject([{ processIsFinished: 'finished', outcome: 2 }])
  expect([complaints, clerk.complaints]).toEqual([[], []])
})

test('a price that falls far is agreed to from a phone, by before and after, and is done then alone', async () => {
  const { server } = office
  const [wu, lin] = [await server.as('wu', { tenantId }), await server.as('lin', { tenantId })]
  const act = '/api/shop/goodInfo/submit'
  const condition = '${before != null && after.salePrice < before.salePrice * 0.8}'
  const rule = { name: '大幅降价', act, condition, userIds: wu.userId, mode: 'any', enabled: true }
  expect((await server.call(wu, 'POST', '/api/blade-flow/rule/submit', { body: rule })).status).toBe(200)
  const priceOf = async (id: string) =>
    (await server.call(wu, 'GET', '/api/shop/goodInfo/detail', { query: { id } })).data.salePrice
  const goods = await server.call(lin, 'GET', '/api/shop/goodInfo/list', { query: { salePrice_gt: '5', size: 1 } })
  const { id, name, salePrice } = goods.data.records[0]
  expect((await server.call(lin, 'POST', act, { body: { id, salePrice: '1.00' } })).status).toBe(202)
  expect(await priceOf(id)).toBe(salePrice)

  const { page, complaints } = await office.signIn(tenantId, 'wu', { ...PHONE, at: '/wel/index' })
  await page.getByText('流程待签', { exact: true }).filter({ visible: true }).first().waitFor()
  await navigateWithin(page, '/work/claim')
  // Any of the approvers opens and approves it with two taps, which also claims it.
  const waiting = page.locator('.work-list li', { hasText: name }).filter({ visible: true })
  await waiting.getByRole('link').first().click()
  await page.locator('.kit-change-was', { hasText: salePrice }).waitFor()
  await page.locator('.kit-change-now', { hasText: '1.00' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await page
    .locator('.work-thumbs')
    .getByRole('button', { name: /同\s?意/ })
    .click()
  await page.getByText('已办理').first().waitFor()
  // Approved is not yet executed: the outcome is shown on the same page.
  await page.waitForURL('**/work/process/detail/**')
  await page.locator('.kit-title').getByText('已执行').waitFor()
  expect(await priceOf(id)).toBe('1.00')
  expect(complaints).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

type Good = { id: string; name: string; salePrice: string; shelfNo: string; version: number }

let office: BrowserSession
let wu: CastMember
let page: Page
let goods: Good[]

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  wu = await office.server.as('wu', { tenantId: '100001' })
  page = (await office.signIn('100001', 'lin')).page
  const boss = await office.server.as('lin', { tenantId: '100001' })
  goods = (await office.server.call(boss, 'GET', '/api/shop/goodInfo/list', { query: { size: 10 } })).data.records
})
afterAll(() => office?.close())

const path = '/api/shop/goodInfo'
const good = async (id: string) =>
  (await office.server.call(wu, 'GET', `${path}/detail`, { query: { id } })).data as Good
const change = async (id: string, more: Record<string, unknown>) =>
  expect(await office.server.call(wu, 'POST', `${path}/submit`, { body: { id, ...more } })).toMatchObject({
    status: 200,
  })
const row = (name: string) => page.locator('.ant-table-row', { hasText: name }).first()
const visit = async (query = '') => {
  await page.goto(`${office.url}/goods/goodInfo${query}`)
  await page.waitForSelector('.ant-table-row .kit-inline')
}
const price = (name: string) => row(name).locator('.kit-inline').first()

test(
  'a cell is changed in its place: Enter saves that field alone, Tab goes on, Esc leaves ' +
    'it, and a refusal stands at the cell',
  async () => {
    const [one] = goods as [Good]
    await visit()
    await price(one.name).click()
    const input = page.locator('.kit-inline-editor input')
    await input.fill('x')
    await input.press('Enter')
    await page.locator('.kit-inline-said', { hasText: '售价应为金额' }).waitFor()
    await input.fill('8.80')
    await input.press('Tab')
    await expect.poll(async () => (await good(one.id)).salePrice).toBe('8.80')
    // The next cell is already being edited.
    await page.locator('.kit-inline-editor input').press('Escape')
    await expect.poll(() => page.locator('.kit-inline-editor').count()).toBe(0)
    await expect.poll(() => price(one.name).textContent()).toContain('8.80')
    expect((await good(one.id)).shelfNo).toBe(one.shelfNo)
  },
)

test('whoever saves a cell over somebody else’s change sees what it was, theirs and mine, and decides', async () => {
  const [, one] = goods as [Good, Good]
  await visit()
  await price(one.name).click()
  const input = page.locator('.kit-inline-editor input')
  await input.fill('7.70')
  await change(one.id, { salePrice: '6.60' })
  await input.press('Enter')
  const dialog = page.locator('.ant-modal', { hasText: '数据已被他人修改' })
  await dialog.waitFor()
  for (const value of [one.salePrice, '6.60', '7.70'])
    expect(await dialog.locator('.kit-clash').textContent()).toContain(value)
  expect((await good(one.id)).salePrice).toBe('6.60')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: '合并并保存' }).click()
  await expect.poll(async () => (await good(one.id)).salePrice).toBe('7.70')
})

test(
  'a form that was not saved asks before it goes, survives the crash of the ' + 'browser, and is offered with its age',
  async () => {
    const [, , one] = goods as [Good, Good, Good]
    await visit()

    const openForm = async () => {
      await row(one.name).getByRole('button', { name: '编辑' }).click()
      await page.locator('.kit-form').waitFor()
    }

    await openForm()
    const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft:')).length)
    await page.getByLabel('备注').fill('靠窗的货架')
    // A stored draft shows that the form noticed the change.
    await expect.poll(drafts, { timeout: 20_000 }).toBe(1)
    await page.locator('.ant-drawer-close').click()
    await page.getByText('离开前要放弃修改吗？').waitFor()
    await page.getByRole('button', { name: '继续编辑' }).click()
    await expect.poll(() => page.locator('.ant-modal-wrap:visible').count()).toBe(0)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('g')
    await page.keyboard.press('x')

    const leaving = page.locator('.ant-modal-confirm', { hasText: '商品' })
    await leaving.getByRole('button').first().click()
    await leaving.waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft:')).length))
      .toBe(1)

    // The browser asks before leaving; a crash does not.
    const dialogType = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type())
        void dialog.accept()
      }),
    )
    await page.reload()
    expect(await dialogType).toBe('beforeunload')
    await page.waitForSelector('.ant-table-row .kit-inline')
    await openForm()

    const note = page.locator('.ant-alert', { hasText: '未保存的内容' })
    await note.waitFor()
    const remark = page.getByLabel('备注')
    expect(await remark.inputValue()).toBe('')

    // Newer text is not replaced by the draft, and stays when the rest of it is restored.
    await remark.fill('靠门的货架')
    await note.waitFor({ state: 'detached' })
    await remark.fill('')
    await note.waitFor()
    await page.locator('.kit-form').getByLabel('货架号').fill('C-31')
    await note.getByRole('button', { name: '恢复' }).click()
    expect(await remark.inputValue()).toBe('靠窗的货架')
    expect(await page.locator('.kit-form').getByLabel('货架号').inputValue()).toBe('C-31')
    await page.locator('.kit-drawer-foot .ant-btn-primary').click()
    await page.locator('.kit-form').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft:')))).toEqual([])
    expect(await good(one.id)).toMatchObject({ remark: '靠窗的货架', shelfNo: 'C-31' })
  },
)

test('what is typed while a form is on its way is not taken and lost with it; after a refusal it is', async () => {
  const [, , one] = goods as [Good, Good, Good]
  await visit()
  await row(one.name).getByRole('button', { name: '编辑' }).click()
  const form = page.locator('.kit-form')
  const [remark, shelf] = [form.getByLabel('备注'), form.getByLabel('货架号')]
  const save = page.locator('.kit-drawer-foot .ant-btn-primary')
  const before = await shelf.inputValue()
  const { promise, resolve: answer } = Promise.withResolvers<boolean>()
  await page.route(`**${path}/submit`, async (route) => {
    if (await promise) await route.continue()
    else await route.fulfill({ status: 400, json: { code: 400, success: false, msg: '稍后再试', data: {} } })
  })
  const submitted = page.waitForRequest(`**${path}/submit`)
  await remark.fill('先')
  await save.click()
  await submitted
  await shelf.fill('Q-1')
  await expect.poll(() => shelf.inputValue()).toBe(before)
  answer(false)
  await page.locator('.kit-note', { hasText: '稍后再试' }).waitFor()
  await page.unrouteAll()
  await shelf.fill('Q-2')
  await save.click()
  await form.waitFor({ state: 'detached' })
  expect(await good(one.id)).toMatchObject({ remark: '先', shelfNo: 'Q-2' })
})

test('the history of a row tells who changed what, and sets it back', async () => {
  const [, , , one] = goods as [Good, Good, Good, Good]
  await change(one.id, { shelfNo: 'Z-99' })
  await visit(`?detail=${one.id}`)
  await page.locator('.kit-detail-tabs').getByText('修改记录').click()
  const entry = page.locator('.kit-history > ol > li', { hasText: 'Z-99' })
  await entry.waitFor()
  for (const text of ['货架号', one.shelfNo]) expect(await entry.textContent()).toContain(text)
  await entry.getByRole('button', { name: '恢复到这次修改前' }).click()
  await page.locator('.ant-modal-confirm .ant-btn-primary').click()
  await expect.poll(async () => (await good(one.id)).shelfNo).toBe(one.shelfNo)
})

test('all that a filter finds is changed after a preview, and not when the set has moved since', async () => {
  const boss = await office.server.as('lin', { tenantId: '100001' })
  const shopId = (await office.server.call(boss, 'GET', '/api/shop/basicShopInfo/query')).data[0].id as string
  const add = async (n: number) =>
    (
      await office.server.call(boss, 'POST', `${path}/submit`, {
        body: { name: `试销品${n}`, shopId, upc: `TRY${n}`, salePrice: '1.00', lowStock: 0 },
      })
    ).data.id as string
  const ids = [await add(1), await add(2)]
  await visit('?name_like=试销品')
  await page.locator('.ant-table-thead .ant-checkbox').click()
  await page.getByRole('button', { name: '批量修改' }).click()
  const lowStock = page.locator('.kit-bulk-field', { hasText: '库存预警' })
  await lowStock.getByRole('checkbox').check()
  await lowStock.locator('input.ant-input').fill('9')
  await page.locator('.ant-modal-footer .ant-btn-primary').click()
  await page.locator('.kit-bulk-rows > li').first().waitFor()
  expect(await page.locator('.kit-bulk-rows > li').count()).toBe(2)
  await office.server.call(boss, 'POST', `${path}/remove`, { query: { ids: ids[1] } })
  await page.locator('.ant-modal-footer .ant-btn-primary').click()
  await page.locator('.ant-alert', { hasText: '现在是 1 条' }).waitFor()
  await expect.poll(() => page.locator('.kit-bulk-rows > li').count()).toBe(1)
  await page.locator('.ant-modal-footer .ant-btn-primary').click()
  await page.getByText('1 条已完成').waitFor()
  expect(await good(ids[0]!)).toMatchObject({ lowStock: 9 })
  await page.locator('.ant-modal-footer .ant-btn-primary').click()

  // Removed rows are in the recycle bin and can be restored.
  await page.getByRole('button', { name: '回收站' }).click()
  const removed = page.locator('.ant-drawer .ant-table-row', { hasText: '试销品2' })
  await removed.getByRole('button', { name: '恢复' }).click()
  await removed.waitFor({ state: 'detached' })
  expect(await good(ids[1]!)).toMatchObject({ name: '试销品2', lowStock: 0 })
})

test(
  'the dry run of a large set is made in the background: the dialog says so and ' +
    'shows its rows when they are there',
  async () => {
    const { total } = (
      await office.server.call(await office.server.as('lin', { tenantId: '100001' }), 'GET', `${path}/list`, {
        query: { size: 1 },
      })
    ).data as { total: number }
    expect(total).toBeGreaterThan(100)
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/bulk/goodInfo/run*', (one) => held.then(() => one.continue()))
    await visit()
    await page.locator('.ant-table-thead .ant-checkbox').click()
    await page.getByRole('button', { name: /符合条件的全部/ }).click()
    await page.getByRole('button', { name: '下架' }).first().click()
    await page.getByText(`正在后台预演 ${total} 条`).waitFor()
    expect(await page.locator('.ant-modal-footer .ant-btn-primary').isDisabled()).toBe(true)
    release()
    await page.locator('.kit-bulk-rows > li').first().waitFor()
    expect(await page.getByText('正在后台预演').count()).toBe(0)
    expect(await page.locator('.ant-modal-footer .ant-btn-primary').isDisabled()).toBe(false)
    await page.locator('.ant-modal-footer .ant-btn').first().click()
    await page.unroute('**/bulk/goodInfo/run*')
  },
)

test('a view keeps what the list shows, and its address alone shows it again', async () => {
  await visit('?name_like=试销品&ascs=salePrice')
  await page.getByRole('button', { name: '视图' }).click()
  await page.getByText('保存为新视图').click()
  await page.getByLabel('名称', { exact: true }).fill('试销')
  for (const place of ['标签', '卡片', '链接']) await page.getByRole('checkbox', { name: place }).check()
  await page.locator('.ant-modal-footer .ant-btn-primary').click()
  await page.locator('.kit-views', { hasText: '试销' }).waitFor()
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?view=\d+$/)
  const address = page.url()
  await page.locator('.kit-view-tabs [aria-current=true]', { hasText: '试销 2' }).waitFor()
  await page.getByRole('button', { name: '全部', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  // The home page and the menu show the count and link to it.
  await page.goto(`${office.url}/wel/index`)
  const tile = page.locator('.home-view', { hasText: '试销' })
  expect(await tile.locator('.home-value').innerText()).toBe('2')
  await page.locator('.side').getByRole('button', { name: '常用视图' }).click()
  await page.locator('.side').getByRole('link', { name: '试销' }).waitFor()
  await tile.click()
  await expect.poll(() => page.url()).toBe(address)
  await page.goto(address)
  await page.waitForSelector('.ant-table-row .kit-inline')
  expect(await page.locator('.ant-table-row').count()).toBe(2)
  await page.locator('.kit-chips', { hasText: '试销品' }).waitFor()
  await page.getByRole('button', { name: '清除全部筛选' }).click()
  await expect.poll(() => new URL(page.url()).search).toContain('changed=1')
})

test('chosen rows are printed, each as a document of its own, and read on a phone', async () => {
  await page.goto(`${office.url}/order/shoppingOrder`)
  const boxes = page.locator('.ant-table-row .ant-checkbox-input')
  for (const at of [0, 1]) await boxes.nth(at).check()
  await page.locator('.kit-chosen-bar').getByRole('button', { name: '打印单据' }).click()
  await expect.poll(() => page.locator('.paper-desk .paper-foot').allInnerTexts()).toHaveLength(2)
  const pages = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(pages).toHaveLength(2)
  const numbers = await page.locator('.paper-desk .paper-no').allInnerTexts()
  const { page: phone, close } = await office.signIn('100001', 'lin', { viewport: { width: 375, height: 812 } })
  await phone.goto(page.url())
  await expect.poll(() => phone.locator('.paper-flow').count()).toBe(2)
  for (const number of numbers) expect(await phone.locator('main').innerText()).toContain(number.split('\n').at(-1))
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  await close()
})

test('all that a filter finds is printed, up to as many as are printed at a time, which is said', async () => {
  const lin = await office.server.as('lin', { tenantId: '100001' })
  const orders = '/api/shop/shoppingOrder/web/boss/list'
  const { data } = await office.server.call(lin, 'GET', orders, { query: { size: 30 } })
  expect(data.total).toBeGreaterThan(100)
  const since = data.records.at(-1).createTime as string
  const choose = async (query: string) => {
    await page.goto(`${office.url}/order/shoppingOrder?${query}`)
    await page.locator('.ant-table-thead .ant-checkbox-input').check()
    await page.getByRole('button', { name: /符合条件的全部/ }).click()
    await page.locator('.kit-chosen-bar').getByRole('button', { name: '打印单据' }).click()
  }
  await choose('all=1')
  await page.getByText('一次最多打印 100 张单据，请缩小筛选范围').waitFor()
  expect(new URL(page.url()).pathname).toBe('/order/shoppingOrder')
  await choose(new URLSearchParams({ createTime_ge: since }).toString())
  await expect.poll(() => new URL(page.url()).pathname).toBe('/prints/sheet/salesOrder')
  const { data: found } = await office.server.call(lin, 'GET', orders, { query: { createTime_ge: since, size: 100 } })
  expect(found.total).toBeGreaterThan(10)
  expect(new URL(page.url()).searchParams.get('ids')!.split(',')).toEqual(found.records.map(({ id }: Good) => id))
  await page.locator('.paper-desk .paper-foot').first().waitFor()
})

test('a phone sorts its list, and the address keeps the order', async () => {
  const lin = await office.server.as('lin', { tenantId: '100001' })
  const { page: phone, close } = await office.signIn('100001', 'lin', { viewport: { width: 375, height: 812 } })
  await phone.goto(`${office.url}/goods/goodInfo`)
  await phone.locator('.kit-list-row[data-row-key]').first().waitFor()
  await phone.locator('.kit-phone-head').getByRole('button', { name: '更多' }).click()
  const sheet = phone.locator('.kit-phone-settings')
  await sheet.getByRole('combobox', { name: '排序' }).click()
  await phone.locator('.ant-select-item-option', { hasText: '售价' }).click()
  await sheet.getByText('升序').click()
  await expect.poll(() => new URL(phone.url()).searchParams.get('ascs')).toBe('salePrice')
  await phone.reload()
  const { data } = await office.server.call(lin, 'GET', `${path}/list`, { query: { size: 30, ascs: 'salePrice' } })
  await expect
    .poll(() => phone.locator('.kit-list-row strong').allTextContents())
    .toEqual(data.records.map((one: Good) => expect.stringContaining(one.name)))
  await close()
})

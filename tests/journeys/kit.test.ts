import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Visit } from './browser.ts'
import { openGallery, type Gallery } from './gallery.ts'
import { untranslated } from './untranslated.ts'

let gallery: Gallery
let window: Visit
let page: Page

beforeAll(async () => {
  gallery = await openGallery()
  window = await gallery.visit()
  page = window.page
  page.setDefaultTimeout(10_000)
})
afterEach(() => {
  // The browser's console also reports requests that the server refuses.
  expect(window.complaints.splice(0).filter((line) => !line.includes('Failed to load resource'))).toEqual([])
})
afterAll(() => gallery?.close())

/** Opens a page in the shared window, which has the code cached. */
async function open(path = '/sample', width = 1440) {
  await page.setViewportSize({ width, height: 900 })
  await page.goto(gallery.url + path)
  await page.getByRole('heading', { name: '样板门店', level: 1 }).waitFor()
}

const rows = () => page.locator('.ant-table-row[data-row-key]')
const form = () => page.locator('.kit-drawer form')
const input = (label: string) => form().getByLabel(label)
const filter = (label: string) => page.getByRole('search', { name: '筛选' }).first().getByLabel(label)
const edit = async (at = 0) => {
  await rows().nth(at).getByRole('button', { name: '编辑' }).click()
  await input('门店名称').waitFor()
}
const drawn = () => page.evaluate(() => (globalThis as unknown as { drawn: { cells: number } }).drawn.cells)

/** Whether nothing is being loaded or rendered. */
const isDrawn = async () => {
  const before = await drawn()
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)))
  return (await page.locator('.kit-busy, .kit-spin').count()) === 0 && (await drawn()) === before
}

test('by keyboard alone: Enter filters, a row opens, Esc closes it, and the focus is back where it was', async () => {
  await open()
  await rows().nth(9).waitFor()
  await filter('门店名称').focus()
  await page.keyboard.type('武林')
  await page.keyboard.press('Enter')
  await expect
    .poll(() =>
      rows()
        .allTextContents()
        .then((all) => all.every((text) => text.includes('武林'))),
    )
    .toBe(true)
  expect(new URL(page.url()).searchParams.get('name_like')).toBe('武林')
  const handle = rows()
    .first()
    .getByRole('button', { name: /^查看 武林/ })
  await handle.focus()
  await page.keyboard.press('Enter')
  const detail = page.getByRole('dialog')
  await detail.getByText('联系电话').waitFor()
  await expect.poll(() => detail.evaluate((drawer) => drawer.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => handle.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('n')
  await input('门店编号').waitFor()
  await expect.poll(() => page.evaluate(() => !!document.activeElement?.closest('.kit-drawer'))).toBe(true)
})

test('what is typed or opened beside the rows draws none of them again', async () => {
  await open()
  await rows().nth(9).waitFor()
  await expect.poll(isDrawn).toBe(true)
  const before = await drawn()
  expect(before).toBeGreaterThanOrEqual(10)
  await filter('门店名称').pressSequentially('武林广')
  await filter('门店名称').fill('')
  await edit()
  await input('门店名称').pressSequentially('二')
  await input('门店名称').press('Backspace')
  await page.keyboard.press('Escape')
  await form().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '列设置' }).click()
  await page.getByRole('button', { name: '恢复默认' }).waitFor()
  expect(await drawn()).toBe(before)
  await rows().first().getByRole('button', { name: /^查看/ }).press('Enter')
  await page.getByRole('dialog').getByText('联系电话').waitFor()
  // The detail view renders the field once itself.
  expect(await drawn()).toBeLessThan(before + 5)
})

test('at 375 px rows are lines that go on without pages, nothing is wider than the screen', async () => {
  await open('/sample', 375)
  const lines = page.locator('.kit-list-row[data-row-key]')
  await lines.nth(29).waitFor()
  expect(await rows().count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  expect(await page.getByRole('button', { name: '下一页' }).count()).toBe(0)
  await lines.nth(29).scrollIntoViewIfNeeded()
  await lines.nth(55).waitFor()
  const ids = await lines.evaluateAll((all) => all.map((one) => one.dataset.rowKey))
  expect(new Set(ids).size).toBe(ids.length)
  await page.locator('.kit-phone-head').getByRole('button', { name: '更多' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '多选' }).click()
  await lines.first().getByRole('checkbox').check()
  await page.getByRole('toolbar', { name: '已选 1 条' }).waitFor()
  await lines.nth(1).click()
  await page.getByRole('toolbar', { name: '已选 2 条' }).getByRole('button', { name: '取消选择' }).click()
  await lines.first().click()
  await page.getByRole('dialog').getByText('联系电话').waitFor()
})

test('a refusal stands at its field in the field’s own words, of the browser and of the server alike', async () => {
  await open()
  await edit()
  await input('门店编号').fill('7')
  await page.getByRole('button', { name: '保存' }).click()
  const alert = form().getByRole('alert').filter({ hasText: '门店编号' })
  await expect.poll(() => alert.textContent()).toBe('门店编号应为两个大写字母加数字')
  expect(await input('门店编号').getAttribute('aria-invalid')).toBe('true')
  await page.getByText('有 1 处需要修改').waitFor()
  await expect.poll(() => input('门店编号').evaluate((one) => one === document.activeElement)).toBe(true)
  await input('门店编号').fill('HZ0009')
  await page.getByRole('button', { name: '保存' }).click()
  await expect.poll(() => alert.textContent()).toContain('已')
  await input('门店编号').fill('HZ9999')
  await page.getByRole('button', { name: '保存' }).click()
  await form().waitFor({ state: 'detached' })
  await rows().filter({ hasText: 'HZ9999' }).waitFor()
})

test('a day typed in any usual way is taken by Tab, Enter and a click elsewhere; any other text stays', async () => {
  await open()
  await edit()
  const leave = {
    tab: () => page.keyboard.press('Tab'),
    enter: () => page.keyboard.press('Enter'),
    click: () => form().locator('h3').first().click(),
  }
  const type = async (label: string, typed: string, by: keyof typeof leave) => {
    await input(label).fill('')
    await input(label).pressSequentially(typed)
    await leave[by]()
  }
  const holds = async (label: string, text: string) => {
    await expect.poll(() => input(label).inputValue()).toBe(text)
  }
  for (const [label, typed, by, text] of [
    ['下次检查', '1992-05-06', 'tab', '1992-05-06 00:00:00'],
    ['下次检查', '2027/3/9 8:30', 'click', '2027-03-09 08:30:00'],
    ['下次检查', '2027-03-10 08:30:00', 'click', '2027-03-10 08:30:00'],
    ['下次检查', '20270311', 'tab', '2027-03-11 00:00:00'],
    ['开业日期', '1992/5/12', 'tab', '1992-05-12'],
    ['开业日期', '1992-5-13', 'click', '1992-05-13'],
  ] as const) {
    await type(label, typed, by)
    await holds(label, text)
  }
  await type('下次检查', 'soon', 'click')
  await form().getByRole('alert').filter({ hasText: '下次检查应为时间' }).waitFor()
  await holds('下次检查', 'soon')
  await type('开业日期', '1992-02-30', 'tab')
  await form().getByRole('alert').filter({ hasText: '开业日期应为日期' }).waitFor()
  await holds('开业日期', '1992-02-30')
  await type('下次检查', '2027-3-9', 'tab')
  const saved = page.waitForRequest((request) => request.url().endsWith('/submit'))
  await type('开业日期', '1992.5.15', 'enter')
  expect((await saved).postDataJSON()).toMatchObject({ inspected: '2027-03-09 00:00:00', opened: '1992-05-15' })
  await form().waitFor({ state: 'detached' })
})

test('work that was not saved is asked for before it goes, and nothing is asked where nothing was typed', async () => {
  await open()
  await edit(1)
  await page.keyboard.press('Escape')
  await form().waitFor({ state: 'detached' })
  await edit(1)
  const name = await input('门店名称').inputValue()
  await input('门店名称').fill('没保存的店')
  await page.keyboard.press('Escape')
  const asking = page.locator('.ant-modal', { hasText: '离开前要放弃修改吗' })
  await asking.getByText('尚未保存：门店名称').waitFor()
  await asking.getByRole('button', { name: '继续编辑' }).click()
  expect(await input('门店名称').inputValue()).toBe('没保存的店')
  await input('门店名称').press('Escape')
  await asking.getByRole('button', { name: '放弃修改' }).click()
  await form().waitFor({ state: 'detached' })
  await edit(1)
  expect(await input('门店名称').inputValue()).toBe(name)
})

test('who saves over somebody else’s change is shown theirs and mine and chooses', async () => {
  await open()
  await edit(2)
  const id = await rows().nth(2).getAttribute('data-row-key')
  await input('联系电话').fill('13811112222')
  await gallery.happen(`meddle?id=${id}`)
  await page.getByRole('button', { name: '保存' }).click()
  const merge = page.locator('.ant-modal', { hasText: '数据已被他人修改' })
  await merge.getByText('13900000000').waitFor()
  await merge.getByText('13811112222').waitFor()
  await merge.getByRole('radio').first().check()
  await merge.getByRole('button', { name: '合并并保存' }).click()
  await form().waitFor({ state: 'detached' })
  await page.locator(`[data-row-key="${id}"]`).getByRole('button', { name: '编辑' }).click()
  await expect.poll(() => input('联系电话').inputValue()).toBe('13811112222')
})

test('an action of the toolbar is about no row, even while all that the filters find is chosen', async () => {
  await open()
  await rows().nth(9).waitFor()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('button', { name: /^选择符合条件的全部/ }).click()
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/fake/sample/sync'))
  await page.getByRole('button', { name: '同步' }).click()
  await answered
  expect(await page.locator('.ant-modal').count()).toBe(0)
})

test('what is to be set in many rows is refused at its field, before anything is asked of the server', async () => {
  await open()
  await rows().nth(9).waitFor()
  await page.getByRole('checkbox', { name: '全选本页' }).check()
  await page.getByRole('button', { name: '批量修改' }).click()
  const dialog = page.locator('.ant-modal', { hasText: '批量修改' })
  await dialog.getByRole('checkbox', { name: '邮箱' }).check()
  await dialog.getByRole('textbox').fill('no address')
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await dialog.getByRole('button', { name: '预览' }).click()
  await dialog.getByRole('alert').filter({ hasText: '邮箱' }).waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('no address')
  expect(urls.filter((url) => url.includes('/bulk/'))).toEqual([])
})

test('in English every word of list, form and detail is English', async () => {
  await open()
  await page.getByRole('button', { name: 'zh', exact: true }).click()
  await page.getByRole('heading', { name: 'Sample stores' }).waitFor()
  await page
    .getByRole('button', { name: 'Show less' })
    .or(page.getByRole('button', { name: 'More filters' }))
    .click()
  await rows().first().getByRole('button', { name: 'Edit' }).click()
  await form().getByLabel('Store name').waitFor()
  await form().getByLabel('Store code').fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await form().getByText('Store code must be two capital letters followed by digits').waitFor()
  const names = await page.evaluate(() => document.querySelectorAll('h1, th, label, button').length)
  expect(names).toBeGreaterThan(60)
  // Content of rows stays in the language of its author.
  const own = await untranslated(page)
  expect(own.filter((text) => !/延安路门店|营业执照-\d+\.pdf/.test(text))).toEqual([])
  await page.evaluate(() => localStorage.clear())
})

test('parts of a list stand alone in a page of its own: filters, rows in another shape, pager, detail', async () => {
  await open('/parts')
  const names = page.locator('.gallery-names li')
  await names.nth(9).waitFor()
  expect(await page.locator('.kit-toolbar, .ant-table').count()).toBe(0)
  await page.getByText('第 1 / 6 页').waitFor()
  await page.getByRole('button', { name: '下一页' }).click()
  await page.getByText('第 2 / 6 页').waitFor()
  await filter('门店名称').fill('延安')
  await filter('门店名称').press('Enter')
  await expect.poll(() => names.allTextContents().then((all) => all.every((text) => text.includes('延安')))).toBe(true)
  await page.getByText('第 1 / 1 页').waitFor()
  await page.getByRole('button', { name: '移除筛选 门店名称' }).waitFor()
  await names.first().getByRole('button').click()
  await page.getByRole('dialog').getByText('联系电话').waitFor()
})

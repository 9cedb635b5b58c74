import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { sql } from '#kit/server/database/db.ts'
import { toStoredRecords } from '#kit/web/base/storage.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

// Forms must name what they need before they are refused, and not ask for what is filled automatically.

const TENANT = '100001'
let office: BrowserSession
let customers: readonly { id: string }[]
beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  // One customer per test, since opened data stay open for their reader.
  customers = await office.server.services.unit({ tenantId: TENANT }, (db) =>
    db.query<{ id: string }>(sql`select id from wx_user where tenant_id = ${TENANT} and phone is not null
      order by id limit ${VARIANTS.length}`),
  )
})
afterAll(() => office?.close())

const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 375, height: 812 } }
const VARIANTS = (['zh', 'en'] as const).flatMap((lang) =>
  (['desk', 'phone'] as const).map((size) => [lang, size] as const),
)
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

async function open(account: string, [lang, size]: (typeof VARIANTS)[number], at: string): Promise<Page> {
  const isPhone = size === 'phone'
  const { page } = await office.signIn(TENANT, account, { viewport: SIZES[size], hasTouch: isPhone })
  await page.goto(`${office.url}/404`)
  await page.evaluate(
    (records) => records.forEach(({ name, value }) => localStorage.setItem(name, value)),
    toStoredRecords({ language: lang }),
  )
  await page.goto(office.url + at)
  await page.waitForSelector('.shell-content h1')
  return page
}

describe.each(VARIANTS)('in %s at a %s', (...variant) => {
  const [lang, size] = variant
  const isEn = lang === 'en'

  test('the form of a data scope misses the menu and the type alone: the rest fills itself', async () => {
    const page = await open('wu', variant, '/authority/datascope')
    await page
      .getByRole('button', { name: isEn ? /^Add/ : /^新增/ })
      .first()
      .click()
    const form = page.locator('.ant-drawer')
    const name = form.getByLabel(isEn ? 'Scope name' : '权限名称')
    await name.click()
    await form.getByLabel(isEn ? 'Note' : '备注').click()
    await form.getByRole('button', { name: isEn ? 'Save' : '保存', exact: true }).click()
    await form.locator('.kit-field-bad').first().waitFor()
    const missed = await form.locator('.kit-field-bad > label').allInnerTexts()
    expect(missed.map((text) => text.replace('*', '').trim())).toEqual(isEn ? ['Menu', 'Type'] : ['菜单', '规则类型'])
    expect(await fits(page)).toBe(true)
  })

  test('who opens personal data is told how long a reason has to be before they write one', async () => {
    const { id } = customers[VARIANTS.findIndex((one) => one[0] === lang && one[1] === size)]!
    const page = await open('wu', variant, `/shop/wxUser/${id}`)
    await page.getByRole('button', { name: isEn ? 'Reveal personal data' : '打开个人信息' }).click()
    const dialog = page.getByRole('dialog')
    const box = dialog.getByRole('textbox')
    await dialog.getByText(isEn ? 'At least 4 characters' : '至少 4 个字').waitFor()
    const described = await box.getAttribute('aria-describedby')
    expect(await dialog.locator(`[id="${described}"]`).innerText()).toContain('4')
    const ok = dialog.getByRole('button', { name: isEn ? 'Reveal personal data' : '打开个人信息' })
    // A reason the server would refuse cannot be sent.
    for (const reason of ['', 'xx', 'xxxx', '1234']) {
      await box.fill(reason)
      expect([reason, await ok.isDisabled()]).toEqual([reason, true])
    }
    await box.fill('来电核对号码')
    await ok.click()
    await page.getByText(isEn ? 'Personal data is visible for' : '个人信息已打开').waitFor()
    expect(await fits(page)).toBe(true)
  })
})

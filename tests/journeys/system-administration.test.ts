import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

let office: BrowserSession
let platform: CastMember
let tenantId: string

beforeAll(async () => {
  office = await openBrowserSession()
  const { server } = office
  platform = await server.as('admin')
  tenantId = (
    await server.call(platform, 'POST', '/api/blade-system/tenant/submit', {
      body: { tenantName: '青禾便利', linkman: '周敏' },
    })
  ).data.tenantId
  // Completes the change of the first password, so that the usual sign-in works.
  await server.as('admin', { tenantId })
})
afterAll(() => office?.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, text: string) => page.locator('.ant-table-row', { hasText: text })
const saved = (page: Page, sentence: string) => page.getByText(sentence, { exact: true }).first().waitFor()

/** Returns the directories and pages in a person's side menu. */
async function sideMenu(page: Page): Promise<string[]> {
  const closed = page.locator('.side button.tree-item[aria-expanded="false"]')
  while (await closed.count()) await closed.first().click()
  return (await page.locator('.side .tree-item').allInnerTexts()).map((text) => text.trim())
}

test(
  'a tenant administrator makes a role and grants it; who holds it sees exactly the granted ' +
    'menu, its granted buttons, and nothing else',
  async () => {
    const { server, url } = office
    const { page, complaints } = await office.signIn(tenantId, 'admin')

    await page.goto(`${url}/authority/role`)
    await button(page, '新增').first().click()
    const form = page.locator('.ant-drawer')
    await form.getByLabel('角色名称').fill('公告员')
    await form.getByLabel('角色别名').fill('announcer')
    await button(page, '保存').click()
    await saved(page, '新增成功')

    await row(page, 'announcer').getByRole('button', { name: '权限设置' }).click()
    const tree = page.locator('.kit-check-tree').first()
    const node = (title: string) =>
      tree.locator('.ant-tree-treenode', {
        has: page.locator('.ant-tree-title', { hasText: new RegExp(`^${title}$`) }),
      })
    await tree.getByRole('textbox').fill('公告')
    await node('公告').locator('.ant-tree-checkbox').click()
    await node('删除').locator('.ant-tree-checkbox').click()
    await button(page, '保存').click()
    await saved(page, '操作成功!')

    const admin = await server.as('admin', { tenantId })
    const roleId = (await server.call(admin, 'GET', '/api/blade-system/role/list')).data.find(
      (one: { roleAlias: string }) => one.roleAlias === 'announcer',
    ).id as string
    const granted = async () =>
      (
        await server.call(admin, 'GET', '/api/blade-system/menu/role-tree-keys', { query: { roleIds: roleId } })
      ).data.menu.toSorted() as string[]
    const menus = (await server.call(platform, 'GET', '/api/blade-system/menu/list', { query: { code: 'notice' } }))
      .data as { id: string; code: string; children?: { id: string; code: string }[] }[]
    type Menu = { id: string; code: string; children?: Menu[] }
    const notice = (menus as Menu[])
      .flatMap((menu): Menu[] => [menu, ...(menu.children ?? [])])
      .find((menu) => menu.code === 'notice')!
    const expected = notice
      .children!.filter(({ code }) => code !== 'notice_delete')
      .map(({ id }) => id)
      .toSorted()
    expect(expected.length).toBeGreaterThan(2)
    expect(await granted()).toEqual(expected)

    // Saved again with another change, the rest must stay.
    await row(page, 'announcer').getByRole('button', { name: '权限设置' }).click()
    await tree.getByRole('textbox').fill('公告')
    expect(await node('公告').locator('.ant-tree-checkbox-indeterminate').count()).toBe(1)
    await node('删除').locator('.ant-tree-checkbox').click()
    expect(await node('公告').locator('.ant-tree-checkbox-checked').count()).toBe(1)
    await node('删除').locator('.ant-tree-checkbox').click()
    await page.locator('.ant-drawer-close').last().click()
    await page.locator('.kit-check-tree').waitFor({ state: 'detached' })
    expect(await granted()).toEqual(expected)

    await page.goto(`${url}/system/user`)
    await button(page, '新增').first().click()
    await form.getByLabel('登录账号').fill('xiaozhang')
    await form.getByLabel('用户昵称').fill('小张')
    await form.getByLabel('用户姓名').fill('张三')
    await form.getByLabel('所属角色').click()
    await page.locator('.ant-select-tree-treenode', { hasText: '公告员' }).locator('.ant-select-tree-checkbox').click()
    await page.keyboard.press('Escape')
    await button(page, '保存').click()
    await saved(page, '新增成功')
    const dialog = page.getByRole('dialog', { name: '初始密码' })
    const password = (await dialog.locator('dd').innerText()).trim()
    await dialog.getByRole('button', { name: '已交给本人' }).click()
    await row(page, 'xiaozhang').waitFor()
    expect(complaints).toEqual([])

    // The password was changed meanwhile.
    const person = await server.as('xiaozhang', { tenantId, password })
    const clerk = await office.signIn(tenantId, 'xiaozhang', { password, at: '/wel/index' })
    expect(await sideMenu(clerk.page)).toEqual(['工作台', '公告'])
    await clerk.page.locator('.side a[href="/desk/notice"]').click()
    await button(clerk.page, '新增').first().waitFor()
    expect(await clerk.page.getByRole('button', { name: /删除/ }).count()).toBe(0)

    await clerk.page.goto(`${url}/system/user`)
    await clerk.page.getByText('403').first().waitFor()
    expect((await server.call(person, 'GET', '/api/blade-user/page')).status).toBe(403)
    expect((await server.call(person, 'GET', '/api/blade-desk/notice/list')).status).toBe(200)
    expect(clerk.complaints).toEqual([])
  },
)

test('who may export users has a button for it above their list, and it saves a workbook', async () => {
  const { page } = await office.signIn(tenantId, 'admin')
  await page.goto(`${office.url}/system/user`)
  await row(page, 'admin').waitFor()
  const file = page.waitForEvent('download')
  await page.locator('.kit-tools').getByRole('button', { name: '导出' }).click()
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/)
})

test('on a phone the platform tells roles of one name apart, and reads slow statements within the screen', async () => {
  const viewport = { width: 375, height: 812 }
  const { page, close } = await office.signIn('000000', 'admin', { viewport, at: '/authority/role' })
  await row(page, '青禾便利').locator('.kit-tree-facts', { hasText: 'admin' }).first().waitFor()
  // A slow statement, which the page must list among those of the last hour.
  await office.server.services.unit({ tenantId }, (db) => db.run(sql`select pg_sleep(0.2)`))
  await page.goto(`${office.url}/system/status`)
  const statement = page.locator('.status-text').first()
  await statement.waitFor()
  const box = (await statement.boundingBox())!
  expect(box.x + box.width).toBeLessThanOrEqual(viewport.width)
  await close()
})

test('a quota is refused at its field as it was typed, and one below the accounts there are is told', async () => {
  const { server } = office
  const body = { account: 'second', name: '第二人', realName: '第二人', userType: 1 }
  const added = await server.call(await server.as('admin', { tenantId }), 'POST', '/api/blade-user/submit', { body })
  expect(added.status).toBe(200)
  const { page, close } = await office.signIn('000000', 'admin', { at: '/system/tenant' })
  await row(page, '青禾便利').getByRole('button', { name: '授权配置' }).click()
  const quota = page.getByRole('textbox', { name: '账号额度' })
  await quota.fill('1')
  await page.getByText(/^青禾便利已有 \d+ 个账号/).waitFor()
  await quota.fill('0.5')
  await page.locator('.ant-drawer').getByRole('button', { name: '保存' }).click()
  await page.getByRole('alert').filter({ hasText: '账号额度应为整数' }).waitFor()
  expect(await quota.inputValue()).toBe('0.5')
  await close()
})

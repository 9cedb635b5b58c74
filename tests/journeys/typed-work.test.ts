import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

let office: BrowserSession
let wu: CastMember
let page: Page

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
  wu = await office.server.as('wu', { tenantId: '100001' })
  page = (await office.signIn('100001', 'wu')).page
})
afterAll(() => office?.close())

test(
  'an application that is being filled in stays on screen when somebody else ' + 'saves it, and is merged with theirs',
  async () => {
    const path = '/api/pay/payApply'
    const [draft] = (await office.server.call(wu, 'GET', `${path}/list`, { query: { status: 'draft' } })).data.records
    const now = async () => (await office.server.call(wu, 'GET', `${path}/detail`, { query: { id: draft.id } })).data
    const before = await now()
    const name = `钱多多${before.version}`
    await page.goto(`${office.url}/pay/payApplyEdit/${draft.merchantId}/${draft.id}/edit?step=3`)
    const input = page.getByLabel('管理员姓名')
    await input.fill(name)
    const detail = page.waitForResponse((answer) => answer.url().includes(`${path}/detail`))
    expect(
      await office.server.call(wu, 'POST', `${path}/submit`, {
        body: { id: draft.id, storeName: `别人改的店${before.version}` },
      }),
    ).toMatchObject({ status: 200 })
    await (await detail).finished()
    await expect.poll(() => input.inputValue()).toBe(name)
    await page.getByRole('button', { name: '保存草稿' }).click()
    await page
      .locator('.ant-modal', { hasText: '数据已被他人修改' })
      .getByRole('button', { name: '合并并保存' })
      .click()
    await expect.poll(async () => (await now()).contactName).toBe(name)
    expect((await now()).storeName).toBe(`别人改的店${before.version}`)
    await expect.poll(() => page.url()).toMatch(/\/view$/)
  },
)

test(
  'quantities that were typed for an order stay when other days are asked for, and are ' +
    'not given up for another shop unasked',
  async () => {
    await page.goto(`${office.url}/supplier/supplierCart`)
    await page.getByText('全部可订', { exact: true }).click()
    const count = page.locator('.supplier-group input[id^=count-]').first()
    await count.fill('7')
    await page.getByRole('combobox').nth(1).click()
    const proposal = page.waitForResponse((answer) => answer.url().includes('coverDays=14'))
    await page.locator('.ant-select-item-option', { hasText: '14' }).click()
    await (await proposal).finished()
    await expect.poll(() => count.inputValue()).toBe('7')
    const shopId = new URL(page.url()).searchParams.get('shopId')
    await page.getByRole('combobox').first().click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').nth(1).click()
    const question = page.locator('.ant-modal-confirm', { hasText: '订货数量' })
    await question.getByRole('button', { name: '继续编辑' }).click()
    expect(new URL(page.url()).searchParams.get('shopId')).toBe(shopId)
    expect(await count.inputValue()).toBe('7')
  },
)

test(
  'who saves a shop’s staff after somebody else did finds both changes on ' + 'screen, and saves them together',
  async () => {
    const path = '/api/shop/basicShopInfo'
    const [shop] = (await office.server.call(wu, 'GET', `${path}/query`)).data
    const staff = async () =>
      (await office.server.call(wu, 'GET', `${path}/staff`, { query: { id: shop.id } })).data as {
        userId: string
        position: string
        account: string
      }[]
    const [zhou, xu] = await Promise.all(
      ['zhou', 'xu'].map(async (account) => (await office.server.as(account, { tenantId: '100001' })).userId),
    )
    const put = async (userIds: string[]) =>
      expect(
        await office.server.call(wu, 'POST', `${path}/staff`, {
          body: { id: shop.id, staff: userIds.map((userId) => ({ userId, position: 'clerk' })) },
        }),
      ).toMatchObject({ status: 200 })
    await put([zhou!])
    await page.goto(`${office.url}/shop/basicShopInfo/${shop.id}`)
    await page.locator('.shops-beside h3').getByRole('button').click()
    const rows = page.locator('.shops-staff-row')
    await expect.poll(() => rows.count()).toBe(1)
    await rows.first().locator('.ant-select').last().click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: '店主' }).click()
    await put([zhou!, xu!])
    const save = page.locator('.ant-drawer .kit-drawer-foot .ant-btn-primary')
    await save.click()
    await expect.poll(() => rows.count()).toBe(2)
    await save.click()
    await expect
      .poll(async () => (await staff()).map(({ account, position }) => `${account} ${position}`).toSorted())
      .toEqual(['xu clerk', 'zhou boss'])
  },
)

test(
  'who gives a user a role after somebody else gave him another one finds ' + 'both ticked, and saves them together',
  async () => {
    const tree = (await office.server.call(wu, 'GET', '/api/blade-system/role/tree')).data as {
      id: string
      title: string
      children?: any[]
    }[]
    const roles = tree.flatMap((one) => [one, ...(one.children ?? [])]) as typeof tree
    const idOf = (title: string) => roles.find((one) => one.title === title)!.id
    const { userId } = await office.server.as('xu', { tenantId: '100001' })
    const held = async () =>
      String((await office.server.call(wu, 'GET', '/api/blade-user/detail', { query: { id: userId } })).data.roleId)
        .split(',')
        .toSorted()
    const give = async (...titles: string[]) =>
      expect(
        await office.server.call(wu, 'POST', '/api/blade-user/grant', {
          query: { userIds: userId, roleIds: titles.map(idOf).join(',') },
        }),
      ).toMatchObject({ status: 200 })
    await give('店员')
    await page.goto(`${office.url}/system/user`)
    await page.locator('.ant-table-row', { hasText: 'xu' }).getByRole('button', { name: '角色配置' }).click()
    const drawer = page.locator('.ant-drawer', { hasText: '角色配置' }).last()
    const box = (title: string) =>
      page.locator('.ant-drawer .ant-tree-treenode', { hasText: title }).locator('.ant-tree-checkbox')
    await box('店主').click()
    await give('店员', '管理员')
    const save = page.locator('.ant-drawer .kit-drawer-foot .ant-btn-primary')
    await save.click()
    await expect.poll(() => drawer.locator('.ant-tree-checkbox-checked').count()).toBe(3)
    expect(await held()).toEqual([idOf('店员'), idOf('管理员')].toSorted())
    await save.click()
    await expect.poll(held).toEqual([idOf('店主'), idOf('店员'), idOf('管理员')].toSorted())
    await give('店员')
  },
)

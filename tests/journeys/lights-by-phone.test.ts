import { afterAll, beforeAll, expect, test } from 'vitest'
import { testGateway } from '#tests/support/gateway.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
let office: BrowserSession

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2 })
})
afterAll(() => office?.close())

test('a sign is lit from a phone: each step stands there when the device has said it, not before', async () => {
  const { server } = office
  const gateway = testGateway(server.services, { tenantId, clientId: 'EPA-S001' })
  const state = (power: 'on' | 'off') =>
    gateway.say('state', { power: [{ clientId: 'SW-2', power, watts: power === 'on' ? 120 : 0, energy: 300 }] })
  await gateway.say('online', { online: true, connId: 'c1' })
  await gateway.say('hello', { connId: 'c1', bootId: 'b1', fw: '1.3.2' })
  await state('off')

  const wu = await server.as('wu', { tenantId })
  const [{ id }] = (await server.call(wu, 'GET', '/api/shop/epaGateway/list', { query: { clientId: 'EPA-S001' } })).data
    .records as [{ id: string }]
  const { page, complaints } = await office.signIn(tenantId, 'wu', {
    ...PHONE,
    at: `/device/epaDevice?gatewayId=${id}&clientId=SW-2`,
  })
  await page
    .locator('.kit-list-row', { hasText: '招牌灯箱' })
    .getByRole('button', { name: '通电', exact: true })
    .click()
  const dialog = page.locator('.ant-modal')
  await dialog.getByRole('button', { name: '通电' }).click()
  const command = await gateway.told('sub.power')
  expect(command.params).toEqual({ clientId: 'SW-2', opt: 'on' })
  await gateway.say('ack', { id: command.id, ok: true })
  await dialog.getByText('设备已接收').waitFor()
  expect(await dialog.getByText('设备报告完成').count()).toBe(0)
  await gateway.say('res', { id: command.id, code: 0, data: { power: 'on' } })
  await dialog.getByText('设备报告完成').waitFor()
  expect(await dialog.getByText('现场已确认').count()).toBe(0)
  await state('on')
  await dialog.getByText('现场已确认').waitFor()
  await dialog.locator('.ant-modal-footer').getByRole('button', { name: '关闭' }).click()
  // The dialog names the shop, since every shop has a switch of that name.
  await page
    .locator('.kit-list-row', { hasText: '招牌灯箱' })
    .getByRole('button', { name: '断电', exact: true })
    .click()
  await dialog.getByText('的“招牌灯箱”马上断电').waitFor()
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

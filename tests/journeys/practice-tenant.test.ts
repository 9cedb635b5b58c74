import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveSimulationControl } from '#apps/server/src/demo/simulation-control.ts'
import { startDeviceSimulation } from '#apps/server/src/demo/simulation.ts'
import { deviceBroker } from '#tests/support/device-broker.ts'
import { navigateWithin, openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
let broker: Awaited<ReturnType<typeof deviceBroker>>
let office: BrowserSession
let close: (() => Promise<void>) | undefined

beforeAll(async () => {
  broker = await deviceBroker()
  office = await openBrowserSession({ storyDays: 2, env: { ...broker.env, PRACTICE: 'on' } })
  broker.serve(office.server)
  await office.server.seed()
  const simulation = await startDeviceSimulation(office.server.services, {
    address: office.server.url,
    pace: '1/h',
    isStory: false,
  })
  close = await serveSimulationControl(simulation, office.server.services.config.dataDir)
}, 240_000)
afterAll(async () => {
  await close?.()
  await office?.close()
  await broker?.close()
})

test('on a phone: a practice tenant is made, played, broken, seen by its own people, and removed', async () => {
  const { page, complaints } = await office.signIn('000000', 'admin', PHONE)
  await page.goto(`${office.url}/system/street`)
  await page.getByText('还没有练习租户').waitFor()
  expect(await page.getByText('没有这样的设备').count()).toBe(1)
  await page.getByRole('button', { name: '建立练习租户' }).click()
  const dialog = page.locator('.ant-modal', { hasText: '练习租户已建立' })
  await dialog.locator('dd').first().waitFor()
  const [tenantId, account, password] = await dialog.locator('dd').allTextContents()
  await dialog.locator('.ant-modal-footer button').click()
  const device = (number: string) => page.locator('.simulation-device', { hasText: number })
  const gateway = device(`GW-${tenantId}-P1`)
  await gateway.getByText('在线').waitFor()
  await page.getByRole('button', { name: '播放一天' }).click()
  await page.getByRole('button', { name: '正在播放' }).waitFor()

  await gateway.getByRole('button', { name: /故障/ }).click()
  const faults = page.locator('.ant-drawer', { hasText: '练习一店 的故障' })
  await faults.getByRole('switch', { name: /^离线/ }).click()
  await gateway.getByText('离线').first().waitFor()
  await faults.getByRole('button', { name: /关闭|Close/ }).click()
  expect(await device(`GW-${tenantId}-P2`).getByText('离线').count()).toBe(0)

  // Its own users see the fault like any other, and that the tenant is for practice.
  const own = await office.signIn(tenantId!, account!, { ...PHONE, password: password!, at: '/wel/index' })
  await own.page.locator('.live-practice', { hasText: '练习租户' }).waitFor()
  await navigateWithin(own.page, `/device/deviceLink?clientId=GW-${tenantId}-P1`)
  await own.page.locator('.kit-list-row', { hasText: '练习一店' }).getByText('离线').waitFor()
  expect(await page.locator('.live-practice').count()).toBe(0)
  // The mark must not cover the page's title.
  const [name, mark] = await Promise.all(
    ['.top-here', '.live-practice'].map((part) => own.page.locator(part).boundingBox()),
  )
  expect(name!.x + name!.width).toBeLessThanOrEqual(mark!.x)

  await page.locator('.simulation-practice').getByRole('button', { name: '清除' }).click()
  await page
    .locator('.ant-modal', { hasText: '不能恢复' })
    .getByRole('button', { name: /确\s*定|清除/ })
    .last()
    .click()
  await page.getByText('还没有练习租户').waitFor({ timeout: 60_000 })
  expect(await page.getByText(tenantId!).count()).toBe(0)
  // Somebody still signed in can do nothing any more.
  await own.page.goto(`${office.url}/device/deviceLink`)
  await own.page.waitForURL('**/login**')
  expect(complaints).toEqual([])
}, 180_000)

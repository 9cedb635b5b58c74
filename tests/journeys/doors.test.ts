import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
const clientId = 'GW-100001-S001'
let office: BrowserSession
let gateway: ReturnType<typeof testGateway>
let watch: ReturnType<typeof setInterval>

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
  const { services } = office.server
  gateway = testGateway(services, { tenantId, clientId })
  await gateway.say('online', { online: true, connId: 'c1' })
  await gateway.say('state', { doors: [{ doorNo: 1, contact: 'closed', lock: 'locked', mode: 'normal' }] })
  // The device listener regularly checks commands without an answer.
  watch = setInterval(() => void gateway.lookAtDue(), 500)
})
afterAll(async () => {
  clearInterval(watch)
  await office?.close()
})

/** Opens a door: two taps from the list of shops, and a third to confirm. */
async function openDoor(page: Page) {
  const { doors, question } = await askToOpen(page)
  await question.getByRole('button', { name: '开门' }).tap()
  return doors
}

/** Returns the door commands sent to the gateway. */
const doorCommands = () => gateway.down('cmd').filter(({ method }) => String(method).startsWith('door.'))

async function askToOpen(page: Page) {
  await page.goto(`${office.url}/shop/basicShopInfo`)
  await page.getByText('西溪湿地店').first().tap()
  const doors = page.locator('.doors-of-shop')
  await doors.getByText('1 号门').waitFor()
  await doors.getByRole('button', { name: '开门' }).tap()
  const question = page.getByRole('dialog').filter({ hasText: '“西溪湿地店”的 1 号门' })
  return { doors, question }
}

const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)

test('a slip of the thumb opens no door: one is asked which, and nothing leaves before the answer', async () => {
  gateway.forget()
  const { page, complaints, close } = await office.signIn(tenantId, 'lin', PHONE)
  const { doors, question } = await askToOpen(page)
  await question.waitFor()
  expect(doorCommands()).toEqual([])
  await question.getByRole('button', { name: '取消' }).tap()
  await question.waitFor({ state: 'detached' })
  expect(await doors.locator('.command-steps').count()).toBe(0)
  expect(doorCommands()).toEqual([])
  expect(complaints).toEqual([])
  await close()
})

test('a boss opens a door from his phone, asked once, and watches it open', async () => {
  const { page, complaints, close } = await office.signIn(tenantId, 'lin', PHONE)
  const doors = await openDoor(page)
  await doors.getByText('已发送').waitFor()
  const { id, params } = await gateway.told('door.control')
  expect(params).toEqual({ doorNo: 1, opt: 'open' })
  await gateway.say('ack', { id, ok: true })
  await doors.getByText('设备已接收').waitFor()
  expect(await doors.getByText('设备报告完成').count()).toBe(0)
  await gateway.say('res', { id, code: 0, data: { lock: 'unlocked', mode: 'normal' } })
  await doors.getByText('设备报告完成').waitFor()
  expect(await doors.getByText('现场已确认').count()).toBe(0)
  await gateway.say('state', { doors: [{ doorNo: 1, contact: 'open', lock: 'unlocked', mode: 'normal' }] })
  await gateway.event('door.opened', { doorNo: 1, by: id })
  await doors.getByText('现场已确认').waitFor()
  await doors.locator('.door-state', { hasText: '开着' }).waitFor()
  expect(await fits(page)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

test('a door that does not answer is said to be unknown, and neither open nor failed', async () => {
  gateway.forget()
  const { page, close } = await office.signIn(tenantId, 'lin', PHONE)
  const doors = await openDoor(page)
  await doors.getByText('没有确认').waitFor({ timeout: 30_000 })
  expect(await doors.getByText('设备报告完成').count()).toBe(0)
  expect(await doors.getByText('执行失败').count()).toBe(0)
  expect((await gateway.told('door.status')).method).toBe('door.status')
  await close()
})

test('a door is forced closed after being asked twice', async () => {
  gateway.forget()
  await office.server.services.unit({ tenantId }, (db) => db.run(sql`delete from device_command_due`))
  const { page, close } = await office.signIn(tenantId, 'lin', PHONE)
  await page.goto(`${office.url}/shop/basicShopInfo`)
  await page.getByText('西溪湿地店').first().tap()
  const doors = page.locator('.doors-of-shop')
  await doors.getByRole('button', { name: '更多' }).tap()
  await page.getByRole('menuitem', { name: '强制关门' }).tap()
  await page.getByText('即使店内有人').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '强制关门' }).tap()
  await page.getByText('再次确认').waitFor()
  expect(gateway.down('cmd')).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: '强制关门' }).tap()
  expect(await gateway.told('door.forceClose')).toMatchObject({ params: { doorNo: 1 } })
  await close()
})

test('a visit is one line of time, reached from its order', async () => {
  // The demo data choose the visit's shop anew each day, so this user sees all shops.
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', PHONE)
  const visit = await office.server.services.unit({ tenantId }, (db) =>
    db.one<{ id: string; orderId: string }>(sql`select v.id, o.id as order_id from customer_visit_log v
      join shopping_order o on o.tenant_id = v.tenant_id and o.visit_id = v.id
      where v.leave_time is not null order by v.id desc limit 1`),
  )
  await page.goto(`${office.url}/order/shoppingOrder/${visit!.orderId}`)
  await page.locator('.order-facts a[href*="customerVisitLog"]').tap()
  await page.waitForURL(`**/shop/customerVisitLog/${visit!.id}`)
  const line = page.locator('.visit-timeline')
  for (const word of ['扫码', '开门', '进店', '付款', '离店']) await line.getByText(word, { exact: true }).waitFor()
  expect(await fits(page)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

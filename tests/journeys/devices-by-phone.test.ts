import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testGateway } from '#tests/support/gateway.ts'
import type { CastMember } from '#tests/support/server.ts'
import { openBrowserSession, type BrowserSession } from './browser.ts'

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true }
const tenantId = '100001'
const clientId = 'GW-100001-S001'
let office: BrowserSession
let wu: CastMember
let gateway: ReturnType<typeof testGateway>
let shopId: string

beforeAll(async () => {
  office = await openBrowserSession({ storyDays: 2, hasPolicy: true })
  gateway = testGateway(office.server.services, { tenantId, clientId })
  wu = await office.server.as('wu', { tenantId })
  shopId = (await inTenant<{ id: string }>(sql`select id from basic_shop_info where client_id = ${clientId}`)).id
  await gateway.say('online', { online: true, connId: 'c1' })
  await gateway.say('hello', { connId: 'c1', bootId: 'b1', fw: '1.0.0' })
})
afterAll(() => office?.close())

const inTenant = async <T>(statement: ReturnType<typeof sql>): Promise<T> =>
  (await office.server.services.unit({ tenantId }, (db) => db.one(statement))) as T
const post = async (path: string, body: object, query: Record<string, string> = {}) => {
  const answer = await office.server.call(wu, 'POST', `/api/shop/${path}`, { body, query })
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.data
}
const done = async ({ id }: { id: string }, data: object = {}) => {
  await gateway.say('ack', { id, ok: true })
  await gateway.say('res', { id, code: 0, data })
}
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)
const shows = async (page: Page, text: string) => {
  const rows = page.locator('.remote-terminal .xterm-rows')
  await expect.poll(() => rows.innerText(), { timeout: 10_000 }).toContain(text)
}
const lineOf = (page: Page, text: string): Locator => page.locator('.kit-list-row', { hasText: text })

test('a receipt whose paper was lost is printed again from a phone, once, and says when it is on paper', async () => {
  const { id: printerId } = await post('printerInfo/save', {
    name: '柜台打印机',
    shopId,
    brand: 'escpos',
    sn: 'COM1-58',
    paperWidth: 58,
    usage: 'receipt',
    copies: 1,
  })
  await post('printerInfo/testPrint', {}, { id: printerId })
  await done(await gateway.told('print.raw'), { state: 'printed' })

  const { page, complaints, close } = await office.signIn(tenantId, 'wu', PHONE)
  await page.goto(`${office.url}/device/printJob?printerId=${printerId}`)
  const line = lineOf(page, '柜台打印机')
  await line.getByText('已打印', { exact: true }).waitFor()
  await line.tap()
  await page.getByRole('dialog').getByRole('button', { name: '重打' }).tap()
  await page.getByText('若第一次其实已打出，会有两张').waitFor()
  expect(gateway.down('cmd').filter(({ method }) => method === 'print.raw')).toHaveLength(1)
  await page.locator('.ant-modal').getByRole('button', { name: '重打' }).tap()
  const again = await gateway.told('print.raw', 1)
  // The gateway has it, but the printed list does not.
  await expect.poll(() => line.count()).toBe(2)
  expect(await line.first().getByText('已打印', { exact: true }).count()).toBe(0)
  await done(again, { state: 'printed' })
  await line.first().getByText('已打印', { exact: true }).waitFor()
  expect(gateway.down('cmd').filter(({ method }) => method === 'print.raw')).toHaveLength(2)
  expect(await fits(page)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

test('an upgrade is started and followed on a phone: it counts as done by the version that comes back', async () => {
  await office.server.services.unit({ tenantId }, (db) =>
    db.run(sql`update device_link set state = 'offline' where kind = 'gateway' and client_id <> ${clientId}`),
  )
  const versionId = await published('2.0.0')
  await post('rollout/submit', {
    name: '二代程序',
    module: 'gateway',
    programId: versionId,
    shopIds: [shopId],
    waves: '100',
    failureMax: '10.00',
  })
  const { page, complaints, close } = await office.signIn(tenantId, 'wu', PHONE)
  await page.goto(`${office.url}/device/rollout`)
  const board = page.locator('.fleet-board').first()
  await board.getByText('1.0.0').waitFor()
  const line = lineOf(page, '二代程序')
  await line.getByRole('button', { name: '开始', exact: true }).tap()
  await page.locator('.ant-modal').getByRole('button', { name: '开始' }).tap()
  const command = await gateway.told('gw.upgrade')
  await line.getByText('进行中').waitFor()
  await gateway.say('ack', { id: command.id, ok: true })
  await gateway.say('prog', { id: command.id, step: 'REBOOTING', pct: 100 })
  await line.getByText('二代程序').tap()
  await page.getByText('升级中 1').waitFor()
  expect(await page.getByText('成功 1').count()).toBe(0)
  await gateway.say('hello', { connId: 'c2', bootId: 'b2', fw: '2.0.0' })
  await page.getByText('成功 1').waitFor()
  expect(await fits(page)).toBe(true)
  expect(complaints).toEqual([])
  await close()
})

/** Publishes a program with its package. */
async function published(versionName: string): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.concat([Buffer.from([0x50, 0x4b, 5, 6]), Buffer.alloc(18)])]), 'program.zip')
  const answer = await fetch(`${office.server.url}/api/blade-resource/oss/endpoint/put-file`, {
    method: 'POST',
    headers: { 'blade-auth': `bearer ${wu.token}` },
    body: form,
  })
  const { data } = (await answer.json()) as { data: { link: string } }
  const { id } = await post('clientVersion/submit', {
    versionName,
    versionCode: 20,
    url: data.link,
    rollout: '100.00',
    model: 'GW-A',
  })
  await post('clientVersion/publish', {}, { id })
  return id
}

test('a gateway is looked into from a phone: what is allowed answers, the rest is refused; others watch', async () => {
  // A separate permission allows any command.
  await office.server.services.unit({ crossTenantReason: 'a boss who may open sessions and no more' }, (db) =>
    db.run(sql`delete from role_menu where menu_id in (select id from menu where code = 'deviceLink_shell')`),
  )
  const { page, complaints, close } = await office.signIn(tenantId, 'lin', PHONE)
  await page.goto(`${office.url}/device/deviceLink?clientId=${clientId}`)
  await page.locator('.kit-list-row').first().tap()
  const detail = page.getByRole('dialog')
  await detail.getByText(clientId).first().waitFor()
  const session = detail.getByRole('button', { name: '远程会话' })
  if (!(await session.count())) await detail.getByRole('button', { name: '更多' }).tap()
  await ((await session.count()) ? session : page.getByRole('menuitem', { name: '远程会话' })).tap()
  await done(await gateway.told('shell.open'), { shell: 'ash', cwd: '/root' })
  await shows(page, '$')

  await page.keyboard.type('uptime\n')
  const { id, params } = await gateway.told('shell.exec')
  expect(params).toMatchObject({ cmd: 'uptime' })
  await gateway.say('ack', { id, ok: true })
  const output = Buffer.from('up 3 days\n').toString('base64')
  await gateway.event('shell.out', { sid: params.sid, seq: params.seq, n: 1, stream: 'out', data: output })
  await gateway.say('res', { id, code: 0, data: { exitCode: 0 } })
  await shows(page, 'up 3 days')

  // Keys typed early wait for the prompt.
  await page.keyboard.type('reboot')
  await shows(page, '$ reboot')
  await page.keyboard.press('Enter')
  await page.getByText('“reboot”不在允许的命令中').waitFor()
  expect(gateway.down('cmd').filter(({ method }) => method === 'shell.exec')).toHaveLength(1)

  const watcher = await office.signIn(tenantId, 'wu', PHONE)
  await watcher.page.goto(`${office.url}/device/remoteSession`)
  await watcher.page.locator('.kit-list-row').first().tap()
  await shows(watcher.page, 'up 3 days')
  await watcher.page.getByText('您在旁观').waitFor()
  expect(await fits(watcher.page)).toBe(true)

  await page.getByRole('button', { name: '结束会话' }).tap()
  await done(await gateway.told('shell.close'))
  await watcher.page.getByText('会话已结束').waitFor()
  expect(watcher.complaints).toEqual([])
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
  await watcher.close()
  await close()
})

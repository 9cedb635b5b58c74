import ExcelJS from 'exceljs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { saleBodyOf, createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { enqueueDueReports } from './timing.server.ts'

let now = new Date('2026-11-20T10:00:00+08:00')
let tenants: TestTenants
let boss: CastMember
let bossRole: string
let reportId: string

const tenant = (work: (db: any) => Promise<any>): Promise<any> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const post = (who: CastMember, path: string, body: object) => tenants.call(who, 'POST', `/api/report/${path}`, { body })
const sent = async (who: CastMember): Promise<Record<string, any>[]> =>
  (await tenants.must(tenants.call(who, 'GET', '/api/report/sent/list', { query: { size: 100 } }))).records
const CODES = [
  'reportView',
  'reportView_view',
  'reportSent',
  'reportSent_view',
  'reportTiming',
  'shoppingOrder',
  'shoppingOrder_export',
]

/** Advances the clock and runs everything that is due; returns the number of deliveries queued. */
async function pass(minutes: number): Promise<number> {
  now = new Date(now.getTime() + minutes * 60_000)
  const enqueued = await enqueueDueReports(tenants.services)
  await tenants.server.jobs.runDue()
  return enqueued
}

beforeAll(async () => {
  tenants = await createTestTenants({ now: () => now })
  const { north } = tenants
  boss = await tenants.person(north, 'boss', CODES)
  const body = { id: north.shops[0], staff: [{ userId: boss.userId, position: 'boss' }] }
  await tenants.must(tenants.call(north.admin, 'POST', '/api/shop/basicShopInfo/staff', { body }))
  for (const shop of [0, 1]) {
    const register = await tenants.register(north, north.shops[shop]!)
    const good = await tenants.good(north, north.shops[shop]!, { salePrice: '4.00', costPrice: '1.00' })
    await tenants.must(tenants.beep(register, 'POST', 'sale', { body: saleBodyOf(good.upc, {}, 1 + shop, '4.00') }))
  }
  const [role] = await tenant((db: any) =>
    db.query(sql`select role_id[1]::text as id from sys_user where id = ${boss.userId}`),
  )
  bossRole = role.id
  reportId = (
    await tenants.must(
      post(north.admin, 'view/submit', {
        name: '门店业绩',
        roleId: bossRole,
        question: { family: 'shoppingOrder', rows: ['shopId'], measures: ['sales', 'orders'] },
      }),
    )
  ).id
}, 120_000)
afterAll(() => tenants?.close())
beforeEach(() => tenant((db: any) => db.run(sql`update report_timing set enabled = false`)))

const timing = async (draft: object) =>
  (
    await tenants.must(
      post(tenants.north.admin, 'timing/submit', {
        name: '早报',
        reportId,
        kind: 'workbook',
        cron: '0 8 * * *',
        userIds: `${boss.userId},${tenants.north.admin.userId}`,
        ...draft,
      }),
    )
  ).id as string

test('a timed report brings each of its readers what they may see themselves, once, and tells them', async () => {
  await timing({})
  expect(await pass(60)).toBe(0)
  expect(await pass(23 * 60)).toBe(2)
  // A second look at the same time finds nothing due.
  expect(await pass(0)).toBe(0)
  const total = async (who: CastMember) => {
    const [mine] = (await sent(who)).filter((row) => row.userId === who.userId)
    expect(mine).toMatchObject({ state: 'sent', kind: 'workbook' })
    const file = await tenants.server.http.inject({
      method: 'GET',
      url: `/api/report/sent/file?id=${mine!.id}`,
      headers: { 'blade-auth': `bearer ${who.token}` },
    })
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(file.rawPayload as never)
    const sheet = book.worksheets[0]!
    return [sheet.rowCount, sheet.getRow(sheet.rowCount).getCell(2).value]
  }
  expect(await total(boss)).toEqual([3, 4])
  expect(await total(tenants.north.admin)).toEqual([4, 12])
  const notices = await tenant((db: any) =>
    db.query(sql`select user_id::text, result from notice_log where template = 'report' order by user_id`),
  )
  expect(notices).toHaveLength(2)
  expect(notices.map((one: any) => one.result)).toEqual(['sent', 'sent'])
})

test('timed reports of one tenant leave another tenant its turn, and do not all come before it', async () => {
  const { north, south } = tenants
  const { id } = await tenants.must(
    post(south.admin, 'view/submit', {
      name: '南街业绩',
      question: { family: 'shoppingOrder', rows: ['shopId'], measures: ['sales'] },
    }),
  )
  for (let n = 0; n < 6; n++) await timing({ name: `北街${n}`, kind: 'page', userIds: north.admin.userId })
  const due = { kind: 'page', cron: '30 8 * * *', userIds: south.admin.userId, enabled: true }
  await tenants.must(post(south.admin, 'timing/submit', { ...due, name: '南街早报', reportId: id }))
  // All deliveries of the first tenant are queued before that of the second is due; none is sent yet.
  const eight = new Date(now.getTime() + 24 * 3_600_000).toISOString().slice(0, 10)
  now = new Date(`${eight}T08:10:00+08:00`)
  expect(await enqueueDueReports(tenants.services)).toBe(6)
  expect(await pass(30)).toBe(1)
  const { rows } = await tenants.services.systemPool.query(
    `select tenant_id from job where queue = 'report.send' and state = 'done' order by start_time, id`,
  )
  const order = rows.map((row: any) => row.tenant_id).slice(-7)
  expect(order.filter((one: string) => one === south.tenantId)).toHaveLength(1)
  expect(order.indexOf(south.tenantId)).toBeLessThan(4)
  await tenants.services.systemPool.query(`update report_timing set enabled = false`)
})

test('a person has twenty timed reports in use and not one more, however they come back', async () => {
  const { north } = tenants
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await timing({ name: `第${n}` }))
  const more = { name: '多', reportId, kind: 'page', cron: '0 8 * * *', userIds: boss.userId }
  const refused = await post(north.admin, 'timing/submit', more)
  expect(refused.body.data.reason).toBe('report_timings_own')
  expect(refused.body.msg).toBe('每人最多启用 20 个定时报表，请先停用或删除一些')
  const off = await tenants.must(post(north.admin, 'timing/submit', { ...more, enabled: false }))
  expect((await post(north.admin, 'timing/submit', { id: off.id, enabled: true })).body.data.reason).toBe(
    'report_timings_own',
  )
  // Existing schedules can still be changed, and disabling one makes room.
  await tenants.must(post(north.admin, 'timing/submit', { id: ids[0], name: '改名' }))
  await tenants.must(post(north.admin, 'timing/submit', { id: ids[0], enabled: false }))
  await tenants.must(post(north.admin, 'timing/submit', { id: off.id, enabled: true }))
})

test('a timed report is not sent to who lost the right, nor read on from what was sent before', async () => {
  await timing({ kind: 'page', cron: '0 9 * * *', userIds: boss.userId })
  await pass(24 * 60)
  const [before] = await sent(boss)
  expect(before).toMatchObject({ kind: 'page', state: 'sent' })
  const page = () => tenants.call(boss, 'GET', '/api/report/sent/page', { query: { id: before!.id } })
  expect((await page()).data.answer.rows).toHaveLength(1)
  const grant = sql`role_id = ${bossRole} and menu_id in (select id from menu where code = 'shoppingOrder')`
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/blade-system/role/grant', {
      body: {
        roleIds: [bossRole],
        menuIds: await tenant(async (db: any) =>
          (
            await db.query(sql`select menu_id::text as id from role_menu where role_id = ${bossRole}
            and menu_id not in (select id from menu where code like 'shoppingOrder%')`)
          ).map((one: any) => one.id),
        ),
        dataScopeIds: [],
        apiScopeIds: [],
      },
    }),
  )
  expect(await tenant((db: any) => db.query(sql`select 1 from role_menu where ${grant}`))).toHaveLength(0)
  expect((await page()).status).toBe(403)
  await pass(24 * 60)
  const [after] = await sent(boss)
  expect(after).toMatchObject({ kind: 'page', state: 'dropped', reason: '接收人已无权查看' })
  expect(after!.id).not.toBe(before!.id)
  const notices = await tenant((db: any) =>
    db.query(sql`select 1 from notice_log where once_key = ${`report/${after!.id}`}`),
  )
  expect(notices).toHaveLength(0)
})

test('a view of a list rings once when it finds more than it should, and again only after it was quiet', async () => {
  const view = await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/kit/views/goodInfo', {
      body: { name: '低价商品', state: { filters: { salePrice_le: '1.00' } } },
    }),
  )
  const alarm = {
    reportId: '',
    viewId: view.id,
    kind: 'alarm',
    cron: '*/30 * * * *',
    userIds: tenants.north.admin.userId,
  }
  await timing({ ...alarm, name: '低价提醒' })
  const states = async () =>
    (await sent(tenants.north.admin)).filter(({ kind }) => kind === 'alarm').map((row) => row.state)
  await pass(30)
  expect(await states()).toEqual(['quiet'])
  const good = await tenants.good(tenants.north, tenants.north.shops[0]!, { salePrice: '0.50', costPrice: '0.10' })
  await pass(30)
  await pass(30)
  expect(await states()).toEqual(['quiet', 'sent', 'quiet'])
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/submit', {
      body: { id: good.id, salePrice: '5.00' },
    }),
  )
  await pass(30)
  await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/shop/goodInfo/submit', {
      body: { id: good.id, salePrice: '0.60' },
    }),
  )
  await pass(30)
  expect(await states()).toEqual(['sent', 'quiet', 'quiet', 'sent', 'quiet'])
  const mine = await tenant((db: any) =>
    db.query(sql`select content from notice_log where template = 'report' and content like '低价商品：%'`),
  )
  expect(mine).toHaveLength(2)
})

test('a view comes as a workbook of what its reader finds, in its columns, and not to who may not export', async () => {
  const { north } = tenants
  const state = {
    filters: { payAmount_gt: '3' },
    columns: [{ key: 'orderNo' }, { key: 'shopId', hidden: true }, { key: 'payAmount' }],
  }
  const view = await tenants.must(
    tenants.call(north.admin, 'POST', '/api/kit/views/shoppingOrder', {
      body: { name: '大单', roleId: bossRole, state },
    }),
  )
  const buyer = await tenants.person(north, 'buyer', ['reportSent', 'shoppingOrder'])
  await tenant((db: any) =>
    db.run(sql`update sys_user set role_id = role_id || ${bossRole}::bigint where id = ${buyer.userId}`),
  )
  await timing({ name: '大单', reportId: '', viewId: view.id, userIds: `${north.admin.userId},${buyer.userId}` })
  await pass(24 * 60)
  // Made by a background task of the recipient, and polled until it is done.
  await pass(1)
  await pass(1)
  const mine = async (who: CastMember) =>
    (await sent(who)).find((row) => row.name === '大单' && row.userId === who.userId)
  const { taskId, ...row } = (await mine(north.admin))!
  expect(row).toMatchObject({
    state: 'sent',
    kind: 'workbook',
    family: 'shoppingOrder',
    query: state.filters,
    found: 2,
  })
  const { ticket } = await tenants.must(tenants.call(north.admin, 'POST', `/api/kit/tasks/${taskId}/ticket`))
  const file = await tenants.server.http.inject({ method: 'GET', url: `/api/kit/download/${ticket}` })
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(file.rawPayload as never)
  const sheet = book.worksheets[0]!
  // With the id column, so that the file can be imported again.
  expect([sheet.columnCount, sheet.rowCount]).toEqual([3, 3])
  expect([2, 3].map((at) => sheet.getRow(at).getCell(2).value)).toEqual(expect.arrayContaining([4, 8]))
  expect(await mine(buyer)).toMatchObject({ state: 'dropped', taskId: '' })
})

test('a timing is refused that asks too often, for nothing, or for somebody else’s view', async () => {
  const submit = (draft: object, who = tenants.north.admin) =>
    post(who, 'timing/submit', {
      name: '坏',
      reportId,
      kind: 'workbook',
      cron: '0 8 * * *',
      userIds: boss.userId,
      ...draft,
    })
  expect((await submit({ cron: '* * * * *' })).data.reason).toBe('report_too_often')
  expect((await submit({ reportId: '' })).data.reason).toBe('report_subject')
  expect((await submit({ kind: 'alarm' })).status).toBe(400)
  expect((await submit({ reportId: '', viewId: '12345' })).data.reason).toBe('report_view_gone')
})

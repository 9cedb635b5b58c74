import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { expireLeases, processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { enqueueDueReports } from './timing.server.ts'

const READERS = 40
const KINDS = ['workbook', 'page']
const BROUGHT = READERS * KINDS.length
let tenants: TestTenants

beforeAll(async () => {
  tenants = await createTestTenants()
  await markDatabaseSeeded(tenants.server.databaseUrl)
})
afterAll(async () => {
  await killAll()
  await tenants?.close()
})

const tenant = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, work)
const { start, killAll } = processesOf(() => ({
  databaseUrl: tenants.server.databaseUrl,
  dataDir: tenants.services.config.dataDir,
}))

/** Creates people with one role that may see reports about orders. */
async function readers(): Promise<string[]> {
  const first = await tenants.person(tenants.north, 'reader', [
    'reportView',
    'reportSent',
    'shoppingOrder',
    'shoppingOrder_export',
  ])
  const others = Array.from({ length: READERS - 1 }, () => newId())
  await tenant((db) =>
    db.run(sql`insert into sys_user (id, tenant_id, account, name, password, role_id, status, user_type, real_name)
      select n.id, u.tenant_id, 'reader' || n.id, u.name, u.password, u.role_id, u.status, u.user_type, u.real_name
      from sys_user u, unnest(${others}::bigint[]) as n(id)
      where u.tenant_id = ${db.tenantId} and u.id = ${first.userId}`),
  )
  return [first.userId, ...others]
}

async function timed(userIds: readonly string[]): Promise<void> {
  const post = (path: string, body: object) =>
    tenants.must(tenants.call(tenants.north.admin, 'POST', `/api/report/${path}`, { body }))
  const question = { family: 'shoppingOrder', rows: ['shopId'], measures: ['sales'] }
  const roleId = await tenant((db) =>
    db.one<{ id: string }>(sql`select role_id[1]::text as id from sys_user
    where tenant_id = ${db.tenantId} and id = ${userIds[0]}`),
  )
  const { id: reportId } = await post('view/submit', { name: '日报', roleId: roleId!.id, question })
  for (const kind of KINDS)
    await post('timing/submit', { name: '日报', reportId, kind, cron: '0 8 * * *', userIds: userIds.join(',') })
  await tenant((db) =>
    db.run(sql`update report_timing set next_time = now() - interval '1 minute' where tenant_id = ${db.tenantId}`),
  )
}

const counted = (states: readonly string[]) =>
  tenant(async (db) =>
    Number(
      (await db.one<{ n: number }>(sql`select count(*)::int as n from report_sent
      where tenant_id = ${db.tenantId} and state = any(${[...states]})`))!.n,
    ),
  )

test('kill -9 while reports are made and sent: each reader gets each once, hears it once, none is lost', async () => {
  const userIds = await readers()
  await timed(userIds)
  // Two processes whose schedule fires at the same time enqueue each report once.
  const enqueued = await Promise.all([enqueueDueReports(tenants.services), enqueueDueReports(tenants.services)])
  expect(enqueued[0] + enqueued[1]).toBe(BROUGHT)
  const first = await start()
  await vi.waitFor(async () => expect(await counted(['sent'])).toBeGreaterThan(5), { timeout: 60_000, interval: 5 })
  await first.kill()
  await expireLeases(tenants.services.systemPool)
  const before = await counted(['sent'])
  expect(before).toBeLessThan(BROUGHT)
  await start()
  await vi.waitFor(async () => expect(await counted(['sent', 'dropped'])).toBe(BROUGHT), {
    timeout: 60_000,
    interval: 50,
  })
  const brought = await tenant((db) =>
    db.query<{ userId: string; kind: string; state: string; told: number; hasContent: boolean }>(sql`
      select s.user_id::text as user_id, s.kind, s.state, s.content is not null as has_content,
        (select count(*)::int from notice_log n where n.tenant_id = s.tenant_id
          and n.once_key = 'report/' || s.id) as told
      from report_sent s where s.tenant_id = ${db.tenantId} order by s.kind, s.user_id`),
  )
  expect(brought).toEqual(
    [...KINDS]
      .sort()
      .flatMap((kind) =>
        [...userIds].sort().map((userId) => ({ userId, kind, state: 'sent', told: 1, hasContent: true })),
      ),
  )
})

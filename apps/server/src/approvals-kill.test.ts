import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { processesOf, markDatabaseSeeded } from '#tests/support/process.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

const APPROVALS = 100
const KILLED_AFTER = 33
const dataDir = mkdtempSync(join(tmpdir(), 'store-approvals-'))

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
  await markDatabaseSeeded(tenants.server.databaseUrl)
}, 120_000)
afterAll(async () => {
  await killAll()
  await tenants?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const { start, killAll } = processesOf(() => ({ databaseUrl: tenants.server.databaseUrl, dataDir }))

const north = <R extends object>(statement: ReturnType<typeof sql>) =>
  tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) => db.query<R>(statement))

/** Returns process instances with a half-written step; there must be none. */
const halves = () =>
  north(sql`select i.id::text as id from flow_instance i
    where i.tenant_id = ${tenants.north.tenantId} and (
      (i.end_time is null) <> exists (select 1 from flow_task t where t.tenant_id = i.tenant_id
        and t.instance_id = i.id and t.state = 'open')
      or (i.end_time is not null) <> (i.stand -> 'tokens' = '[]'::jsonb)
      or (i.end_time is not null) <> exists (select 1 from flow_task t where t.tenant_id = i.tenant_id
        and t.instance_id = i.id and t.state = 'done' and t.is_passed)
      or (i.end_time is not null and exists (select 1 from flow_history h where h.tenant_id = i.tenant_id
        and h.instance_id = i.id and h.end_time is null))
      or (i.end_time is not null) <> exists (select 1 from flow_change c where c.tenant_id = i.tenant_id
        and c.instance_id = i.id and c.state <> 0))`)

type PendingApproval = { taskId: string; processInstanceId: string }

async function requestApprovals(buyer: CastMember, boss: CastMember): Promise<PendingApproval[]> {
  const { admin, shops } = tenants.north
  const rule = { name: '降价', act: '/api/shop/goodInfo/submit', condition: '${before != null}', enabled: true }
  const body = { ...rule, userIds: boss.userId, mode: 'all' }
  await tenants.must(tenants.call(admin, 'POST', '/api/blade-flow/rule/submit', { body }))
  const { id } = await tenants.good(tenants.north, shops[0]!, { salePrice: '10.00' })
  for (let n = 0; n < APPROVALS; n++) {
    const held = await tenants.call(buyer, 'POST', rule.act, { body: { id, salePrice: (n / 100 + 1).toFixed(2) } })
    expect(held.status).toBe(202)
  }
  return (await tenants.must(tenants.call(boss, 'GET', '/api/blade-flow/work/todo-list'))).records
}

test('kill -9 in the middle of a hundred approvals leaves no half step, and what is left goes on', async () => {
  const buyer = await tenants.person(tenants.north, 'buyer')
  const boss = await tenants.person(tenants.north, 'chief', [])
  const waiting = await requestApprovals(buyer, boss)
  expect(waiting).toHaveLength(APPROVALS)
  const { url, kill } = await start()
  let done = 0
  let ended: Promise<void> | undefined
  const sign = async ({ taskId, processInstanceId }: PendingApproval) => {
    const body = JSON.stringify({ taskId, processInstanceId, comment: '好', flag: 'ok' })
    const headers = { 'blade-auth': `bearer ${boss.token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/blade-flow/work/complete-task`, { method: 'POST', headers, body })
    if (answer.status === 200 && ++done === KILLED_AFTER) ended = kill()
  }
  const lanes = Array.from({ length: 8 }, async (_one, lane) => {
    for (const [at, one] of waiting.entries()) if (at % 8 === lane) await sign(one).catch(() => {})
  })
  await Promise.all(lanes)
  await ended
  expect(done).toBeGreaterThanOrEqual(KILLED_AFTER)
  expect(await halves()).toEqual([])
  const [count] = await north<{ ended: number }>(
    sql`select count(*) filter (where end_time is not null)::int as ended from flow_instance
      where tenant_id = ${tenants.north.tenantId}`,
  )
  // What was acknowledged exists; steps in progress are there completely or not at all.
  expect(count!.ended).toBeGreaterThanOrEqual(done)
  expect(count!.ended).toBeLessThan(APPROVALS)
  const left = (await tenants.must(tenants.call(boss, 'GET', '/api/blade-flow/work/todo-list')))
    .records as PendingApproval[]
  expect(left).toHaveLength(APPROVALS - count!.ended)
  for (const { taskId, processInstanceId } of left)
    await tenants.must(
      tenants.call(boss, 'POST', '/api/blade-flow/work/complete-task', {
        body: { taskId, processInstanceId, comment: '好', flag: 'ok' },
      }),
    )
  expect(await halves()).toEqual([])
}, 180_000)

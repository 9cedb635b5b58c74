import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '#kit/server/database/db.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Call } from '#kit/server/module/module.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { tenantRemovalQueue } from './tenant-removal.job.ts'
import { tenantRemoval } from './tenant-removal.resource.ts'
import { tenant } from './tenant.resource.ts'

type Practice = { tenantId: string; tenantName: string; createTime: string; isGoing: boolean }

/** SQL condition that leaves practice tenants out of platform-wide statistics. */
export const notPracticeTenantSql = (alias: string): Sql =>
  sql` and ${raw(alias)}.tenant_id not in (select p.tenant_id from tenant p where p.is_practice)`

/** Returns all practice tenants, including those being removed. */
export const findPracticeTenants = (all: Db): Promise<Practice[]> =>
  all.query<Practice>(sql`select t.tenant_id, t.tenant_name, t.create_time, exists (select 1 from tenant_removal r
      where r.tenant_no = t.tenant_id and r.state in ('waiting', 'running')) as is_going
    from tenant t where t.is_practice order by t.create_time, t.id`)

/**
 * Removes a practice tenant with all its data at once, without the second approval other tenants need: nobody would
 * miss it. Refuses every other tenant.
 */
export async function removePracticeTenant(call: Call, tenantId: string): Promise<void> {
  requirePlatformCaller(call)
  const now = call.services.now().toISOString()
  await call.db.acrossTenants('a practice tenant goes', async (all) => {
    await all.advisoryLock(`removal of ${tenantId}`)
    const closed = await all.query<{ id: string; tenantId: string }>(sql`update tenant set expire_time = ${now},
      update_time = now() where tenant_id = ${tenantId} and is_practice returning id, tenant_id`)
    if (!closed[0]) throw new Refused('not_found', { label: tenant.label })
    if (await all.one(sql`select 1 from tenant_removal where tenant_no = ${tenantId} and state <> 'cancelled'`))
      throw new Refused('removal_twice', { tenantId })
    const row = await all.insert(tenantRemoval, {
      tenantNo: tenantId,
      state: 'waiting',
      dueTime: now,
      isPractice: true,
    })
    await all.enqueue(tenantRemovalQueue, {}, { key: `now ${row.id}` })
    publishRowsChanged(call, tenantRemoval, [row])
  })
  publishPermissionsChanged(call.services, call.db, { tenantIds: [tenantId] })
}

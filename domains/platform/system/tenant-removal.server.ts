import sql from 'sql-template-tag'
import { f, type RowOf } from '#kit/resource/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requestBackgroundTask } from '#kit/server/sheets/tasks.ts'
import { paramNumber } from './caches.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { TENANT_REMOVAL_DAYS_PARAM } from './params.ts'
import { tenantRemovalQueue } from './tenant-removal.job.ts'
import { tenantRemoval } from './tenant-removal.resource.ts'
import { tenant } from './tenant.resource.ts'

const DAY_MS = 86_400_000
const why = 'the platform lets a tenant go'

/** Returns whether a tenant has expired or was removed from the list; undefined when it never existed. */
const closed = (all: Db, services: Services, tenantId: string) =>
  all.one<{ isClosed: boolean }>(
    sql`select is_deleted = 1
      or coalesce(expire_time <= ${services.now().toISOString()}::timestamptz, false) as is_closed from tenant
      where tenant_id = ${tenantId}`,
  )

async function tenantNamed(call: Call, tenantId: string) {
  requirePlatformCaller(call)
  if (tenantId === MANAGEMENT_TENANT) throw new Refused('management_tenant_stays')
  const found = await call.db.acrossTenants(why, (all) => closed(all, call.services, tenantId))
  if (!found) throw new Refused('not_found', { label: tenant.label })
  return found
}

/** Requests an archive of a tenant's data; needs the right to read all its rows. */
async function askArchive(call: Call<{ tenantId: string | null }>): Promise<{ id: string }> {
  const tenantId = call.input.tenantId!
  await tenantNamed(call, tenantId)
  const ask = { query: { tenantId }, columns: [], name: tenantId }
  return { id: await requestBackgroundTask(call, { kind: 'archive', resource: tenant.name, ask }) }
}

async function askRemoval(
  { tenantId, confirm }: { tenantId: string; confirm: string },
  call: Call,
): Promise<{ id: string; dueTime: string }> {
  const { isClosed } = await tenantNamed(call, tenantId)
  if (confirm !== tenantId) throw new Refused('removal_unconfirmed')
  if (!isClosed) throw new Refused('tenant_still_open', { tenantId })
  const days = await paramNumber(call.services, TENANT_REMOVAL_DAYS_PARAM)
  const row = await call.db.acrossTenants(why, async (all) => {
    await all.advisoryLock(`removal of ${tenantId}`)
    if (await all.one(sql`select 1 from tenant_removal where tenant_no = ${tenantId} and state <> 'cancelled'`))
      throw new Refused('removal_twice', { tenantId })
    const dueTime = new Date(call.services.now().getTime() + days * DAY_MS).toISOString()
    return all.insert(tenantRemoval, { tenantNo: tenantId, state: 'waiting', dueTime })
  })
  publishRowsChanged(call, tenantRemoval, [row])
  return { id: row.id, dueTime: row.dueTime! }
}

async function hurry(row: RowOf<typeof tenantRemoval>, confirm: string | null, call: Call): Promise<void> {
  requirePlatformCaller(call)
  if (confirm !== row.tenantNo) throw new Refused('removal_unconfirmed')
  if (row.createUser === call.caller.userId) throw new Refused('removal_second_person')
  await call.db.update(tenantRemoval, row.id, {
    dueTime: call.services.now().toISOString(),
    hurriedBy: call.caller.userId,
  })
  await call.db.enqueue(tenantRemovalQueue, {}, { key: `now ${row.id}` })
}

export const tenantRemovalServer = serve(tenantRemoval, {
  actions: {
    ask: (_none, { tenantId, confirm }, call) => askRemoval({ tenantId, confirm }, call),
    cancel: async (row, _input, call) => {
      requirePlatformCaller(call)
      await call.db.update(tenantRemoval, row.id, { state: 'cancelled', finishTime: call.services.now().toISOString() })
    },
    hurry: (row, { confirm }, call) => hurry(row, confirm, call),
  },
})

export const tenantRemovalRoutes = [
  defineRoute({
    method: 'POST',
    path: `${tenant.path}/archive`,
    title: { zh: '租户导出全部数据', en: 'Export all tenant data' },
    can: 'tenant_archive',
    input: { tenantId: f.text({ label: tenantRemoval.fields.tenantNo.label, required: true, max: 20 }) },
    handle: askArchive,
  }),
]

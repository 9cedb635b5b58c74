import sql, { raw } from 'sql-template-tag'
import { defineSystemParam } from '#kit/resource/index.ts'
import { syncCustomFieldIndexes, type CustomFieldIndex } from '#kit/server/database/own-indexes.ts'
import { customFieldIndexOf } from '#kit/server/database/schema.ts'
import { defineModuleJob, type ModuleRegistry } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { paramNumber } from '#domains/platform/system/api.ts'
import { customFieldClearingQueue, customFieldIndexQueue } from './queues.ts'

/** Rows cleared per transaction; few, so that nobody waits for their locks. */
const BATCH = 2000
const DAY_MS = 86_400_000

export const REMOVED_FIELD_DAYS_PARAM = defineSystemParam({
  key: 'ownField.keptDays',
  value: '30',
  number: { min: 1, max: 3650 },
  label: { zh: '已删除的自定义字段内容保留天数', en: 'Deleted custom field data retention (days)' },
  help: { zh: '到期后清除，不能再恢复', en: 'Deleted afterwards. It cannot be restored.' },
})

const indexesOf = (registry: ModuleRegistry, used: readonly { family: string; slot: string }[]): CustomFieldIndex[] =>
  used.flatMap(({ family, slot }) => {
    const resource = registry.served.get(family)?.resource
    // Long text fields (`x`) do not fit into an index.
    return resource && !slot.startsWith('x') ? [{ table: resource.table, ...customFieldIndexOf(resource, slot) }] : []
  })

/** Builds the indexes that lists need to filter and sort by custom fields, and drops those no longer needed. */
export async function updateCustomFieldIndexes({
  config,
  registry,
  unit,
}: Services): Promise<{ built: string[]; gone: string[] }> {
  const used = await unit({ crossTenantReason: 'spare columns some tenant filters or sorts by' }, (db) =>
    db.query<{ family: string; slot: string }>(
      sql`select distinct family, slot from own_field where is_deleted = 0 and (in_search or in_list)`,
    ),
  )
  return syncCustomFieldIndexes(config.databaseUrl, indexesOf(registry, used))
}

export const updateCustomFieldIndexesJob = defineModuleJob({
  queue: customFieldIndexQueue,
  concurrency: 1,
  timeoutSeconds: 3600,
  run: async (_none, { services }) => void (await updateCustomFieldIndexes(services)),
})

type Removed = { id: string; tenantId: string; family: string; slot: string }

/**
 * Marks and returns the removed fields to clear: all of the tenant if given (at its request), else those removed longer
 * ago than the retention days.
 */
async function toClear(services: Services, tenantId: string | undefined): Promise<Removed[]> {
  const days = await paramNumber(services, REMOVED_FIELD_DAYS_PARAM)
  const before = new Date(services.now().getTime() - days * DAY_MS).toISOString()
  const which = tenantId ? sql`tenant_id = ${tenantId}` : sql`update_time < ${before}::timestamptz`
  return services.unit({ crossTenantReason: 'removed own fields of all tenants' }, (db) =>
    db.query<Removed>(
      sql`update own_field set is_clearing = true where is_deleted = 1 and (is_clearing or ${which})
        returning id::text as id, tenant_id, family, slot`,
    ),
  )
}

async function clearPart(services: Services, { tenantId, family, slot }: Removed): Promise<number> {
  const resource = services.registry.served.get(family)?.resource
  if (!resource) return 0
  const [table, column] = [raw(`"${resource.table}"`), raw(`"own_${slot}"`)]
  return services.unit({ tenantId }, (db) =>
    db.run(
      sql`update ${table} set ${column} = null where (tenant_id, id) in (select tenant_id, id from ${table}
        where tenant_id = ${tenantId} and ${column} is not null limit ${BATCH})`,
    ),
  )
}

/** Clears the values of removed fields in small batches, then deletes the fields, so that their slots are free. */
export const clearRemovedCustomFieldsJob = defineModuleJob({
  queue: customFieldClearingQueue,
  cron: '35 4 * * *',
  concurrency: 1,
  timeoutSeconds: 3600,
  run: async ({ tenantId }, { services, signal }) => {
    for (const one of await toClear(services, tenantId)) {
      while (!signal.aborted && (await clearPart(services, one)) === BATCH);
      if (signal.aborted) return
      await services.unit({ tenantId: one.tenantId }, (db) =>
        db.run(sql`delete from own_field where tenant_id = ${one.tenantId} and id = ${one.id} and is_clearing`),
      )
    }
  },
})

import { raw, sql } from '#kit/server/database/db.ts'
import { createTableArchiver } from '#kit/server/database/archive.ts'
import {
  analyzePartitionedTables,
  dropOldPartitions,
  createUpcomingPartitions,
} from '#kit/server/database/partition-maintenance.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, type RetentionRule } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { paramNumber } from '#domains/platform/system/api.ts'

/** Rows deleted per transaction; few, so that nobody waits for their locks. */
const BATCH = 2000

/** Deletes the rows of all modules that are older than their retention parameter. */
export const deleteExpiredRowsJob = defineModuleJob({
  queue: defineQueue('logs.forget'),
  cron: '50 3 * * *',
  concurrency: 1,
  timeoutSeconds: 4 * 3600,
  run: async (_none, { services, signal }) => {
    const tables = tablesOfModules(services.registry.modules)
    const inMonths = new Set(tables.filter(({ partitioned }) => partitioned).map(({ name }) => name))
    for (const one of services.registry.modules.flatMap((module) => module.retention ?? [])) {
      if (inMonths.has(one.table)) await dropExpiredPartitions(services, one)
      else while (!signal.aborted && (await deleteExpiredRows(services, one)) === BATCH);
    }
  },
})

/** Creates the monthly partitions of the coming months in advance. */
export const createUpcomingPartitionsJob = defineModuleJob({
  queue: defineQueue('logs.months'),
  cron: '20 3 * * *',
  concurrency: 1,
  run: async (_none, { services: { config, registry, now } }) => {
    const tables = tablesOfModules(registry.modules)
    await createUpcomingPartitions(config.databaseUrl, tables, now())
    await analyzePartitionedTables(config.databaseUrl, tables)
  },
})

/**
 * Drops monthly partitions, each as a whole once its last day exceeds the retention; archives them first when an
 * archive folder is set.
 */
async function dropExpiredPartitions(services: Services, { table, param }: RetentionRule): Promise<void> {
  const { databaseUrl, archiveDir } = services.config
  const archive = archiveDir ? createTableArchiver(archiveDir) : undefined
  await dropOldPartitions(databaseUrl, table, await keptSince(services, param), archive)
}

const keptSince = async (services: Services, param: RetentionRule['param']): Promise<Date> =>
  new Date(services.now().getTime() - (await paramNumber(services, param)) * 86_400_000)

async function deleteExpiredRows(services: Services, { table, param, where, along }: RetentionRule): Promise<number> {
  const before = (await keptSince(services, param)).toISOString()
  const name = raw(`"${table}"`)
  const narrowed = raw(where ? ` and ${where}` : '')
  const removal = sql`
    delete from ${name} where (tenant_id, id) in (select tenant_id, id from ${name}
    where create_time < ${before}::timestamptz${narrowed} order by create_time limit ${BATCH})`
  return services.unit({ crossTenantReason: 'old rows of all tenants are removed' }, async (all) => {
    if (!along) return all.run(removal)
    const gone = await all.query<Record<string, unknown>>(sql`${removal} returning *`)
    for (const [tenantId, rows] of Map.groupBy(gone, (row) => String(row.tenantId)))
      await all.asTenant(tenantId, (db) => along(db, rows))
    return gone.length
  })
}

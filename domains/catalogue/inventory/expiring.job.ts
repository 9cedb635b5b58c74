import { sql } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { renewExpiryAlerts, warnExpiringBatches } from './stock-alerts.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

/** Raises an event for each batch that expires soon, every morning at 6:10. A repeated run raises none twice. */
export const warnExpiringStockJob = defineModuleJob({
  queue: defineQueue('goods.expiring'),
  cron: '10 6 * * *',
  run: async (_payload, { services, signal }) => {
    const today = formatShanghaiTime(services.now()).slice(0, 10)
    const tenants = await services.unit({ crossTenantReason: 'batches of all tenants that expire soon' }, (db) =>
      db.query<{ tenantId: string }>(
        sql`select distinct tenant_id from storage_batch where remaining > 0 or is_warned`,
      ),
    )
    for (const { tenantId } of tenants) {
      let turned = 1
      while (turned && !signal.aborted)
        turned = await services.unit({ tenantId }, (db) => warnExpiringBatches(db, today))
      if (!signal.aborted) await services.unit({ tenantId }, (db) => renewExpiryAlerts(db, today))
    }
  },
})

// npm run rebuild-statistics [-- --tenant 100001]: recomputes the stored sums from the rows, of one tenant or of all,
// while sales go on.
import { readConfig } from '#apps/server/src/config.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import { rebuildRollups } from '#domains/insight/statistics/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'

const at = process.argv.indexOf('--tenant')
const tenant = at < 0 ? undefined : process.argv[at + 1]
const config = readConfig([], process.env)
const database = config.databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: `${config.dataDir}/postgres`, log: console.log })
const app = await createServerApp({ ...config, isTest: true, databaseUrl: config.databaseUrl ?? database!.url })
try {
  const tenants = tenant
    ? [tenant]
    : (
        await app.services.unit({ crossTenantReason: 'every tenant’s sums are counted anew' }, (db) =>
          db.query<{ tenantId: string }>(sql`select tenant_id from tenant where is_deleted = 0 order by 1`),
        )
      ).map((row) => row.tenantId)
  for (const tenantId of tenants)
    console.log(`${tenantId}: ${await rebuildRollups(app.services, tenantId)} sums were wrong`)
} finally {
  await app.stop()
  await database?.stop()
}

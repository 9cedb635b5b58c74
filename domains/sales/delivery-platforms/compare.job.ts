import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { platformOf, type Platform, type PlatformName, type PlatformRow } from './platform.ts'

/**
 * Every night: compares all products of every shop at a platform with ours, within the platform's rate limit.
 * Differences are recorded and synced again.
 */
export const compareAllPlatformShopsJob = defineModuleJob({
  queue: defineQueue('platform.compareAll'),
  cron: '40 3 * * *',
  run: (_payload, { services }) =>
    services.unit(
      { crossTenantReason: 'shops of all tenants at delivery platforms are compared at night' },
      async (all) => {
        const accounts = await all.query<{ tenantId: string; platform: PlatformName }>(
          sql`select distinct tenant_id, platform from third_api where status = 1 and has_secret and is_deleted = 0`,
        )
        for (const { tenantId, platform: name } of accounts) {
          const platform = platformOf(services, name)
          if (platform) await all.asTenant(tenantId, (db) => compareShops(db, platform, services.now()))
        }
      },
    ),
})

async function compareShops(db: Db, platform: Platform, now: Date): Promise<void> {
  const shops = (await db.find(platform.shop, sql`r.platform_shop_id is not null`)) as PlatformRow[]
  for (const shop of shops) await platform.compareLater(db, shop, now)
}

import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { platformOf, type Platform, type PlatformName, type PlatformRow } from './platform.ts'

/**
 * Each night: every shop that is there is compared with what it has here, goods by goods, as many pages as there are,
 * no faster than the platform allows. What differs is written down and brought there.
 */
export const compareAllPlatformShopsJob = defineModuleJob({
  queue: 'platform.compareAll',
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

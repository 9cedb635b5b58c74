import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { platformOf, platformsOf, type PlatformName } from './platform.ts'
import { syncShop, shopsToSync } from './sync.ts'
import { platformSyncQueue, enqueueSync } from './enqueue-sync.ts'

const syncShopQueue = defineQueue<OfShop>('platform.shop')
/** Seconds after which the lock on syncing a shop expires when its holder died. One server syncs a shop at a time. */
const HOLD_S = 20
/** Time after which a sync of a shop makes way for others and is enqueued again. */
const TURN_MS = 20_000

type OfShop = { platform: PlatformName; thereId: string }

export const enqueueShopSyncsJob = defineModuleJob({
  queue: platformSyncQueue,
  run: async (_payload, { tenantId, services, jobId }) =>
    services.unit({ tenantId }, async (db) => {
      for (const platform of platformsOf(services))
        for (const platformShopId of await shopsToSync(db, platform, services.now()))
          await db.enqueue(
            syncShopQueue,
            { platform: platform.name, thereId: platformShopId },
            { key: `${platformShopId} ${jobId}` },
          )
    }),
})

export const syncShopJob = defineModuleJob({
  queue: syncShopQueue,
  // Sixteen, so that one platform or shop that hangs does not stop the others.
  concurrency: 16,
  timeoutSeconds: 120,
  run: async ({ platform: name, thereId }, { tenantId, services, jobId, signal }) => {
    const platform = platformOf(services, name)
    if (!platform) return
    const again = () => services.unit({ tenantId }, (db) => enqueueSync(db, services.now()))
    const key = tenantSharedKey(tenantId, 'platform shop', name, thereId)
    if (!(await services.shared.claim(key, jobId, HOLD_S))) return again()
    const until = Date.now() + TURN_MS
    const mayGoOn = async () => {
      if (signal.aborted || Date.now() > until) return false
      await services.shared.put(key, jobId, HOLD_S)
      return true
    }
    try {
      if (!(await syncShop(services, tenantId, platform, thereId, mayGoOn))) await again()
    } finally {
      await services.shared.forget(key)
    }
  },
})

/** Every minute: enqueues waiting rows that have no job, for example after the database was restored. */
export const requeuePlatformSyncJob = defineModuleJob({
  queue: defineQueue('platform.sweep'),
  cron: '* * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'accounts of all tenants at delivery platforms' }, async (all) => {
      const tenants = await all.query<{ tenantId: string }>(
        sql`select distinct tenant_id from third_api where status = 1 and has_secret and is_deleted = 0`,
      )
      for (const { tenantId } of tenants)
        await all.asTenant(tenantId, async (db) => {
          for (const platform of platformsOf(services))
            if ((await shopsToSync(db, platform, services.now())).length) await enqueueSync(db, services.now())
        })
    }),
})

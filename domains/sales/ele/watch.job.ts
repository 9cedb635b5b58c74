import { findPlatformAccount, readSnapshotStartTime } from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { ELE_PLATFORM_NAME } from './account.ts'
import { createEleCaller, toEleShopRef } from './connection.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { saveEleShopStatus } from './shop-facts.ts'

const TRIES = 3
const checkEleShopReviewQueue = defineQueue<{ id: string }>('ele.audit', { maxAttempts: TRIES })
/** Review states that wait for the platform's decision. */
const LOOKED_AT = [1, 3, 7]

/**
 * Every ten minutes, as a safety net behind the platform's messages: reads shops under review again, and every shop
 * once an hour.
 */
export const enqueueEleShopChecksJob = defineModuleJob({
  queue: defineQueue('ele.watch'),
  cron: '*/10 * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'shops of all tenants that wait for a delivery platform' }, async (all) => {
      const shops = await all.query<{ tenantId: string; id: string }>(sql`select p.tenant_id, p.id
        from ele_shop_info p left join platform_step s on s.tenant_id = p.tenant_id and s.row_id = p.id
        where p.is_deleted = 0 and p.platform_shop_id is not null
          and (p.sys_status = any(${LOOKED_AT}::int[]) or s.read_time is null
            or s.read_time < clock_timestamp() - interval '1 hour')`)
      for (const { tenantId, id } of shops)
        await all.asTenant(tenantId, (db) => db.enqueue(checkEleShopReviewQueue, { id }, { key: id }))
    }),
})

export const checkEleShopReviewJob = defineModuleJob({
  queue: checkEleShopReviewQueue,
  run: async ({ id }, { tenantId, services }) => {
    const { shop, account, begun } = await services.unit({ tenantId }, async (db) => ({
      shop: await db.get(eleShopInfo, id),
      account: await findPlatformAccount(db, services, ELE_PLATFORM_NAME),
      begun: await readSnapshotStartTime(db),
    }))
    if (!shop || !account) return
    const facts = await createEleCaller(services, account)('shop.get', toEleShopRef(shop))
    await services.unit({ tenantId }, (db) => saveEleShopStatus(db, services, id, { facts, begun }))
  },
})

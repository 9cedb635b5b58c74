import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { findPlatformAccount, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { refreshMeituanGoodsReviews, refreshMeituanShopStatus } from './audits.ts'
import { createMeituanShopClient } from './connection.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const checkMeituanReviewsQueue = defineQueue<{ id: string }>('meituan.audit', { maxAttempts: 3 })
const REVIEWED = 1

/**
 * Every five minutes: enqueues a status check of shops that are under review or have products under review, and of
 * every shop once an hour.
 */
export const enqueueMeituanReviewChecksJob = defineModuleJob({
  queue: defineQueue('meituan.audits'),
  cron: '*/5 * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'shops of all tenants under review at Meituan' }, async (all) => {
      const shops = await all.query<{ id: string; tenantId: string }>(sql`
        select s.id, s.tenant_id from meituan_shop_info s where s.is_deleted = 0 and s.platform_shop_id is not null
          and (s.audit_status = ${REVIEWED} or not exists (select 1 from platform_step t
              where t.tenant_id = s.tenant_id and t.row_id = s.id
                and t.read_time >= clock_timestamp() - interval '1 hour') or exists (select 1 from meituan_sku_info g
            left join meituan_goods_audit_status a on a.tenant_id = g.tenant_id and a.meituan_sku_id = g.id
            where g.tenant_id = s.tenant_id and g.meituan_shop_id = s.id and g.is_deleted = 0
              and g.platform_sku_id is not null and coalesce(a.audit_status, ${REVIEWED}) = ${REVIEWED}))`)
      for (const { id, tenantId } of shops)
        await all.asTenant(tenantId, (db) => db.enqueue(checkMeituanReviewsQueue, { id }, { key: id }))
    }),
})

export const checkMeituanReviewsJob = defineModuleJob({
  queue: checkMeituanReviewsQueue,
  run: async ({ id }, { tenantId, services }) => {
    const { shop, account } = await services.unit({ tenantId }, async (db) => ({
      shop: (await db.get(meituanShopInfo, id)) as PlatformRow | undefined,
      account: await findPlatformAccount(db, services, 'meituan'),
    }))
    if (!shop || !account) return
    const connection = createMeituanShopClient(services, account, shop)
    await refreshMeituanShopStatus(services, tenantId, connection)
    await refreshMeituanGoodsReviews(services, tenantId, connection)
  },
})

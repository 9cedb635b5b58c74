import { findPlatformAccount, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { createShopTokenSource } from './connection.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const renewMeituanTokenQueue = defineQueue<{ id: string }>('meituan.token', { maxAttempts: 8 })
const VALID = 1

/** Every hour: enqueues the renewal of tokens that expire within a day. */
export const enqueueTokenRenewalsJob = defineModuleJob({
  queue: defineQueue('meituan.tokens'),
  cron: '20 * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'tokens of all tenants at Meituan that end soon' }, async (all) => {
      const soon = new Date(services.now().getTime() + 86_400_000).toISOString()
      const rows = await all.query<{ tenantId: string; id: string }>(sql`select t.tenant_id, t.meituan_shop_id as id
        from meituan_token_info t where t.status = ${VALID} and t.expire_time < ${soon}`)
      for (const { tenantId, id } of rows)
        await all.asTenant(tenantId, (db) => db.enqueue(renewMeituanTokenQueue, { id }, { key: id }))
    }),
})

export const renewMeituanTokenJob = defineModuleJob({
  queue: renewMeituanTokenQueue,
  run: async ({ id }, { tenantId, services }) => {
    const { shop, account } = await services.unit({ tenantId }, async (db) => ({
      shop: (await db.get(meituanShopInfo, id)) as PlatformRow | undefined,
      account: await findPlatformAccount(db, services, 'meituan'),
    }))
    if (shop && account) await createShopTokenSource(services, account, shop).renew()
  },
})

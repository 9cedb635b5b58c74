import { sql } from '#kit/server/database/db.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, serve } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { basicShopInfo } from './basic-shop-info.resource.ts'
import { findTimeWindowAt } from './hours.ts'
import { endUnmanned, findOpenUnmannedPeriod, startUnmanned } from './unmanned.ts'
import { unmannedLog } from './unmanned-log.resource.ts'

export const unmannedLogServer = serve(unmannedLog, {
  actions: {
    start: async (_none, { shopId }, { db, caller, services }) => {
      const [shop] = await db.find(basicShopInfo, sql`r.id = ${shopId}${dataScopeSql(basicShopInfo, caller)}`)
      if (!shop) throw new Refused('not_found', { label: basicShopInfo.label })
      if (await findOpenUnmannedPeriod(db, shop.id)) throw new Refused('unmanned_open', { name: shop.shopName })
      const { id } = await startUnmanned(db, {
        shopId: shop.id,
        trigger: 'remote',
        userId: caller.userId,
        at: services.now(),
      })
      return { id }
    },
    end: async (period, _input, { db, caller, services }) => {
      const { id, orders } = await endUnmanned(db, period.id, { userId: caller.userId, at: services.now() })
      return { id, orders }
    },
  },
})

type Timed = { id: string; tenantId: string; unmannedStart: string; unmannedEnd: string; isOn: boolean }

/**
 * Starts and ends the unattended periods of shops with fixed hours. A period ended by hand does not restart before the
 * next window; one started by hand must be ended by hand.
 */
export async function applyUnmannedHours(services: Services): Promise<void> {
  const now = services.now()
  const shops = await services.unit({ crossTenantReason: 'unattended hours of all shops' }, (db) =>
    db.query<Timed>(sql`
      select b.id, b.tenant_id, b.unmanned_start, b.unmanned_end, (b.status = 1 and c.unmanned_enabled) as is_on
      from basic_shop_info b
      join shop_conf c on c.tenant_id = b.tenant_id and c.shop_id = b.id and c.is_deleted = 0
      where b.is_deleted = 0 and b.unmanned_start is not null and b.unmanned_end is not null
        and (c.unmanned_enabled or exists (select 1 from unmanned_log u where u.tenant_id = b.tenant_id
        and u.shop_id = b.id and u.open_key is not null)) order by b.id`),
  )
  for (const shop of shops) {
    const window = shop.isOn ? findTimeWindowAt(now, shop.unmannedStart, shop.unmannedEnd) : undefined
    await services.unit({ tenantId: shop.tenantId }, async (db) => {
      const open = await findOpenUnmannedPeriod(db, shop.id)
      if (open && !window && open.trigger === 'schedule') await endUnmanned(db, open.id, { at: now })
      if (open || !window) return
      const [ended] = await db.find(
        unmannedLog,
        sql`r.shop_id = ${shop.id} and r.start_time >= ${window.from.toISOString()}`,
        sql`limit 1`,
      )
      if (!ended) await startUnmanned(db, { shopId: shop.id, trigger: 'schedule', at: now })
    })
  }
}

export const applyUnmannedHoursJob = defineModuleJob({
  queue: defineQueue('unmanned.hours'),
  cron: '* * * * *',
  run: (_payload, { services }) => applyUnmannedHours(services),
})

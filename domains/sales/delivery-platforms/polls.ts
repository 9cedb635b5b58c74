import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { findPlatformAccount } from './accounts.ts'
import { applyPlatformOrder } from './inbound.ts'
import { platformOf, platformsOf, type Platform, type PlatformName, type PlatformRow } from './platform.ts'

const pollShopOrdersQueue = defineQueue<OfShop>('platform.orders')
/** Days an open order is polled; after that a person has to look at it. */
export const ORDER_POLL_DAYS = 3
const ORDERS_AT_ONCE = 100

type OfShop = { platform: PlatformName; thereId: string }

/**
 * Every three minutes, as a safety net behind the platforms' messages: polls the orders of every shop at a platform.
 */
export const pollPlatformOrdersJob = defineModuleJob({
  queue: defineQueue('platform.poll'),
  cron: '*/3 * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'shops of all tenants at delivery platforms' }, async (all) => {
      const accounts = await all.query<{ tenantId: string; platform: PlatformName }>(
        sql`select distinct tenant_id, platform from third_api where status = 1 and has_secret and is_deleted = 0`,
      )
      for (const { tenantId, platform: name } of accounts) {
        const platform = platformOf(services, name)
        if (platform) await all.asTenant(tenantId, (db) => askShops(db, platform))
      }
    }),
})

async function askShops(db: Db, platform: Platform): Promise<void> {
  const shops = (await db.find(platform.shop, sql`r.platform_shop_id is not null`)) as PlatformRow[]
  for (const { id } of shops)
    await db.enqueue(pollShopOrdersQueue, { platform: platform.name, thereId: id }, { key: id })
}

/** Reads a shop's open orders, and orders no message reported. */
export const pollShopOrdersJob = defineModuleJob({
  queue: pollShopOrdersQueue,
  concurrency: 4,
  timeoutSeconds: 170,
  run: async ({ platform: name, thereId }, { tenantId, services, signal }) => {
    const platform = platformsOf(services).find((one) => one.name === name)
    if (!platform) return
    const found = await services.unit({ tenantId }, async (db) => ({
      shop: (await db.get(platform.shop, thereId)) as PlatformRow | undefined,
      account: await findPlatformAccount(db, services, platform.name),
      open: await openOrders(db, services, platform, thereId),
    }))
    const { shop, account, open } = found
    if (!shop || !account) return
    const connection = platform.connect(services, account, shop)
    const missed = await platform.order.missedOrders(connection, open.seqs, services.now())
    for (const orderNo of [...missed, ...open.orderNos]) {
      if (signal.aborted) return
      try {
        const platformOrder = await platform.order.read(connection, orderNo)
        await services.unit({ tenantId }, (db) => applyPlatformOrder(db, services, { platform, shop, platformOrder }))
      } catch (error) {
        // An order that cannot be read does not stop the others.
        if (!(error instanceof VendorError) || error.isRetryable) throw error
        services.log.warn({ err: error, orderNo }, 'a platform does not tell of an order')
      }
    }
  },
})

/** Returns the numbers of open orders, and the day's order numbers we know. */
async function openOrders(db: Db, services: Services, { order, shopKey }: Platform, platformShopId: string) {
  const table = raw(`"${order.resource.table}"`)
  const shop = raw(`"${toSqlName(shopKey)}"`)
  const now = services.now()
  const since = formatShanghaiTime(new Date(now.getTime() - ORDER_POLL_DAYS * 24 * 3_600_000))
  const seq = raw(`"${toSqlName(order.seqKey)}"`)
  const open = await db.query<{ orderNo: string }>(
    sql`select platform_order_id as order_no from ${table}
      where tenant_id = ${db.tenantId} and ${shop} = ${platformShopId}
      and order_time > ${since} and not (status = any(${[...order.overStates]}::int[]))
      order by order_time desc limit ${ORDERS_AT_ONCE}`,
  )
  const known = await db.query<{ seq: number }>(
    sql`select ${seq} as seq from ${table} where tenant_id = ${db.tenantId} and ${shop} = ${platformShopId}
      and order_time >= ${`${formatShanghaiTime(now).slice(0, 10)} 00:00:00`} and ${seq} is not null`,
  )
  return { orderNos: open.map(({ orderNo }) => orderNo), seqs: known.map(({ seq: one }) => one) }
}

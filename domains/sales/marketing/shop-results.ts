import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Campaign } from './offers.ts'
import { shopMarkting } from './shop-markting.resource.ts'

type Counted = {
  campaignId: string
  shopId: string
  orders: number
  quantity: number
  discount: number
  sales: number
  cost: number
  at: string | null
}

/** Adds an order to a campaign's figures in its shop, or takes it out; the row is made where there is none. */
export async function addToCampaignShopResults(db: Db, one: Counted): Promise<void> {
  const rows = await db.query<{ id: string }>(sql`
    insert into shop_markting as m (id, tenant_id, shop_id, discount_conf_id, status, start_time, end_time, orders,
    quantity, discount_amount, sales_amount, cost_amount, last_time, create_user, update_user)
    select ${newId()}, c.tenant_id, ${one.shopId}, c.id, c.status, c.start_time, c.end_time, ${one.orders}::int,
    ${one.quantity}::int, ${one.discount}::bigint, ${one.sales}::bigint, ${one.cost}::bigint, ${one.at}::timestamptz, 0,
    0
    from discount_conf c where c.id = ${one.campaignId} and c.tenant_id = ${db.tenantId}
    on conflict (tenant_id, discount_conf_id, shop_id) do update
    set orders = m.orders + excluded.orders, quantity = m.quantity + excluded.quantity,
    discount_amount = m.discount_amount + excluded.discount_amount,
      sales_amount = m.sales_amount + excluded.sales_amount, cost_amount = m.cost_amount + excluded.cost_amount,
      last_time = coalesce(excluded.last_time, m.last_time), update_time = now(), version = m.version + 1
    returning m.id`)
  publishRowsChanged(
    { db },
    shopMarkting,
    rows.map(({ id }) => ({ id, shopId: one.shopId })),
  )
}

/** Creates a result row for each shop a published campaign runs in. */
export async function createCampaignShopResults(db: Db, campaign: Campaign): Promise<void> {
  const shops = await db.query<{ id: string }>(
    sql`select id from basic_shop_info where tenant_id = ${db.tenantId} and is_deleted = 0 and status <> 3
      and (${!campaign.shopIds?.length} or id = any(${campaign.shopIds ?? []}::bigint[])) order by id`,
  )
  for (const { id } of shops)
    await addToCampaignShopResults(db, {
      campaignId: campaign.id,
      shopId: id,
      orders: 0,
      quantity: 0,
      discount: 0,
      sales: 0,
      cost: 0,
      at: null,
    })
}

/** Sets the status of a campaign's result rows. */
export async function updateShopResultsStatus(db: Db, campaignId: string, status: number): Promise<void> {
  const rows = await db.query<{ id: string; shopId: string }>(
    sql`update shop_markting set status = ${status}, update_time = now(), version = version + 1
      where tenant_id = ${db.tenantId} and discount_conf_id = ${campaignId} returning id, shop_id`,
  )
  publishRowsChanged({ db }, shopMarkting, rows)
}

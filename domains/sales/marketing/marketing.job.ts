import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { queueTagsOfGoods } from '#domains/devices/shelf-labels/api.ts'
import {
  closeCampaign,
  campaignEndQueue,
  endOverdueCampaigns,
  campaignSimulationQueue,
  campaignTagsQueue,
} from './campaign.server.ts'
import { CAMPAIGN_STATE, COUPON_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import { toCampaignOffer, type Campaign } from './offers.ts'
import { releaseNextExpiredQuote } from './quote.ts'
import { createCampaignSimulation, SIMULATION_DAYS, type PastOrder, type CampaignSimulation } from './simulation.ts'
import { findTaggedGoodsOfCampaign } from './tags-of-campaigns.ts'
import { expireCoupons } from './coupons.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

/** Ends a campaign at its end time, unless it was stopped or its end has not come by the clock. */
export const endCampaignJob = defineModuleJob({
  queue: campaignEndQueue,
  run: ({ id }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const row = await db.get(discountConf, id, 'forUpdate')
      if (row?.status === CAMPAIGN_STATE.published && parseShanghaiTime(row.endTime) <= services.now())
        await closeCampaign(db, id, 'end')
    }),
})

/** Refreshes the tags of a campaign's products when it begins and when it ends. */
export const refreshCampaignTagsJob = defineModuleJob({
  queue: campaignTagsQueue,
  run: ({ id }, { tenantId, services }) =>
    services.unit({ tenantId }, async (db) => {
      const row = await db.get(discountConf, id)
      if (row) await queueTagsOfGoods(db, await findTaggedGoodsOfCampaign(db, row), services.now())
    }),
})

/** Every minute: releases expired quotes and ends expired tickets and campaigns. */
export const endOverdueMarketingJob = defineModuleJob({
  queue: defineQueue('marketing.sweep'),
  cron: '* * * * *',
  run: (_payload, { services }) => endOverdueMarketing(services),
})

export async function endOverdueMarketing(services: Services): Promise<void> {
  const now = services.now()
  const at = formatShanghaiTime(now)
  const tenants = await services.unit(
    { crossTenantReason: 'quotes, tickets and campaigns of all tenants whose time is over' },
    (db) =>
      db.query<{ tenantId: string }>(sql`
      select tenant_id from price_quote where state = 'open' and valid_until <= ${at}::timestamptz
      union select tenant_id from customer_ticket where status = ${COUPON_STATE.unused}
        and end_time <= ${at}::timestamptz
      union select tenant_id from discount_conf where status = ${CAMPAIGN_STATE.published} and is_deleted = 0
      and end_time <= ${at}::timestamptz`),
  )
  for (const { tenantId } of tenants) {
    while (await services.unit({ tenantId }, (db) => releaseNextExpiredQuote(db, now)));
    while ((await services.unit({ tenantId }, (db) => expireCoupons(db, at))) > 0);
    await services.unit({ tenantId }, (db) => endOverdueCampaigns(db, at))
  }
}

/** Ends expired campaigns and tickets of a tenant in the given transaction. */
export async function endOverdueCampaignsAndCoupons(db: Db, now: Date): Promise<void> {
  await endOverdueCampaigns(db, formatShanghaiTime(now))
  await expireCoupons(db, formatShanghaiTime(now))
}

/** Simulates a draft campaign on past orders, day by day, and stores progress and result in the draft. */
export const simulateCampaignJob = defineModuleJob({
  queue: campaignSimulationQueue,
  concurrency: 1,
  run: async ({ id, askedAt }, { tenantId, services, signal }) => {
    const begun = await services.unit({ tenantId }, async (db) => {
      const row = await db.get(discountConf, id)
      if (!row || !isCurrentRequest(row, askedAt)) return undefined
      const others = await db.find(
        discountConf,
        sql`r.status = ${CAMPAIGN_STATE.published} and r.start_time < ${row.endTime}::timestamptz
          and r.end_time > ${row.startTime}::timestamptz`,
        sql`order by r.id`,
      )
      return { row, others }
    })
    if (!begun) return

    const { row, others } = begun
    const simulation = createCampaignSimulation(
      { ...toCampaignOffer(row, null, null), perUser: row.perUser ?? 0, budget: row.budget },
      others.map((one) => toCampaignOffer(one, null, null)),
      askedAt,
    )
    const shopsOf = new Map(others.map((one) => [one.id, one.shopIds ?? []]))
    const today = askedAt.slice(0, 10)

    for (let day = 0; day < SIMULATION_DAYS; day++) {
      if (signal.aborted) return
      const date = formatShanghaiTime(
        new Date(parseShanghaiTime(`${today} 00:00:00`).getTime() - (SIMULATION_DAYS - day) * 86_400_000),
      ).slice(0, 10)
      const isKept = await services.unit({ tenantId }, async (db) => {
        for (const order of await pastOrders(db, row, date))
          simulation.add(
            date,
            order,
            (campaignId) => !shopsOf.get(campaignId)?.length || shopsOf.get(campaignId)!.includes(order.shopId),
          )
        const isLast = day === SIMULATION_DAYS - 1
        const soFar = simulation.result(day + 1, isLast ? formatShanghaiTime(services.now()) : null)
        // Does not increase `version`, so open forms stay valid. A change of the draft ends the simulation.
        const kept = await db.run(
          sql`update discount_conf set rehearsal = ${JSON.stringify(soFar)}::jsonb where id = ${id}
            and tenant_id = ${tenantId} and status = ${CAMPAIGN_STATE.draft} and rehearsal ->> 'askedAt' = ${askedAt}`,
        )
        if (kept) publishRowsChanged({ db }, discountConf, [{ id }])
        return kept > 0
      })
      if (!isKept) return
    }
  },
})

const isCurrentRequest = (row: Campaign, requestedAt: string) =>
  row.status === CAMPAIGN_STATE.draft && (row.rehearsal as CampaignSimulation | null)?.askedAt === requestedAt

const pastOrders = (db: Db, row: Campaign, date: string): Promise<PastOrder[]> =>
  db.query<PastOrder>(sql`
    with recursive up as (
      select id as leaf, id, parent_id from good_type where tenant_id = ${db.tenantId} and is_deleted = 0
      union select up.leaf, t.id, t.parent_id from up join good_type t on t.id = up.parent_id
      and t.tenant_id = ${db.tenantId} and t.is_deleted = 0
    ), types as (select leaf, jsonb_agg(id::text order by id) as ids from up group by leaf)
    select o.id, o.shop_id, s.shop_name, o.wx_user_id, coalesce(w.vip_level, 0) > 0 as is_member,
      jsonb_agg(jsonb_build_object('upc', d.upc, 'goodId', d.good_id::text, 'name', d.name, 'price',
      coalesce(d.list_price, d.price), 'vipPrice', d.vip_price, 'quantity', d.quantity, 'cost', coalesce(d.cost_amount,
      0), 'typeIds', coalesce(types.ids, '[]')) order by d.id) as lines
    from shopping_order o join shopping_order_detail d on d.order_id = o.id and d.tenant_id = o.tenant_id
      join basic_shop_info s on s.id = o.shop_id and s.tenant_id = o.tenant_id
      left join good_info g on g.id = d.good_id and g.tenant_id = d.tenant_id left
      join types on types.leaf = g.good_type_id
      left join wx_user w on w.id = o.wx_user_id and w.tenant_id = o.tenant_id
    where o.tenant_id = ${db.tenantId} and o.pay_time >= ${`${date} 00:00:00`}::timestamptz
    and o.pay_time < ${`${date} 00:00:00`}::timestamptz + interval '1 day' and o.status in (1, 2, 3, 4)
      and (${!row.shopIds?.length} or o.shop_id = any(${row.shopIds ?? []}::bigint[]))
    group by o.tenant_id, o.id, s.shop_name, w.vip_level order by o.id`)

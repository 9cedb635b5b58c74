import { hasBarcodeSql } from '#domains/catalogue/products/api.ts'
import { normalizeBarcode } from '#domains/catalogue/products/index.ts'
import { empty, sql, type Db } from '#kit/server/database/db.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { findMemberDay, findMemberEntitlements, findMemberPrices } from '#domains/sales/customers/api.ts'
import { findShopConf } from '#domains/shops/shops/api.ts'
import { readParamsInTransaction } from '#domains/platform/system/api.ts'
import { parseCampaignRule } from './campaign-rules.ts'
import { POINTS_FOR_YUAN_PARAM, POINTS_SHARE_MAX_PARAM } from './params.ts'
import { CAMPAIGN_STATE, COUPON_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import type { BasketLine, CampaignOffer, BasketOffers, GoodsScope, CouponOffer } from './basket.ts'

const hundredths = (percent: number | null) => Math.round((percent ?? 100) * 100)
export type Campaign = RowOf<typeof discountConf>

export const toGoodsScope = (row: { upcs: string[] | null; goodTypeIds: string[] | null }): GoodsScope => ({
  upcs: (row.upcs ?? []).map(normalizeBarcode),
  typeIds: row.goodTypeIds ?? [],
})

/** Converts a campaign to the form used in pricing; `left` and `times` are its remaining budget and uses. */
export const toCampaignOffer = (row: Campaign, left: number | null, times: number | null): CampaignOffer => ({
  ...toGoodsScope(row),
  id: row.id,
  name: row.name,
  rule: parseCampaignRule(row.type, row.rules)!,
  priority: row.priority ?? 0,
  membersOnly: row.membersOnly === true,
  stackable: row.stackable === true,
  withVip: row.withVip !== false,
  withTicket: row.withTicket !== false,
  left,
  times,
})

const isLimited = (row: Campaign) => row.budget !== null || (row.perUser ?? 0) > 0

export const runningCampaignSql = (shopId: string, at: string) =>
  sql`r.status = ${CAMPAIGN_STATE.published} and r.start_time <= ${at}::timestamptz and r.end_time > ${at}::timestamptz
    and (coalesce(cardinality(r.shop_ids), 0) = 0 or ${shopId}::bigint = any(r.shop_ids))`

/**
 * Locks the campaigns of a shop with a budget or a limit per customer in the order of their ids, together with those of
 * a quote that is to be freed before they are counted.
 */
export const lockLimitedCampaigns = (db: Db, shopId: string, at: string, freed?: string): Promise<{ id: string }[]> =>
  db.query<{
    id: string
  }>(sql`select r.id from discount_conf r where r.tenant_id = ${db.tenantId} and r.is_deleted = 0
    and (${runningCampaignSql(shopId, at)} and (r.budget is not null or r.per_user > 0)
    ${
      freed
        ? sql`or r.id in (select campaign_id from campaign_use u where u.tenant_id = r.tenant_id
      and u.quote_id = ${freed})`
        : empty
    }) order by r.id for no key update`)

/**
 * Returns the campaigns running in a shop, with their remaining budget and uses for a customer. Campaigns with a budget
 * or limit are locked in the order of their ids, so that nobody else counts them before this quote is stored.
 */
export async function findRunningCampaigns(
  db: Db,
  shopId: string,
  people: readonly string[],
  at: string,
): Promise<CampaignOffer[]> {
  const limited = await lockLimitedCampaigns(db, shopId, at)
  const rows = await db.find(discountConf, runningCampaignSql(shopId, at), sql`order by r.id`)
  const counted =
    limited.length && people.length
      ? await db.query<{ campaignId: string; n: number }>(
          sql`select campaign_id, count(*)::int as n from campaign_use where tenant_id = ${db.tenantId}
            and campaign_id = any(${limited.map((row) => row.id)}::bigint[])
            and wx_user_id = any(${people}::bigint[]) and state in ('reserved', 'used') group by 1`,
        )
      : []
  const uses = new Map(counted.map((row) => [row.campaignId, row.n]))
  const unshown = await notShownYet(
    db,
    shopId,
    rows.filter((row) => row.waitsForTags).map((row) => row.id),
  )
  return rows.map((row) => ({
    ...toCampaignOffer(
      row,
      row.budget === null ? null : row.budget - (row.usedAmount ?? 0) - (row.reservedAmount ?? 0),
      !isLimited(row) || !row.perUser ? null : people.length ? row.perUser - (uses.get(row.id) ?? 0) : 0,
    ),
    ...(unshown.has(row.id) ? { except: unshown.get(row.id)! } : {}),
  }))
}

/** Returns, by campaign, barcodes of the shop with a tag that does not show the campaign yet. */
async function notShownYet(db: Db, shopId: string, campaignIds: readonly string[]): Promise<Map<string, string[]>> {
  if (!campaignIds.length) return new Map()
  const rows = await db.query<{ campaignId: string; upcs: string[] }>(
    sql`select c.id::text as campaign_id, array_agg(distinct g.upc) as upcs
      from unnest(${[...campaignIds]}::bigint[]) as c(id)
      join price_tag t on t.tenant_id = ${db.tenantId} and t.shop_id = ${shopId} and t.is_deleted = 0
      join good_info g on g.tenant_id = t.tenant_id and g.id = t.good_id
      where not coalesce(t.shown_content -> 'promotionIds', '[]') @> to_jsonb(c.id::text) group by c.id`,
  )
  return new Map(rows.map(({ campaignId, upcs }) => [campaignId, upcs.map(normalizeBarcode)]))
}

type TicketRow = {
  id: string
  ticketNo: string
  status: number
  startTime: string | null
  endTime: string | null
  name: string
  type: 'amount' | 'rate'
  threshold: number
  amount: number
  rate: number | null
  cap: number | null
  stackable: boolean
  upcs: string[] | null
  goodTypeIds: string[] | null
  isHere: boolean
}

/** Tickets in a customer's hands, locked in the order of their ids: the numbered ones, or all that are unused. */
export const lockCoupons = (
  db: Db,
  people: readonly string[],
  shopId: string,
  numbers: readonly string[] | undefined,
): Promise<TicketRow[]> =>
  db.query<TicketRow>(sql`
    select c.id, c.ticket_no, c.status, c.start_time, c.end_time, t.name, t.type, coalesce(t.threshold,
    0) as threshold, coalesce(t.amount, 0) as amount, t.rate, t.cap,
      coalesce(t.stackable, false) as stackable, t.upcs, t.good_type_ids, (coalesce(cardinality(t.shop_ids), 0) = 0
      or ${shopId}::bigint = any(t.shop_ids)) as is_here
    from customer_ticket c join discount_ticket t on t.id = c.ticket_id and t.tenant_id = c.tenant_id
    where c.tenant_id = ${db.tenantId} and c.wx_user_id = any(${people}::bigint[])
      and ${numbers ? sql`c.ticket_no = any(${numbers})` : sql`c.status = ${COUPON_STATE.unused}`}
    order by c.id for no key update of c`)

export const isCouponUsable = (row: TicketRow, at: string) =>
  row.status === COUPON_STATE.unused &&
  row.isHere &&
  (!row.startTime || row.startTime <= at) &&
  (!row.endTime || row.endTime > at)

export const toCouponOffer = (row: TicketRow): CouponOffer => ({
  ...toGoodsScope(row),
  id: row.id,
  name: row.name,
  type: row.type,
  threshold: row.threshold,
  amount: row.amount,
  rate: hundredths(row.rate),
  cap: row.cap,
  stackable: row.stackable,
  endTime: row.endTime ?? '9999',
})

export type QuoteLineRequest = { upc: string; quantity: number }
type ShopGood = {
  id: string
  upc: string
  name: string
  spec: string | null
  picture: string | null
  salePrice: number
  costPrice: number
  typeIds: string[]
}

/** Goods of a shop by barcode, with the types they belong to and those above. */
export const findGoodsByUpc = (db: Db, shopId: string, upcs: readonly string[]): Promise<ShopGood[]> =>
  db.query<ShopGood>(sql`
    with recursive up as (
      select id as leaf, id, parent_id from good_type where tenant_id = ${db.tenantId} and is_deleted = 0
      union select up.leaf, t.id, t.parent_id from up join good_type t on t.id = up.parent_id
      and t.tenant_id = ${db.tenantId} and t.is_deleted = 0
    )
    select g.id, g.upc, g.name, g.spec, g.picture, coalesce(g.sale_price, 0) as sale_price,
    coalesce(g.cost_price, 0) as cost_price,
      coalesce((select array_agg(up.id::text order by up.id) from up where up.leaf = g.good_type_id), '{}') as type_ids
    from good_info g where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and ${hasBarcodeSql(sql`g.upc`, upcs)}
    and g.is_deleted = 0`)

/**
 * Returns the customer's level and member day for pricing, and the basket with member prices; only the basket for
 * non-members.
 */
export async function applyMemberPrices(
  db: Db,
  shopId: string,
  wxUserId: string | undefined,
  basket: readonly BasketLine[],
  at: string,
): Promise<Pick<BasketOffers, 'member' | 'memberDay'> & { basket: BasketLine[] }> {
  const member = wxUserId ? await findMemberEntitlements(db, wxUserId, at) : undefined
  if (!member) return { basket: [...basket] }
  const goodIds = basket.flatMap((line) => line.goodId ?? [])
  const prices = await findMemberPrices(db, shopId, goodIds, at)
  const day = await findMemberDay(db, shopId, at)
  return {
    member: { levelId: member.levelId, name: member.name, rate: hundredths(member.discountRate) },
    ...(day ? { memberDay: { id: day.id, name: day.name, rate: hundredths(day.discountRate) } } : {}),
    basket: basket.map((line) => {
      const own = line.goodId ? prices.get(line.goodId) : undefined
      return own ? { ...line, member: { price: own.price, refId: own.vipPriceId } } : line
    }),
  }
}

/** Returns how points pay in a shop: from the shop's settings, else from the parameters. */
export async function findPointsRedemptionRule(
  db: Db,
  shopId: string,
): Promise<{ perYuan: number; shareRate: number }> {
  const [conf, [perYuan, share]] = await Promise.all([
    findShopConf(db, shopId),
    readParamsInTransaction(db, POINTS_FOR_YUAN_PARAM, POINTS_SHARE_MAX_PARAM),
  ])
  return { perYuan: conf?.pointsForYuan ?? perYuan, shareRate: (conf?.pointsShare ?? share) * 100 }
}

import { sql, type Db } from '#kit/server/database/db.ts'
import { vipDay } from './vip-day.resource.ts'
import { isMemberDayOn } from './member-days.ts'

/** A member price in cents: from a `vipPrice` row, or the product's permanent one (`vipPriceId` null). */
export type MemberPrice = { price: number; vipPriceId: string | null }

/**
 * What members pay for goods of a shop at a moment, by goods; only where it is less than the shelf price, and the shop
 * has member prices at all.
 */
export async function findMemberPrices(
  db: Db,
  shopId: string,
  goodIds: readonly string[],
  at: string,
): Promise<Map<string, MemberPrice>> {
  const rows = await db.query<MemberPrice & { goodId: string }>(sql`
    select g.id as good_id, coalesce(p.price, g.vip_price) as price, p.id as vip_price_id
    from good_info g left join lateral (
      select v.id, v.price from vip_price v where v.tenant_id = g.tenant_id and v.good_id = g.id and v.is_deleted = 0
        and (v.start_time is null or v.start_time <= ${at}::timestamptz) and (v.end_time is null
        or v.end_time > ${at}::timestamptz)
      order by v.price, v.id limit 1
    ) p on true
    where g.tenant_id = ${db.tenantId} and g.shop_id = ${shopId} and g.id = any(${goodIds}::bigint[])
    and g.is_deleted = 0
      and coalesce(p.price, g.vip_price) < g.sale_price
      and not exists (select 1 from shop_conf c where c.tenant_id = g.tenant_id and c.shop_id = g.shop_id
      and c.vip_enabled = false)`)
  return new Map(rows.map(({ goodId, price, vipPriceId }) => [goodId, { price, vipPriceId }]))
}

export type MemberDay = { id: string; name: string; discountRate: number; integralTimes: number }

/**
 * Returns the member day of a shop at a moment: a day of this shop before one of all shops, then the lower price;
 * undefined for none.
 */
export async function findMemberDay(db: Db, shopId: string, at: string): Promise<MemberDay | undefined> {
  const days = await db.find(vipDay, sql`(r.shop_id = ${shopId} or r.shop_id is null) and r.enabled`)
  const [day] = days
    .filter((one) => isMemberDayOn(one, at.slice(0, 10)))
    .sort(
      (a, b) =>
        Number(b.shopId !== null) - Number(a.shopId !== null) ||
        a.discountRate - b.discountRate ||
        b.integralTimes - a.integralTimes ||
        a.id.localeCompare(b.id),
    )
  return day && { id: day.id, name: day.name, discountRate: day.discountRate, integralTimes: day.integralTimes }
}

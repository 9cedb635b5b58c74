import { sql, type Db } from '#kit/server/db.ts'
import { newId } from '#kit/server/snowflake.ts'
import { tellChanged } from '#kit/server/submit-of.ts'
import { wxUser } from '#domains/shops/index.ts'
import { TERM } from './dictionaries.ts'
import { vipInfo } from './vip-info.resource.ts'

/** What a customer is entitled to at a moment; rates are per cent paid, 100 for no discount. */
export type Member = {
  wxUserId: string
  vipInfoId: string
  cardNo: string
  levelId: string
  name: string
  rank: number
  discountRate: number
  integralTimes: number
  benefits: string | null
  endTime: string
}

/** Months a level reached by spending is held. */
export const SPENDING_MONTHS = 12

/** The highest of a customer's running terms at a moment ('yyyy-MM-dd HH:mm:ss', Shanghai); undefined for no member. Merged accounts answer for the one they went into. */
export const memberOf = (db: Db, wxUserId: string, at: string): Promise<Member | undefined> =>
  db.one<Member>(sql`
    with recursive chain as (
      select id, merged_into from wx_user where id = ${wxUserId} and tenant_id = ${db.tenantId}
      union select w.id, w.merged_into from chain c join wx_user w on w.id = c.merged_into and w.tenant_id = ${db.tenantId}
    )
    select v.wx_user_id, v.id as vip_info_id, v.card_no, l.id as level_id, l.name, l.rank, l.discount_rate, l.integral_times, l.benefits, v.end_time
    from vip_info v join vip_level l on l.id = v.level and l.tenant_id = v.tenant_id
    where v.tenant_id = ${db.tenantId} and v.wx_user_id = (select id from chain where merged_into is null) and v.status = ${TERM.valid}
      and v.start_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz
    order by l.rank desc, v.end_time desc, v.id limit 1`)

export type Grant = {
  /** Locked by the caller. */
  wxUserId: string
  level: string
  months: number
  source: 'fee' | 'spending'
  shopId?: string | null
  at: string
}

/** Gives months of a level: on top of the running term of that level, or as a new one. Answers the time that was added. */
export async function grantTerm(db: Db, grant: Grant): Promise<{ vipInfoId: string; startTime: string; endTime: string }> {
  const running = await db.one<{ id: string; endTime: string }>(sql`
    select id, end_time from vip_info where tenant_id = ${db.tenantId} and wx_user_id = ${grant.wxUserId} and level = ${grant.level} and status = ${TERM.valid} and end_time > ${grant.at}::timestamptz
    order by end_time desc, id limit 1`)
  const startTime = running?.endTime ?? grant.at
  const { endTime } = (await db.one<{ endTime: string }>(
    sql`select ${startTime}::timestamptz + make_interval(months => ${grant.months}::int) as end_time`,
  ))!
  const term = running
    ? await db.update(vipInfo, running.id, { endTime })
    : await db.insert(vipInfo, {
        wxUserId: grant.wxUserId,
        level: grant.level,
        cardNo: newCardNo(),
        startTime,
        endTime,
        status: TERM.valid,
        source: grant.source,
        shopId: grant.shopId ?? null,
      })
  tellChanged({ db }, vipInfo, [term])
  await refreshLevel(db, grant.wxUserId, grant.at)
  return { vipInfoId: term.id, startTime, endTime }
}

export const newCardNo = () => `V${newId()}`

/** Writes the level of now onto the customer, where lists and registers read it. */
export async function refreshLevel(db: Db, wxUserId: string, at: string): Promise<void> {
  const member = await memberOf(db, wxUserId, at)
  const changed = await db.query<{ id: string }>(sql`update wx_user set vip_level = ${member?.rank ?? 0}, vip_end_time = ${member?.endTime ?? null}::timestamptz
    where id = ${member?.wxUserId ?? wxUserId} and tenant_id = ${db.tenantId} and (vip_level is distinct from ${member?.rank ?? 0} or vip_end_time is distinct from ${member?.endTime ?? null}::timestamptz) returning id`)
  if (changed.length) tellChanged({ db }, wxUser, changed)
}

/** Raises a customer who has paid enough within twelve months; never lowers. The customer is locked by the caller. */
export async function raiseBySpending(db: Db, wxUserId: string, at: string, shopId?: string | null): Promise<void> {
  const reached = await db.one<{ id: string }>(sql`
    with spent as (
      select coalesce(sum(pay_amount - coalesce(refund_amount, 0)), 0) as cents from shopping_order
      where tenant_id = ${db.tenantId} and wx_user_id = ${wxUserId} and status in (1, 2, 3) and pay_time > ${at}::timestamptz - make_interval(months => ${SPENDING_MONTHS}::int)
    )
    select l.id from vip_level l, spent where l.tenant_id = ${db.tenantId} and l.is_deleted = 0 and l.enabled and l.spend_threshold > 0 and l.spend_threshold <= spent.cents
      and not exists (
        select 1 from vip_info v join vip_level h on h.id = v.level and h.tenant_id = v.tenant_id
        where v.tenant_id = l.tenant_id and v.wx_user_id = ${wxUserId} and v.status = ${TERM.valid} and v.start_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz and h.rank >= l.rank)
    order by l.rank desc limit 1`)
  if (reached) await grantTerm(db, { wxUserId, level: reached.id, months: SPENDING_MONTHS, source: 'spending', shopId, at })
}

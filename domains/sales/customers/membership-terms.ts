import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { lockCustomer } from './accounts.ts'
import { wxUser } from './wx-user.resource.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'
import { vipInfo } from './vip-info.resource.ts'

/** What a customer is entitled to at a moment; rates are per cent paid, 100 for no discount. */
export type MemberEntitlements = {
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
export const SPENDING_LEVEL_MONTHS = 12

/**
 * Returns what the customer's highest running term gives at a moment ('yyyy-MM-dd HH:mm:ss', Shanghai); undefined for a
 * non-member. A merged account gets the term of the account it was merged into.
 */
export const findMemberEntitlements = (db: Db, wxUserId: string, at: string): Promise<MemberEntitlements | undefined> =>
  db.one<MemberEntitlements>(sql`
    with recursive chain as (
      select id, merged_into from wx_user where id = ${wxUserId} and tenant_id = ${db.tenantId}
      union select w.id, w.merged_into from chain c join wx_user w on w.id = c.merged_into
      and w.tenant_id = ${db.tenantId}
    )
    select v.wx_user_id, v.id as vip_info_id, v.card_no, l.id as level_id, l.name, l.rank, l.discount_rate,
    l.integral_times, l.benefits, v.end_time
    from vip_info v join vip_level l on l.id = v.level and l.tenant_id = v.tenant_id
    where v.tenant_id = ${db.tenantId} and v.wx_user_id = (select id from chain where merged_into is null)
    and v.status = ${MEMBERSHIP_TERM_STATE.valid}
      and v.start_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz
    order by l.rank desc, v.end_time desc, v.id limit 1`)

type Grant = {
  /** The caller has locked the customer. */
  wxUserId: string
  level: string
  months: number
  source: 'fee' | 'spending'
  /** For a level reached by spending: the cents that were needed. */
  neededAmount?: number
  shopId?: string | null
  at: string
}

/**
 * Gives a customer months of a level. Paid months extend the running term of that level, others become a new term.
 * Returns the time that was added.
 */
export async function grantMembership(
  db: Db,
  grant: Grant,
): Promise<{ vipInfoId: string; startTime: string; endTime: string }> {
  const running = grant.source === 'fee' ? await runningTerm(db, grant) : undefined
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
        status: MEMBERSHIP_TERM_STATE.valid,
        source: grant.source,
        neededAmount: grant.neededAmount ?? null,
        shopId: grant.shopId ?? null,
      })
  publishRowsChanged({ db }, vipInfo, [term])
  if (grant.source === 'fee') await shiftLaterTerms(db, grant, endTime)
  await refreshLevel(db, grant.wxUserId, grant.at)
  return { vipInfoId: term.id, startTime, endTime }
}

/** Finds the running term of a level; terms that begin later do not count. */
const runningTerm = (db: Db, { wxUserId, level, at }: Grant) =>
  db.one<{ id: string; endTime: string }>(sql`
    select id, end_time from vip_info where tenant_id = ${db.tenantId} and wx_user_id = ${wxUserId} and level = ${level}
    and status = ${MEMBERSHIP_TERM_STATE.valid}
      and start_time <= ${at}::timestamptz and end_time > ${at}::timestamptz order by end_time desc, id limit 1`)

/**
 * Postpones later terms of a level after a term was extended to `endTime`: one that would begin before that begins when
 * the one before it ends, and keeps its length.
 */
export async function shiftLaterTerms(
  db: Db,
  { wxUserId, level, at }: Pick<Grant, 'wxUserId' | 'level' | 'at'>,
  endTime: string,
): Promise<void> {
  const later = await db.query<{ id: string }>(sql`
    select id from vip_info where tenant_id = ${db.tenantId} and wx_user_id = ${wxUserId} and level = ${level}
    and status = ${MEMBERSHIP_TERM_STATE.valid} and start_time > ${at}::timestamptz order by start_time, id`)
  let until = endTime
  for (const { id } of later) {
    const moved = await db.one<{ endTime: string }>(sql`
      update vip_info set start_time = ${until}::timestamptz,
      end_time = end_time + (${until}::timestamptz - start_time), update_time = now(), version = version + 1
      where tenant_id = ${db.tenantId} and id = ${id} and start_time < ${until}::timestamptz returning end_time`)
    // A term that need not move leaves the later ones in place as well.
    if (!moved) break
    until = moved.endTime
    publishRowsChanged({ db }, vipInfo, [{ id }])
  }
}

type FeeTerm = {
  id: string
  wxUserId: string
  vipInfoId: string | null
  startTime: string | null
  endTime: string | null
}

/**
 * Takes back the unused time of a fee: its term ends earlier by that much, at the earliest now, and time that later
 * fees added moves up. The caller has locked the customer.
 */
export async function revokeUnusedFeeTerm(db: Db, fee: FeeTerm, at: string): Promise<void> {
  const card = fee.vipInfoId ? await db.get(vipInfo, fee.vipInfoId, 'forUpdate') : undefined
  if (!card || card.status !== MEMBERSHIP_TERM_STATE.valid || !fee.endTime || !fee.startTime || fee.endTime <= at)
    return
  const from = fee.startTime > at ? fee.startTime : at
  const unused = sql`(${fee.endTime}::timestamptz - ${from}::timestamptz)`
  const { endTime } = (await db.one<{ endTime: string }>(
    sql`select ${card.endTime}::timestamptz - ${unused} as end_time`,
  ))!
  const isOver = endTime <= (card.startTime! > at ? card.startTime! : at)
  await endTermAt(db, card.id, isOver ? FEE_BACK : { endTime })
  await db.run(sql`update annual_fee_log set start_time = start_time - ${unused}, end_time = end_time - ${unused},
    update_time = now() where tenant_id = ${db.tenantId} and vip_info_id = ${card.id} and id <> ${fee.id}
    and start_time >= ${fee.endTime}::timestamptz`)
  await refreshLevel(db, fee.wxUserId, at)
}

/** Takes a term back with a remark that says why, or ends it earlier. */
async function endTermAt(db: Db, id: string, end: string | { endTime: string }): Promise<void> {
  if (typeof end === 'string') await transition(db, vipInfo, id, 'takeBack', { remark: end })
  else publishRowsChanged({ db }, vipInfo, [await db.update(vipInfo, id, end)])
}

const FEE_BACK = defineSystemText({ zh: '年费已退', en: 'The membership fee was refunded' })

export const newCardNo = () => `V${newId()}`

/** Writes the current level to the customer's row, where lists and registers read it. */
export async function refreshLevel(db: Db, wxUserId: string, at: string): Promise<void> {
  const member = await findMemberEntitlements(db, wxUserId, at)
  const changed = await db.query<{
    id: string
  }>(sql`update wx_user set vip_level = ${member?.rank ?? 0}, vip_end_time = ${member?.endTime ?? null}::timestamptz
    where id = ${member?.wxUserId ?? wxUserId} and tenant_id = ${db.tenantId} and (vip_level is distinct
    from ${member?.rank ?? 0} or vip_end_time is distinct from ${member?.endTime ?? null}::timestamptz) returning id`)
  if (changed.length) publishRowsChanged({ db }, wxUser, changed)
}

/**
 * CTE `account`: a customer and the accounts merged into theirs, because a job moves the orders only after the merge.
 */
const accountsOf = (db: Db, wxUserId: string) => sql`with recursive account as (
      select ${wxUserId}::bigint as id union select w.id from account a join wx_user w on w.merged_into = a.id
      and w.tenant_id = ${db.tenantId}
    )`

/**
 * SQL sum in cents that a customer's orders of a period still amount to after refunds. Orders are looked up by
 * customer: the shared query plan would estimate a year of all orders as few rows, so the time may not become an index
 * condition.
 */
const spentIn = (db: Db, after: Sql, until: Sql) => sql`(
      select coalesce(sum(o.pay_amount - coalesce(o.refund_amount, 0)), 0) from account a cross join lateral (
        select pay_amount, refund_amount from shopping_order where tenant_id = ${db.tenantId} and wx_user_id = a.id
        and status in (1, 2, 3) and (pay_time > ${after} and pay_time <= ${until}) is true offset 0) o)`

const months = sql`make_interval(months => ${SPENDING_LEVEL_MONTHS}::int)`

/** A level somebody has paid enough for and does not hold. */
export type ReachedLevel = { id: string; needed: number }

/**
 * Returns the highest level a customer has reached by spending within twelve months, with `coming` cents about to be
 * written; undefined for none. The caller has locked the customer. Sales arrive in any order, so a level reached after
 * `at` counts as held; only terms given by the office may begin in the future.
 */
export const findLevelReachedBySpending = (
  db: Db,
  wxUserId: string,
  at: string,
  coming = 0,
): Promise<ReachedLevel | undefined> =>
  db.one<ReachedLevel>(sql`
    ${accountsOf(db, wxUserId)}, spent as (select ${coming}::bigint + ${spentIn(
      db,
      sql`${at}::timestamptz -
      ${months}`,
      sql`'infinity'`,
    )} as cents)
    select l.id, l.spend_threshold as needed from vip_level l, spent where l.tenant_id = ${db.tenantId}
    and l.is_deleted = 0 and l.enabled and l.spend_threshold > 0 and l.spend_threshold <= spent.cents
      and not exists (
        select 1 from vip_info v join vip_level h on h.id = v.level and h.tenant_id = v.tenant_id
        where v.tenant_id = l.tenant_id and v.wx_user_id = ${wxUserId} and v.status = ${MEMBERSHIP_TERM_STATE.valid}
        and (v.start_time <= ${at}::timestamptz or v.source <> 'office') and v.end_time > ${at}::timestamptz
        and h.rank >= l.rank)
    order by l.rank desc limit 1`)

/** Raises a customer who has paid enough; never lowers. The customer is locked by the caller. */
export async function raiseLevelBySpending(db: Db, wxUserId: string, at: string): Promise<void> {
  const reached = await findLevelReachedBySpending(db, wxUserId, at)
  if (reached) await applyReachedLevel(db, { wxUserId, at, reached })
}

export async function applyReachedLevel(
  db: Db,
  { wxUserId, at, reached, shopId }: { wxUserId: string; at: string; reached: ReachedLevel; shopId?: string },
): Promise<void> {
  const { id: level, needed: neededAmount } = reached
  await grantMembership(db, {
    wxUserId,
    level,
    months: SPENDING_LEVEL_MONTHS,
    source: 'spending',
    neededAmount,
    shopId,
    at,
  })
}

const MONEY_BACK = defineSystemText({ zh: '达标的消费已退款', en: 'The qualifying purchases were refunded' })

/**
 * Ends levels reached by spending that a refund has undone, unless the remaining orders suffice, then or now. Paid or
 * given months on top of such a term are kept and begin now. Call it after the order's refunded amount is written.
 */
export async function endLevelsLostByRefund(db: Db, customerId: string, at: string): Promise<void> {
  const { id: wxUserId } = await lockCustomer(db, customerId)
  const over = await db.query<{ id: string; endTime: string; isOver: boolean; unspent: string }>(sql`
    ${accountsOf(db, wxUserId)}, term as (
      select v.id, v.start_time, v.start_time + ${months} as until, v.end_time, coalesce(v.needed_amount,
      l.spend_threshold) as needed
      from vip_info v join vip_level l on l.id = v.level and l.tenant_id = v.tenant_id
      where v.tenant_id = ${db.tenantId} and v.wx_user_id = ${wxUserId} and v.source = 'spending'
      and v.status = ${MEMBERSHIP_TERM_STATE.valid}
    ), late as (
      select t.*, t.until - greatest(t.start_time, ${at}::timestamptz) as unspent from term t
      where t.until > ${at}::timestamptz and t.end_time > ${at}::timestamptz
        and t.needed > ${spentIn(
          db,
          sql`t.start_time -
          ${months}`,
          sql`t.start_time`,
        )} and t.needed > ${spentIn(
          db,
          sql`${at}::timestamptz -
            ${months}`,
          sql`'infinity'`,
        )}
    )
    select id, end_time - unspent as end_time, end_time - unspent <= ${at}::timestamptz as is_over, extract(epoch
    from unspent)::text as unspent from late order by id`)
  for (const { id, endTime, isOver, unspent } of over) {
    await endTermAt(db, id, isOver ? MONEY_BACK : { endTime })
    // Paid time moves up by the time that was taken away.
    await db.run(sql`update annual_fee_log set start_time = start_time - make_interval(secs => ${unspent}::float8),
      end_time = end_time - make_interval(secs => ${unspent}::float8), update_time = now()
      where tenant_id = ${db.tenantId} and vip_info_id = ${id} and end_time > ${at}::timestamptz`)
  }
  if (!over.length) return
  await refreshLevel(db, wxUserId, at)
  await raiseLevelBySpending(db, wxUserId, at)
}

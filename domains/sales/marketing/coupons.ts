import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { lockCustomer, type CouponGift } from '#domains/sales/customers/api.ts'
import { bulkInsert } from '#kit/server/database/bulk-insert.ts'
import { customerTicket } from './customer-ticket.resource.ts'
import { COUPON_STATE } from './dictionaries.ts'
import { discountTicket } from './discount-ticket.resource.ts'

export type CouponKindRow = RowOf<typeof discountTicket>
type TicketSource = 'office' | 'level' | 'recharge' | 'received'

const newTicketNo = (id: string) => `TK${id}`

/**
 * Issues tickets of a kind to customers. Customers who already have their share are skipped; when too few tickets are
 * left for the rest, nobody gets one. Refuses a disabled or expired kind. Returns the ids issued and the number
 * skipped. The caller has locked the kind.
 */
export async function issueCoupons(
  db: Db,
  kind: CouponKindRow,
  customers: readonly string[],
  how: { source: TicketSource; at: string; remark?: string },
): Promise<{ ids: string[]; skipped: number }> {
  if (!kind.enabled) throw new Refused('ticket_stopped', { name: kind.name })
  const startTime = kind.validFrom && kind.validFrom > how.at ? kind.validFrom : how.at
  const endTime = await endOf(db, kind, startTime)
  if (endTime <= how.at) throw new Refused('ticket_over', { name: kind.name })
  const full = await servedOf(db, kind, customers)
  const lucky = customers.filter((id) => !full.has(id))
  const received = kind.received ?? 0
  if (kind.total && received + lucky.length > kind.total)
    throw new Refused('ticket_none_left', { name: kind.name, left: kind.total - received, count: lucky.length })
  const rows = lucky.map((wxUserId) => ({ id: newId(), wxUserId }))
  await insertTickets(db, kind, rows, { ...how, startTime, endTime })
  if (rows.length) {
    await db.run(
      sql`update discount_ticket set received = coalesce(received, 0) + ${rows.length} where id = ${kind.id}
        and tenant_id = ${db.tenantId}`,
    )
    publishRowsChanged({ db }, customerTicket, rows)
    publishRowsChanged({ db }, discountTicket, [kind])
  }
  return { ids: rows.map((row) => row.id), skipped: full.size }
}

/** Returns when a ticket that is valid from `startTime` expires. */
async function endOf(db: Db, kind: CouponKindRow, startTime: string): Promise<string> {
  const { endTime } = (await db.one<{ endTime: string }>(
    sql`select least(${kind.validTo}::timestamptz, ${startTime}::timestamptz + make_interval(days =>
      ${kind.validDays}::int)) as end_time`,
  ))!
  return endTime
}

/** Returns the customers who already have as many tickets as allowed. */
async function servedOf(db: Db, kind: CouponKindRow, customers: readonly string[]): Promise<Set<string>> {
  const had = kind.perUser
    ? await db.query<{ id: string }>(
        sql`select wx_user_id as id from customer_ticket where tenant_id = ${db.tenantId} and ticket_id = ${kind.id}
          and wx_user_id = any(${customers}::bigint[]) and status <> ${COUPON_STATE.takenBack} group by 1
          having count(*) >= ${kind.perUser}`,
      )
    : []
  return new Set(had.map((row) => row.id))
}

async function insertTickets(
  db: Db,
  kind: CouponKindRow,
  rows: readonly { id: string; wxUserId: string }[],
  how: { source: TicketSource; remark?: string; startTime: string; endTime: string },
): Promise<void> {
  await bulkInsert(
    db,
    'customer_ticket',
    {
      id: 'bigint',
      ticket_no: 'text',
      ticket_id: 'bigint',
      wx_user_id: 'bigint',
      status: 'integer',
      start_time: 'timestamptz',
      end_time: 'timestamptz',
      source: 'text',
      shop_ids: 'bigint[]',
      remark: 'text',
      create_user: 'bigint',
      update_user: 'bigint',
    },
    rows.map(({ id, wxUserId }) => [
      id,
      newTicketNo(id),
      kind.id,
      wxUserId,
      COUPON_STATE.unused,
      how.startTime,
      how.endTime,
      how.source,
      kind.shopIds ?? [],
      how.remark ?? null,
      db.userId,
      db.userId,
    ]),
  )
}

/**
 * Gives one ticket as a present that came with something else. It is given whatever the limits say: it was promised.
 */
export async function issueCouponGift(db: Db, gift: CouponGift & { at: string }): Promise<void> {
  const { id: wxUserId } = await lockCustomer(db, gift.wxUserId)
  const kind = await db.get(discountTicket, gift.ticketId, 'forUpdate')
  if (!kind) throw new Refused('not_found', { label: discountTicket.label })
  await issueCoupons(db, { ...kind, perUser: 0, total: 0 }, [wxUserId], {
    source: 'recharge',
    at: gift.at,
    remark: `${gift.refType}/${gift.refId}`,
  })
}

/**
 * Takes a gifted ticket back: at once while it is unused, even if a quote holds it; a used one when its order is
 * refunded.
 */
export async function revokeCouponGift(db: Db, gift: CouponGift): Promise<void> {
  const rows = await db.query<{ id: string }>(sql`
    update customer_ticket set is_revoked = true, quote_id = case when status = ${COUPON_STATE.used} then quote_id end,
      lock_time = case when status = ${COUPON_STATE.used} then lock_time end,
      status = case when status = ${COUPON_STATE.used} then status else ${COUPON_STATE.takenBack}::int
      end, update_time = now(), version = version + 1
    where tenant_id = ${db.tenantId} and ticket_id = ${gift.ticketId} and remark = ${`${gift.refType}/${gift.refId}`}
      and status in (${COUPON_STATE.unused}, ${COUPON_STATE.locked}, ${COUPON_STATE.used}) returning id`)
  publishRowsChanged({ db }, customerTicket, rows)
}

/** Marks unused tickets past their end as expired, at most `limit`. Returns how many. */
export async function expireCoupons(db: Db, at: string, limit = 2000): Promise<number> {
  const rows = await db.query<{ id: string }>(sql`
    with over as (select id from customer_ticket where tenant_id = ${db.tenantId} and status = ${COUPON_STATE.unused}
    and end_time <= ${at}::timestamptz order by id limit ${limit} for no key update skip locked)
    update customer_ticket t set status = ${COUPON_STATE.expired}, update_time = now(), version = version + 1 from over
    where t.id = over.id and t.tenant_id = ${db.tenantId} returning t.id`)
  publishRowsChanged({ db }, customerTicket, rows)
  return rows.length
}

import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { addVisitMoments } from './visit.server.ts'
import { customerVisitLog } from './visit.resource.ts'

type InVisit = { id: string; isInside: boolean }

/**
 * Returns and locks the visit in which a sale was made: the customer's, or the only one at that time unless it is
 * another customer's. Because of the lock a customer who leaves at that moment does not count as unpaid.
 */
export const lockVisitOfSale = (
  db: Db,
  { shopId, wxUserId = null, payTime }: { shopId: string; wxUserId?: string | null; payTime: string },
): Promise<InVisit | undefined> =>
  db.one<InVisit>(sql`
    with there as (
      select v.id, v.wx_user_id from customer_visit_log v
      where v.tenant_id = ${db.tenantId} and v.shop_id = ${shopId}
        and v.enter_time <= ${payTime}::timestamptz and v.enter_time > ${payTime}::timestamptz - interval '12 hours'
        and (v.leave_time is null or v.leave_time >= ${payTime}::timestamptz)
    )
    select w.id, w.leave_time is null as is_inside from customer_visit_log w where w.tenant_id = ${db.tenantId}
      and w.id = (select id from there where wx_user_id = ${wxUserId}::bigint
        or ((wx_user_id is null or ${wxUserId}::bigint is null) and (select count(*) from there) = 1)
        order by wx_user_id = ${wxUserId}::bigint desc nulls last, id desc limit 1)
    for no key update of w`)

/**
 * Adds a sale to its visit, which then knows its customer. During the visit the update is not awaited; for an ended
 * visit the result is determined again.
 */
export async function addSaleToVisit(
  db: Db,
  { id, isInside }: InVisit,
  order: { id: string; shopId: string; wxUserId: string | null; payAmount: number; payTime: string },
): Promise<void> {
  const at = parseShanghaiTime(order.payTime)
  if (!isInside) {
    await addVisitMoments(db, id, [{ kind: 'paid', at, orderId: order.id }])
    return
  }
  db.waitUntil(
    db.run(sql`with moment as (
        insert into visit_record (id, tenant_id, visit_id, kind, time, order_id)
        values (${newId()}, ${db.tenantId}, ${id}, 'paid', ${at.toISOString()}, ${order.id})
      )
      update customer_visit_log set order_ids = array_append(coalesce(order_ids, '{}'), ${order.id}::bigint),
        paid_amount = coalesce(paid_amount, 0) + ${order.payAmount}::bigint,
        wx_user_id = coalesce(wx_user_id, ${order.wxUserId}::bigint), update_time = now(), version = version + 1
      where tenant_id = ${db.tenantId} and id = ${id}`),
  )
  publishRowsChanged({ db }, customerVisitLog, [{ id, shopId: order.shopId }])
}

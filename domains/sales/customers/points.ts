import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { changeCustomerAccount, lockCustomer } from './accounts.ts'
import { readParamsInTransaction } from '#domains/platform/system/api.ts'
import { POINTS_VALIDITY_MONTHS_PARAM } from './params.ts'

/** a × b ÷ c rounded down, exact also where the product leaves the safe integers. */
export const multiplyDivideFloor = (a: number, b: number, c: number): number =>
  Number((BigInt(a) * BigInt(b)) / BigInt(c))

const earnedBy = async (db: Db, orderId: string): Promise<number> =>
  (await db.one<{ points: number }>(
    sql`select coalesce(sum(change), 0) as points from integral_log where tenant_id = ${db.tenantId}
      and ref_id = ${orderId} and ref_type = 'order' and type = 'earn'`,
  ))!.points

/**
 * A refund for which points are taken back. Amounts in cents without freight; `refundedBefore` is the sum of the
 * order's earlier refunds.
 */
export type OrderRefundForPoints = {
  orderId: string
  refundId: string
  shopId: string | null
  wxUserId: string | null
  paid: number
  refundedBefore: number
  refunded: number
}

/**
 * Takes back the points an order earned in proportion to the refund, so that partial refunds add up to the whole.
 * Points already spent are not taken (never below zero); the log row says how many were missing. Returns the points
 * taken.
 */
export async function takeBackPoints(db: Db, refund: OrderRefundForPoints): Promise<number> {
  if (!refund.wxUserId || refund.paid <= 0) return 0
  const { id: wxUserId, integral } = await lockCustomer(db, refund.wxUserId)
  const earned = await earnedBy(db, refund.orderId)
  const upTo = (cents: number) => multiplyDivideFloor(earned, Math.min(cents, refund.paid), refund.paid)
  const wanted = upTo(refund.refundedBefore + refund.refunded) - upTo(refund.refundedBefore)
  const taken = Math.min(wanted, integral)
  const isDone = await db.one(
    sql`select 1 from integral_log where tenant_id = ${db.tenantId} and ref_id = ${refund.refundId}
      and ref_type = 'refund' and type = 'takeBack'`,
  )
  if (taken <= 0 || isDone) return 0
  await changeCustomerAccount(db, 'integral', {
    wxUserId,
    change: -taken,
    type: 'takeBack',
    refType: 'refund',
    refId: refund.refundId,
    shopId: refund.shopId,
    remark: taken < wanted ? `积分不足，少收回 ${wanted - taken}` : undefined,
  })
  return taken
}

/**
 * Ends points that were given longer ago than the parameter says and not spent since, oldest first; one row for each
 * customer. Answers how many customers lost some.
 */
export async function expirePoints(db: Db, at: string): Promise<number> {
  const [months] = await readParamsInTransaction(db, POINTS_VALIDITY_MONTHS_PARAM)
  if (!months) return 0
  const over = await db.query<{ id: string }>(sql`
    select wx_user_id as id from integral_log where tenant_id = ${db.tenantId}
    group by wx_user_id having sum(change) > 0 and coalesce(sum(change) filter (where change > 0
    and create_time <= ${at}::timestamptz - make_interval(months => ${months}::int)), 0) + coalesce(sum(change)
    filter (where change < 0), 0) > 0
    order by wx_user_id`)
  let count = 0
  for (const { id } of over) {
    const holder = await lockCustomer(db, id)
    // Merged meanwhile: the points went to the other account with the day of the merge.
    if (holder.id !== id) continue
    const { lapsed } = (await db.one<{ lapsed: number }>(sql`
      select (coalesce(sum(change) filter (where change > 0
      and create_time <= ${at}::timestamptz - make_interval(months => ${months}::int)), 0) + coalesce(sum(change)
      filter (where change < 0), 0)) as lapsed
      from integral_log where tenant_id = ${db.tenantId} and wx_user_id = ${id}`))!
    const taken = Math.min(lapsed, holder.integral)
    if (taken <= 0) continue
    await changeCustomerAccount(db, 'integral', {
      wxUserId: id,
      change: -taken,
      type: 'expire',
      refType: 'expiry',
      refId: newId(),
    })
    count++
  }
  return count
}

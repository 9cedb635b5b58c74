import { sql, join, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { readParamsInTransaction } from '#domains/platform/system/api.ts'
import {
  insufficientBalanceRefusal,
  lockCustomer,
  POINTS_BALANCE_MAX,
  writeCustomerAccountLog,
  type LockedCustomer,
} from './accounts.ts'
import { POINTS_PER_YUAN_PARAM } from './params.ts'
import { multiplyDivideFloor } from './points.ts'
import { findMemberDay, type MemberDay } from './prices.ts'
import {
  applyReachedLevel,
  findLevelReachedBySpending,
  findMemberEntitlements,
  type MemberEntitlements,
  type ReachedLevel,
} from './membership-terms.ts'

/** An order that is paid, as its customer's accounts see it; cents. */
export type CustomerPurchase = {
  shopId: string
  payAmount: number
  /** The part of `payAmount` paid from the customer's balance. */
  balanceAmount: number
  freight?: number | null
  payTime: string
}

/**
 * The locked customer of a purchase, with the membership, member day, points rate and reached level that apply to it.
 */
export type Buyer = LockedCustomer & {
  member?: MemberEntitlements
  day?: MemberDay
  perYuan: number
  reached?: ReachedLevel
}

/**
 * Locks the customer's open account and reads, in one batch, what the purchase about to be written gives. Refuses when
 * the balance is too low. The caller has locked the products first.
 */
export async function lockBuyer(db: Db, wxUserId: string, purchase: CustomerPurchase): Promise<Buyer> {
  const { shopId, payTime, payAmount, balanceAmount } = purchase
  const [holder, member, day, [perYuan], reached] = await awaitBatch([
    lockCustomer(db, wxUserId),
    findMemberEntitlements(db, wxUserId, payTime),
    findMemberDay(db, shopId, payTime),
    readParamsInTransaction(db, POINTS_PER_YUAN_PARAM),
    findLevelReachedBySpending(db, wxUserId, payTime, payAmount),
  ])
  if (holder.balance < balanceAmount) throw insufficientBalanceRefusal(holder.balance)
  // After a merge the orders of all accounts count together.
  const isMerged = holder.id !== wxUserId
  return {
    ...holder,
    member,
    day,
    perYuan,
    reached: isMerged ? await findLevelReachedBySpending(db, holder.id, payTime, payAmount) : reached,
  }
}

/**
 * The points of a purchase: yuan paid without freight × points per yuan (what the shop says, else what the parameter
 * says) × the level's and the member day's times, rounded down.
 */
function pointsOf(
  { member, day, perYuan, integral }: Buyer,
  purchase: CustomerPurchase,
  ofShop?: number | null,
): number {
  // Factors apply to members only. They have two decimals, so products are computed in hundredths.
  const times = member ? Math.round(member.integralTimes * 100) * Math.round((day?.integralTimes ?? 1) * 100) : 10_000
  const cents = purchase.payAmount - (purchase.freight ?? 0)
  const points = multiplyDivideFloor(cents, Math.round((ofShop ?? perYuan) * 100) * times, 100_000_000)
  // The purchase already happened, so points above the account's maximum are dropped instead of refused.
  return Math.max(0, Math.min(points, POINTS_BALANCE_MAX - integral))
}

/**
 * Books an order that is paid once: takes what came from the balance, gives its points, counts it into the customer's
 * figures, and raises a customer who has spent enough. The order is written before.
 */
export async function bookPurchase(
  db: Db,
  buyer: Buyer,
  orderId: string,
  purchase: CustomerPurchase & { pointsPerYuan?: number | null },
): Promise<void> {
  const { shopId, payAmount, balanceAmount, payTime } = purchase
  const wxUserId = buyer.id
  const points = pointsOf(buyer, purchase, purchase.pointsPerYuan)
  const about = { wxUserId, refType: 'order', refId: orderId, shopId } as const
  const sets = join([
    ...(balanceAmount ? [sql`balance = ${buyer.balance - balanceAmount}`] : []),
    ...(points ? [sql`integral = ${buyer.integral + points}`] : []),
    ...(balanceAmount || points ? [sql`update_time = now()`] : []),
    sql`total_spent = greatest(0, coalesce(total_spent, 0) + ${payAmount}::bigint)`,
    sql`order_count = coalesce(order_count, 0) + 1`,
    sql`last_visit_time = greatest(last_visit_time, ${payTime}::timestamptz)`,
  ])
  db.waitUntil(db.run(sql`update wx_user set ${sets} where id = ${wxUserId} and tenant_id = ${db.tenantId}`))
  if (balanceAmount)
    writeCustomerAccountLog(db, 'balance', { ...about, change: -balanceAmount, type: 'consume' }, buyer.balance)
  if (points) writeCustomerAccountLog(db, 'integral', { ...about, change: points, type: 'earn' }, buyer.integral)
  db.waitUntil(
    db.run(sql`insert into wx_user_shop as c (tenant_id, shop_id, wx_user_id, order_count, last_time)
      values (${db.tenantId}, ${shopId}, ${wxUserId}, 1, ${payTime})
      on conflict (tenant_id, shop_id, wx_user_id) do update set order_count = c.order_count + 1,
      last_time = greatest(c.last_time, excluded.last_time)`),
  )
  if (buyer.reached) await applyReachedLevel(db, { wxUserId, at: payTime, reached: buyer.reached, shopId })
}

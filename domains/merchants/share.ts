import { sql, type Db } from '#kit/server/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { PLATFORM_CHANNELS, SHARE } from './dictionaries.ts'
import type { Share } from './receivers.ts'

export const SHARES_MAX = 50
const money = (cents: number) => (cents / 100).toFixed(2)

/** Exact down to the half cent: 5000 × 1.14 / 100 is a little less than 57. */
const perCent = (cents: number, rate: number) => (cents * Math.round(rate * 100)) / 10_000

export type Sharable = { orderId: string; orderNo: string; shopId: string; merchantId: string; transactionNo: string }

/**
 * Refuses a share that is more than the order still bears: all shares together never exceed the merchant's ratio of what was paid
 * over the platform, nor what is left of it after refunds and fee. Holds the order, so that two callers take turns.
 */
export async function requireSharable(db: Db, orderId: string, shares: readonly Share[]): Promise<Sharable> {
  const order = await db.one<{ orderNo: string; shopId: string; merchantId: string | null; ratio: number; feeRate: number }>(sql`select o.order_no, o.shop_id, m.id as merchant_id, coalesce(m.share_ratio, 0)::float8 as ratio, coalesce(m.fee_rate, 0)::float8 as fee_rate
    from shopping_order o join basic_shop_info b on b.id = o.shop_id and b.tenant_id = o.tenant_id
    left join merchant_info m on m.id = b.merchant_id and m.tenant_id = b.tenant_id and m.is_deleted = 0 where o.tenant_id = ${db.tenantId} and o.id = ${orderId} for update of o`)
  if (!order) throw new Refused('not_found', { label: { zh: '订单', en: 'Order' } })
  if (!order.merchantId) throw new Refused('share_no_merchant')
  const [paid] = await db.query<{ amount: number; transactionNo: string | null }>(sql`select sum(amount)::float8 as amount, max(transaction_no) as transaction_no from order_payment
    where tenant_id = ${db.tenantId} and order_id = ${orderId} and channel = any(${[...PLATFORM_CHANNELS]}) and transaction_no is not null having count(*) > 0`)
  if (!paid) throw new Refused('share_not_on_platform', { orderNo: order.orderNo })
  const [given] = await db.query<{ count: number; amount: number; refunded: number }>(sql`select count(*)::int as count,
      coalesce(sum(case when status = ${SHARE.finished} then finish_amount when status in (${SHARE.waiting}, ${SHARE.processing}) then amount else 0 end), 0)::float8 as amount,
      (select coalesce(sum(amount), 0)::float8 from refund_payment where tenant_id = ${db.tenantId} and order_id = ${orderId} and channel = any(${[...PLATFORM_CHANNELS]}) and state <> 'cancelled') as refunded
    from share_log where tenant_id = ${db.tenantId} and order_id = ${orderId}`)
  if (given!.count >= SHARES_MAX) throw new Refused('share_too_often', { max: SHARES_MAX })
  const wanted = shares.reduce((sum, one) => sum + one.amount, 0)
  const fee = Math.round(perCent(paid.amount, order.feeRate))
  const left = Math.max(0, Math.min(Math.floor(perCent(paid.amount, order.ratio)), paid.amount - given!.refunded - fee) - given!.amount)
  if (wanted > left)
    throw new Refused('share_over_ratio', { orderNo: order.orderNo, left: money(left), paid: money(paid.amount), ratio: order.ratio, shared: money(given!.amount), amount: money(wanted) })
  return { orderId, orderNo: order.orderNo, shopId: order.shopId, merchantId: order.merchantId, transactionNo: paid.transactionNo! }
}

import { formatYuan } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/resource/index.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { PROFIT_SHARE_MOVE_KIND, PAYMENT_PLATFORM_CHANNELS, PROFIT_SHARE_STATE } from './dictionaries.ts'
import type { ReceiverShare } from './receivers.ts'
import { shareLog } from './share-log.resource.ts'
import { findOrderFeeRate, merchantAtPaymentSql } from './merchant-terms.ts'

const SHARES_MAX = 50
/** A percentage of cents, computed in integers: 5000 × 1.14 / 100 as a float is slightly less than 57. */
const perCent = (cents: number, rate: number) => (cents * Math.round(rate * 100)) / 10_000

const REFUNDED = defineSystemText({
  zh: '订单已退款，余额不够分',
  en: 'The order was refunded and does not have enough left to share',
})

type Course = {
  count: number
  /** Shared, or on the way to receivers, in cents. */ amount: number
  paid: number
  transactionNo: string | null
  promised: number
  refunded: number
}

/**
 * Returns what an order was paid through the platform, its refunds (`promised` includes those under way), and its
 * shares.
 */
export const loadShareProgress = async (db: Db, orderId: string): Promise<Course> => {
  const channels = [...PAYMENT_PLATFORM_CHANNELS]
  return (await db.one<Course>(sql`select s.count, s.amount, p.paid, p.transaction_no, r.promised, r.refunded from (
      select count(*)::int as count, coalesce(sum(case when status = ${PROFIT_SHARE_STATE.finished} then finish_amount
      when status in (${PROFIT_SHARE_STATE.waiting}, ${PROFIT_SHARE_STATE.processing}) then amount else 0 end), 0) as
        amount
      from share_log where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and coalesce(kind, 'share') = 'share'
    ) s, (
      select coalesce(sum(amount), 0) as paid, max(transaction_no) as transaction_no from order_payment
      where tenant_id = ${db.tenantId} and order_id = ${orderId} and channel = any(${channels})
      and transaction_no is not null
    ) p, (
      select coalesce(sum(amount), 0) as promised, coalesce(sum(amount)
      filter (where state = 'done'), 0) as refunded from refund_payment
      where tenant_id = ${db.tenantId} and order_id = ${orderId} and channel = any(${channels}) and state <> 'cancelled'
    ) r`))!
}

/** Selects the moves of a kind an order has, except failed ones. */
export const openShareMovesSql = (db: Db, orderId: string, kind: keyof typeof PROFIT_SHARE_MOVE_KIND): Sql =>
  sql`select id, status, for_refund_no from share_log where tenant_id = ${db.tenantId} and order_id = ${orderId}
    and kind = ${kind} and status <> ${PROFIT_SHARE_STATE.failed}`

export const feeAtRate = (paid: number, rate: number) => Math.round(perCent(paid, rate))

type Sharable = { orderId: string; orderNo: string; shopId: string; merchantId: string; transactionNo: string }

/** Words that explain the limit of an order's shares; parts that are 0 are left out. */
function whyNoMore({
  paid,
  ratio,
  shared,
  refunded,
  fee,
}: {
  paid: number
  ratio: number
  shared: number
  refunded: number
  fee: number
}): LocalizedText {
  if (!ratio) return { zh: '商户的分账比例为 0', en: 'the profit-sharing ratio of the merchant is 0' }
  const parts: [number, LocalizedText][] = [
    [paid, { zh: `实付 ${formatYuan(paid)} 元的 ${ratio}%`, en: `${ratio}% of ${formatYuan(paid)} paid` }],
    [shared, { zh: `已分 ${formatYuan(shared)} 元`, en: `${formatYuan(shared)} shared` }],
    [refunded, { zh: `已退 ${formatYuan(refunded)} 元`, en: `${formatYuan(refunded)} refunded` }],
    [fee, { zh: `手续费 ${formatYuan(fee)} 元`, en: `${formatYuan(fee)} of fees` }],
  ]
  const texts = parts.filter(([cents]) => cents > 0).map(([, words]) => words)
  return { zh: texts.map(({ zh }) => zh).join('，'), en: texts.map(({ en }) => en).join(', ') }
}

/**
 * Refuses shares above what the order can cover: in total at most the merchant's ratio of the amount paid through the
 * platform, and at most what refunds and fee leave. Locks the order, so that callers take turns.
 */
export async function requireSharable(db: Db, orderId: string, shares: readonly ReceiverShare[]): Promise<Sharable> {
  const order = await db.one<{
    orderNo: string
    shopId: string
    merchantId: string | null
    ratio: number
    feeRate: number
  }>(sql`select o.order_no, o.shop_id, m.id as merchant_id, coalesce(m.share_ratio, 0) as ratio,
    coalesce(whose.fee_rate, 0) as fee_rate from shopping_order o ${merchantAtPaymentSql}
    left join merchant_info m on m.id = whose.merchant_id and m.tenant_id = o.tenant_id and m.is_deleted = 0
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId} for update of o`)
  if (!order) throw new Refused('not_found', { label: { zh: '订单', en: 'Order' } })
  if (!order.merchantId) throw new Refused('share_no_merchant')
  const { count, amount: shared, paid, transactionNo, promised } = await loadShareProgress(db, orderId)
  if (!transactionNo) throw new Refused('share_not_on_platform', { orderNo: order.orderNo })
  if (await db.one(openShareMovesSql(db, orderId, PROFIT_SHARE_MOVE_KIND.unfreeze)))
    throw new Refused('share_order_let_go', { orderNo: order.orderNo })
  if (count >= SHARES_MAX) throw new Refused('share_too_often', { max: SHARES_MAX })
  const wanted = shares.reduce((sum, one) => sum + one.amount, 0)
  const borne = Math.min(Math.floor(perCent(paid, order.ratio)), paid - promised - feeAtRate(paid, order.feeRate))
  const left = Math.max(0, borne - shared)
  if (wanted > left)
    throw new Refused('share_over_ratio', {
      orderNo: order.orderNo,
      left: formatYuan(left),
      amount: formatYuan(wanted),
      why: whyNoMore({ paid, ratio: order.ratio, shared, refunded: promised, fee: feeAtRate(paid, order.feeRate) }),
    })
  return { orderId, orderNo: order.orderNo, shopId: order.shopId, merchantId: order.merchantId, transactionNo }
}

/**
 * Fails waiting shares of an order, latest first, that what is left after its refunds no longer covers. `promised` also
 * counts refunds under way. The caller holds the lock of the order.
 */
export async function endUncoveredShares(
  db: Db,
  orderId: string,
  by: 'refunded' | 'promised' = 'refunded',
): Promise<void> {
  const waiting = await db.find(
    shareLog,
    sql`r.order_id = ${orderId} and r.status = ${PROFIT_SHARE_STATE.waiting} and coalesce(r.kind, 'share') = 'share'`,
    sql`order by r.id desc for update`,
  )
  if (!waiting.length) return
  const { amount, paid, [by]: gone } = await loadShareProgress(db, orderId)
  let over = amount - (paid - gone - feeAtRate(paid, await findOrderFeeRate(db, orderId)))
  const ended = []
  for (const share of waiting) {
    if (over <= 0) break
    over -= share.amount!
    ended.push(await db.update(shareLog, share.id, { status: PROFIT_SHARE_STATE.failed, failReason: REFUNDED }))
  }
  if (ended.length) publishRowsChanged({ db }, shareLog, ended)
}

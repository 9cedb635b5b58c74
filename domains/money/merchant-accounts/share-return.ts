import { formatYuan } from '#kit/fields/money/cents.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { ChannelRefundResult } from '#domains/money/payment-channels/api.ts'
import type { MoneyMoveResult } from '#domains/money/payment-channels/index.ts'
import type { WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { PROFIT_SHARE_MOVE_KIND, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { parseShares, type ReceiverShare } from './receivers.ts'
import { shareLog } from './share-log.resource.ts'
import { enqueueShare } from './enqueue-share.ts'
import { loadShareProgress, endUncoveredShares, feeAtRate, openShareMovesSql } from './share.ts'
import { findOrderFeeRate, merchantAtPaymentSql } from './merchant-terms.ts'

export type ShareRow = RowOf<typeof shareLog>

const WORDS = {
  sharing: defineSystemText({
    zh: '订单正在分账，分账完成后先退回再退款',
    en: 'Profit sharing of this order is in progress. It is returned when complete, then the refund is made.',
  }),
  returning: defineSystemText({
    zh: '先退回已分账的部分，再退款',
    en: 'The shared part is returned first, then the refund is made.',
  }),
  letting: defineSystemText({
    zh: '先解冻订单的剩余金额，解冻完成后退款',
    en: 'The remaining frozen funds are released first, then the refund is made.',
  }),
  away: defineSystemText({
    zh: '已分给个人的钱不能自动退回，余额不够退款',
    en: 'Shares to individuals cannot be returned automatically. The remaining funds do not cover the refund.',
  }),
  forRefund: '退款回退',
  rest: '解冻剩余',
}

const ofOrder = ({ orderId, shopId, merchantId, transactionNo }: ShareRow) => ({
  orderId,
  shopId,
  merchantId,
  transactionNo,
})

type FrozenOrder = {
  orderId: string
  orderNo: string
  shopId: string
  merchantId: string | null
  transactionNo: string
  /** Neither shared nor refunded, in cents. */
  frozen: number
}

/**
 * Locks an order and returns its frozen money, shared before or not. Refuses an order not paid through the platform,
 * and one whose rest has been released.
 */
export async function frozenOrder(db: Db, orderId: string): Promise<FrozenOrder> {
  const order = await db.one<
    Omit<FrozenOrder, 'transactionNo' | 'frozen'>
  >(sql`select o.id as order_id, o.order_no, o.shop_id,
    whose.merchant_id from shopping_order o ${merchantAtPaymentSql} where o.tenant_id = ${db.tenantId} and o.id =
    ${orderId}
    for update of o`)
  if (!order) throw new Refused('not_found', { label: { zh: '订单', en: 'Order' } })
  const { transactionNo, paid, amount, refunded } = await loadShareProgress(db, orderId)
  if (!transactionNo) throw new Refused('unfreeze_not_on_platform', { orderNo: order.orderNo })
  if (await db.one(openShareMovesSql(db, orderId, PROFIT_SHARE_MOVE_KIND.unfreeze)))
    throw new Refused('share_order_let_go', { orderNo: order.orderNo })
  return { ...order, transactionNo, frozen: Math.max(0, paid - amount - refunded) }
}

/** Writes and queues the release of an order's frozen money to the merchant; once for each order. */
async function letGo(db: Db, orderId: string, forRefundNo: string | null = null): Promise<ShareRow> {
  const { orderNo: _no, frozen: _frozen, ...order } = await frozenOrder(db, orderId)
  const made = await db.insert(shareLog, {
    ...order,
    kind: PROFIT_SHARE_MOVE_KIND.unfreeze,
    outOrderNo: `UF${newId()}`,
    receivers: [],
    amount: 0,
    finishAmount: 0,
    description: WORDS.rest,
    status: PROFIT_SHARE_STATE.waiting,
    forRefundNo,
  })
  await enqueueShare(db, made.id)
  return made
}

/** Releases an order's frozen money on request of a person. `key` is the id of the order, or of one of its shares. */
export async function unfreezeOrderMoney({ db }: { db: Db }, key: string): Promise<MoneyMoveResult> {
  const share = await db.get(shareLog, key, 'forUpdate')
  const made = await letGo(db, share?.orderId ?? key)
  publishRowsChanged({ db }, shareLog, [made])
  return { id: made.id, outOrderNo: made.outOrderNo }
}

/** Cents a receiver got of a share: as reported, else as requested. */
const arrivedAt = ({ results }: ShareRow, { account, amount }: ReceiverShare): number =>
  Array.isArray(results)
    ? (results as { account: string; amount: number; result: string }[])
        .filter((one) => one.account === account && one.result === 'SUCCESS')
        .reduce((sum, one) => sum + one.amount, 0)
    : amount

type Back = { share: ShareRow; line: ReceiverShare; amount: number }

/**
 * Plans which shares are returned for `over` cents: latest first, up to what each receiver still has. Persons cannot
 * return shares. Undefined when all together do not suffice: then no share is returned, as the refund fails anyway.
 */
async function planBack(db: Db, orderId: string, over: number): Promise<Back[] | undefined> {
  const shares = await db.find(
    shareLog,
    sql`r.order_id = ${orderId} and coalesce(r.kind, 'share') = 'share' and r.status = ${PROFIT_SHARE_STATE.finished}
      and r.finish_amount > 0`,
    sql`order by r.id desc for update`,
  )
  const gone = await db.query<{ ofShareNo: string; account: string; amount: number }>(
    sql`select of_share_no, receivers -> 0 ->> 'account' as account, sum(amount) as amount from share_log
      where tenant_id = ${db.tenantId} and order_id = ${orderId} and kind = ${PROFIT_SHARE_MOVE_KIND.return}
      and status <> ${PROFIT_SHARE_STATE.failed} group by 1, 2`,
  )
  const goneOf = (share: ShareRow, { account }: ReceiverShare) =>
    gone.find((one) => one.ofShareNo === share.outOrderNo && one.account === account)?.amount ?? 0
  let left = over
  const plan: Back[] = []
  for (const share of shares)
    for (const line of parseShares(share.receivers)) {
      const amount = Math.min(left, arrivedAt(share, line) - goneOf(share, line))
      if (amount <= 0 || line.type !== 'MERCHANT_ID') continue
      plan.push({ share, line, amount })
      left -= amount
    }
  return left > 0 ? undefined : plan
}

/** Writes and queues the returns of shares for `over` cents; false if they do not suffice. */
async function askBack(db: Db, orderId: string, over: number, forRefundNo: string): Promise<boolean> {
  const plan = await planBack(db, orderId, over)
  for (const { share, line, amount } of plan ?? []) {
    const made = await db.insert(shareLog, {
      ...ofOrder(share),
      kind: PROFIT_SHARE_MOVE_KIND.return,
      outOrderNo: `SR${newId()}`,
      receivers: [{ type: line.type, account: line.account, name: line.name, amount: formatYuan(amount) }],
      amount,
      finishAmount: 0,
      description: WORDS.forRefund,
      status: PROFIT_SHARE_STATE.waiting,
      ofShareNo: share.outOrderNo,
      forRefundNo,
    })
    await enqueueShare(db, made.id)
    publishRowsChanged({ db }, shareLog, [made])
  }
  return plan !== undefined
}

type Ready = { state: 'ready' }

/**
 * Returns shares before their order is refunded, as much as the rest after the refund does not cover. `pending` while
 * shares or returns are under way, `refused` if the returns failed.
 */
async function returnFirst(db: Db, orderId: string, outNo: string): Promise<ChannelRefundResult | Ready> {
  await db.one(sql`select 1 from shopping_order where tenant_id = ${db.tenantId} and id = ${orderId} for update`)
  const before = await db.query<{ status: number; failReason: string | null }>(
    sql`select status, fail_reason from share_log where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and kind in (${PROFIT_SHARE_MOVE_KIND.return}, ${PROFIT_SHARE_MOVE_KIND.unfreeze}) and for_refund_no = ${outNo}
        order by id`,
  )
  const failed = before.find(({ status }) => status === PROFIT_SHARE_STATE.failed)
  if (failed) return { state: 'refused', reason: failed.failReason ?? '', isUsedUp: true }
  const open = await db.query<{ status: number }>(openShareMovesSql(db, orderId, PROFIT_SHARE_MOVE_KIND.return))
  const under = await db.query<{ status: number }>(openShareMovesSql(db, orderId, PROFIT_SHARE_MOVE_KIND.share))
  if (under.some(({ status }) => status === PROFIT_SHARE_STATE.processing))
    return { state: 'pending', note: WORDS.sharing }
  if (open.some(({ status }) => status !== PROFIT_SHARE_STATE.finished))
    return { state: 'pending', note: WORDS.returning }
  await endUncoveredShares(db, orderId, 'promised')
  const { amount: given, paid, promised } = await loadShareProgress(db, orderId)
  const borne = Math.max(0, paid - promised - feeAtRate(paid - promised, await findOrderFeeRate(db, orderId)))
  if (given <= borne) return { state: 'ready' }
  return (await askBack(db, orderId, given - borne, outNo))
    ? { state: 'pending', note: WORDS.returning }
    : { state: 'refused', reason: WORDS.away, isUsedUp: true }
}

/** Releases frozen money that is needed for a refund, which WeChat Pay takes from the merchant's free money. */
async function letGoFirst(db: Db, orderId: string, outNo: string): Promise<ChannelRefundResult | Ready> {
  const [open] = await db.query<{ status: number }>(openShareMovesSql(db, orderId, PROFIT_SHARE_MOVE_KIND.unfreeze))
  if (open)
    return open.status === PROFIT_SHARE_STATE.finished ? { state: 'ready' } : { state: 'pending', note: WORDS.letting }
  publishRowsChanged({ db }, shareLog, [await letGo(db, orderId, outNo)])
  return { state: 'pending', note: WORDS.letting }
}

/**
 * Releases an order's money once after a refund failed for lack of it: it may be frozen without our knowing, when a
 * till requested sharing. Undefined when this was tried before or there is no order.
 */
export const unfreezeOrderMoneyOnce = (
  services: Services,
  { tenantId, orderId }: Refund,
): Promise<ChannelRefundResult | undefined> =>
  services.unit({ tenantId }, async (db) => {
    const order = await db.one<{ isTried: boolean }>(sql`select exists (select 1 from share_log s
      where s.tenant_id = o.tenant_id and s.order_id = o.id and s.kind = ${PROFIT_SHARE_MOVE_KIND.unfreeze}) as is_tried
      from shopping_order o where o.tenant_id = ${tenantId} and o.id = ${orderId}`)
    if (!order || order.isTried) return undefined
    publishRowsChanged({ db }, shareLog, [await letGo(db, orderId)])
    return { state: 'pending', note: WORDS.letting }
  })

type Refund = { tenantId: string; orderId: string; transactionNo: string; outNo: string; amount: number }

/**
 * Prepares the refund of an order: returns shares, and releases frozen money if the unfrozen part does not cover the
 * refund. Returns `ready`, or the state to report until then.
 */
export async function prepareWechatRefund(
  services: Services,
  pay: WechatPay,
  { tenantId, orderId, transactionNo, outNo, amount }: Refund,
): Promise<ChannelRefundResult | Ready> {
  const within = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
  const { isSent, isFrozen } = (await within((db) =>
    db.one<{ isSent: boolean | null; isFrozen: boolean }>(sql`select
      bool_or(status <> ${PROFIT_SHARE_STATE.waiting}) filter (where coalesce(kind, 'share') = 'share') as is_sent,
      exists (select 1 from pay_attempt where tenant_id = ${tenantId} and order_id = ${orderId}
        and transaction_no = ${transactionNo} and is_shared) as is_frozen
      from share_log where tenant_id = ${tenantId} and order_id = ${orderId}`),
  ))!
  const returned =
    isSent === null ? ({ state: 'ready' } as const) : await within((db) => returnFirst(db, orderId, outNo))
  if (returned.state !== 'ready' || !(isSent || isFrozen) || amount <= (await pay.unsplit(transactionNo)))
    return returned
  return within((db) => letGoFirst(db, orderId, outNo))
}

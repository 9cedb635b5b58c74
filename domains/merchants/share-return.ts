import { yuan } from '#kit/fields/money/cents.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { ChannelAnswer } from '#domains/payments/doors.ts'
import type { WechatPay } from '#domains/wechatpay/doors.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { MOVE, SHARE } from './dictionaries.ts'
import { parseShares, type Share } from './receivers.ts'
import { shareLog } from './share-log.resource.ts'
import { moveLater } from './share-move.ts'
import { courseOf, endUncoveredShares, feeOf, openMoves } from './share.ts'
import { rateOf } from './terms.ts'

export type ShareRow = RowOf<typeof shareLog>

const WORDS = {
  sharing: systemWords({
    zh: '订单正在分账，分账完成后回退再退款',
    en: 'The order is being shared; when that is over it comes back, and the refund follows',
  }),
  returning: systemWords({
    zh: '先回退已分账的部分，回退完成后退款',
    en: 'What was shared comes back first; the refund follows',
  }),
  letting: systemWords({
    zh: '先解冻订单的剩余金额，解冻完成后退款',
    en: 'What is frozen of the order is let go first; the refund follows',
  }),
  away: systemWords({
    zh: '已分给个人的钱不能自动回退，余额不够退款',
    en: 'What was shared with a person does not come back by itself; what is left does not bear the refund',
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

/** Lets what is frozen of a share's order go to the merchant, once for an order. */
async function letGo(db: Db, row: ShareRow, forRefundNo: string | null = null): Promise<ShareRow> {
  const order = await db.one<{ orderNo: string }>(
    sql`select order_no from shopping_order where tenant_id = ${db.tenantId} and id = ${row.orderId} for update`,
  )
  if (await db.one(openMoves(db, row.orderId, MOVE.unfreeze)))
    throw new Refused('share_order_let_go', { orderNo: order?.orderNo ?? '' })
  const made = await db.insert(shareLog, {
    ...ofOrder(row),
    kind: MOVE.unfreeze,
    outOrderNo: `UF${newId()}`,
    receivers: [],
    amount: 0,
    finishAmount: 0,
    description: WORDS.rest,
    status: SHARE.waiting,
    forRefundNo,
  })
  await moveLater(db, made.id)
  return made
}

/** Lets the rest of a share's order go, asked for by people: alone, or the second of two. */
export async function unfreezeNow({ db }: { db: Db }, shareId: string): Promise<unknown> {
  const share = (await db.get(shareLog, shareId, 'lock'))!
  const made = await letGo(db, share)
  publishChanged({ db }, shareLog, [made])
  return { id: made.id, outOrderNo: made.outOrderNo }
}

/** What is frozen of an order still, in cents: neither shared nor given back. */
export async function frozenOf(db: Db, orderId: string): Promise<number> {
  const { paid, amount, refunded } = await courseOf(db, orderId)
  return Math.max(0, paid - amount - refunded)
}

/** What a receiver got: as the platform said, else as it was to be. */
const arrivedAt = ({ results }: ShareRow, { account, amount }: Share): number =>
  Array.isArray(results)
    ? (results as { account: string; amount: number; result: string }[])
        .filter((one) => one.account === account && one.result === 'SUCCESS')
        .reduce((sum, one) => sum + one.amount, 0)
    : amount

type Back = { share: ShareRow; line: Share; amount: number }

/**
 * What of an order's shares comes back for so much, the last first: of each receiver what it still has of them. Nothing
 * where all of them together do not give so much back: nobody loses a share for a refund that cannot go.
 */
async function planBack(db: Db, orderId: string, over: number): Promise<Back[] | undefined> {
  const shares = await db.find(
    shareLog,
    sql`r.order_id = ${orderId} and coalesce(r.kind, 'share') = 'share' and r.status = ${SHARE.finished}
      and r.finish_amount > 0`,
    sql`order by r.id desc for update`,
  )
  const gone = await db.query<{ ofShareNo: string; account: string; amount: number }>(
    sql`select of_share_no, receivers -> 0 ->> 'account' as account, sum(amount) as amount from share_log
      where tenant_id = ${db.tenantId} and order_id = ${orderId} and kind = ${MOVE.return}
      and status <> ${SHARE.failed} group by 1, 2`,
  )
  const goneOf = (share: ShareRow, { account }: Share) =>
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

/** Asks for so much of an order's shares back; answers whether that can be. */
async function askBack(db: Db, orderId: string, over: number, forRefundNo: string): Promise<boolean> {
  const plan = await planBack(db, orderId, over)
  for (const { share, line, amount } of plan ?? []) {
    const made = await db.insert(shareLog, {
      ...ofOrder(share),
      kind: MOVE.return,
      outOrderNo: `SR${newId()}`,
      receivers: [{ type: line.type, account: line.account, name: line.name, amount: yuan(amount) }],
      amount,
      finishAmount: 0,
      description: WORDS.forRefund,
      status: SHARE.waiting,
      ofShareNo: share.outOrderNo,
      forRefundNo,
    })
    await moveLater(db, made.id)
    publishChanged({ db }, shareLog, [made])
  }
  return plan !== undefined
}

type Ready = { state: 'ready' }

/** Shares come back before their order's refund: as much as what is left after it does not bear. */
async function returnFirst(db: Db, orderId: string, outNo: string): Promise<ChannelAnswer | Ready> {
  await db.one(sql`select 1 from shopping_order where tenant_id = ${db.tenantId} and id = ${orderId} for update`)
  const before = await db.query<{ status: number; failReason: string | null }>(
    sql`select status, fail_reason from share_log where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and kind in (${MOVE.return}, ${MOVE.unfreeze}) and for_refund_no = ${outNo} order by id`,
  )
  const failed = before.find(({ status }) => status === SHARE.failed)
  if (failed) return { state: 'refused', reason: failed.failReason ?? '', isUsedUp: true }
  const open = await db.query<{ status: number }>(openMoves(db, orderId, MOVE.return))
  const under = await db.query<{ status: number }>(openMoves(db, orderId, MOVE.share))
  if (under.some(({ status }) => status === SHARE.processing)) return { state: 'pending', note: WORDS.sharing }
  if (open.some(({ status }) => status !== SHARE.finished)) return { state: 'pending', note: WORDS.returning }
  await endUncoveredShares(db, orderId, 'promised')
  const { amount: given, paid, promised } = await courseOf(db, orderId)
  const borne = Math.max(0, paid - promised - feeOf(paid - promised, await rateOf(db, orderId)))
  if (given <= borne) return { state: 'ready' }
  return (await askBack(db, orderId, given - borne, outNo))
    ? { state: 'pending', note: WORDS.returning }
    : { state: 'refused', reason: WORDS.away, isUsedUp: true }
}

/** What is frozen with an order that was shared pays no refund above it: it is let go, and the merchant pays. */
async function letGoFirst(db: Db, orderId: string, outNo: string): Promise<ChannelAnswer | Ready> {
  const [open] = await db.query<{ status: number }>(openMoves(db, orderId, MOVE.unfreeze))
  if (open) return open.status === SHARE.finished ? { state: 'ready' } : { state: 'pending', note: WORDS.letting }
  const [share] = await db.find(shareLog, sql`r.order_id = ${orderId}`, sql`order by r.id limit 1`)
  if (!share) return { state: 'ready' }
  publishChanged({ db }, shareLog, [await letGo(db, share, outNo)])
  return { state: 'pending', note: WORDS.letting }
}

type Refund = { tenantId: string; orderId: string; transactionNo: string; outNo: string; amount: number }

/** What has to happen before a refund of an order with shares may be sent: they come back, and the rest is let go. */
export async function readyToRefund(
  services: Services,
  pay: WechatPay,
  { tenantId, orderId, transactionNo, outNo, amount }: Refund,
): Promise<ChannelAnswer | Ready> {
  const within = <T>(work: (db: Db) => Promise<T>) => services.unit({ tenantId }, work)
  const shared = await within((db) =>
    db.one<{ isSent: boolean | null }>(sql`select bool_or(status <> ${SHARE.waiting}) as is_sent from share_log
      where tenant_id = ${tenantId} and order_id = ${orderId}`),
  )
  if (shared?.isSent === null) return { state: 'ready' }
  const returned = await within((db) => returnFirst(db, orderId, outNo))
  if (returned.state !== 'ready' || !shared?.isSent || amount <= (await pay.unsplit(transactionNo))) return returned
  return within((db) => letGoFirst(db, orderId, outNo))
}

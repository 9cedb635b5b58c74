import { isSameBarcode } from '#domains/catalogue/products/index.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { enqueuerOfRows } from '#kit/server/outbox/index.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import './refusals.ts'
import { PLATFORM_ACTION_STATE } from './dictionaries.ts'
import type { PlatformRefund } from './platform-order.ts'
import { platformAsk } from './platform-ask.resource.ts'
import type { PlatformAction, PlatformActionLine, PlatformActionKind, PlatformName } from './platform.ts'

export const PLATFORM_ACTION_QUEUE = 'platform.ask'
/** Enqueues the job of an action: one per action, with growing pauses between tries. */
const enqueuePlatformAction = enqueuerOfRows(PLATFORM_ACTION_QUEUE)

/** Returns whether the order has a refund that was not `known` before and covers exactly these lines. */
export const isPartialRefundDone = ({ lines, known }: PlatformAction, refunds: readonly PlatformRefund[]): boolean =>
  refunds.some(
    (one) =>
      !one.isAll &&
      one.state !== 'refused' &&
      !known.includes(one.refundNo) &&
      one.lines.length === lines.length &&
      lines.every(({ code, upc, quantity }) =>
        one.lines.some(
          (line) => (line.code === code || (upc && isSameBarcode(line.upc, upc))) && line.quantity === quantity,
        ),
      ),
  )

type Line = { id: string; goodId: string | null; code: string | null; upc: string | null; quantity: number | null }
type PlatformOrderRef = {
  platform: PlatformName
  orderNo: string
  orderId: string | null
  thereId: string
  shopId: string
}

/**
 * Builds the action that asks a platform to refund `quantity` pieces of an order line; the refund is booked here once
 * the platform confirms it. Refuses more pieces than are left. A repeated request gives the same action.
 */
export async function createPartialRefundAction(
  db: Db,
  order: PlatformOrderRef,
  line: Line,
  { quantity, reason }: { quantity: number; reason: string },
): Promise<NewPlatformAction> {
  const { orderId, ...about } = order
  const gone = await db.one<{ pieces: number }>(
    sql`select coalesce(sum(refund_quantity), 0)::int as pieces from shopping_order_detail
      where tenant_id = ${db.tenantId} and order_id = ${orderId} and good_id = ${line.goodId}`,
  )
  const left = (line.quantity ?? 0) - (gone?.pieces ?? 0)
  if (!orderId || quantity > left) throw new Refused('platform_fewer_left', { left: String(Math.max(0, left)) })
  const lines = [{ code: line.code ?? '', upc: line.upc ?? '', quantity }]
  return { ...about, kind: 'refundPart', refundNo: `${line.id}/${gone!.pieces}`, reason, lines }
}

export type NewPlatformAction = {
  platform: PlatformName
  kind: PlatformActionKind
  orderNo: string
  /** Id of our row of the shop at the platform. */
  thereId: string
  shopId: string
  reason?: string
  reasonCode?: string
  refundNo?: string
  rider?: { name: string; phone: string }
  /** Lines of a partial refund that the shop starts itself. */
  lines?: readonly PlatformActionLine[]
}

/**
 * Requests an action on an order at a platform and returns the row's id. An action that is under way or done is not
 * requested again.
 */
export async function requestPlatformAction(db: Db, ask: NewPlatformAction): Promise<string> {
  const { platform, kind, orderNo, thereId, shopId, reason = '', reasonCode = '', refundNo = '', rider, lines } = ask
  await db.advisoryLock(`platform ask/${platform}/${orderNo}`)
  const [was] = await db.find(
    platformAsk,
    sql`r.platform = ${platform} and r.platform_order_no = ${orderNo} and r.kind = ${kind}
      and r.refund_no = ${refundNo}`,
  )
  if (was?.state === PLATFORM_ACTION_STATE.unanswered) await retryPlatformAction(db, was)
  if (was && was.state !== PLATFORM_ACTION_STATE.failed) return was.id
  const who = rider ? { riderName: rider.name.slice(0, 50), riderPhone: rider.phone || null } : {}
  const anew = { known: null, askUntil: null, failReason: null }
  const draft = { reason, reasonCode, lines: lines ?? null, ...who, state: PLATFORM_ACTION_STATE.asked, ...anew }
  const row = was
    ? await db.update(platformAsk, was.id, draft)
    : await db.insert(platformAsk, {
        ...draft,
        platform,
        kind,
        platformOrderNo: orderNo,
        shopId,
        shopThere: thereId,
        refundNo,
        tries: 0,
      })
  await enqueuePlatformAction(db, row.id)
  publishRowsChanged({ db }, platformAsk, [row])
  return row.id
}

/** Retries an unconfirmed action at once, also after its time was over. Its content stays that of the first request. */
export async function retryPlatformAction(db: Db, { id, state }: RowOf<typeof platformAsk>): Promise<void> {
  if (state === PLATFORM_ACTION_STATE.unanswered)
    publishRowsChanged({ db }, platformAsk, [
      await db.update(platformAsk, id, { state: PLATFORM_ACTION_STATE.unclear, askUntil: null }),
    ])
  await enqueuePlatformAction(db, id)
}

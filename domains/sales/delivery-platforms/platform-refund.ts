import { toSqlName } from '#kit/resource/define-resource.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { registerMoneyMove, requestMoneyMove } from '#domains/money/payment-channels/api.ts'
import type { MoneyMoveResult } from '#domains/money/payment-channels/index.ts'
import { requestPlatformAction, type NewPlatformAction } from './actions.ts'
import { PLATFORM_ACTION_STATE } from './dictionaries.ts'
import { platformOf } from './platform.ts'

/** Kind of this money move in `payments` while it waits for a second person's approval. */
const PLATFORM_REFUND_MOVE = 'giveThere'

/**
 * Returns the cents of an order at a platform that were refunded or are being refunded, so that several partial refunds
 * together count against the approval threshold.
 */
async function alreadyRefunded(
  db: Db,
  services: Services,
  { platform: name, orderNo }: NewPlatformAction,
): Promise<number> {
  const { resource, detail, orderKey } = platformOf(services, name)!.order
  const gone = await db.one<{ booked: number; asked: number }>(sql`select coalesce(s.refund_amount, 0) as booked,
      (select coalesce(sum(d.price * (l.line ->> 'quantity')::int), 0) from platform_ask a
        cross join lateral jsonb_array_elements(a.lines) as l(line)
        join ${raw(`"${detail.table}"`)} d on d.tenant_id = a.tenant_id and d.${raw(toSqlName(orderKey))} = o.id
          and d.platform_sku_id = l.line ->> 'code'
        where a.tenant_id = o.tenant_id and a.platform = ${name} and a.platform_order_no = ${orderNo}
          and a.kind = 'refundPart' and a.state <> ${PLATFORM_ACTION_STATE.failed} and jsonb_typeof(a.lines) =
            'array') as asked
    from ${raw(`"${resource.table}"`)} o
    left join shopping_order s on s.tenant_id = o.tenant_id and s.id = o.order_id
    where o.tenant_id = ${db.tenantId} and o.platform_order_id = ${orderNo}`)
  return Math.max(gone?.booked ?? 0, gone?.asked ?? 0)
}

/**
 * Refunds on the platform, or creates a pending money move above the caller's approval threshold. Returns the action or
 * that it waits.
 */
export async function refundOnPlatform(
  call: Call,
  ask: NewPlatformAction,
  { orderId, amount }: { orderId: string | null; amount: number },
): Promise<MoneyMoveResult | void> {
  const { db, services } = call
  const { platform, orderNo, shopId, kind, refundNo = '' } = ask
  await db.advisoryLock(`platform ask/${platform}/${orderNo}`)
  const before = kind === 'refundPart' ? await alreadyRefunded(db, services, ask) : 0
  const subjectKey = `${platform} ${orderNo} ${kind} ${refundNo}`
  const subject = { subjectKey, subjectNo: orderNo, orderId, shopId }
  return requestMoneyMove(call, { kind: PLATFORM_REFUND_MOVE, ...subject, amount, before, ask })
}

/** At startup: requests the platform's refund once a money move is approved. */
export const registerPlatformRefunds = (services: Services): void =>
  registerMoneyMove(services, PLATFORM_REFUND_MOVE, async ({ db }, _key, ask) => ({
    id: await requestPlatformAction(db, ask as NewPlatformAction),
  }))

import { formatYuan } from '#kit/fields/money/cents.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { cancelUnpaid, isWholeOrderRefundedOrPending } from './close-order.ts'
import { isPaidOnPlatform, DELIVERY_STATE, ORDER_STATE, type OrderLineBenefit } from './dictionaries.ts'
import { createRefund, type Order } from './refund.ts'
import { loadDualApprovalThresholdCents } from '#domains/money/payment-channels/api.ts'
import { findRefundApprovalLimit } from './refund-approval.ts'
import { isSpoiltRefundReason } from './refund-reasons.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

/**
 * Finishes an order the customer has received. The status of a partly refunded one stays. Refuses one being refunded as
 * a whole. The caller has locked it.
 */
export async function finishOrder(order: Order, call: Call): Promise<void> {
  if (await isWholeOrderRefundedOrPending(call.db, order)) throw new Refused('order_going_back')
  const finishTime = formatShanghaiTime(call.services.now())
  const to = order.status === ORDER_STATE.paid ? 'finished' : 'partlyRefunded'
  await requireTransition(call, shoppingOrder, order.id, 'finish', { finishTime }, { to })
}

/** Cancels an unpaid order, or requests a full refund of a paid one, which is approved at once if the caller may. */
async function cancel(order: Order, cancelReason: string, call: Call) {
  const { db, caller, services } = call
  if (order.status === ORDER_STATE.toPay) {
    await cancelUnpaid(db, order, cancelReason, services.now())
    return {}
  }
  if (isPaidOnPlatform(order)) throw new Refused('refund_there')
  const outForDelivery = await db.one(
    sql`select 1 from delivery_info where tenant_id = ${db.tenantId} and order_id = ${order.id}
      and status = ${DELIVERY_STATE.pickedUp}`,
  )
  if (outForDelivery) throw new Refused('delivery_on_way')
  const signer = hasPermission(caller, 'refunds_approve')
    ? {
        userId: caller.userId,
        limit: await findRefundApprovalLimit(db, caller),
        at: formatShanghaiTime(services.now()),
      }
    : undefined
  const { refund } = await createRefund(
    db,
    order,
    { full: true, lines: [], reason: cancelReason, restock: !isSpoiltRefundReason(cancelReason) },
    { secondAbove: await loadDualApprovalThresholdCents(services), signer },
  )
  await db.update(shoppingOrder, order.id, { cancelReason })
  return { refundId: refund.id, refundNo: refund.refundNo, refundStatus: refund.status }
}

export const shoppingOrderServer = serve(shoppingOrder, {
  allowManualEdit: true,
  beforeSave: (_draft, was) => rejectManualCreate(shoppingOrder, was),
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'cancelReason', lang),
  above: ['printReceipt'],
  actions: {
    handOver: async (order, { pickupCode }, call) => {
      if (!order.pickupCode || order.pickupCode !== pickupCode.trim())
        throw new Refused('pickup_code_wrong', {}, { field: 'pickupCode' })
      await finishOrder(order, call)
    },
    finish: (order, _input, call) => finishOrder(order, call),
    cancel: (order, input, call) => cancel(order, input.cancelReason, call),
  },
})

/** Converts the reductions of a line for the answer; amounts in yuan. */
const benefitsWire = (line: { benefits: unknown }) =>
  ((line.benefits as OrderLineBenefit[] | null) ?? []).map((one) => ({
    ...one,
    refId: one.refId ?? '',
    amount: formatYuan(one.amount),
  }))

export const shoppingOrderDetailServer = serve(shoppingOrderDetail, {
  allowManualEdit: true,
  present: (wire, lines) => {
    for (const [at, line] of lines.entries()) wire[at]!.benefits = benefitsWire(line)
  },
  beforeSave: (_draft, was) => rejectManualCreate(shoppingOrderDetail, was),
})

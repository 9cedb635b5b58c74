import { yuan } from '#kit/fields/money/cents.ts'
import { may } from '#kit/server/caller.ts'
import { sql } from '#kit/server/database/db.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { Refused } from '#kit/server/refused.ts'
import { serve, type Call } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { presentSystemWords } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { cancelUnpaid, isRefundInFlight } from './close-order.ts'
import { isPaidThere, DELIVERY, ORDER, type Benefit } from './dictionaries.ts'
import { createRefund, type Order } from './refund.ts'
import { dualApprovalThreshold } from '#domains/money/payment-channels/api.ts'
import { approvalLimit } from './refund-approval.ts'
import { isSpoilt } from './refund-reasons.ts'
import { shoppingOrderDetail } from './shopping-order-detail.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

/** The customer has the goods; call it with the order locked. What was partly refunded stays so. */
export async function finishOrder(order: Order, call: Call): Promise<void> {
  if (await isRefundInFlight(call.db, order)) throw new Refused('order_going_back')
  const row = await call.db.update(shoppingOrder, order.id, {
    ...(order.status === ORDER.paid ? { status: ORDER.finished } : {}),
    finishTime: shanghaiText(call.services.now()),
  })
  publishChanged(call, shoppingOrder, [row])
  call.db.publish('home.changed', {}, { limits: { shop: order.shopId! } })
}

/** What was not paid is cancelled; what was paid goes back in full, signed at once by who may. */
async function cancel(order: Order, cancelReason: string, call: Call): Promise<unknown> {
  const { db, caller, services } = call
  if (order.status === ORDER.toPay) return void (await cancelUnpaid(db, order, cancelReason, services.now()))
  if (isPaidThere(order)) throw new Refused('refund_there')
  const onWay = await db.one(
    sql`select 1 from delivery_info where tenant_id = ${db.tenantId} and order_id = ${order.id}
      and status = ${DELIVERY.pickedUp}`,
  )
  if (onWay) throw new Refused('delivery_on_way')
  const signer = may(caller, 'refunds_approve')
    ? { userId: caller.userId, limit: await approvalLimit(db, caller), at: shanghaiText(services.now()) }
    : undefined
  const { refund } = await createRefund(
    db,
    order,
    { full: true, lines: [], reason: cancelReason, restock: !isSpoilt(cancelReason) },
    { secondAbove: await dualApprovalThreshold(services), signer },
  )
  await db.update(shoppingOrder, order.id, { cancelReason })
  return { refundId: refund.id, refundNo: refund.refundNo, refundStatus: refund.status }
}

export const shoppingOrderServer = serve(shoppingOrder, {
  allowManualEdit: true,
  beforeSave: (_draft, was) => rejectManualCreate(shoppingOrder, was),
  present: (wire, _rows, { lang }) => presentSystemWords(wire, 'cancelReason', lang),
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

/** Parts of a discount as the wire carries money. */
const benefitsWire = (line: { benefits: unknown }) =>
  ((line.benefits as Benefit[] | null) ?? []).map((one) => ({
    ...one,
    refId: one.refId ?? '',
    amount: yuan(one.amount),
  }))

export const shoppingOrderDetailServer = serve(shoppingOrderDetail, {
  allowManualEdit: true,
  present: (wire, lines) => {
    for (const [at, line] of lines.entries()) wire[at]!.benefits = benefitsWire(line)
  },
  beforeSave: (_draft, was) => rejectManualCreate(shoppingOrderDetail, was),
})

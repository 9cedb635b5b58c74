import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { registerMoneyMove, requestMoneyMove } from './money-moves.ts'
import { payableOf, type PayableRefundRequest, type ExternalPayableRefund } from './payables.ts'
import { paymentRefund } from './payment-refund.resource.ts'
import { createPaymentRefund, isKnownPaymentRefund, recordExternalPaymentRefund } from './payment-refund.server.ts'

/** Kind of the money move that refunds recharges, membership fees and the like after a second approval. */
const PAID_BACK = 'paidBack'

function backOf(payable: string) {
  const back = payableOf(payable)?.back
  if (!back) throw new Refused('not_found', { label: paymentRefund.label })
  return back
}

type Subject = { payable: string; id: string; no: string; shopId: string | null; refundedBefore: number }

/**
 * Refunds something paid (not an order), or asks for a second approval, by the total refunded so far. The caller holds
 * the lock of the subject and has checked what it can.
 *
 * @returns What the module returns, or `{ waits: true }`.
 */
export function requestPayableRefund(
  call: Call,
  subject: Subject,
  { amount, reason }: PayableRefundRequest,
): Promise<unknown> {
  const { payable, id, no: subjectNo, shopId, refundedBefore } = subject
  return requestMoneyMove(call, {
    kind: PAID_BACK,
    subjectKey: `${payable}/${id}`,
    subjectNo,
    orderId: null,
    shopId,
    amount,
    before: refundedBefore,
    ask: { amount, reason, refundedBefore } satisfies PayableRefundRequest,
  })
}

/** Books a refund made at the platform, once for its number; refuses if the module cannot book it. */
export async function bookExternalPayableRefund(
  db: Db,
  payable: string,
  id: string,
  external: ExternalPayableRefund,
  now: Date,
): Promise<void> {
  const back = backOf(payable)
  await back.lock(db, id)
  if (await isKnownPaymentRefund(db, external)) return
  const { amount, reason } = external
  await back.book(
    db,
    id,
    { amount, reason },
    (paidBack) => recordExternalPaymentRefund(db, paidBack, external, now),
    now,
  )
}

/** Books and sends a refund that has all its approvals. */
export async function bookPayableRefund(
  db: Db,
  payable: string,
  id: string,
  ask: PayableRefundRequest,
  now: Date,
): Promise<unknown> {
  const back = backOf(payable)
  await back.lock(db, id)
  return back.book(db, id, ask, (paidBack) => createPaymentRefund(db, paidBack), now)
}

/** Registers what happens with an approved refund: it is booked and sent. Called at startup. */
export const registerPayableRefunds = (services: Services): void =>
  registerMoneyMove(services, PAID_BACK, ({ db }, key, ask) => {
    const [payable, id] = key.split('/', 2) as [string, string]
    return bookPayableRefund(db, payable, id, ask as PayableRefundRequest, services.now())
  })

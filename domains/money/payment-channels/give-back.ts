import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { registerMoneyMove, requestMoneyMove } from './money-moves.ts'
import { payableOf, type PayableRefundRequest, type ExternalPayableRefund } from './payables.ts'
import { paymentRefund } from './payment-refund.resource.ts'
import { createPaymentRefund, isKnownPaymentRefund, recordExternalPaymentRefund } from './payment-refund.server.ts'

/** What money that goes back of a recharge, a fee and the like is called while it waits for a second person. */
const PAID_BACK = 'paidBack'

function backOf(payable: string) {
  const back = payableOf(payable)?.back
  if (!back) throw new Refused('not_found', { label: paymentRefund.label })
  return back
}

type Subject = { payable: string; id: string; no: string; shopId: string | null; refundedBefore: number }

/**
 * Has money of something paid go back, alone or with a second person, by all that went back of it. Call it with the
 * subject locked, and after what can be refused of it was.
 *
 * @returns What its module answers, or `{ waits: true }`.
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

/** Books a refund the platform has made already, once for its number; refuses where the module cannot follow. */
export async function bookExternalPayableRefund(
  db: Db,
  payable: string,
  id: string,
  there: ExternalPayableRefund,
  now: Date,
): Promise<void> {
  const back = backOf(payable)
  await back.lock(db, id)
  if (await isKnownPaymentRefund(db, there)) return
  const { amount, reason } = there
  await back.book(db, id, { amount, reason }, (paidBack) => recordExternalPaymentRefund(db, paidBack, there, now), now)
}

/** Books that money goes back, and sends it, as one person or two have said; nobody is asked here any more. */
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

/** At the start: what was asked is booked and sent. */
export const registerPayableRefunds = (services: Services): void =>
  registerMoneyMove(services, PAID_BACK, ({ db }, key, ask) => {
    const [payable, id] = key.split('/', 2) as [string, string]
    return bookPayableRefund(db, payable, id, ask as PayableRefundRequest, services.now())
  })

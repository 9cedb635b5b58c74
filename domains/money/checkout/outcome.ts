import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import type { Lang } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/services.ts'
import { translateSystemText } from '#kit/server/system-words.ts'
import { reloadAttempt, sendAttempt } from './send.ts'
import { createAttempt, type PaymentAttempt, type CreatedAttempt, type PaymentInput } from './create-attempt.ts'

/** How a payment stands, as those are told who asked for it; amounts in yuan. */
export type PayOutcome = {
  payNo: string
  state: string
  way: string
  amount: string
  orderId: string
  orderNo: string
  saleNo: string
  transactionNo: string
  payTime: string
  note: string
  backState: string
  /** Of a code to scan: what the code says. */
  codeUrl: string
}

/** How a payment stands now. */
export async function paymentStatusOf(services: Services, attempt: PaymentAttempt, lang: Lang): Promise<PayOutcome> {
  const { tenantId } = attempt
  const order = await services.unit({ tenantId }, (db) => db.get(shoppingOrder, attempt.orderId!))
  return {
    payNo: attempt.payNo!,
    state: attempt.state!,
    way: attempt.way!,
    amount: formatYuan(attempt.amount!),
    orderId: attempt.orderId!,
    orderNo: order?.orderNo ?? '',
    saleNo: order?.saleNo ?? '',
    transactionNo: attempt.transactionNo ?? '',
    payTime: attempt.paidTime ?? '',
    note: translateSystemText(attempt.note ?? '', lang),
    backState: attempt.backState ?? '',
    codeUrl: attempt.codeUrl ?? '',
  }
}

/**
 * Asks a customer for the money of an order that is to be paid: written first, then asked, and answered as far as it is
 * known by then. Asked again the same way it is one payment.
 */
export async function requestPayment(services: Services, tenantId: string, ask: PaymentInput): Promise<PaymentAttempt> {
  return sendCreatedAttempt(
    services,
    await services.unit({ tenantId }, (db) => createAttempt(db, services, ask)),
    ask.code,
  )
}

/** Sends a payment that was begun in a transaction of the caller's, once that has committed; answers the row then. */
export async function sendCreatedAttempt(
  services: Services,
  { attempt, isNew }: CreatedAttempt,
  code?: string,
): Promise<PaymentAttempt> {
  if (!isNew) return attempt
  await sendAttempt(services, attempt, code)
  return reloadAttempt(services, attempt)
}

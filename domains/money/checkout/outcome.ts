import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { formatYuan } from '#kit/fields/money/cents.ts'
import type { Lang } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { reloadAttempt, sendAttempt } from './send.ts'
import {
  findOrCreatePaymentAttempt,
  type PaymentAttempt,
  type CreatedAttempt,
  type PaymentInput,
} from './create-attempt.ts'

/** State of a payment as returned to clients; amounts in yuan. */
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
  /** Content of the code to scan; empty for other ways to pay. */
  codeUrl: string
}

/** Returns the present state of a payment, with texts in `lang`. */
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
 * Requests the payment of an unpaid order: writes the attempt, sends it and returns it with what is known by then. A
 * repeated request of the same way returns the same attempt.
 */
export async function requestPayment(services: Services, tenantId: string, ask: PaymentInput): Promise<PaymentAttempt> {
  return sendCreatedAttempt(
    services,
    await services.unit({ tenantId }, (db) => findOrCreatePaymentAttempt(db, services, ask)),
    ask.code,
  )
}

/** Sends an attempt after the transaction that created it has committed. Returns the row as it is then. */
export async function sendCreatedAttempt(
  services: Services,
  { attempt, isNew }: CreatedAttempt,
  code?: string,
): Promise<PaymentAttempt> {
  if (!isNew) return attempt
  await sendAttempt(services, attempt, code)
  return reloadAttempt(services, attempt)
}

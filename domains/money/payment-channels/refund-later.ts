import { enqueuerOfRows } from '#kit/server/outbox/index.ts'

export const PAYMENT_REFUND_QUEUE = 'payment.refund'

/** Queues sending a refund, or asking what became of it, with the commit. */
export const enqueuePaymentRefund = enqueuerOfRows(PAYMENT_REFUND_QUEUE)

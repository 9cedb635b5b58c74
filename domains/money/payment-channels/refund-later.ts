import type { Db } from '#kit/server/database/db.ts'

export const PAYMENT_REFUND_QUEUE = 'payment.refund'
const ATTEMPTS_MAX = 100

/** Sends money back, or asks about it at that time, with the commit of who wrote it. */
export const enqueuePaymentRefund = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    PAYMENT_REFUND_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

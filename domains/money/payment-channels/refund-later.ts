import type { Db } from '#kit/server/database/db.ts'

export const PAYMENT_REFUND_QUEUE = 'payment.refund'
const ATTEMPTS_MAX = 100

/** Queues sending a refund with the commit, or for a time `runAt` its status query. */
export const enqueuePaymentRefund = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    PAYMENT_REFUND_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

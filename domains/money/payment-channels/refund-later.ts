import type { Db } from '#kit/server/database/db.ts'

export const REFUND_QUEUE = 'payment.refund'
const ATTEMPTS_MAX = 100

/** Sends money back, or asks about it at that time, with the commit of who wrote it. */
export const refundLater = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    REFUND_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

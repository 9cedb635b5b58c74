import { sql, type Db } from '#kit/server/database/db.ts'
import { enqueuerOfRows, rowQueue } from '#kit/server/outbox/index.ts'

export const paymentAttemptQueue = rowQueue<{ id: string }>('pay.attempt')
export const UNMATCHED_REFUND_QUEUE = 'pay.back'
const enqueueAttempt = enqueuerOfRows(paymentAttemptQueue.name)

/** Queues a status query of a payment for a time. */
export const enqueueStatusCheck = (db: Db, id: string, runAt: Date): Promise<void> => enqueueAttempt(db, id, { runAt })

/** Queues a status query with the commit, even if a later one was planned. */
export async function enqueueStatusCheckNow(db: Db, id: string): Promise<void> {
  await db.run(sql`update pay_attempt set ask_time = null where tenant_id = ${db.tenantId} and id = ${id}`)
  await enqueueAttempt(db, id)
}

/** Queues the refund of a payment no order accepted, or asking what became of it, with the commit. */
export const enqueueUnmatchedRefund = enqueuerOfRows(UNMATCHED_REFUND_QUEUE)

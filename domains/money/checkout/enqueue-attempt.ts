import { sql, type Db } from '#kit/server/database/db.ts'
import { enqueuerOfRows } from '#kit/server/outbox/index.ts'

export const ATTEMPT_QUEUE = 'pay.attempt'
export const UNMATCHED_REFUND_QUEUE = 'pay.back'
const ATTEMPTS_MAX = 60

/** Queues a status query of a payment for a time. */
export const enqueueStatusCheck = (db: Db, id: string, runAt: Date): Promise<void> =>
  db.enqueue(ATTEMPT_QUEUE, { id }, { key: `${id}/${runAt.getTime()}`, runAt, maxAttempts: ATTEMPTS_MAX })

/** Queues a status query with the commit, even if a later one was planned. */
export async function enqueueStatusCheckNow(db: Db, id: string, now: Date): Promise<void> {
  await db.run(sql`update pay_attempt set ask_time = null where tenant_id = ${db.tenantId} and id = ${id}`)
  await db.enqueue(ATTEMPT_QUEUE, { id }, { key: `${id}/now/${now.getTime()}`, maxAttempts: ATTEMPTS_MAX })
}

/** Queues the refund of a payment no order accepted, or asking what became of it, with the commit. */
export const enqueueUnmatchedRefund = enqueuerOfRows(UNMATCHED_REFUND_QUEUE)

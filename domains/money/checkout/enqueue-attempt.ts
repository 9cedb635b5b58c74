import { sql, type Db } from '#kit/server/database/db.ts'

export const ATTEMPT_QUEUE = 'pay.attempt'
export const UNMATCHED_REFUND_QUEUE = 'pay.back'
const ATTEMPTS_MAX = 60

/** Asks about a payment at that time. */
export const enqueueStatusCheck = (db: Db, id: string, runAt: Date): Promise<void> =>
  db.enqueue(ATTEMPT_QUEUE, { id }, { key: `${id}/${runAt.getTime()}`, runAt, maxAttempts: ATTEMPTS_MAX })

/** Asks about a payment with the commit, whenever it was to be asked about. */
export async function enqueueStatusCheckNow(db: Db, id: string, now: Date): Promise<void> {
  await db.run(sql`update pay_attempt set ask_time = null where tenant_id = ${db.tenantId} and id = ${id}`)
  await db.enqueue(ATTEMPT_QUEUE, { id }, { key: `${id}/now/${now.getTime()}`, maxAttempts: ATTEMPTS_MAX })
}

/** Gives back what no order took, or asks at that time how far it is. */
export const enqueueUnmatchedRefund = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    UNMATCHED_REFUND_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

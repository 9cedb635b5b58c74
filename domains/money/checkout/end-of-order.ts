import type { Db } from '#kit/server/database/db.ts'
import { lockOpenAttempts, cancelAttempt } from './create-attempt.ts'
import { PAYMENT_ATTEMPT_STATE } from './dictionaries.ts'

/** Closes the open payment attempts of an order that has ended. One paid in that moment is refunded. */
export async function cancelAttemptsOfOrder(db: Db, { id }: { id: string }): Promise<void> {
  for (const row of await lockOpenAttempts(db, id))
    if (row.state !== PAYMENT_ATTEMPT_STATE.closing) await cancelAttempt(db, row)
}

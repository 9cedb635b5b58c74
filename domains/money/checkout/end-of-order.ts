import type { Db } from '#kit/server/database/db.ts'
import { openAttempts, cancelAttempt } from './create-attempt.ts'
import { PAY } from './dictionaries.ts'

/** Of an order nobody pays any more what was asked is ended; paid in that moment, it goes back. */
export async function endOfOrder(db: Db, { id }: { id: string }, now: Date): Promise<void> {
  for (const row of await openAttempts(db, id)) if (row.state !== PAY.closing) await cancelAttempt(db, now, row)
}

import type { Db } from '#kit/server/database/db.ts'

export const SYNC_QUEUE_NAME = 'platform.waits'
const COLLECT_MS = 500
/** What commits last in a while is seen by the job of that while. */
const LATE_MS = 100

/** Has what waits for the platforms of this tenant brought, once for all that ask within half a second. */
export function enqueueSync(db: Db, at: Date): Promise<void> {
  const bucket = Math.floor(at.getTime() / COLLECT_MS)
  const runAt = new Date((bucket + 1) * COLLECT_MS + LATE_MS)
  return db.enqueue(SYNC_QUEUE_NAME, {}, { key: String(bucket), runAt })
}

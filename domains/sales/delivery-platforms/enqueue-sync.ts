import type { Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export const platformSyncQueue = defineQueue('platform.waits')
const COLLECT_MS = 500
/** Extra delay, so that transactions committing at the end of a period are seen by its job. */
const LATE_MS = 100

/** Enqueues a sync of the tenant's waiting rows: one job for all requests within half a second. */
export function enqueueSync(db: Db, at: Date): Promise<void> {
  const bucket = Math.floor(at.getTime() / COLLECT_MS)
  const runAt = new Date((bucket + 1) * COLLECT_MS + LATE_MS)
  return db.enqueue(platformSyncQueue, {}, { key: String(bucket), runAt })
}

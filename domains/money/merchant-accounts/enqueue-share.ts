import type { Db } from '#kit/server/database/db.ts'

export const SHARE_MOVE_QUEUE = 'share.move'
const ATTEMPTS_MAX = 60

/**
 * Queues a profit share, an unfreeze or a return to be sent with the commit, or for a time `runAt` its status query.
 */
export const enqueueShare = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    SHARE_MOVE_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

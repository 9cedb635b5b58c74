import type { Db } from '#kit/server/database/db.ts'

export const SHARE_MOVE_QUEUE = 'share.move'
const ATTEMPTS_MAX = 60

/** Sends a share, an unfreezing or a return, with the commit of who wrote it; later it is asked about. */
export const enqueueShare = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    SHARE_MOVE_QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

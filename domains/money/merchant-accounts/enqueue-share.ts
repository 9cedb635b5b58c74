import { enqueuerOfRows } from '#kit/server/outbox/index.ts'

export const SHARE_MOVE_QUEUE = 'share.move'

/** Queues a profit share, an unfreeze or a return to be sent, or asked about, with the commit. */
export const enqueueShare = enqueuerOfRows(SHARE_MOVE_QUEUE)

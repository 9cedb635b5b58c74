import type { Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export const tagPushQueue = defineQueue('tags.push')
/** Queue with one job for each account, so that one that hangs delays only its own tags. */
export const tagProviderPushQueue = defineQueue<{ accountId: string }>('tags.carry')
/** How long changes are collected, so that a name, price and unit edited in a row become one update. */
const COLLECT_MS = 5_000

/** Returns when a change made now is sent, at the end of the collecting interval. */
export const nextTagPushTime = (now: Date): Date => new Date(Math.ceil((now.getTime() + 1) / COLLECT_MS) * COLLECT_MS)

/** Queues sending all due updates at `at`, once for all requests within the same second. */
export const enqueueTagPush = (db: Db, at: Date): Promise<void> =>
  db.enqueue(tagPushQueue, {}, { key: String(Math.floor(at.getTime() / 1000)), runAt: at })

export const enqueueTagProviderPush = (db: Db, accountId: string): Promise<void> =>
  db.enqueue(tagProviderPushQueue, { accountId }, { key: accountId })

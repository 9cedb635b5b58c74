import type { Db } from '#kit/server/database/db.ts'

export const TAG_PUSH_QUEUE = 'tags.push'
/** Each account has a job of its own: one that hangs keeps nobody else's. */
export const TAG_PROVIDER_PUSH_QUEUE = 'tags.carry'
/** Changes are collected so long: a name, a price and a unit that are typed one after the other are one picture. */
const COLLECT_MS = 5_000

/** When what changes now has been collected. */
export const nextTagPushTime = (now: Date): Date => new Date(Math.ceil((now.getTime() + 1) / COLLECT_MS) * COLLECT_MS)

/** Has what waits pushed at that time, once for all that ask for the same. */
export const enqueueTagPush = (db: Db, at: Date): Promise<void> =>
  db.enqueue(TAG_PUSH_QUEUE, {}, { key: String(Math.floor(at.getTime() / 1000)), runAt: at })

export const enqueueTagProviderPush = (db: Db, accountId: string): Promise<void> =>
  db.enqueue(TAG_PROVIDER_PUSH_QUEUE, { accountId }, { key: accountId })

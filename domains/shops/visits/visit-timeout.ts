import type { Db } from '#kit/server/database/db.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export const visitTimeoutQueue = defineQueue<{ visitId: string; hasCome?: boolean }>('visit.lapse')
const MINUTE_MS = 60_000
/** Time in ms to open the door after access was granted; after it the visit ends as not entered. */
const COMES_MS = 10 * MINUTE_MS
/** Longest visit in ms: after it the exit is assumed to have been missed. */
export const STAY_MAX_MS = 3 * 60 * MINUTE_MS

export const NO_SHOW_TEXT = defineSystemText({ zh: '未进店', en: 'Did not enter' })
export const EXIT_NOT_SEEN_TEXT = defineSystemText({ zh: '未见离店', en: 'Exit not detected' })
/** Notes of assumed ends; a later report of a device replaces such an end. */
export const ASSUMED_VISIT_ENDS: readonly string[] = [NO_SHOW_TEXT, EXIT_NOT_SEEN_TEXT]

/** Queues the end of a visit after access was granted, for the case that nobody enters. */
export const enqueueNoShowTimeout = (db: Db, visitId: string, at: Date): Promise<void> =>
  db.enqueue(visitTimeoutQueue, { visitId }, { key: visitId, runAt: new Date(at.getTime() + COMES_MS) })

/** Queues the end of a visit whose exit is never seen. */
export const enqueueStayTimeout = (db: Db, visitId: string, now: Date): Promise<void> =>
  db.enqueue(
    visitTimeoutQueue,
    { visitId, hasCome: true },
    { key: visitId, runAt: new Date(now.getTime() + STAY_MAX_MS) },
  )

import type { Db } from '#kit/server/database/db.ts'
import { defineSystemText } from '#kit/server/system-words.ts'

export const VISIT_TIMEOUT_QUEUE = 'visit.lapse'
const MINUTE_MS = 60_000
/** Whoever was let in and did not open the door by then has gone on. */
const COMES_MS = 10 * MINUTE_MS
/** Nobody is in a shop for so long: their leaving was not seen. */
export const STAY_MAX_MS = 3 * 60 * MINUTE_MS

export const NO_SHOW_TEXT = defineSystemText({ zh: '未进店', en: 'Did not enter' })
export const EXIT_NOT_SEEN_TEXT = defineSystemText({ zh: '未见离店', en: 'Exit not detected' })
/** Ends nobody saw; what a device tells of later counts in their place. */
export const ASSUMED_VISIT_ENDS: readonly string[] = [NO_SHOW_TEXT, EXIT_NOT_SEEN_TEXT]

/** A visit that begins with leave to enter ends by itself when nobody comes. */
export const enqueueNoShowTimeout = (db: Db, visitId: string, at: Date): Promise<void> =>
  db.enqueue(VISIT_TIMEOUT_QUEUE, { visitId }, { key: visitId, runAt: new Date(at.getTime() + COMES_MS) })

/** One in which somebody came ends by itself when they are not seen to leave. */
export const enqueueStayTimeout = (db: Db, visitId: string, now: Date): Promise<void> =>
  db.enqueue(
    VISIT_TIMEOUT_QUEUE,
    { visitId, hasCome: true },
    { key: visitId, runAt: new Date(now.getTime() + STAY_MAX_MS) },
  )

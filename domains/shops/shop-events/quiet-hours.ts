import { findTimeWindowAt } from '#domains/shops/shops/api.ts'

/**
 * Returns when a notification may be sent: now, or at the end of the recipient's quiet hours. Level 3 is sent at once,
 * as events such as a forced door matter most at night.
 */
export function noticeDueTime(now: Date, quiet: { start: string | null; end: string | null }, level: number): Date {
  if (level >= 3 || !quiet.start || !quiet.end || quiet.start === quiet.end) return now
  return findTimeWindowAt(now, quiet.start, quiet.end)?.to ?? now
}

import { findTimeWindowAt } from '#domains/shops/shops/api.ts'

/**
 * When a notice may go out: now, or at the end of the reader's quiet hours. Level 3 goes out at once: who asks to hear
 * of a forced door means at night above all.
 */
export function noticeDueTime(now: Date, quiet: { start: string | null; end: string | null }, level: number): Date {
  if (level >= 3 || !quiet.start || !quiet.end || quiet.start === quiet.end) return now
  return findTimeWindowAt(now, quiet.start, quiet.end)?.to ?? now
}

/** Returns whether a "yyyy-MM-dd" text is a day that exists, from 1900 on: 2024-02-29 yes, 2023-02-29 no. */
export function isCalendarDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text && Number(match[1]) >= 1900
}

/**
 * Returns a time as "yyyy-MM-dd HH:mm:ss"; missing parts of the time of day become 00. Undefined if it is no valid
 * time.
 */
export function normalizeDatetime(input: unknown): string | undefined {
  if (typeof input !== 'string') return undefined
  const match = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(input.trim())
  if (!match || !isCalendarDay(match[1]!)) return undefined
  const [, day, hour = '00', minute = '00', second = '00'] = match
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
    ? `${day} ${hour}:${minute}:${second}`
    : undefined
}

const DAY_MS = 86_400_000
/** Returns a different day for each `n` below 5000, so that sample rows unique by a day do not collide. */
export const sampleDayText = (n: number): string =>
  new Date(Date.UTC(2026, 0, 28) - (n % 5000) * DAY_MS).toISOString().slice(0, 10)

/** True for a day that exists: 2024-02-29 yes, 2023-02-29 no. */
export function isCalendarDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text && Number(match[1]) >= 1900
}

/** "yyyy-MM-dd HH:mm:ss" (a date alone means its midnight), else undefined. */
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
/** A day of its own for each of some thousand rows, so that families told apart by a day do not run out of days. */
export const sampleDayText = (n: number): string =>
  new Date(Date.UTC(2026, 0, 28) - (n % 5000) * DAY_MS).toISOString().slice(0, 10)

import { shanghaiDayOf } from '../parts/when-words.ts'

/** Spans of days offered for a list's time, by their first and last day. */
export const PERIODS = [
  'today',
  'yesterday',
  'thisWeek',
  'lastWeek',
  'week',
  'thisMonth',
  'lastMonth',
  'last30',
  'thisYear',
] as const
export type Period = (typeof PERIODS)[number]

const DAY_MS = 86_400e3

/**
 * Returns the first and last day of a period in Asia/Shanghai, the time zone of all shops; both belong to it. Weeks
 * begin on Monday; a period that is still running ends today.
 */
export function periodBounds(period: Period, now = Date.now()): { from: string; to: string } {
  const today = shanghaiDayOf(now)
  const back = (days: number) => shanghaiDayOf(now - days * DAY_MS)
  const noon = new Date(`${today}T12:00:00Z`)
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  const dayOf = (year: number, month: number, day: number) =>
    new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)
  const [year, month] = [noon.getUTCFullYear(), noon.getUTCMonth()]
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: back(1), to: back(1) }
    case 'thisWeek':
      return { from: back(sinceMonday), to: today }
    case 'lastWeek':
      return { from: back(sinceMonday + 7), to: back(sinceMonday + 1) }
    case 'week':
      return { from: back(6), to: today }
    case 'thisMonth':
      return { from: dayOf(year, month, 1), to: today }
    case 'lastMonth':
      return { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) }
    case 'last30':
      return { from: back(29), to: today }
    case 'thisYear':
      return { from: dayOf(year, 0, 1), to: today }
  }
}

/** Returns the period with these bounds; undefined if the days were chosen by hand. */
export const findPeriod = (from: string, to: string, now = Date.now()): Period | undefined =>
  PERIODS.find((period) => {
    const bounds = periodBounds(period, now)
    return bounds.from === from && bounds.to === to
  })

/**
 * Whether a member day falls on a date ('yyyy-MM-dd'): by weekday (1 Monday) or day of the month, where a day the month
 * lacks falls on its last.
 */
export function isMemberDayOn(
  day: { cycle: string | null; days: readonly string[] | null; startDate?: string | null; endDate?: string | null },
  date: string,
): boolean {
  if ((day.startDate && date < day.startDate) || (day.endDate && date > day.endDate)) return false
  const moment = new Date(`${date}T00:00:00Z`)
  const days = (day.days ?? []).map(Number)
  if (day.cycle === 'weekly') return days.includes(moment.getUTCDay() || 7)
  const number = moment.getUTCDate()
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  return days.includes(number) || (number === last && days.some((one) => one > last))
}

/** Number of days up to today the rate is computed from: full weeks, so that each weekday counts equally often. */
export const SALES_RATE_DAYS = 28
const WEEK = 7

/** One day of a product: pieces sold less those returned, and whether it was in stock at any time. */
export type DailySales = { date: string; sold: number; hadStock: boolean }

/** Sales rate of a product over the days it was in stock: pieces a day, on average and by weekday (Monday first). */
export type SalesRate = { sold: number; days: number; perDay: number; perWeekday: number[] }

/** Weekday of a date, Monday is 0. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % WEEK

/**
 * Adds to consecutive days the closing stock and whether there was any stock. `before` is the stock before the first
 * day; `had` says that some was there during the day; `after` is the stock after its last movement, null when nothing
 * moved, and then the closing stock of the day before counts.
 */
export function withStock<D extends { after: number | null; had: boolean }>(
  days: readonly D[],
  before: number | null,
): (Omit<D, 'after' | 'had'> & { hadStock: boolean; stock: number })[] {
  let stock = before ?? 0
  return days.map(({ after, had, ...day }) => {
    const hadStock = stock > 0 || had
    stock = after ?? stock
    return { ...day, hadStock, stock }
  })
}

/** Average pieces a day, never negative; undefined without days. */
const average = (days: readonly DailySales[]): number | undefined =>
  days.length ? Math.max(sum(days), 0) / days.length : undefined
const sum = (days: readonly DailySales[]): number => days.reduce((pieces, { sold }) => pieces + sold, 0)

/**
 * Computes the sales rate from the days with stock only, as a day without stock does not show the demand. A weekday
 * that never had stock gets the average.
 */
export function computeSalesRate(days: readonly DailySales[]): SalesRate {
  const counted = days.filter(({ sold, hadStock }) => hadStock || sold > 0)
  const perDay = average(counted) ?? 0
  const perWeekday = Array.from(
    { length: WEEK },
    (_, weekday) => average(counted.filter(({ date }) => weekdayOf(date) === weekday)) ?? perDay,
  )
  return { sold: sum(counted), days: counted.length, perDay, perWeekday }
}

/** Number of whole days the stock lasts at this rate; null when nothing sells. */
export const daysOfStockLeft = (stock: number, { perDay }: Pick<SalesRate, 'perDay'>): number | null =>
  perDay > 0 ? Math.floor(Math.max(stock, 0) / perDay) : null

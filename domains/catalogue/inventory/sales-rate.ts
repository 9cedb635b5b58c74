/** So many days up to today are looked at: each weekday equally often. */
export const SALES_RATE_DAYS = 28
const WEEK = 7

/** One day of some goods: pieces sold, less those brought back, and whether they could be bought at all. */
export type DailySales = { date: string; sold: number; hadStock: boolean }

/** How some goods sell: pieces a day over the days they could be bought, on average and by weekday (Monday first). */
export type SalesRate = { sold: number; days: number; perDay: number; perWeekday: number[] }

/** The weekday of a date, Monday 0. */
export const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % WEEK

/**
 * Days in their order, the first of which began with a stock of `before`: each with whether there was any to buy (`had`
 * says that some came or was there meanwhile) and what its evening left; where nothing moved (`after` is null), the
 * stock of the evening before.
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

/** Pieces a day, never below nothing; undefined without days. */
const average = (days: readonly DailySales[]): number | undefined =>
  days.length ? Math.max(sum(days), 0) / days.length : undefined
const sum = (days: readonly DailySales[]): number => days.reduce((pieces, { sold }) => pieces + sold, 0)

/**
 * The rate of sale over days with stock: a day on which there was nothing to buy says nothing of what people wanted. A
 * weekday without such a day is an ordinary one.
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

/** For how many whole days a stock lasts at a rate; null where nothing sells. */
export const daysOfStockLeft = (stock: number, { perDay }: Pick<SalesRate, 'perDay'>): number | null =>
  perDay > 0 ? Math.floor(Math.max(stock, 0) / perDay) : null

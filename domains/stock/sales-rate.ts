/** So many days up to today are looked at: each weekday equally often. */
export const RATE_DAYS = 28
const WEEK = 7

/** One day of some goods: pieces sold, less those brought back, and whether they could be bought at all. */
export type DayOfGoods = { date: string; sold: number; hadStock: boolean }

/** How some goods sell: pieces a day over the days they could be bought, on average and by weekday (Monday first). */
export type SalesRate = { sold: number; days: number; perDay: number; perWeekday: number[] }

const weekdayOf = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % WEEK

/**
 * The rate of sale over days with stock: a day on which there was nothing to buy says nothing of what people wanted. A
 * weekday without such a day is an ordinary one.
 */
export function rateOf(days: readonly DayOfGoods[]): SalesRate {
  const counted = days.filter(({ sold, hadStock }) => hadStock || sold > 0)
  const sold = counted.reduce((sum, day) => sum + day.sold, 0)
  const perDay = counted.length ? Math.max(sold, 0) / counted.length : 0
  const perWeekday = Array.from({ length: WEEK }, (_, weekday) => {
    const alike = counted.filter(({ date }) => weekdayOf(date) === weekday)
    return alike.length
      ? Math.max(
          alike.reduce((sum, day) => sum + day.sold, 0),
          0,
        ) / alike.length
      : perDay
  })
  return { sold, days: counted.length, perDay, perWeekday }
}

/** For how many whole days a stock lasts at a rate; null where nothing sells. */
export const lastsDays = (stock: number, { perDay }: Pick<SalesRate, 'perDay'>): number | null =>
  perDay > 0 ? Math.floor(Math.max(stock, 0) / perDay) : null

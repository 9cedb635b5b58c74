import { describe, expect, it } from 'vitest'
import { daysOfStockLeft, computeSalesRate, weekdayOf, withStock, type DailySales } from './sales-rate.ts'

/** Consecutive days from a Monday with the pieces sold; `-` is a day without stock. */
const days = (...sold: (number | '-')[]): DailySales[] =>
  sold.map((one, n) => ({
    date: `2026-06-${String(n + 1).padStart(2, '0')}`,
    sold: one === '-' ? 0 : one,
    hadStock: one !== '-',
  }))

describe('a day of goods', () => {
  const moved = (sold: number, after: number | null, had = false) => ({ sold, after, had })

  it('had stock where its morning or anything within it had, and ends with what the last one before it left', () => {
    const all = withStock([moved(0, null), moved(3, 0, true), moved(0, null), moved(2, 0, true), moved(0, 8)], 3)
    expect(all.map(({ hadStock, stock }) => [hadStock, stock])).toEqual([
      [true, 3],
      [true, 0],
      [false, 0],
      [true, 0],
      [false, 8],
    ])
    expect(all[1]).toEqual({ sold: 3, hadStock: true, stock: 0 })
  })

  it('had none before goods had a ledger', () => {
    expect(withStock([moved(0, null)], null)).toEqual([{ sold: 0, hadStock: false, stock: 0 }])
  })

  it('is of the week that begins on Monday', () => {
    expect(['2026-06-01', '2026-06-06', '2026-06-07'].map(weekdayOf)).toEqual([0, 5, 6])
  })
})

describe('the rate of sale', () => {
  it('counts the days there was something to buy, and none of the others', () => {
    expect(computeSalesRate(days(2, 2, '-', '-', '-', 2, '-'))).toMatchObject({ sold: 6, days: 3, perDay: 2 })
    expect(computeSalesRate(days(2, 2, 0, 0, 0, 2, 0)).perDay).toBeCloseTo(6 / 7)
  })

  it('takes a weekday that never had stock for an ordinary day', () => {
    const { perWeekday } = computeSalesRate(days(1, 1, 1, 1, 1, '-', 4, 1, 1, 1, 1, 1, '-', 4))
    expect(perWeekday.slice(0, 5)).toEqual([1, 1, 1, 1, 1])
    expect([perWeekday[5], perWeekday[6]]).toEqual([1.5, 4])
  })

  it('is nothing where nothing sold or nothing was there, and then a stock lasts no certain time', () => {
    for (const none of [[], days('-', '-'), days(0, 0)]) {
      expect(computeSalesRate(none).perDay).toBe(0)
      expect(daysOfStockLeft(5, computeSalesRate(none))).toBeNull()
    }
    expect(daysOfStockLeft(-3, { perDay: 2 })).toBe(0)
    expect(daysOfStockLeft(9, { perDay: 2 })).toBe(4)
  })

  it('counts a day on which goods were sold below stock, and never goes below nothing', () => {
    expect(computeSalesRate([{ date: '2026-06-01', sold: 3, hadStock: false }])).toMatchObject({ days: 1, perDay: 3 })
    expect(computeSalesRate(days(-2, 0)).perDay).toBe(0)
  })
})

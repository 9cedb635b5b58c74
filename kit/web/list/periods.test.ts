import { describe, expect, test } from 'vitest'
import { findPeriod, periodBounds, PERIODS } from './periods.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)

describe('a period', () => {
  test('begins and ends by the days of Shanghai, with both days in it', () => {
    const sunday = at('2026-11-29T00:30:00')
    expect(periodBounds('today', sunday)).toEqual({ from: '2026-11-29', to: '2026-11-29' })
    expect(periodBounds('yesterday', sunday)).toEqual({ from: '2026-11-28', to: '2026-11-28' })
    expect(periodBounds('thisWeek', sunday)).toEqual({ from: '2026-11-23', to: '2026-11-29' })
    expect(periodBounds('lastWeek', sunday)).toEqual({ from: '2026-11-16', to: '2026-11-22' })
    expect(periodBounds('thisWeek', at('2026-11-30T23:59:00'))).toEqual({ from: '2026-11-30', to: '2026-11-30' })
    expect(periodBounds('lastMonth', at('2026-03-31T08:00:00'))).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(periodBounds('lastMonth', at('2027-01-01T00:10:00'))).toEqual({ from: '2026-12-01', to: '2026-12-31' })
    expect(periodBounds('thisYear', at('2027-01-01T00:10:00'))).toEqual({ from: '2027-01-01', to: '2027-01-01' })
    expect(periodBounds('last30', sunday)).toEqual({ from: '2026-10-31', to: '2026-11-29' })
  })

  test('never ends after today, and is found again by its days', () => {
    const now = at('2026-11-18T12:00:00')
    for (const period of PERIODS) {
      const { from, to } = periodBounds(period, now)
      expect(from <= to && to <= '2026-11-18').toBe(true)
      expect(findPeriod(from, to, now)).toBe(period)
    }
    expect(findPeriod('2026-11-02', '2026-11-05', now)).toBeUndefined()
    expect(findPeriod('', '', now)).toBeUndefined()
  })
})

import { useSearchParams } from 'react-router'

export const DAY_SPAN_PRESETS = ['today', 'yesterday', '7', '30'] as const

/** Days looked at, both ends included, and the same number of days before for comparison. */
export type ComparedDaySpan = {
  key: string
  from: string
  to: string
  before: { from: string; to: string }
  days: number
}

const DAY_MS = 86_400_000
const isDay = (text: string | undefined): text is string =>
  !!text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const shift = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Parses "7", "today" or "2026-11-01~2026-11-20" as days before or including today. */
function spanOf(key: string | null, today: string, fallback: string): ComparedDaySpan {
  const [first, last] = (key ?? '').split('~')
  const isCustom = isDay(first) && isDay(last) && first <= last
  const known = isCustom || DAY_SPAN_PRESETS.includes(key as never) ? key! : fallback
  const count = Number(known)
  const [from, to]: [string, string] = isCustom
    ? [first, last]
    : known === 'today'
      ? [today, today]
      : known === 'yesterday'
        ? [shift(today, -1), shift(today, -1)]
        : [shift(today, 1 - count), today]
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  // A single day is compared with the day before, several days with as many before.
  return { key: known, from, to, days, before: { from: shift(from, -days), to: shift(from, -1) } }
}

/** Hook for the days and the shop chosen on the page, kept in the URL. */
export function useStatisticsSelection(today: string, fallback: string) {
  const [params, setParams] = useSearchParams()
  const set = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  return {
    span: spanOf(params.get('span'), today, fallback),
    shopId: params.get('shopId') ?? '',
    setSpan: (key: string) => set('span', key),
    setShop: (id: string) => set('shopId', id),
  }
}

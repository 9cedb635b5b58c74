import { refuse, type FieldKind } from '../field-kind.ts'

/** True for a day that exists: 2024-02-29 yes, 2023-02-29 no. */
export function isDay(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text && Number(match[1]) >= 1900
}

/** A day, "yyyy-MM-dd". */
export const dateKind: FieldKind = {
  kind: 'date',
  column: () => 'date',
  parse: (input) => {
    const text = typeof input === 'string' ? input.slice(0, 10) : ''
    return isDay(text) && (String(input).length === 10 || /^.{10}[ T]\d{2}:\d{2}(:\d{2})?$/.test(String(input)))
      ? { value: text }
      : refuse('not_a_date')
  },
  wire: (stored) => (stored ? String(stored).slice(0, 10) : ''),
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'date' }),
  sample: (_field, n) => sampleDay(n),
  sortable: true,
  readsAs: 'day',
  isPicked: true,
  rangeSuffixes: ['datege', 'datele'],
  sheet: { look: 'day', width: 12, hint: { zh: '日期', en: 'A day' } },
  inRules: { zh: "如 '2026-01-31'", en: "such as '2026-01-31'" },
  wrong: () => '2026-02-30',
}

const DAY_MS = 86_400_000
/** A day of its own for each of some thousand rows, so that families told apart by a day do not run out of days. */
export const sampleDay = (n: number): string =>
  new Date(Date.UTC(2026, 0, 28) - (n % 5000) * DAY_MS).toISOString().slice(0, 10)

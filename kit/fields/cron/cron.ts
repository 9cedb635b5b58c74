import { toHalfWidthText } from '../base/clean-text.ts'
import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

const RANGES: [number, number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
]

function isPart(part: string, [low, high]: [number, number]): boolean {
  return part.split(',').every((item) => {
    const match = /^(\*|\d{1,2}(?:-\d{1,2})?)(?:\/(\d{1,2}))?$/.exec(item)
    if (!match) return false
    if (match[2] !== undefined && Number(match[2]) < 1) return false
    if (match[1] === '*') return true
    const [from, to = from] = match[1]!.split('-').map(Number) as [number, number?]
    return from >= low && to <= high && from <= to
  })
}

/** A schedule in five cron fields: minute hour day month weekday, in Asia/Shanghai. */
export const cronKind: FieldKind = {
  kind: 'cron',
  column: () => 'text',
  parse: (input) => {
    const parts = typeof input === 'string' ? input.trim().split(/\s+/) : []
    return parts.length === 5 && parts.every((part, index) => isPart(part, RANGES[index]!))
      ? { value: parts.join(' ') }
      : fieldParseRefusal('not_a_schedule')
  },
  wire: (stored) => stored ?? '',
  clean: toHalfWidthText,
  operator: 'like',
  schema: () => ({ type: 'string', examples: ['0 8 * * 1-5'] }),
  sample: (_field, n) => `${n % 60} 8 * * *`,
  readsAs: 'text',
  wrong: () => 'daily',
}

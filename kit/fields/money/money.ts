import { formatDecimal, outOfRange, parseDecimal, refuse, type FieldKind } from '../field-kind.ts'

const CENTS_MAX = 99_999_999_999_999

/** An amount of yuan: integer cents inside, "12.50" on the wire. Options: `min`, `max` in cents (default min 0). */
export const moneyKind: FieldKind = {
  kind: 'money',
  column: () => 'bigint',
  fromColumn: (raw) => (raw === null ? null : Number(raw)),
  parse: (input, field) => {
    const cents = parseDecimal(input, 2)
    if (cents === undefined) return refuse('not_money')
    const min = (field.min as number | undefined) ?? 0
    if (cents === -100 && min >= 0 && !field.required) return { value: null }
    const problem = outOfRange(cents, { ...field, min, max: Math.min((field.max as number | undefined) ?? CENTS_MAX, CENTS_MAX) })
    if (problem?.params) {
      for (const key of ['min', 'max']) if (key in problem.params) problem.params[key] = formatDecimal(problem.params[key] as number, 2)
    }
    return problem ? { problem } : { value: cents }
  },
  wire: (stored) => (stored === null || stored === undefined ? -1 : formatDecimal(stored as number, 2)),
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'decimal', examples: ['12.50'] }),
  sample: (field, n) => formatDecimal(((field.min as number | undefined) ?? 0) + 100 + n, 2),
  sortable: true,
}

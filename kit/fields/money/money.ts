import { normalizeNumberText } from '../base/clean-text.ts'
import { parseYuanToCents, formatYuan } from './cents.ts'
import { isMinusOneInput, findRangeProblem, fieldParseRefusal, type Field, type FieldKind } from '../base/field-kind.ts'

const CENTS_MAX = 99_999_999_999_999

const boundsOf = ({ min = 0, max = CENTS_MAX }: Field) => ({ min, max: Math.min(max, CENTS_MAX) })

/** An amount of yuan: integer cents inside, "12.50" on the wire. Options: `min`, `max` in cents (default min 0). */
export const moneyKind: FieldKind = {
  kind: 'money',
  column: () => 'bigint',
  parse: (input, field) => {
    const cents = parseYuanToCents(input)
    if (cents === undefined) return fieldParseRefusal('not_money')
    const { min } = boundsOf(field)
    if (isMinusOneInput(input) && min >= 0 && !field.required) return { value: null }
    const problem = findRangeProblem(cents, { ...field, ...boundsOf(field) })
    if (problem?.params) {
      for (const key of ['min', 'max'])
        if (key in problem.params) problem.params[key] = formatYuan(problem.params[key] as number)
    }
    return problem ? { problem } : { value: cents }
  },
  wire: (stored) => (stored === null || stored === undefined ? -1 : formatYuan(stored as number)),
  clean: (text) => normalizeNumberText(text),
  bounds: boundsOf,
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'decimal', examples: ['12.50'] }),
  sample: (field, n) => formatYuan((field.min ?? 0) + 100 + n),
  sortable: true,
  readsAs: 'number',
  currency: '¥',
  sheet: {
    look: 'amount',
    width: 12,
    hint: { zh: '金额（元），最多两位小数', en: 'Amount in CNY, up to two decimals' },
  },
  inRules: { zh: '单位：分（12.50 元写 1250）', en: 'in cents (1250 means 12.50)' },
  isBlank: (wire) => wire === -1 || undefined,
  wrong: () => '1.234',
}

import { normalizeNumberText } from '../base/clean-text.ts'
import {
  formatScaledDecimal,
  isMinusOneInput,
  findRangeProblem,
  parseScaledDecimal,
  fieldParseRefusal,
  type Field,
  type FieldKind,
} from '../base/field-kind.ts'

const boundsOf = ({ min = 0, max = 100 }: Field) => ({ min, max })

/** Per cent with two decimals, "12.50" meaning 12.5 %. Options: `min` (default 0), `max` (default 100). */
export const percentKind: FieldKind = {
  kind: 'percent',
  column: () => 'numeric(7,2)',
  parse: (input, field) => {
    const scaled = parseScaledDecimal(input, 2)
    if (scaled === undefined) return fieldParseRefusal('not_a_number', { decimals: 2 })
    if (isMinusOneInput(input) && !field.required && (field.min ?? 0) >= 0) return { value: null }
    const problem = findRangeProblem(scaled / 100, { ...field, ...boundsOf(field) })
    return problem ? { problem } : { value: scaled / 100 }
  },
  wire: (stored) =>
    stored === null || stored === undefined ? -1 : formatScaledDecimal(Math.round((stored as number) * 100), 2),
  clean: (text) => normalizeNumberText(text, '%'),
  bounds: boundsOf,
  operator: 'eq',
  schema: () => ({ type: 'string', format: 'decimal', examples: ['12.50'] }),
  sample: (field, n) => {
    const [least, most] = [Math.ceil(field.min ?? 0), Math.floor(field.max ?? 100)]
    return formatScaledDecimal((least + (n % (most - least + 1))) * 100, 2)
  },
  sortable: true,
  readsAs: 'number',
  suffix: '%',
  sheet: { look: 'amount', width: 10, hint: { zh: '百分数，12.5 表示 12.5%', en: 'Percentage: 12.5 means 12.5%' } },
  inRules: { zh: '单位：%（如 12.50）', en: 'percent, for example, 12.50' },
  isBlank: (wire) => wire === -1 || undefined,
  wrong: () => '12.345',
}

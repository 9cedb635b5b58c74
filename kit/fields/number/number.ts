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

const decimalsOf = (field: Field) => field.decimals ?? 0
const INTEGER_MAX = 2_147_483_647

/**
 * A count or measure. Options: `min`, `max`, `decimals` (default 0, at most 8), `unit`.
 * Whole numbers are JSON numbers, decimals are strings; an empty one is -1 (wire contract §1.4), which is read back as
 * empty where the field cannot be negative.
 */
export const numberKind: FieldKind = {
  kind: 'number',
  column: (field) => (decimalsOf(field) > 0 ? `numeric(18,${decimalsOf(field)})` : field.big ? 'bigint' : 'integer'),
  parse: (input, field) => {
    const decimals = decimalsOf(field)
    const scaled = parseScaledDecimal(input, decimals)
    if (scaled === undefined) return fieldParseRefusal(decimals ? 'not_a_number' : 'not_an_integer', { decimals })
    const value = scaled / 10 ** decimals
    const min = field.min
    if (isMinusOneInput(input) && min !== undefined && min >= 0 && !field.required) return { value: null }
    const limit = field.big ? Number.MAX_SAFE_INTEGER : decimals ? 10 ** (18 - decimals - 1) : INTEGER_MAX
    const problem = findRangeProblem(value, {
      ...field,
      min: Math.max(min ?? -limit, -limit),
      max: Math.min(field.max ?? limit, limit),
    })
    return problem ? { problem } : { value }
  },
  wire: (stored, field) => {
    if (stored === null || stored === undefined) return -1
    const decimals = decimalsOf(field)
    return decimals ? formatScaledDecimal(Math.round((stored as number) * 10 ** decimals), decimals) : stored
  },
  clean: (text) => normalizeNumberText(text),
  bounds: ({ min, max }) => ({ min, max }),
  operator: 'eq',
  schema: (field) =>
    decimalsOf(field)
      ? { type: 'string', format: 'decimal' }
      : {
          type: 'integer',
          ...(field.min !== undefined && { minimum: field.min }),
          ...(field.max !== undefined && { maximum: field.max }),
        },
  sample: (field, n) => {
    const min = field.min ?? 0
    const value = Math.min(min + n, field.max ?? Number.MAX_SAFE_INTEGER)
    const decimals = decimalsOf(field)
    return decimals ? formatScaledDecimal(Math.round(value * 10 ** decimals), decimals) : value
  },
  sortable: true,
  readsAs: 'number',
  sheet: { look: 'plain', width: 10, hint: { zh: '数字', en: 'Number' } },
  isBlank: (wire, field) => (wire === -1 && decimalsOf(field) > 0) || undefined,
  wrong: ({ max }) => (max === undefined ? 'many' : Number(max) + 1),
}

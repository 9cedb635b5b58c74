import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'
import { maskPersonalData } from '../base/masks.ts'
import { isJsonTooDeep } from './depth.ts'

const TEXT_MAX = 200_000

/**
 * Structured data. Accepts an object, an array, or their JSON text. Options: `max` characters of that text, `schema`
 * for its documentation.
 */
export const jsonKind: FieldKind = {
  kind: 'json',
  onPaper: false,
  column: () => 'jsonb',
  parse: (input, field) => {
    let value: unknown = input
    if (typeof input === 'string') {
      if (isJsonTooDeep(input)) return fieldParseRefusal('not_json')
      try {
        value = JSON.parse(input)
      } catch {
        return fieldParseRefusal('not_json')
      }
    }
    if (typeof value !== 'object' || value === null) return fieldParseRefusal('not_json')
    const text = JSON.stringify(value)
    const max = field.max ?? TEXT_MAX
    if (text.length > max) return fieldParseRefusal('too_long', { max })
    return text.includes('\\u0000') || !text.isWellFormed() || /\\ud[89a-f]/i.test(text)
      ? fieldParseRefusal('bad_characters')
      : { value }
  },
  wire: (stored, field) => (field.personal ? maskPersonalData(stored ?? {}) : (stored ?? {})),
  operator: 'eq',
  schema: (field) => (field.schema ?? { oneOf: [{ type: 'object' }, { type: 'array' }] }) as Record<string, unknown>,
  sample: (_field, n) => ({ n }),
  document: 'data',
  toColumn: (stored) => (stored === null ? null : JSON.stringify(stored)),
  isBlank: (wire) => wire === undefined || wire === '' || (typeof wire === 'object' && !Object.keys(wire ?? {}).length),
  toForm: (wire) => (typeof wire === 'string' ? wire : JSON.stringify(wire, null, 2)),
  fromForm: (held, field) => {
    const parsed = jsonKind.parse(held, field)
    return 'value' in parsed ? parsed.value : held
  },
  wrong: () => '{',
}

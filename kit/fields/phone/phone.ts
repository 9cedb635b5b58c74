import { toHalfWidthText } from '../base/clean-text.ts'
import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/**
 * A phone number: a mainland mobile number of exactly 11 digits, or with `landline: true` also an area code with a
 * number. The specification's own check looks inverted, so we follow its error messages.
 */
export const phoneKind: FieldKind = {
  kind: 'phone',
  column: () => 'text',
  parse: (input, field) => {
    const text = typeof input === 'string' || typeof input === 'number' ? String(input).trim() : ''
    if (field.landline && /^(0\d{2,3}-?)?\d{7,8}(-\d{1,6})?$|^(400|800)-?\d{3}-?\d{4}$/.test(text))
      return { value: text }
    if (!/^\d+$/.test(text)) return fieldParseRefusal('phone_format')
    if (text.length !== 11) return fieldParseRefusal('phone_length')
    return /^1[3-9]/.test(text) || (field.landline && text.startsWith('0'))
      ? { value: text }
      : fieldParseRefusal('phone_format')
  },
  wire: (stored) => stored ?? '',
  clean: (text) => toHalfWidthText(text).replace(/\s/g, ''),
  operator: 'like',
  schema: () => ({ type: 'string', pattern: '^1[3-9]\\d{9}$' }),
  sample: (_field, n) => `138${String(n).padStart(8, '0')}`,
  readsAs: 'text',
  sheet: { width: 14 },
  wrong: () => '12345',
}

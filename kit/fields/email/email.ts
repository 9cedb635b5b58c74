import { toHalfWidthText } from '../base/clean-text.ts'
import { parseTextInput, fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** An e-mail address. */
export const emailKind: FieldKind = {
  kind: 'email',
  column: () => 'text',
  parse: (input, field) => {
    const parsed = parseTextInput(input, field, 100)
    if ('problem' in parsed) return parsed
    return /^[^\s@,;<>"]{1,64}@[^\s@,;<>".]+(\.[^\s@,;<>".]+)+$/.test(parsed.value ?? '')
      ? parsed
      : fieldParseRefusal('not_an_email')
  },
  wire: (stored) => stored ?? '',
  clean: toHalfWidthText,
  operator: 'like',
  schema: () => ({ type: 'string', format: 'email' }),
  sample: (_field, n) => `someone${n}@example.com`,
  readsAs: 'text',
  wrong: () => 'nobody',
}

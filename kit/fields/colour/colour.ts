import { toHalfWidthText } from '../base/clean-text.ts'
import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** A colour as #RRGGBB. */
export const colourKind: FieldKind = {
  kind: 'colour',
  onPaper: false,
  column: () => 'text',
  parse: (input) =>
    typeof input === 'string' && /^#[0-9a-f]{6}$/i.test(input)
      ? { value: input.toLowerCase() }
      : fieldParseRefusal('not_a_colour'),
  wire: (stored) => stored ?? '',
  clean: toHalfWidthText,
  operator: 'eq',
  schema: () => ({ type: 'string', pattern: '^#[0-9a-fA-F]{6}$' }),
  sample: (_field, n) => `#${(0x409eff + n).toString(16).padStart(6, '0').slice(-6)}`,
  readsAs: 'text',
  wrong: () => 'red',
}

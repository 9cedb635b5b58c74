import { parseTextInput, sampleTooLongText, type FieldKind } from '../base/field-kind.ts'

/** Several lines of plain text. Options: `max` characters (default 2000), `rows` of the input. */
export const longTextKind: FieldKind = {
  kind: 'longText',
  column: () => 'text',
  parse: (input, field) => parseTextInput(input, field, field.max ?? 2000),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: (field) => ({ type: 'string', maxLength: field.max ?? 2000 }),
  sample: (field, n) => field.sample ?? `${field.label.en} ${n}`.slice(0, field.max ?? 2000),
  readsAs: 'text',
  isFree: true,
  sheet: { width: 32 },
  wrong: (field) => sampleTooLongText(field, 2000),
}

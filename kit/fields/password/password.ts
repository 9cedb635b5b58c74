import {
  parseTextInput,
  fieldParseRefusal,
  sampleTooLongText,
  refuseTooShort,
  type FieldKind,
} from '../base/field-kind.ts'

/**
 * A secret that is written and never read back: the wire always carries "". Options: `min`, `max` characters. A value
 * of blanks only is refused instead of counting as empty, because the user who typed it believes it is set.
 */
export const passwordKind: FieldKind = {
  kind: 'password',
  onPaper: false,
  column: () => 'text',
  parse: (input, field) => {
    const parsed = parseTextInput(input, field, field.max ?? 128)
    if ('value' in parsed && parsed.value?.trim() === '') return fieldParseRefusal('only_blanks')
    return ('value' in parsed && parsed.value !== null && refuseTooShort(parsed.value, field)) || parsed
  },
  wire: () => '',
  operator: 'eq',
  schema: () => ({ type: 'string', writeOnly: true }),
  sample: (_field, n) => `Secret-${n}-x9`,
  writeOnly: true,
  wrong: (field) => sampleTooLongText(field, 128),
}

import { normalizeIdentifier } from '../base/clean-text.ts'
import {
  parseTextInput,
  fieldParseRefusal,
  TEXT_CHARACTERS_MAX,
  sampleTooLongText,
  refuseTooShort,
  type FieldKind,
} from '../base/field-kind.ts'

/**
 * One line of text. Options: `min`, `max` characters (default 255), `pattern` with `patternWords` as its sentence,
 * `rule` for checks with sentences of their own, `suggestions` for frequent texts.
 */
export const textKind: FieldKind = {
  kind: 'text',
  // A number found by its parts is compared character by character, whatever language the database sorts by.
  column: (field) => (field.search === 'part' ? 'text collate "C"' : 'text'),
  parse: (input, field) => {
    const parsed = parseTextInput(input, field)
    if ('problem' in parsed || parsed.value === null) return parsed
    const value = parsed.value.trim()
    const short = refuseTooShort(value, field)
    if (short) return short
    if (field.pattern && value !== '' && !new RegExp(field.pattern, 'u').test(value))
      return fieldParseRefusal('bad_format')
    const fault = value === '' ? undefined : field.rule?.(value)
    if (fault) return { problem: { code: 'bad_format', ...fault } }
    return { value: value === '' ? null : value }
  },
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: (field) => ({
    type: 'string',
    ...(field.min && { minLength: field.min }),
    maxLength: field.max ?? TEXT_CHARACTERS_MAX,
    ...(field.pattern && formOf(field.pattern)),
  }),
  sample: (field, n) => {
    if (typeof field.sample === 'function') return field.sample(n)
    if (field.sample) {
      const numbered = `${field.sample}${n || ''}`
      return 'value' in textKind.parse(numbered, field) ? numbered : field.sample
    }
    const text = `${(field.label.en.match(/[A-Za-z]+/)?.[0] ?? 'text').toLowerCase()}${n}`
    return text.slice(0, field.max ?? TEXT_CHARACTERS_MAX).padEnd(field.min ?? 0, 'x')
  },
  sortable: true,
  readsAs: 'text',
  isFree: true,
  clean: (text, field) => (field.pattern || field.rule || field.digits ? normalizeIdentifier(text, field) : text),
  wrong: (field) => sampleTooLongText(field, TEXT_CHARACTERS_MAX),
}

/**
 * Returns the JSON Schema of a pattern; a pattern that only lists words becomes an enum of them, which is easier to
 * read.
 */
function formOf(pattern: string): object {
  const words = /^\^\(([\w|-]+)\)\$$/.exec(pattern)?.[1]
  return words ? { enum: words.split('|') } : { pattern }
}

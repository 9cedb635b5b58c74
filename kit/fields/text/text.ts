import { parseText, refuse, type FieldKind } from '../field-kind.ts'

/** One line of text. Options: `min`, `max` characters (default 255), `pattern` with `patternWords` as its sentence. */
export const textKind: FieldKind = {
  kind: 'text',
  column: () => 'text',
  parse: (input, field) => {
    const parsed = parseText(input, field)
    if ('problem' in parsed || parsed.value === null) return parsed
    const value = parsed.value.trim()
    if (field.pattern && value !== '' && !new RegExp(field.pattern as string, 'u').test(value)) return refuse('bad_format')
    return { value: value === '' ? null : value }
  },
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: (field) => ({ type: 'string', maxLength: field.max ?? 255 }),
  sample: (field, n) => {
    if (typeof field.sample === 'function') return (field.sample as (n: number) => string)(n)
    if (field.sample) {
      const numbered = `${field.sample as string}${n || ''}`
      return 'value' in textKind.parse(numbered, field) ? numbered : field.sample
    }
    const text = `${(field.label.en.match(/[A-Za-z]+/)?.[0] ?? 'text').toLowerCase()}${n}`
    return text.slice(0, (field.max as number | undefined) ?? 255).padEnd((field.min as number | undefined) ?? 0, 'x')
  },
  sortable: true,
}

import { parseTextInput, fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** An address that starts with http:// or https:// (specification §5). */
export const urlKind: FieldKind = {
  kind: 'url',
  column: () => 'text',
  parse: (input, field) => {
    const parsed = parseTextInput(input, field, 1000)
    if ('problem' in parsed) return parsed
    return /^https?:\/\/[^\s/?#]+\S*$/i.test(parsed.value ?? '') && URL.canParse(parsed.value!)
      ? parsed
      : fieldParseRefusal('not_a_url')
  },
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string', format: 'uri' }),
  sample: (_field, n) => `https://example.com/${n}`,
  readsAs: 'text',
  wrong: () => 'example.com',
}

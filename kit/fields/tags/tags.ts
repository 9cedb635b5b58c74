import { parseListInput, parseTextInput, type FieldKind } from '../base/field-kind.ts'

/** Free words, a comma list on the wire. Options: `maxCount` (default 20). */
export const tagsKind: FieldKind = {
  kind: 'tags',
  column: () => 'text[]',
  parse: (input, field) => parseListInput(input, (tag) => parseTextInput(tag, field, 40), field.maxCount ?? 20),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: () => ({ type: 'string', description: 'comma list of words' }),
  sample: (_field, n) => `tag${n}`,
  many: true,
  searchSuffix: '',
  wrong: () => 'x'.repeat(41),
}

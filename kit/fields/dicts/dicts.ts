import { parseListInput, fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/** Several entries of a dictionary, a comma list on the wire. Options as `dict`. */
export const dictsKind: FieldKind = {
  kind: 'dicts',
  column: () => 'text[]',
  parse: (input, field) =>
    parseListInput(input, (key) =>
      !field.without?.includes(key) && key.length <= 64 && !key.includes('\u0000') && key.isWellFormed()
        ? { value: key }
        : fieldParseRefusal('not_a_choice'),
    ),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: (field) => ({ type: 'string', description: `comma list of keys of dictionary ${field.dict}` }),
  sample: () => '1',
  many: true,
  choices: 'dictionary',
  isPicked: true,
  searchSuffix: '',
  wrong: () => 'no-such-key',
}

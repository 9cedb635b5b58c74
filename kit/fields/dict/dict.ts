import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/**
 * One entry of a dictionary. Options: `dict` (its code), `numeric` (keys are numbers on the wire), `without` (entries
 * that may not be chosen here), `biz` (the tenant's own dictionary).
 */
export const dictKind: FieldKind = {
  kind: 'dict',
  column: (field) => (field.numeric ? 'integer' : 'text'),
  parse: (input, field) => {
    if (typeof input !== 'string' && typeof input !== 'number') return fieldParseRefusal('not_a_choice')
    const text = String(input)
    if (field.without?.includes(text)) return fieldParseRefusal('not_a_choice')
    if (!field.numeric)
      return text.length <= 64 && !text.includes('\u0000') && text.isWellFormed()
        ? { value: text }
        : fieldParseRefusal('not_a_choice')
    if (text === '-1' && !field.required) return { value: null }
    return /^-?\d{1,9}$/.test(text) ? { value: Number(text) } : fieldParseRefusal('not_a_choice')
  },
  wire: (stored, field) => stored ?? (field.numeric ? -1 : ''),
  operator: 'eq',
  schema: (field) => ({
    type: field.numeric ? 'integer' : 'string',
    description: `dictionary ${field.dict}`,
  }),
  // The contract test replaces this by a real key of the dictionary.
  sample: (field) => (field.numeric ? 1 : '1'),
  sortable: true,
  choices: 'dictionary',
  isPicked: true,
  searchSuffix: '',
  sheet: { width: 12 },
  wrong: (field) => (field.numeric ? 'abc' : 'no-such-key'),
}

import { fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

const YES = new Set<unknown>([true, 1, 'true', '1', 'yes', 'on'])
const NO = new Set<unknown>([false, 0, 'false', '0', 'no', 'off'])

/** Yes or no. */
export const booleanKind: FieldKind = {
  kind: 'boolean',
  column: () => 'boolean',
  parse: (input) =>
    YES.has(input) ? { value: true } : NO.has(input) ? { value: false } : fieldParseRefusal('not_yes_no'),
  wire: (stored) => stored === true,
  operator: 'eq',
  schema: () => ({ type: 'boolean' }),
  sample: (_field, n) => n % 2 === 0,
  choices: 'yesNo',
  searchSuffix: '',
  emptyAs: false,
  toForm: (wire) => [true, 'true', 1, '1'].includes(wire as string),
  sheet: { width: 8 },
  inRules: { zh: "'true' 或 'false'", en: "'true' or 'false'" },
  wrong: () => 'maybe',
}

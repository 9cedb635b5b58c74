import { toHalfWidthText } from '../base/clean-text.ts'
import { isMinusOneInput, parseIdInput, fieldParseRefusal, type Field, type FieldKind } from '../base/field-kind.ts'

const resourcesOf = (field: Field) => Object.values(field.resourceByValue ?? {}).join(', ')

/**
 * A row of another resource. Options: `to` (its name) or `by` and `resourceByValue` (another field decides the
 * resource), `labelKey` (key under which the answer carries the row's title), `same` (a field in which both rows must
 * agree).
 */
export const refKind: FieldKind = {
  kind: 'ref',
  column: (field) => field.keyType ?? 'bigint',
  parse: (input, field) => {
    if (isMinusOneInput(input)) return { value: null }
    if (field.keyType !== 'text') return parseIdInput(input)
    const text = typeof input === 'string' || typeof input === 'number' ? String(input).trim() : ''
    return /^[^\u0000-\u001f]{1,64}$/.test(text) && text.isWellFormed()
      ? { value: text }
      : fieldParseRefusal('not_an_id')
  },
  wire: (stored) => (stored === null || stored === undefined ? '' : String(stored)),
  clean: (text, field) => (field.keyType === 'text' ? text : toHalfWidthText(text)),
  operator: 'eq',
  schema: (field) => ({
    type: 'string',
    description: `id of ${field.to || resourcesOf(field) || 'a row'}`,
  }),
  sample: () => '',
  choices: 'rows',
  isPicked: true,
  searchSuffix: '',
  sheet: { width: 20 },
  inRules: { zh: '编号', en: 'ID' },
  wrong: () => 'abc',
}

import { isMinusOne, parseId, refuse, type FieldKind } from '../field-kind.ts'

/** A row of another resource. Options: `to` (its name) or `by` and `among` (the family another field says), `labelKey` (extra key the answer carries the row's title under), `same` (a field both rows agree in). */
export const refKind: FieldKind = {
  kind: 'ref',
  column: (field) => (field.keyType as string | undefined) ?? 'bigint',
  parse: (input, field) => {
    if (isMinusOne(input)) return { value: null }
    if (field.keyType !== 'text') return parseId(input)
    const text = typeof input === 'string' || typeof input === 'number' ? String(input).trim() : ''
    return /^[^\u0000-\u001f]{1,64}$/.test(text) && text.isWellFormed() ? { value: text } : refuse('not_an_id')
  },
  wire: (stored) => (stored === null || stored === undefined ? '' : String(stored)),
  operator: 'eq',
  schema: (field) => ({ type: 'string', description: `id of ${(field.to as string) || Object.values((field.among as Record<string, string> | undefined) ?? {}).join(', ') || 'a row'}` }),
  sample: () => '',
}

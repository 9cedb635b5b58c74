import { parseText, type FieldKind } from '../field-kind.ts'

/** A secret that is written and never read back: the wire always carries "". Options: `min`, `max` characters. */
export const passwordKind: FieldKind = {
  kind: 'password',
  column: () => 'text',
  parse: (input, field) => parseText(input, field, (field.max as number | undefined) ?? 128),
  wire: () => '',
  operator: 'eq',
  schema: () => ({ type: 'string', writeOnly: true }),
  sample: (_field, n) => `Secret-${n}-x9`,
}

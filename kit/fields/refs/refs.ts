import { isMinusOneInput, parseIdInput, parseListInput, type FieldKind } from '../base/field-kind.ts'

/** Several rows of another resource, a comma list of ids on the wire. Options as `ref`. */
export const refsKind: FieldKind = {
  kind: 'refs',
  column: () => 'bigint[]',
  parse: (input) =>
    isMinusOneInput(input)
      ? { value: [] }
      : parseListInput(input, (part) => (part === '-1' ? { value: null } : parseIdInput(part))),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: (field) => ({ type: 'string', description: `comma list of ids of ${field.to}` }),
  sample: () => '',
  many: true,
  choices: 'rows',
  isPicked: true,
  searchSuffix: '',
  sheet: { width: 28 },
  wrong: () => 'abc',
}

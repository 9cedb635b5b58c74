import { isMinusOneInput, parseIdInput, type FieldKind } from '../base/field-kind.ts'

/** The parent in a tree of rows: an id, "0" for a root. Options: `to` (usually the resource itself). */
export const treeKind: FieldKind = {
  kind: 'tree',
  column: () => 'bigint',
  parse: (input) => (isMinusOneInput(input) ? { value: '0' } : parseIdInput(input)),
  wire: (stored) => (stored === null || stored === undefined ? '0' : String(stored)),
  operator: 'eq',
  schema: (field) => ({ type: 'string', description: `id of the parent ${field.to}, "0" for a root` }),
  sample: () => '0',
  choices: 'rows',
  isParent: true,
  isPicked: true,
  searchSuffix: '',
  sheet: { width: 20 },
  inRules: { zh: '编号', en: 'ID' },
  isBlank: (wire) => wire === undefined || wire === '' || String(wire) === '0' || String(wire) === '-1',
  wrong: () => 'abc',
}

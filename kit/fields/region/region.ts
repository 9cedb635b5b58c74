import { refuse, type FieldKind } from '../field-kind.ts'

/** A region of China by its code, usually a county ("330106"). A filter by a province or city finds what lies inside. */
export const regionKind: FieldKind = {
  kind: 'region',
  column: () => 'text',
  parse: (input) => ((typeof input === 'string' || typeof input === 'number') && /^\d{2,12}$/.test(String(input)) ? { value: String(input) } : refuse('not_a_region')),
  wire: (stored) => stored ?? '',
  operator: 'likeright',
  schema: () => ({ type: 'string', pattern: '^\\d{2,12}$' }),
  sample: () => '330106',
  sortable: true,
}

import { parseMany, type FieldKind } from '../field-kind.ts'
import { linkHint, NOT_A_LINK, parseLink } from '../link.ts'

/** Several uploaded files, a comma list of links on the wire. Options: `maxCount` (default 9), and those of `file`. */
export const filesKind: FieldKind = {
  kind: 'files',
  onPaper: false,
  column: () => 'text[]',
  parse: (input, field) => parseMany(input, parseLink, field.maxCount ?? 9),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: () => ({ type: 'string', description: 'comma list of links' }),
  sample: (_field, n) => `/files/sample-${n}.pdf`,
  many: true,
  isPicked: true,
  sheet: { hint: linkHint },
  wrong: () => NOT_A_LINK,
}

import { isEmpty, type FieldKind } from '../field-kind.ts'
import { linkHint, NOT_A_LINK, parseLink } from '../link.ts'

/** An uploaded file, by its link. Options: `maxKb`, `accept` (content types) for the upload. */
export const fileKind: FieldKind = {
  kind: 'file',
  onPaper: false,
  column: () => 'text',
  parse: (input) => (isEmpty(input) ? { value: null } : parseLink(input)),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string', format: 'uri-reference' }),
  sample: (_field, n) => `/files/sample-${n}.pdf`,
  readsAs: 'text',
  isPicked: true,
  sheet: { hint: linkHint },
  wrong: () => NOT_A_LINK,
}

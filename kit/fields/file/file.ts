import { isEmptyInput, type FieldKind } from '../base/field-kind.ts'
import { UPLOAD_LINK_HINT, INVALID_LINK_SAMPLE, parseUploadLink } from '../base/link.ts'

/** An uploaded file, by its link. Options: `maxKb`, `accept` (content types) for the upload. */
export const fileKind: FieldKind = {
  kind: 'file',
  onPaper: false,
  column: () => 'text',
  parse: (input) => (isEmptyInput(input) ? { value: null } : parseUploadLink(input)),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string', format: 'uri-reference' }),
  sample: (_field, n) => `/files/sample-${n}.pdf`,
  readsAs: 'text',
  isPicked: true,
  sheet: { hint: UPLOAD_LINK_HINT },
  wrong: () => INVALID_LINK_SAMPLE,
}

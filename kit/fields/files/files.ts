import { parseListInput, type FieldKind } from '../base/field-kind.ts'
import { UPLOAD_LINK_HINT, INVALID_LINK_SAMPLE, parseUploadLink } from '../base/link.ts'

/** Several uploaded files, a comma list of links on the wire. Options: `maxCount` (default 9), and those of `file`. */
export const filesKind: FieldKind = {
  kind: 'files',
  onPaper: false,
  column: () => 'text[]',
  parse: (input, field) => parseListInput(input, parseUploadLink, field.maxCount ?? 9),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: () => ({ type: 'string', description: 'comma list of links' }),
  sample: (_field, n) => `/files/sample-${n}.pdf`,
  many: true,
  isPicked: true,
  sheet: { hint: UPLOAD_LINK_HINT },
  wrong: () => INVALID_LINK_SAMPLE,
}

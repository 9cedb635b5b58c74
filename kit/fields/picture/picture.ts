import { isEmptyInput, type FieldKind } from '../base/field-kind.ts'
import { UPLOAD_LINK_HINT, INVALID_LINK_SAMPLE, parsePictureLink } from '../base/link.ts'

/** An uploaded picture, by its link. Options: `maxKb`, `accept` (content types) for the upload. */
export const pictureKind: FieldKind = {
  kind: 'picture',
  onPaper: 'pictures',
  column: () => 'text',
  parse: (input) => (isEmptyInput(input) ? { value: null } : parsePictureLink(input)),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string', format: 'uri-reference' }),
  sample: (_field, n) => `/files/sample-${n}.png`,
  readsAs: 'text',
  isPicked: true,
  sheet: { hint: UPLOAD_LINK_HINT },
  wrong: () => INVALID_LINK_SAMPLE,
}

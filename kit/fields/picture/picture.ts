import { isEmpty, type FieldKind } from '../field-kind.ts'
import { linkHint, NOT_A_LINK, parsePictureLink } from '../link.ts'

/** An uploaded picture, by its link. Options: `maxKb`, `accept` (content types) for the upload. */
export const pictureKind: FieldKind = {
  kind: 'picture',
  onPaper: 'pictures',
  column: () => 'text',
  parse: (input) => (isEmpty(input) ? { value: null } : parsePictureLink(input)),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string', format: 'uri-reference' }),
  sample: (_field, n) => `/files/sample-${n}.png`,
  readsAs: 'text',
  isPicked: true,
  sheet: { hint: linkHint },
  wrong: () => NOT_A_LINK,
}

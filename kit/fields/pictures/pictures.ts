import { parseListInput, type FieldKind } from '../base/field-kind.ts'
import { UPLOAD_LINK_HINT, INVALID_LINK_SAMPLE, parsePictureLink } from '../base/link.ts'

/**
 * Several uploaded pictures, a comma list of links on the wire. Options: `maxCount` (default 9), and those of
 * `picture`.
 */
export const picturesKind: FieldKind = {
  kind: 'pictures',
  onPaper: 'pictures',
  column: () => 'text[]',
  parse: (input, field) => parseListInput(input, parsePictureLink, field.maxCount ?? 9),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: () => ({ type: 'string', description: 'comma list of links' }),
  sample: (_field, n) => `/files/sample-${n}.png`,
  many: true,
  isPicked: true,
  sheet: { hint: UPLOAD_LINK_HINT },
  wrong: () => INVALID_LINK_SAMPLE,
}

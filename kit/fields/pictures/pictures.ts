import { parseMany, type FieldKind } from '../field-kind.ts'
import { linkHint, NOT_A_LINK, parsePictureLink } from '../link.ts'

/**
 * Several uploaded pictures, a comma list of links on the wire. Options: `maxCount` (default 9), and those of
 * `picture`.
 */
export const picturesKind: FieldKind = {
  kind: 'pictures',
  onPaper: 'pictures',
  column: () => 'text[]',
  parse: (input, field) => parseMany(input, parsePictureLink, field.maxCount ?? 9),
  wire: (stored) => ((stored as string[] | null) ?? []).join(','),
  operator: 'in',
  schema: () => ({ type: 'string', description: 'comma list of links' }),
  sample: (_field, n) => `/files/sample-${n}.png`,
  many: true,
  isPicked: true,
  sheet: { hint: linkHint },
  wrong: () => NOT_A_LINK,
}

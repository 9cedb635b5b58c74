import { parseTextInput, fieldParseRefusal, type FieldKind } from '../base/field-kind.ts'

/**
 * The name of an icon of the shell's fixed set. Unknown names of older clients ("iconfont iconicon_user") are kept and
 * drawn as a fallback.
 */
export const iconKind: FieldKind = {
  kind: 'icon',
  onPaper: false,
  column: () => 'text',
  parse: (input, field) => {
    const parsed = parseTextInput(input, field, 100)
    if ('problem' in parsed) return parsed
    return /^[\w\- :/.]*$/.test(parsed.value ?? '') ? parsed : fieldParseRefusal('bad_format')
  },
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: () => ({ type: 'string' }),
  sample: () => 'shop',
  readsAs: 'text',
  isPicked: true,
  wrong: () => '<svg>',
}

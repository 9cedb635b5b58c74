import { parseTextInput, type FieldKind } from '../base/field-kind.ts'

/**
 * Formatted text as HTML. The server cleans it before it is stored (kit/server/resource/clean-html.ts), the browser
 * once more before it is shown.
 */
export const richTextKind: FieldKind = {
  kind: 'richText',
  onPaper: false,
  column: () => 'text',
  parse: (input, field) => parseTextInput(input, field, field.max ?? 100_000),
  wire: (stored) => stored ?? '',
  operator: 'like',
  schema: (field) => ({ type: 'string', format: 'html', maxLength: field.max ?? 100_000 }),
  sample: (field, n) => `<p>${field.label.en} ${n}</p>`,
  readsAs: 'text',
  isFree: true,
  document: 'html',
  sheet: { width: 40 },
}

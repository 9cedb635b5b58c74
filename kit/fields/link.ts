import { parseTextInput, fieldParseRefusal, type FieldParseResult } from './field-kind.ts'

/** What a sheet says of filling in the address of an upload. */
export const UPLOAD_LINK_HINT = { zh: '已上传文件的地址', en: 'Link to an uploaded file' }

/** Refused by every kind that holds an address of an upload. */
export const INVALID_LINK_SAMPLE = 'javascript:alert(1)'

/** Endings of what the store keeps as a picture, by its bytes. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|bmp|avif|ico|svg)$/i

/** The address of an uploaded picture: a file of our own that is none, whatever it was called before, is refused. */
export function parsePictureLink(input: unknown): FieldParseResult<string> {
  const parsed = parseUploadLink(input)
  if ('problem' in parsed || !parsed.value?.startsWith('/')) return parsed
  const name = parsed.value
    .replace(/[?#].*$/s, '')
    .split('/')
    .at(-1)!
  return name.includes('.') && !PICTURE.test(name) ? fieldParseRefusal('not_a_picture') : parsed
}

/** The address of an uploaded file: our own (from the root) or a web address; never javascript: or data:. */
export function parseUploadLink(input: unknown): FieldParseResult<string> {
  const parsed = parseTextInput(input, { kind: 'text', label: { zh: '', en: '' } }, 1000)
  if ('problem' in parsed || parsed.value === null) return parsed
  const link = parsed.value.trim()
  return /^(https?:\/\/[^\s/]+|\/(?!\/))\S*$/i.test(link) ? { value: link } : fieldParseRefusal('not_a_link')
}

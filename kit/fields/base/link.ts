import { parseTextInput, fieldParseRefusal, type FieldParseResult } from './field-kind.ts'

/** Hint of the import template for the link of an uploaded file. */
export const UPLOAD_LINK_HINT = { zh: '已上传文件的地址', en: 'Link to an uploaded file' }

/** Sample of an invalid link, which every upload kind refuses. */
export const INVALID_LINK_SAMPLE = 'javascript:alert(1)'

/** Matches the endings of file names that the file store gives to pictures, which it recognises by their bytes. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|bmp|avif|ico|svg)$/i

/**
 * Parses the link of an uploaded picture. Refuses a file of our own store that is no picture, whatever name it was
 * uploaded under.
 */
export function parsePictureLink(input: unknown): FieldParseResult<string> {
  const parsed = parseUploadLink(input)
  if ('problem' in parsed || !parsed.value?.startsWith('/')) return parsed
  const name = parsed.value
    .replace(/[?#].*$/s, '')
    .split('/')
    .at(-1)!
  return name.includes('.') && !PICTURE.test(name) ? fieldParseRefusal('not_a_picture') : parsed
}

/** Parses the link of an uploaded file: a path from our own root or a web address. Refuses javascript: and data:. */
export function parseUploadLink(input: unknown): FieldParseResult<string> {
  const parsed = parseTextInput(input, { kind: 'text', label: { zh: '', en: '' } }, 1000)
  if ('problem' in parsed || parsed.value === null) return parsed
  const link = parsed.value.trim()
  return /^(https?:\/\/[^\s/]+|\/(?!\/))\S*$/i.test(link) ? { value: link } : fieldParseRefusal('not_a_link')
}

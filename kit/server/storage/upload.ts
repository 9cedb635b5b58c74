import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { fileTypeFromBuffer } from 'file-type'
import { truncateTextKeepingEnd, trimCharacters } from '../base/foreign-text.ts'
import { defineRefusals, Refused, type CodesOf } from '../base/refused.ts'

const refusals = defineRefusals({
  upload_empty: { zh: '文件内容为空', en: 'The file is empty' },
  upload_too_big: { zh: '文件过大，不能超过 {max}', en: 'The file is larger than {max}' },
  upload_type: {
    zh: '不支持的文件类型 {type}，可上传: {allowed}',
    en: '{type} files are not accepted. Accepted types: {allowed}',
  },
})

declare module '../base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

type Upload = {
  /** Detected from the content, never taken from the client. */
  contentType: string
  extension: string
  /** File name without path, control characters or misleading extension. */
  name: string
  /** Whether a browser may display it; other files are downloaded. */
  inline: boolean
}

/** Groups of types a field may accept, by the extension of the detected content. */
export const uploadTypes = {
  image: ['jpg', 'png', 'gif', 'webp', 'bmp', 'avif', 'ico'],
  spreadsheet: ['xlsx', 'xls', 'csv'],
  document: ['pdf', 'docx', 'doc', 'pptx', 'ppt', 'txt', 'md'],
  media: ['mp4', 'webm', 'mov', 'mp3', 'wav', 'm4a', 'ogg'],
  archive: ['zip', 'gz', '7z', 'rar'],
} as const

const uploadTypesAll: readonly string[] = Object.values(uploadTypes).flat()

const inlineTypes = new Set<string>([...uploadTypes.image, ...uploadTypes.media, 'pdf'])
const textTypes: Record<string, string> = {
  csv: 'text/csv',
  md: 'text/plain',
  txt: 'text/plain',
  json: 'application/json',
}
/** Word, Excel and PowerPoint files before 2007 have the same container format; only the name tells them apart. */
const containerTypes: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
const nameLengthMax = 120
const filePolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Detects a file's type from its bytes; refuses empty, too large and not allowed files. */
export async function requireAllowedUpload(
  bytes: Uint8Array,
  { name, allowed = uploadTypesAll, maxBytes }: { name: string; allowed?: readonly string[]; maxBytes: number },
): Promise<Upload> {
  requireUploadSize(bytes, maxBytes)
  const named = extensionOf(name)
  const { extension, contentType } = await contentOf(bytes, named)
  // A file named like a picture or film must be one: otherwise text would be shown where a picture is expected.
  const group = [uploadTypes.image, uploadTypes.media].find((types) => isIn(types, named === 'jpeg' ? 'jpg' : named))
  if (group && !isIn(group, extension))
    throw new Refused('upload_type', {
      type: extension,
      allowed: group.filter((one) => allowed.includes(one)).join(', '),
    })
  if (!allowed.includes(extension)) throw new Refused('upload_type', { type: extension, allowed: allowed.join(', ') })
  return { contentType, extension, name: safeUploadName(name, extension), inline: inlineTypes.has(extension) }
}

/** Refuses a file that is empty or larger than may be. */
export function requireUploadSize(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.length === 0) throw new Refused('upload_empty')
  if (bytes.length > maxBytes) throw new Refused('upload_too_big', { max: readableSize(maxBytes) })
}

const isIn = (types: readonly string[], extension: string) => types.includes(extension)

type Content = { extension: string; contentType: string }

async function contentOf(bytes: Uint8Array, named: string): Promise<Content> {
  const found = await fileTypeFromBuffer(bytes)
  if (found?.ext === 'cfb' && containerTypes[named]) return { extension: named, contentType: containerTypes[named] }
  if (found && found.ext !== 'xml') return { extension: found.ext, contentType: found.mime }
  const text = await textOf(bytes)
  if (text === undefined) return { extension: 'bin', contentType: 'application/octet-stream' }
  const active = activeContent(text)
  if (active) return { extension: active, contentType: 'application/octet-stream' }
  const extension = named in textTypes ? named : 'txt'
  return { extension, contentType: textTypes[extension]! }
}

/**
 * Returns the type of a text that a browser could run (svg, html, xml); such files are always downloaded, and accepted
 * only where explicitly allowed.
 */
function activeContent(text: string): string | undefined {
  const start = text.slice(0, startMax)
  if (/<svg[\s>]/i.test(start)) return 'svg'
  if (/<(!doctype|html|head|body|script|iframe|img|a|div|p|style|link|meta|form|object|embed)[\s>/]/i.test(start))
    return 'html'
  if (/^\s*<\?xml/i.test(start)) return 'xml'
  return undefined
}

/** How much of a text is searched for active content, in characters; `pieceBytes`: bytes decoded at once. */
const startMax = 4_096
const pieceBytes = 1_048_576

/**
 * Returns the beginning of a text, or undefined if it is no text. Text files in China are often GB 18030. A long one is
 * decoded in pieces, so that other requests are answered in between.
 */
async function textOf(bytes: Uint8Array): Promise<string | undefined> {
  if (bytes.includes(0)) return undefined
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes.subarray(0, 4 * startMax))
  const decoder = new TextDecoder('gb18030', { fatal: true })
  let start = ''
  try {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const text = decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true })
      if (!at) start = text
      await setImmediate()
    }
    return start + decoder.decode()
  } catch {
    return undefined
  }
}

/** Characters of a file name that are looked at, from its end, which has extension and base name. */
const NAME_MAX = 1_000
const extensionOf = (name: string) =>
  /\.([a-z0-9]{1,8})$/i.exec(truncateTextKeepingEnd(name, NAME_MAX).trim())?.[1]?.toLowerCase() ?? ''

/** Makes a file name safe to store and return: no path, no hidden characters, the extension of its content. */
export function safeUploadName(name: string, extension: string): string {
  const base = (truncateTextKeepingEnd(name, NAME_MAX).split(/[\\/]/).at(-1) ?? '')
    // Control, zero-width and text-direction characters, and those forbidden in file names.
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/\.[a-z0-9]{1,8}$/i, '')
  const bare = trimCharacters(base, /[.\s]/)
  return `${Array.from(bare).slice(0, nameLengthMax).join('') || 'file'}.${extension}`
}

function readableSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
}

/** Makes a key for an upload: the tenant's folder, then the day in Asia/Shanghai. */
export function uploadKey(tenantId: string, extension: string, now = new Date()): string {
  const day = now.toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }).replaceAll('-', '')
  return `${tenantId}/upload/${day}/${randomUUID()}.${extension}`
}

/** Headers with which a stored file can do no harm, whatever it contains. */
export function safeFileHeaders(file: { name: string; contentType: string; inline: boolean }): Record<string, string> {
  const plain = file.name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(file.name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': file.contentType.startsWith('text/plain') ? 'text/plain; charset=utf-8' : file.contentType,
    'content-disposition': `${file.inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`,
    'x-content-type-options': 'nosniff',
    // PDF viewers do not start in a sandbox, and a PDF cannot run scripts in the page's origin.
    ...(file.contentType === 'application/pdf' ? {} : { 'content-security-policy': filePolicy }),
  }
}

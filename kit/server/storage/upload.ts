import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { fileTypeFromBuffer } from 'file-type'
import { truncateTextKeepingEnd, trimCharacters } from '../foreign-text.ts'
import { defineRefusals, Refused, type CodesOf } from '../refused.ts'

const refusals = defineRefusals({
  upload_empty: { zh: '文件内容为空', en: 'The file is empty' },
  upload_too_big: { zh: '文件过大，不能超过 {max}', en: 'The file is larger than {max}' },
  upload_type: {
    zh: '不支持的文件类型 {type}，可上传: {allowed}',
    en: '{type} files are not accepted. Accepted types: {allowed}',
  },
})

declare module '../refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

type Upload = {
  /** By content, never by what the sender says. */
  contentType: string
  extension: string
  /** Without path, control characters or a misleading ending. */
  name: string
  /** Whether a browser may show it; everything else is a download. */
  inline: boolean
}

/** What a field may take; the endings are those of the content found. */
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
/** Word, Excel and PowerPoint before 2007 share one container; only the name tells them apart. */
const containerTypes: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
const nameLengthMax = 120
const filePolicy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

/** Finds what a file is from its bytes; refuses what is empty, too big, or not among the allowed endings. */
export async function detectUploadType(
  bytes: Uint8Array,
  { name, allowed = uploadTypesAll, maxBytes }: { name: string; allowed?: readonly string[]; maxBytes: number },
): Promise<Upload> {
  requireUploadSize(bytes, maxBytes)
  const named = extensionOf(name)
  const { extension, contentType } = await contentOf(bytes, named)
  // Who sends a picture means a picture: a text under its name would stand where a picture is looked for.
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

/** Text a browser could run as a page or picture; always a download, and only where it is asked for by name. */
function activeContent(text: string): string | undefined {
  const start = text.slice(0, startMax)
  if (/<svg[\s>]/i.test(start)) return 'svg'
  if (/<(!doctype|html|head|body|script|iframe|img|a|div|p|style|link|meta|form|object|embed)[\s>/]/i.test(start))
    return 'html'
  if (/^\s*<\?xml/i.test(start)) return 'xml'
  return undefined
}

/** So much of a text is looked at for what a browser could run, and read at once where the rest is only checked. */
const startMax = 4_096
const pieceBytes = 1_048_576

/**
 * How a text begins; undefined for what is none. Spreadsheets saved as text in China are often GB 18030. A long one is
 * read in pieces: others are answered in between.
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

/** Of a file's name as it comes: its end, where the ending is and what its path leaves. */
const NAME_MAX = 1_000
const extensionOf = (name: string) =>
  /\.([a-z0-9]{1,8})$/i.exec(truncateTextKeepingEnd(name, NAME_MAX).trim())?.[1]?.toLowerCase() ?? ''

/** The name of an upload, safe to keep and to give back: no path, no hidden characters, the ending of its content. */
export function safeUploadName(name: string, extension: string): string {
  const base = (truncateTextKeepingEnd(name, NAME_MAX).split(/[\\/]/).at(-1) ?? '')
    // Control, zero-width and direction characters, and what file systems forbid.
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(/\.[a-z0-9]{1,8}$/i, '')
  const bare = trimCharacters(base, /[.\s]/)
  return `${Array.from(bare).slice(0, nameLengthMax).join('') || 'file'}.${extension}`
}

function readableSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
}

/** A new key for an upload; the tenant's folder first, then the day in China. */
export function uploadKey(tenantId: string, extension: string, now = new Date()): string {
  const day = now.toLocaleDateString('sv-SE', { timeZone: 'Asia/Shanghai' }).replaceAll('-', '')
  return `${tenantId}/upload/${day}/${randomUUID()}.${extension}`
}

/** Headers under which a stored file can do no harm, whatever is in it. */
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
    // A PDF reader does not start in a sandbox; a PDF runs nothing in the page's name.
    ...(file.contentType === 'application/pdf' ? {} : { 'content-security-policy': filePolicy }),
  }
}

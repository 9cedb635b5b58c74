import iconv from 'iconv-lite'
import { Refused } from '#kit/server/base/refused.ts'

/** Bytes in which the XML declaration is searched; it is ASCII in any supported encoding. */
const HEAD_BYTES = 200
const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*(["'])([\w.:-]{1,40})\1/

/**
 * Decodes an XML file by its declared encoding or byte order mark, else as UTF-8. Refuses an unknown or wrong encoding.
 * The returned text declares UTF-8, in which it is stored.
 */
export function decodeXmlText(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  if (!iconv.encodingExists(encoding)) throw new Refused('flow_no_encoding', { encoding })
  const text = isUtf8(encoding) ? utf8(bytes) : iconv.decode(bytes, encoding)
  const head = text
    .slice(0, HEAD_BYTES)
    .replace(DECLARED, (whole, quote: string, declaredEncoding: string) =>
      whole.replace(`${quote}${declaredEncoding}${quote}`, `${quote}UTF-8${quote}`),
    )
  return head + text.slice(HEAD_BYTES)
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text for XML elements and attributes; drops characters XML cannot hold. */
export const escapeXmlText = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"']/g, (sign) => SIGNS[sign]!)

const isUtf8 = (encoding: string) => /^utf-?8$/i.test(encoding)

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const head = bytes
    .subarray(0, HEAD_BYTES)
    .toString('latin1')
    .replace(/^\xEF\xBB\xBF/, '')
  // Files that declare GBK or GB2312 may hold characters of GB18030, which includes both.
  const declared = DECLARED.exec(head)?.[2] ?? 'utf-8'
  return /^(?:gbk|gb2312|cp936)$/i.test(declared) ? 'gb18030' : declared
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refused('flow_no_encoding', { encoding: 'UTF-8' })
  }
}

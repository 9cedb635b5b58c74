import iconv from 'iconv-lite'
import { Refused } from '#kit/server/refused.ts'

/** The declaration is ASCII in whatever a file is written. */
const HEAD_BYTES = 200
const DECLARED = /^\s*<\?xml[^>]*?\sencoding\s*=\s*(["'])([\w.:-]{1,40})\1/

/**
 * The text of an XML file in the encoding it declares, or that of its byte order mark; UTF-8 where it says nothing.
 * Refuses one that is not written as it says. The text says UTF-8, which is how it is kept.
 */
export function decodeXmlText(bytes: Buffer): string {
  const encoding = encodingOf(bytes)
  if (!iconv.encodingExists(encoding)) throw new Refused('flow_no_encoding', { encoding })
  const text = isUtf8(encoding) ? utf8(bytes) : iconv.decode(bytes, encoding)
  const head = text
    .slice(0, HEAD_BYTES)
    .replace(DECLARED, (whole, quote: string, said: string) =>
      whole.replace(`${quote}${said}${quote}`, `${quote}UTF-8${quote}`),
    )
  return head + text.slice(HEAD_BYTES)
}

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text as it stands in XML, between tags and in attributes; signs XML knows no way to write are left out. */
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
  // A file may say GBK or GB2312 and hold what only the larger of them has.
  const said = DECLARED.exec(head)?.[2] ?? 'utf-8'
  return /^(?:gbk|gb2312|cp936)$/i.test(said) ? 'gb18030' : said
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refused('flow_no_encoding', { encoding: 'UTF-8' })
  }
}

import { readOutside } from '#kit/server/outside-json.ts'
const DIGITS = /-?\d+/y
const SAFE_DIGITS = 15

/** Where the text that begins at `start` with a quote ends. */
function endOfText(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/**
 * Reads JSON whose whole numbers may be longer than a number holds, as platforms write their ids: those of more than
 * 15 digits become texts, digit for digit. Throws what `JSON.parse` throws.
 */
export function parseWideJson(text: string): unknown {
  let out = ''
  let at = 0
  while (at < text.length) {
    if (text[at] === '"') {
      const end = endOfText(text, at)
      out += text.slice(at, end)
      at = end
      continue
    }
    DIGITS.lastIndex = at
    const digits = DIGITS.exec(text)?.[0]
    // The digits behind a point or of an exponent are part of a number that is none of these.
    const isWhole = digits && !/[.eE]/.test(text[at + digits.length] ?? '') && !/[.eE+]/.test(text[at - 1] ?? '')
    const part = digits ?? text[at]!
    out += isWhole && part.replace('-', '').length > SAFE_DIGITS ? `"${part}"` : part
    at += part.length
  }
  return readOutside(out)
}

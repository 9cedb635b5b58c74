import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** 16 digits or more, which a number may not hold exactly. */
const IS_WIDE = /\d{16}/
/**
 * Matches JSON strings together with what follows up to the next string or number (also an unterminated one, so that
 * matching stays linear), and integers of 16 or more digits without point or exponent.
 */
const TEXT_OR_WIDE = /(?:"(?:[^"\\]|\\[^]?)*"?[^"\d-]*)+|(?<![\d.eE+-])-?\d{16,}(?![\d.eE+-])/g

/**
 * Parses JSON and keeps integers of 16 or more digits as strings, digit for digit: platforms send ids longer than a
 * number holds. Throws what `JSON.parse` throws.
 */
export function parseJsonKeepingLongIntegers(text: string): unknown {
  if (!IS_WIDE.test(text)) return parseUntrustedJson(text)
  return parseUntrustedJson(text.replace(TEXT_OR_WIDE, (found) => (found.startsWith('"') ? found : `"${found}"`)))
}

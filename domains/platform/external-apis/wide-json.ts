import { parseUntrustedJson } from '#kit/server/outside-json.ts'

/** More digits than a number holds. */
const IS_WIDE = /\d{16}/
/**
 * Texts (also one without an end, which is looked for once) with what stands between them, which are passed over, and
 * whole numbers of more than 15 digits, with no point and no exponent beside them.
 */
const TEXT_OR_WIDE = /(?:"(?:[^"\\]|\\[^]?)*"?[^"\d-]*)+|(?<![\d.eE+-])-?\d{16,}(?![\d.eE+-])/g

/**
 * Reads JSON whose whole numbers may be longer than a number holds, as platforms write their ids: those of more than
 * 15 digits become texts, digit for digit. Throws what `JSON.parse` throws.
 */
export function parseJsonKeepingLongIntegers(text: string): unknown {
  if (!IS_WIDE.test(text)) return parseUntrustedJson(text)
  return parseUntrustedJson(text.replace(TEXT_OR_WIDE, (found) => (found.startsWith('"') ? found : `"${found}"`)))
}

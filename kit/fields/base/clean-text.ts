import { TEXT_CHARACTERS_MAX, type Field } from './field-kind.ts'

/**
 * Matches zero-width and direction marks, joiners and soft format characters, which make equal-looking texts differ.
 */
const INVISIBLE = /[\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g
/** Matches a zero-width joiner unless it stands between two emoji, which it combines into one. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})/gu
const MAYBE_INVISIBLE = /[\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF]/

/**
 * Returns a text without the invisible characters that come along when it is copied from a chat, a web page or a sheet.
 * Line and paragraph separators become line breaks, the narrow no-break space a blank.
 */
export function removeInvisibleCharacters(text: string): string {
  if (!MAYBE_INVISIBLE.test(text)) return text
  return text
    .replace(INVISIBLE, '')
    .replace(LOOSE_JOINER, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/\u202F/g, ' ')
}

/** Converts the full-width letters, digits and signs of a Chinese keyboard to ASCII and trims the text. */
export const toHalfWidthText = (text: string): string =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/g, ' ')
    .trim()

const GROUPED = /^[^\d,\s]*\d{1,3}(?:[,\s]\d{3})+(?!\d)/

/**
 * Converts a number as people type it to plain digits: makes full-width signs ASCII and drops ¥, the `suffix` of the
 * kind and the separators between groups of three. A comma anywhere else stays, so that "1,5" is refused and not read
 * as fifteen.
 */
export function normalizeNumberText(text: string, suffix = ''): string {
  const plain = toHalfWidthText(text)
    .replace(/。/g, '.')
    .replace(/[−—]/g, '-')
    .replace(/[¥￥]\s*/g, '')
  const bare = suffix && plain.endsWith(suffix) ? plain.slice(0, -suffix.length).trimEnd() : plain
  return GROUPED.test(bare) ? bare.replace(/[,\s]/g, '') : bare
}

/** Length beyond which `normalizeIdentifier` returns a text unchanged; leaves room for many blanks. */
const identifierBound = ({ max = TEXT_CHARACTERS_MAX }: Field): number => Math.max(1000, 4 * max)

/**
 * Normalizes an identifier (a text with a `pattern`, `rule` or `digits`): makes full-width signs ASCII and, only if
 * that makes it valid, drops blanks and dashes between digits and turns small letters into capitals, such as the x of
 * an identity number. Returns a far too long text unchanged for `parse` to refuse, so that no pattern runs over it.
 */
export function normalizeIdentifier(text: string, field: Field): string {
  if (text.length > identifierBound(field)) return text
  const plain = toHalfWidthText(text)
  const pattern = field.pattern ? new RegExp(field.pattern, 'u') : undefined
  const isValid = (one: string) => (pattern?.test(one) ?? true) && !field.rule?.(one)
  if (!field.digits && isValid(plain)) return plain
  const joined = plain.replace(/[\s-]/g, '')
  const digits = /^\d+[A-Za-z]?$/.test(joined) ? joined : plain
  return [digits, digits.toUpperCase()].find(isValid) ?? plain
}

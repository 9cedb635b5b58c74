import { TEXT_CHARACTERS_MAX, type Field } from './field-kind.ts'

/** Zero-width and direction marks, joiners, soft format characters: equal texts differ by them and nobody sees why. */
const INVISIBLE = /[\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g
/** A joiner that joins no two pictures: between them it makes one emoji of several. */
const LOOSE_JOINER =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})/gu
const MAYBE_INVISIBLE = /[\u200B-\u200F\u2028-\u202F\u2060-\u206F\uFEFF]/

/**
 * A text without characters that nobody sees, as they come along when something is copied from a chat, a web page or a
 * sheet. Separators of lines and paragraphs become line breaks, the narrow blank a blank.
 */
export function removeInvisibleCharacters(text: string): string {
  if (!MAYBE_INVISIBLE.test(text)) return text
  return text
    .replace(INVISIBLE, '')
    .replace(LOOSE_JOINER, '')
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(/\u202F/g, ' ')
}

/** Full-width letters, digits and signs of a Chinese keyboard as the plain ones, blanks around the text gone. */
export const toHalfWidthText = (text: string): string =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/\u3000/g, ' ')
    .trim()

const GROUPED = /^[^\d,\s]*\d{1,3}(?:[,\s]\d{3})+(?!\d)/

/**
 * A number as people write it, as digits: full-width signs, ¥, the `suffix` of its kind and what parts groups of three
 * are left out. A comma anywhere else stays, so that "1,5" is refused rather than read as fifteen.
 */
export function normalizeNumberText(text: string, suffix = ''): string {
  const plain = toHalfWidthText(text)
    .replace(/。/g, '.')
    .replace(/[−—]/g, '-')
    .replace(/[¥￥]\s*/g, '')
  const bare = suffix && plain.endsWith(suffix) ? plain.slice(0, -suffix.length).trimEnd() : plain
  return GROUPED.test(bare) ? bare.replace(/[,\s]/g, '') : bare
}

/** So much of an identifier is looked at, blanks and all, before anybody knows that it is short enough. */
const identifierBound = ({ max = TEXT_CHARACTERS_MAX }: Field): number => Math.max(1000, 4 * max)

/**
 * An identifier (a text with a `pattern`, `rule` or `digits`) as it is meant: plain signs, and where only that makes it
 * valid, digits without the blanks between them and small letters as capitals, such as the x of an identity number. One
 * that is far too long stays as it came, for `parse` to refuse: no pattern gets more of it than what it is for.
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

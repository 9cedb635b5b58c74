/**
 * A text somebody else wrote, cut before anything looks at it: no expression, parser or comparison gets more of it than
 * what it is for, however much was sent. Half a character where it is cut is left out.
 */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  const isHalf = (text.charCodeAt(max - 1) & 0xfc00) === 0xd800
  return text.slice(0, isHalf ? max - 1 : max)
}

/** The same, of a text whose end says what is asked for, such as a path. */
export function truncateTextKeepingEnd(text: string, max: number): string {
  if (text.length <= max) return text
  const at = text.length - max
  const isHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  return text.slice(isHalf ? at + 1 : at)
}

/** A text without these signs at its beginning and end; counted, as an expression takes quadratic time for its end. */
export function trimCharacters(text: string, sign: RegExp): string {
  let [start, end] = [0, text.length]
  while (start < end && sign.test(text[start]!)) start++
  while (end > start && sign.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

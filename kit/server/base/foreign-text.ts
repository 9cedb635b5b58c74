/**
 * Shortens a text from outside to `max` UTF-16 units before it is searched, parsed or compared, so that no input costs
 * unbounded time. Never cuts a surrogate pair in half.
 */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  const isHalf = (text.charCodeAt(max - 1) & 0xfc00) === 0xd800
  return text.slice(0, isHalf ? max - 1 : max)
}

/** Like `truncateText`, but keeps the end, for texts such as paths. */
export function truncateTextKeepingEnd(text: string, max: number): string {
  if (text.length <= max) return text
  const at = text.length - max
  const isHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  return text.slice(isHalf ? at + 1 : at)
}

/**
 * Removes these characters from both ends of a text. A loop, since a regular expression takes quadratic time at the
 * end.
 */
export function trimCharacters(text: string, sign: RegExp): string {
  let [start, end] = [0, text.length]
  while (start < end && sign.test(text[start]!)) start++
  while (end > start && sign.test(text[end - 1]!)) end--
  return text.slice(start, end)
}

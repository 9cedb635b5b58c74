/**
 * Deepest nesting of JSON data. Code that walks it, here and in the database, recurses once per level and would
 * otherwise exhaust the stack.
 */
const DEPTH_MAX = 100

const [QUOTE, BACKSLASH, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [34, 92, 91, 123, 93, 125]

/** Returns whether a JSON text nests deeper than `DEPTH_MAX`; brackets within its strings do not count. */
export function isJsonTooDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at++
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      if (++depth > DEPTH_MAX) return true
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth--
  }
  return false
}

const DEPTH_MAX = 200
/** Stands for what cannot be stored: left out, two texts could become one. */
const UNREADABLE = '\ufffd'
/** What PostgreSQL stores in no text, as JSON writes it: NUL, and half a character. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i

/**
 * Reads JSON that came from outside: of registers, devices, cameras, models, carriers and platforms. Whatever texts are
 * in it, they can be stored (`storable`). Throws what `JSON.parse` throws.
 */
export function parseUntrustedJson(text: string): any {
  const value: unknown = JSON.parse(text)
  return MAYBE_UNSTORABLE.test(text) || !text.isWellFormed() ? sanitizeForStorage(value) : value
}

/**
 * Data whose texts PostgreSQL stores: NUL and half a character become the sign for what cannot be read. One bad sign in
 * a name costs nothing else; where it matters, as in a number, the rule of the field refuses it by name.
 */
export const sanitizeForStorage = <T>(value: T): T => within(value, 0) as T

function within(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) throw new SyntaxError('nested too deep')
  if (Array.isArray(value)) return value.map((one) => within(one, depth + 1))
  const entries = Object.entries(value).map(([key, one]) => [storableText(key), within(one, depth + 1)] as const)
  return Object.fromEntries(entries)
}

function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', UNREADABLE) : whole
}

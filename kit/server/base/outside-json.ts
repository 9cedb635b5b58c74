const DEPTH_MAX = 200
/** Replaces characters that cannot be stored; if they were removed instead, two different texts could become equal. */
const UNREADABLE = '\ufffd'
/** JSON escapes of characters PostgreSQL cannot store in a text: NUL and lone surrogates. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i

/**
 * Parses JSON from outside (registers, devices, cameras, AI models, providers, platforms) and makes its texts storable
 * (`sanitizeForStorage`). Throws what `JSON.parse` throws, and a SyntaxError for too deep nesting of such texts.
 */
export function parseUntrustedJson(text: string): any {
  const value: unknown = JSON.parse(text)
  return MAYBE_UNSTORABLE.test(text) || !text.isWellFormed() ? sanitizeForStorage(value) : value
}

/**
 * Replaces NUL and lone surrogates in all texts and keys of the data, which PostgreSQL cannot store. So one bad
 * character in a name does no further harm; where it matters, as in a number, the field's own check refuses it.
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

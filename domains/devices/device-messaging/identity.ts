import { createHash } from 'node:crypto'

const LENGTH_MAX = 64

/**
 * Returns an id a device has chosen in the form it is stored: numbers as text, long texts as a digest, so that two with
 * the same beginning stay distinct. Null when it is neither a number nor a text.
 */
export function normalizeDeviceIdentifier(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string' || !text) return null
  return text.length <= LENGTH_MAX ? text : createHash('sha256').update(text).digest('base64url')
}

/** Parses an integer a device sent, also as a text of digits. Undefined when it is invalid or out of range. */
export function parseIntegerInRange(value: unknown, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
  return number >= min && number <= max ? number : undefined
}

import { createHash } from 'node:crypto'

const LENGTH_MAX = 64

/**
 * What a device calls something by, as it is kept: a number as its digits; what is longer than a column has room for by
 * its digest, for two that begin alike are two. Null where it is nothing of the kind.
 */
export function normalizeDeviceIdentifier(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value
  if (typeof text !== 'string' || !text) return null
  return text.length <= LENGTH_MAX ? text : createHash('sha256').update(text).digest('base64url')
}

/** A whole number a device says, also where it says it as a text of digits; undefined for anything else. */
export function parseIntegerInRange(value: unknown, { min, max }: { min: number; max: number }): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isInteger(number)) return undefined
  return number >= min && number <= max ? number : undefined
}

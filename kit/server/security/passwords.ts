import { createHash, randomInt } from 'node:crypto'
import { hash, verify as verifyHash } from '@node-rs/argon2'

/** Cost as OWASP recommends for argon2id; raising it makes `needsRehash` true for stored hashes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** First step of the protocol: clients send this digest at sign-in, never the password itself. */
export const md5Hex = (plain: string) => createHash('md5').update(plain, 'utf8').digest('hex')

const isMd5Hex = (text: string) => /^[0-9a-f]{32}$/.test(text)

/** Hashes a password that a person typed. */
export const hashPassword = (plain: string) => hash(md5Hex(plain), cost)

/** Letters and digits without those that are easily confused when read out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

/** Generates a password for a first sign-in. */
export const randomPassword = (): string =>
  Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/**
 * Hashes a generated password at lower cost: it is too random to be guessed, and an import makes two thousand at once.
 * The first sign-in stores it at full cost.
 */
export const hashGeneratedPassword = (random: string) =>
  hash(md5Hex(random), { ...cost, memoryCost: 1024, timeCost: 1 })

/** Hashes a password that arrived as MD5. */
export async function hashPasswordMd5(md5: string): Promise<string> {
  if (!isMd5Hex(md5)) throw new Error('Not an md5 in lower-case hexadecimal')
  return hash(md5, cost)
}

let hashOfNoAccount: Promise<string> | undefined

/**
 * Whether the MD5 sent matches the stored hash. Without a hash (no such account) it takes as long and returns false, so
 * that the time does not reveal which accounts exist.
 */
export async function verifyPassword(md5: string, stored: string | undefined): Promise<boolean> {
  hashOfNoAccount ??= hash('nobody', cost)
  const isRight = await verifyHash(stored || (await hashOfNoAccount), md5).catch(() => false)
  return isRight && Boolean(stored) && isMd5Hex(md5)
}

export function needsRehash(stored: string): boolean {
  const { memoryCost: m, timeCost: t, parallelism: p } = cost
  return !stored.startsWith(`$argon2id$v=19$m=${m},t=${t},p=${p}$`)
}

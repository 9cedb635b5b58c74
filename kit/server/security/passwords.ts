import { createHash, randomInt } from 'node:crypto'
import { hash, verify as verifyHash } from '@node-rs/argon2'

/** OWASP's recommendation for argon2id; raising it makes `needsRehash` true for what is stored. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The protocol's first step: sign-in sends this and never the password itself. */
export const md5Hex = (plain: string) => createHash('md5').update(plain, 'utf8').digest('hex')

const isMd5Hex = (text: string) => /^[0-9a-f]{32}$/.test(text)

/** What is stored for a password somebody typed. */
export const hashPassword = (plain: string) => hash(md5Hex(plain), cost)

/** Without signs that are taken for each other when somebody reads them out. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 12

/** A password nobody chose, for somebody's first sign-in. */
export const randomPassword = (): string =>
  Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')

/**
 * What is stored for such a one: nobody tries all there are however little each costs, and a sheet makes two thousand
 * at once. The first sign-in stores it dearer.
 */
export const hashGeneratedPassword = (random: string) =>
  hash(md5Hex(random), { ...cost, memoryCost: 1024, timeCost: 1 })

/** The same for a password that arrived as its md5 already. */
export async function hashPasswordMd5(md5: string): Promise<string> {
  if (!isMd5Hex(md5)) throw new Error('Not an md5 in lower-case hexadecimal')
  return hash(md5, cost)
}

let nobody: Promise<string> | undefined

/**
 * Whether the md5 sent belongs to the stored hash. Without a hash (no such account) it takes as long and answers false,
 * so that the time says nothing about who has an account.
 */
export async function verifyPassword(md5: string, stored: string | undefined): Promise<boolean> {
  nobody ??= hash('nobody', cost)
  const isRight = await verifyHash(stored || (await nobody), md5).catch(() => false)
  return isRight && Boolean(stored) && isMd5Hex(md5)
}

export function needsRehash(stored: string): boolean {
  const { memoryCost: m, timeCost: t, parallelism: p } = cost
  return !stored.startsWith(`$argon2id$v=19$m=${m},t=${t},p=${p}$`)
}

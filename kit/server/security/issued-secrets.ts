import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'

/** Creates a secret of 256 random bits; so long that a fast digest protects it as well as a slow one. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const digestSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Columns for the digest of such a secret, and for a day that of its predecessor. */
export const SECRET_DIGEST_COLUMNS = {
  digest: 'text not null',
  previous_digest: 'text',
  previous_until: 'timestamptz(3)',
}
export const HIDDEN_DIGEST_COLUMNS = ['digest', 'previous_digest']

/**
 * SET clause that stores a new digest in existing row `k`; the old one stays valid for a day, to switch devices over.
 */
export const replaceDigestSql: Sql = sql`digest = excluded.digest, previous_digest = k.digest,
  previous_until = now() + interval '24 hours'`

/** Columns of row `k` that `matchesSecretDigest` needs. */
export const selectDigestsSql: Sql = sql`k.digest, k.previous_digest as "previousDigest",
  coalesce(k.previous_until > now(), false) as "isGrace"`
export type SecretDigests = { digest: string; previousDigest: string | null; isGrace: boolean }

/** Compares in constant time. */
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export const matchesSecretDigest = ({ digest, previousDigest, isGrace }: SecretDigests, given: string): boolean => {
  const wanted = digestSecret(given)
  return same(digest, wanted) || (isGrace && previousDigest !== null && same(previousDigest, wanted))
}

/** Compares two texts of any length in constant time. */
export const equalsInConstantTime = (a: string, b: string): boolean => same(digestSecret(a), digestSecret(b))

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'

/** A secret we make ourselves: of 256 random bits, so that a fast digest protects it as well as a slow one. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const digestSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Columns of a table that keeps the digest of such a secret, and for a day that of the one before it. */
export const SECRET_DIGEST_COLUMNS = {
  digest: 'text not null',
  previous_digest: 'text',
  previous_until: 'timestamptz(3)',
}
export const HIDDEN_DIGEST_COLUMNS = ['digest', 'previous_digest']

/** What a new secret changes in the row that is there, `k`: the old one stays valid, to change a device over. */
export const replaceDigestSql: Sql = sql`digest = excluded.digest, previous_digest = k.digest,
  previous_until = now() + interval '24 hours'`

/** What `matchesSecretDigest` needs of such a row, `k`. */
export const selectDigestsSql: Sql = sql`k.digest, k.previous_digest as "previousDigest",
  coalesce(k.previous_until > now(), false) as "isGrace"`
export type SecretDigests = { digest: string; previousDigest: string | null; isGrace: boolean }

/** Compares in a time that says nothing of where they differ. */
const same = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

export const matchesSecretDigest = ({ digest, previousDigest, isGrace }: SecretDigests, given: string): boolean => {
  const wanted = digestSecret(given)
  return same(digest, wanted) || (isGrace && previousDigest !== null && same(previousDigest, wanted))
}

/** Two texts of any length. */
export const isSameSecret = (a: string, b: string): boolean => same(digestSecret(a), digestSecret(b))

import { createHash, randomBytes } from 'node:crypto'
import type { Services } from '#kit/server/module/services.ts'
import { isEncryptedSecret, secretCipherOf } from '#domains/platform/files/api.ts'

/** `shops` limits the code to these shops; without it, it is valid in all. */
type EntryCodeClaims = { tenantId: string; wxUserId: string; shops?: readonly string[]; nonce: string; exp: number }

const LIFE_MS = 60_000
/** Distinguishes entry codes from other data sealed with the same key. */
const KIND = 'entry'

/**
 * Shortens a shop id to six characters of its hash, so that a code for fifty shops can still be scanned from a phone.
 */
const markOf = (shopId: string) => createHash('sha256').update(shopId).digest('base64url').slice(0, 6)

/** Creates the sealed code a customer shows at the door, valid for one entry within a minute. */
export const createEntryCode = (
  services: Services,
  { tenantId, wxUserId, shops }: Pick<EntryCodeClaims, 'tenantId' | 'wxUserId' | 'shops'>,
): string =>
  secretCipherOf(services).seal(
    [
      KIND,
      tenantId,
      wxUserId,
      randomBytes(9).toString('base64url'),
      services.now().getTime() + LIFE_MS,
      ...(shops ? [shops.map(markOf).join()] : []),
    ].join('/'),
  )

/** Returns the contents of a code; undefined when it is forged, expired, or of another tenant or shop. */
export function verifyEntryCode(
  services: Services,
  { tenantId, shopId }: { tenantId: string; shopId: string },
  code: string,
): Pick<EntryCodeClaims, 'wxUserId' | 'nonce' | 'exp'> | undefined {
  const [kind, tenant, wxUserId, nonce, exp, shops] = opened(services, code).split('/')
  if (kind !== KIND || tenant !== tenantId || !wxUserId || !nonce) return undefined
  if (shops !== undefined && !shops.split(',').includes(markOf(shopId))) return undefined
  if (!(Number(exp) > services.now().getTime())) return undefined
  return { wxUserId, nonce, exp: Number(exp) }
}

function opened(services: Services, code: string): string {
  if (!isEncryptedSecret(code)) return ''
  try {
    return secretCipherOf(services).open(code)
  } catch {
    return ''
  }
}

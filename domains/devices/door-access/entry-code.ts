import { createHash, randomBytes } from 'node:crypto'
import type { Services } from '#kit/server/services.ts'
import { isEncryptedSecret, secretCipherOf } from '#domains/platform/files/api.ts'

/** `shops`: where it counts; everywhere without. */
type EntryCodeClaims = { tenantId: string; wxUserId: string; shops?: readonly string[]; nonce: string; exp: number }

const LIFE_MS = 60_000
/** Codes of another use sealed with the same key are none of ours. */
const KIND = 'entry'

/** A shop in six signs: a code for all fifty of a boss is still scanned from a phone. */
const markOf = (shopId: string) => createHash('sha256').update(shopId).digest('base64url').slice(0, 6)

/** What a customer shows at the door: sealed, worth one entry, for a minute. */
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

/** Whose code it is; undefined for one that is forged, another tenant's or other shops', or too old. */
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

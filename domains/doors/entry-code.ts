import { randomBytes } from 'node:crypto'
import type { Services } from '#kit/server/services.ts'
import { isSealed, secretsOf } from '#domains/files/doors.ts'

type Said = { tenantId: string; wxUserId: string; nonce: string; exp: number }

const LIFE_MS = 60_000
/** Codes of another use sealed with the same key are none of ours. */
const KIND = 'entry'

/** What a customer shows at the door: sealed, worth one entry, for a minute. */
export const entryCodeOf = (services: Services, { tenantId, wxUserId }: Pick<Said, 'tenantId' | 'wxUserId'>): string =>
  secretsOf(services).seal(
    [KIND, tenantId, wxUserId, randomBytes(9).toString('base64url'), services.now().getTime() + LIFE_MS].join('/'),
  )

/** Whose code it is; undefined for one that is forged, another tenant's, or too old. */
export function readEntryCode(services: Services, tenantId: string, code: string): Omit<Said, 'tenantId'> | undefined {
  const [kind, tenant, wxUserId, nonce, exp] = opened(services, code).split('/')
  if (kind !== KIND || tenant !== tenantId || !wxUserId || !nonce) return undefined
  if (!(Number(exp) > services.now().getTime())) return undefined
  return { wxUserId, nonce, exp: Number(exp) }
}

function opened(services: Services, code: string): string {
  if (!isSealed(code)) return ''
  try {
    return secretsOf(services).open(code)
  } catch {
    return ''
  }
}

import type { Services } from '#kit/server/module/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'

const SECONDS = 15 * 60
const IDS_MAX = 50

type Kind = 'dept' | 'role'

const entry = defineGlobalSharedKey('offered', 'who is asked has no token; ids of our own making, put after a sign-in')

/**
 * Stores the departments or roles offered to a person who must choose one to sign in with and has no token yet: their
 * names, and no others, can be read without a session for some minutes.
 */
export async function offerSignInChoices(
  services: Services,
  kind: Kind,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length > 1)
    await Promise.all(ids.slice(0, IDS_MAX).map((id) => services.shared.put(entry(kind, id), tenantId, SECONDS)))
}

/** Returns those of the ids that were offered, with their tenant. */
export async function filterOfferedSignInIds(
  services: Services,
  kind: Kind,
  ids: readonly string[],
): Promise<{ tenantId: string; ids: string[] }> {
  const requestedIds = ids.filter((id) => /^\d{1,19}$/.test(id)).slice(0, IDS_MAX)
  const tenants = await Promise.all(requestedIds.map((id) => services.shared.read(entry(kind, id))))
  const tenantId = tenants.find((one) => typeof one === 'string')
  return {
    tenantId: tenantId ?? '',
    ids: requestedIds.filter((_id, index) => tenantId !== undefined && tenants[index] === tenantId),
  }
}

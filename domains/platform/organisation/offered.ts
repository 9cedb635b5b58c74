import type { Services } from '#kit/server/services.ts'
import { defineGlobalSharedKey } from '#kit/server/shared/index.ts'

const SECONDS = 15 * 60
const IDS_MAX = 50

type Kind = 'dept' | 'role'

const entry = defineGlobalSharedKey('offered', 'who is asked has no token; ids of our own making, put after a sign-in')

/**
 * Somebody with several departments or roles is asked which to sign in with, and has no token while being asked. The
 * names of what the last sign-in found may be read for some minutes; of nothing else.
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

/** Of these ids the ones that were offered, with the tenant they belong to. */
export async function findOfferedSignInChoices(
  services: Services,
  kind: Kind,
  ids: readonly string[],
): Promise<{ tenantId: string; ids: string[] }> {
  const asked = ids.filter((id) => /^\d{1,19}$/.test(id)).slice(0, IDS_MAX)
  const tenants = await Promise.all(asked.map((id) => services.shared.read(entry(kind, id))))
  const tenantId = tenants.find((one) => typeof one === 'string')
  return {
    tenantId: tenantId ?? '',
    ids: asked.filter((_id, index) => tenantId !== undefined && tenants[index] === tenantId),
  }
}

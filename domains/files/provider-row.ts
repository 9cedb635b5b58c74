import type { Resource } from '#kit/resource/index.ts'
import type { Call } from '#kit/server/room.ts'
import { masked } from '#kit/server/security/index.ts'
import sql, { raw } from 'sql-template-tag'
import { requireOutside } from './endpoint.ts'
import { secretsOf } from './secrets.ts'

/** What accounts at outside providers have in common: a sealed secret, an address outside, and one of them in use. */
type ProviderResource = Resource<any, any>
type ProviderDraft = { endpoint?: string | null; mayBeInside?: boolean | null; secretKey?: string | null }
export const enabledStatus = 2
const disabledStatus = 1

/** The mask coming back means "unchanged"; anything else is sealed before it is stored. */
export function settleProvider(
  resource: ProviderResource,
  draft: ProviderDraft,
  was: { endpoint: string | null } | undefined,
  call: Call,
): void {
  if (draft.endpoint !== undefined && draft.endpoint !== was?.endpoint) {
    requireOutside(call.caller, resource, draft.endpoint)
    draft.mayBeInside = call.caller.isPlatform
  }
  if (draft.secretKey === masked && was) delete draft.secretKey
  else if (draft.secretKey) draft.secretKey = secretsOf(call.services).seal(draft.secretKey)
}

export function maskSecrets(wire: Record<string, unknown>[]): void {
  for (const row of wire) row.secretKey = masked
}

/** Puts one row of the tenant into use and all others out of it. */
export async function enableRow(resource: ProviderResource, id: string, call: Call): Promise<void> {
  await call.db.lockName(`enable/${resource.table}`)
  await call.db.run(sql`
    update ${raw(`"${resource.table}"`)} set status = case when id = ${id} then ${enabledStatus}::int
    else ${disabledStatus}::int end, update_user = ${call.db.userId}, update_time = now(), version = version + 1
    where tenant_id = ${call.db.tenantId} and is_deleted = 0 and (id = ${id} or status <> ${disabledStatus})`)
}

import type { Field, Resource } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { SECRET_MASK } from '#kit/server/base/mask.ts'
import sql, { raw } from 'sql-template-tag'
import { requirePublicEndpoint } from './endpoint.ts'
import { secretCipherOf } from './secrets.ts'

/** A resource of accounts at external providers: with an encrypted secret, an address, and one enabled row. */
type ProviderResource = Resource<any, any>
type ProviderDraft = { endpoint?: string | null; mayBeInside?: boolean | null }
type Draft<K extends string> = ProviderDraft & { [key in K]?: string | null }
export const PROVIDER_ENABLED_STATUS = 2
const disabledStatus = 1

/**
 * Prepares a provider row for saving: keeps a secret sent back as the mask, encrypts a new one. Refuses a private
 * address from a tenant, and a new address without the secret.
 */
export function prepareProviderDraft<K extends string = 'secretKey'>(
  resource: ProviderResource,
  draft: NoInfer<Draft<K>>,
  was: ({ endpoint: string | null } & { [key in NoInfer<K>]: string | null }) | undefined,
  call: Call,
  secrets: readonly K[] = ['secretKey' as K],
): void {
  const given: { [key in string]?: string | null } = draft
  const kept = secrets.find((key) => was?.[key] && (given[key] === undefined || given[key] === SECRET_MASK))
  // Somebody may change the row without knowing its secret, and must not have it sent to an address of theirs.
  if (kept && draft.endpoint && draft.endpoint !== was?.endpoint)
    throw new Refused('endpoint_without_secret', { label: (resource.fields[kept] as Field).label })
  if (draft.endpoint !== undefined && draft.endpoint !== was?.endpoint) {
    requirePublicEndpoint(call.caller, resource, draft.endpoint)
    draft.mayBeInside = call.caller.isPlatform
  }
  for (const key of secrets) {
    if (given[key] === SECRET_MASK && was) delete given[key]
    else if (given[key]) given[key] = secretCipherOf(call.services).seal(given[key])
  }
}

export function maskProviderSecrets(wire: Record<string, unknown>[], secrets: readonly string[] = ['secretKey']): void {
  for (const row of wire) for (const key of secrets) row[key] = SECRET_MASK
}

/** Enables one row of the tenant and disables all others. */
export async function enableOnlyProviderRow(resource: ProviderResource, id: string, call: Call): Promise<void> {
  await call.db.advisoryLock(`enable/${resource.table}`)
  await call.db.run(sql`
    update ${raw(`"${resource.table}"`)} set status = case when id = ${id} then ${PROVIDER_ENABLED_STATUS}::int
    else ${disabledStatus}::int end, update_user = ${call.db.userId}, update_time = now(), version = version + 1
    where tenant_id = ${call.db.tenantId} and is_deleted = 0 and (id = ${id} or status <> ${disabledStatus})`)
}

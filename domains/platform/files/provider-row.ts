import type { Field, Resource } from '#kit/resource/index.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import { SECRET_MASK } from '#kit/server/security/index.ts'
import sql, { raw } from 'sql-template-tag'
import { requirePublicEndpoint } from './endpoint.ts'
import { secretCipherOf } from './secrets.ts'

/** What accounts at outside providers have in common: a sealed secret, an address outside, and one of them in use. */
type ProviderResource = Resource<any, any>
type ProviderDraft = { endpoint?: string | null; mayBeInside?: boolean | null }
type Draft<K extends string> = ProviderDraft & { [key in K]?: string | null }
export const PROVIDER_ENABLED_STATUS = 2
const disabledStatus = 1

/** The mask coming back means "unchanged"; anything else is sealed before it is stored. */
export function prepareProviderDraft<K extends string = 'secretKey'>(
  resource: ProviderResource,
  draft: NoInfer<Draft<K>>,
  was: ({ endpoint: string | null } & { [key in NoInfer<K>]: string | null }) | undefined,
  call: Call,
  secrets: readonly K[] = ['secretKey' as K],
): void {
  const given: { [key in string]?: string | null } = draft
  const kept = secrets.find((key) => was?.[key] && (given[key] === undefined || given[key] === SECRET_MASK))
  // Who may change a row has not read its secret, and must not have it sent to where they can.
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

/** Puts one row of the tenant into use and all others out of it. */
export async function enableOnlyProviderRow(resource: ProviderResource, id: string, call: Call): Promise<void> {
  await call.db.advisoryLock(`enable/${resource.table}`)
  await call.db.run(sql`
    update ${raw(`"${resource.table}"`)} set status = case when id = ${id} then ${PROVIDER_ENABLED_STATUS}::int
    else ${disabledStatus}::int end, update_user = ${call.db.userId}, update_time = now(), version = version + 1
    where tenant_id = ${call.db.tenantId} and is_deleted = 0 and (id = ${id} or status <> ${disabledStatus})`)
}

import type { Field, Resource } from '#kit/resource/index.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { isPrivateUrl } from '#kit/server/request/egress.ts'
import { Refused } from '#kit/server/base/refused.ts'
import './refusals.ts'

/** Refuses a private address from a tenant's caller: only the platform may let the server call hosts in its network. */
export function requirePublicEndpoint(
  caller: Caller,
  resource: Resource<any, any>,
  endpoint: string | null | undefined,
  key = 'endpoint',
): void {
  if (!caller.isPlatform && endpoint && isPrivateUrl(endpoint))
    throw new Refused('endpoint_private', { label: (resource.fields[key] as Field).label }, { field: key })
}

import type { Field, Resource } from '#kit/resource/index.ts'
import type { Caller } from '#kit/server/caller.ts'
import { isPrivateUrl } from '#kit/server/request/egress.ts'
import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'

/** Tenants name providers outside; only the platform may point the server at hosts beside it. */
export function requirePublicEndpoint(
  caller: Caller,
  resource: Resource<any, any>,
  endpoint: string | null | undefined,
  key = 'endpoint',
): void {
  if (!caller.isPlatform && endpoint && isPrivateUrl(endpoint))
    throw new Refused('endpoint_private', { label: (resource.fields[key] as Field).label }, { field: key })
}

import { canReceiveCustomFields, resourceWithCustomFields, type CustomField } from '../../resource/custom-fields.ts'
import type { Call, ServedResource } from '../module/module.ts'
import type { Services } from '../module/services.ts'

const made = new WeakMap<readonly CustomField[], WeakMap<ServedResource, ServedResource>>()

/** The caller for whom a resource is read. */
type Reader = { services: Pick<Services, 'own'>; caller: Pick<Call['caller'], 'tenantId' | 'isPlatform'> }

/**
 * Returns a resource by name, with the custom fields of the caller's tenant; undefined if it is not declared (any
 * more).
 */
export function findServedResource(
  name: string,
  reader: Reader & { services: Pick<Services, 'registry'> },
): ServedResource | undefined {
  const declared = reader.services.registry.served.get(name)
  return declared && withTenantCustomFields(declared, reader)
}

/** Returns the resource with the tenant's custom fields; platform callers, who see all tenants, get none. */
export function withTenantCustomFields(served: ServedResource, { services, caller }: Reader): ServedResource {
  if (caller.isPlatform || !canReceiveCustomFields(served.resource)) return served
  const own = services.own?.of(caller.tenantId)[served.resource.name]
  if (!own) return served
  const known = made.get(own) ?? made.set(own, new WeakMap()).get(own)!
  let hit = known.get(served)
  if (!hit) known.set(served, (hit = { ...served, resource: resourceWithCustomFields(served.resource, own) }))
  return hit
}

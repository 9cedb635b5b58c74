import {
  canReceiveCustomFields,
  resourceWithCustomFields,
  type CustomField,
  type CustomFieldsByResource,
} from '../../resource/custom-fields.ts'
import type { Call, ServedResource } from '../module.ts'
import type { Services } from '../services.ts'

/** The fields tenants added, held in memory. Provided by the module that keeps them. */
export type CustomFieldCache = {
  /** Must be awaited once before a tenant's are asked for; undefined, and so no wait, where they are known. */
  ready: (tenantId: string) => Promise<void> | undefined
  /** All of a tenant's. */
  of: (tenantId: string) => CustomFieldsByResource
  /** Some were changed: whoever asks next waits for the new ones. */
  forget: () => void
}

const made = new WeakMap<readonly CustomField[], WeakMap<ServedResource, ServedResource>>()

/** For whom a family is looked at. */
type Reader = { services: Pick<Services, 'own'>; caller: Pick<Call['caller'], 'tenantId' | 'isPlatform'> }

/** A family by its name, as the reader's tenant has it; undefined for a name nobody declares (any more). */
export function findServedResource(
  name: string,
  reader: Reader & { services: Pick<Services, 'registry'> },
): ServedResource | undefined {
  const declared = reader.services.registry.served.get(name)
  return declared && withTenantCustomFields(declared, reader)
}

/** A family with the fields a tenant added to it; who sees all tenants sees none of theirs. */
export function withTenantCustomFields(served: ServedResource, { services, caller }: Reader): ServedResource {
  if (caller.isPlatform || !canReceiveCustomFields(served.resource)) return served
  const own = services.own?.of(caller.tenantId)[served.resource.name]
  if (!own) return served
  const known = made.get(own) ?? made.set(own, new WeakMap()).get(own)!
  let hit = known.get(served)
  if (!hit) known.set(served, (hit = { ...served, resource: resourceWithCustomFields(served.resource, own) }))
  return hit
}

import { Refused } from '#kit/server/refused.ts'
import type { Call, ServedResource } from '#kit/server/module.ts'

/** A family reports are made of; refuses others as if they were not there. */
export function requireReportableResource({ services }: Pick<Call, 'services'>, name: string): ServedResource {
  const served = services.registry.served.get(name)
  if (!served || !Object.keys(served.resource.measures).length) throw new Refused('report_unknown', { name })
  return served
}

export const listReportableResources = ({ services }: Pick<Call, 'services'>): ServedResource[] =>
  [...services.registry.served.values()].filter(({ resource }) => Object.keys(resource.measures).length > 0)

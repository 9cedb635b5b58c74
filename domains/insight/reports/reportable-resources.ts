import { Refused } from '#kit/server/base/refused.ts'
import type { Call, ServedResource } from '#kit/server/module/module.ts'

/** Returns a resource reports can be made of; refuses others as unknown. */
export function requireReportableResource({ services }: Pick<Call, 'services'>, name: string): ServedResource {
  const served = services.registry.served.get(name)
  if (!served || !Object.keys(served.resource.measures).length) throw new Refused('report_unknown', { name })
  return served
}

export const listReportableResources = ({ services }: Pick<Call, 'services'>): ServedResource[] =>
  [...services.registry.served.values()].filter(({ resource }) => Object.keys(resource.measures).length > 0)

import type { LocalizedText } from '#kit/resource/localized-text.ts'
import { recycleBinRoutes } from '#kit/server/history/recycle-bin.ts'
import { BULK_PATH, bulkRoutes } from '#kit/server/lists/bulk.ts'
import { requestedOperationOf, canonicalPath } from '#kit/server/request/asked.ts'
import { allModuleRoutes } from '#kit/server/request/mount.ts'
import { findRoute } from '#kit/server/resource/call-route.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call, Route } from '#kit/server/module.ts'
import type { ModuleRegistry } from '#kit/server/services.ts'

/** The calls that approvals are made of, and what people do about themselves. */
const NEVER = [
  '/api/blade-flow/work/',
  '/api/blade-desk/process/',
  '/api/blade-auth/',
  '/api/kit/bulk/:resource/preview',
]

/** Whether a call may be held: a write people are granted, whose arguments are all there is of it. */
const isAct = (route: Route): boolean =>
  route.method !== 'GET' &&
  !route.uploadMaxBytes &&
  !route.raw &&
  !route.denyReason &&
  (typeof route.can === 'string' || Array.isArray(route.can) || 'signedIn' in (route.can as object)) &&
  !NEVER.some((one) => route.path.startsWith(one))

/** What the kit writes of any family. */
const ofAnyFamily = [...bulkRoutes, ...recycleBinRoutes]

/** The act at an address, whichever of its addresses that is. */
export const findApprovableOperation = (registry: ModuleRegistry, path: string): Route | undefined => {
  const route = findRoute(registry, path) ?? ofAnyFamily.find((one) => one.path === path && one.method === 'POST')
  return route && isAct(route) ? route : undefined
}

/** A rule names an act by its first address, and what comes to another act by that one. */
export const isSelectableOperation = (registry: ModuleRegistry, route: Route): boolean =>
  !route.comesTo && canonicalPath(registry, route.path) === route.path

/** Everything a rule can be about, with the family or module it is in, each by the first of its addresses. */
export function listApprovableOperations(
  registry: ModuleRegistry,
): { path: string; title: LocalizedText; of: LocalizedText }[] {
  const families = [...registry.served.values()].map(({ resource }) => resource)
  const familyOf = (path: string) =>
    families
      .filter((one) => path.startsWith(`${one.path}/`))
      .toSorted((one, other) => other.path.length - one.path.length)[0]
  return [...allModuleRoutes(registry), ...ofAnyFamily]
    .filter((one) => isAct(one) && isSelectableOperation(registry, one))
    .map(({ path, title }) => ({ path, title, of: familyOf(path)?.label ?? { zh: '其他', en: 'Other' } }))
}

/** The acts a call comes to: its own, and those it says itself. */
export function approvableOperationsOfCall(route: Route, call: Call): string[] {
  const { registry } = call.services
  const own = canonicalPath(registry, route.path)
  return [...new Set([...(findApprovableOperation(registry, own) ? [own] : []), ...(route.comesTo?.(call) ?? [])])]
}

/** Whether a call names several rows, and does with each what bulk work does. Its arguments are read for that. */
export function isBulkLike(route: Route, call: Call): boolean {
  if (call.isOfSet || route.path === BULK_PATH || !route.asks) return false
  try {
    const { operation, ids } = requestedOperationOf(route, call)
    return operation !== undefined && ids.length > 1
  } catch (error) {
    // It is refused for that when it is tried.
    if (error instanceof Refused) return false
    throw error
  }
}

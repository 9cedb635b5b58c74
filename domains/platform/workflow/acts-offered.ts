import type { LocalizedText } from '#kit/base/localized-text.ts'
import { recycleBinRoutes } from '#kit/server/history/recycle-bin.ts'
import { BULK_PATH, bulkRoutes } from '#kit/server/lists/bulk.ts'
import { requestedOperationOf, canonicalPath } from '#kit/server/request/requested-operation.ts'
import { findRoute } from '#kit/server/resource/call-route.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call, Route, ModuleRegistry } from '#kit/server/module/module.ts'

/** Paths that never need approval: those of the approval process itself, of the caller's own account, and previews. */
const NEVER = [
  '/api/blade-flow/work/',
  '/api/blade-desk/process/',
  '/api/blade-auth/',
  '/api/kit/bulk/:resource/preview',
]

/**
 * Whether a route can wait for approval: a write by a signed-in caller whose arguments are all it needs (no upload).
 */
const isAct = (route: Route): boolean =>
  route.method !== 'GET' &&
  !route.uploadMaxBytes &&
  !route.raw &&
  !route.denyReason &&
  (typeof route.can === 'string' || Array.isArray(route.can) || 'signedIn' in (route.can as object)) &&
  !NEVER.some((one) => route.path.startsWith(one))

/** The kit's writing routes for any resource. */
const ofAnyResource = [...bulkRoutes, ...recycleBinRoutes]

/** Returns the approvable route of a path, also under an alias; undefined for others. */
export const findApprovableOperation = (registry: ModuleRegistry, path: string): Route | undefined => {
  const route = findRoute(registry, path) ?? ofAnyResource.find((one) => one.path === path && one.method === 'POST')
  return route && isAct(route) ? route : undefined
}

/**
 * Whether a rule can be made for this route: only for its canonical path, and not when the call counts as another
 * operation (`comesTo`).
 */
export const isSelectableOperation = (registry: ModuleRegistry, route: Route): boolean =>
  !route.comesTo && canonicalPath(registry, route.path) === route.path

/** Lists all operations a rule can be made for, by canonical path, with their resource. */
export function listApprovableOperations(
  registry: ModuleRegistry,
): { path: string; title: LocalizedText; of: LocalizedText }[] {
  const resources = [...registry.served.values()].map(({ resource }) => resource)
  const resourceOf = (path: string) =>
    resources
      .filter((one) => path.startsWith(`${one.path}/`))
      .toSorted((one, other) => other.path.length - one.path.length)[0]
  return [...registry.routes, ...ofAnyResource]
    .filter((one) => isAct(one) && isSelectableOperation(registry, one))
    .map(({ path, title }) => ({ path, title, of: resourceOf(path)?.label ?? { zh: '其他', en: 'Other' } }))
}

/** Returns the operations a call counts as: its own route and those of `comesTo`. */
export function approvableOperationsOfCall(route: Route, call: Call): string[] {
  const { registry } = call.services
  const own = canonicalPath(registry, route.path)
  return [...new Set([...(findApprovableOperation(registry, own) ? [own] : []), ...(route.comesTo?.(call) ?? [])])]
}

/** Returns whether a call does to several rows what bulk operations do. Parses its arguments to find out. */
export function isBulkLike(route: Route, call: Call): boolean {
  if (call.isOfSet || route.path === BULK_PATH || !route.asks) return false
  try {
    const { operation, ids } = requestedOperationOf(route, call)
    return operation !== undefined && ids.length > 1
  } catch (error) {
    // Invalid arguments are refused when the call runs.
    if (error instanceof Refused) return false
    throw error
  }
}

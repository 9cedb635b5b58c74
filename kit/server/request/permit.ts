import { hasPermission, type Caller } from '../base/caller.ts'
import { Refused } from '../base/refused.ts'
import type { AccessRule, Route } from '../module/module.ts'

/** The parts of a route that decide who may call it. */
export type RouteAccess = { can: AccessRule; path?: string } & Pick<Route, 'denyReason' | 'allowedBeforePasswordChange'>

/** API scopes that protect paths, and the other paths of a route. */
type Guards = {
  guarded: readonly { id: string; path: string }[]
  addresses: { get: (path: string) => readonly string[] | undefined }
}

export const isPublicAccess = (can: AccessRule): can is { open: string } => typeof can === 'object' && 'open' in can
export const isTerminalAccess = (can: AccessRule): can is { terminal: string } =>
  typeof can === 'object' && 'terminal' in can

/** Whether a signed-in caller has the access a route requires. */
function holds(caller: Caller, can: AccessRule): boolean {
  if (typeof can === 'string') return hasPermission(caller, can)
  if (Array.isArray(can)) return can.some((code) => hasPermission(caller, code as string))
  return !('platform' in can) || caller.isPlatform
}

/** Whether API scopes apply: only to callers who are not exempt, on routes that require a signed-in person. */
export const isApiScopeChecked = (caller: Caller | undefined, can: AccessRule): boolean =>
  caller !== undefined && !caller.isAdmin && !isPublicAccess(can) && !isTerminalAccess(can)

/**
 * Decides whether a caller may call a route, without queries: returns the refusal, or undefined if allowed. `caller` is
 * undefined for strangers, and for people on device routes. `guards` is not used where `isApiScopeChecked` is false.
 */
export function accessRefusal(
  caller: Caller | undefined,
  door: RouteAccess,
  path: string,
  guards: Guards,
): Refused | undefined {
  const { can, denyReason, allowedBeforePasswordChange, path: pattern = path } = door
  if (isPublicAccess(can)) return undefined
  if (!caller) return new Refused('not_signed_in')
  if (isTerminalAccess(can)) return undefined
  if (caller.mustChangePassword && !allowedBeforePasswordChange) return new Refused('password_must_change')
  if (!holds(caller, can)) {
    if (denyReason && hasPermission(caller, denyReason.list))
      return new Refused(denyReason.code, { label: denyReason.label })
    return new Refused(typeof can === 'object' && 'platform' in can ? 'platform_only' : 'forbidden')
  }
  if (!isApiScopeChecked(caller, can)) return undefined
  // A scope that protects one path of a route protects all its paths.
  const addresses = [path, ...(guards.addresses.get(pattern) ?? [])]
  const here = guards.guarded.filter((guard) => addresses.some((one) => one.includes(guard.path)))
  return here.length && !here.some((guard) => caller.apiScopeIds.has(guard.id)) ? new Refused('forbidden') : undefined
}

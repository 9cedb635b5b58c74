import { hasPermission, type Caller } from '../caller.ts'
import { Refused } from '../refused.ts'
import type { AccessRule, Route } from '../module.ts'

/** What of a route says who may call it. */
export type RouteAccess = { can: AccessRule; path?: string } & Pick<Route, 'denyReason' | 'allowedBeforePasswordChange'>

/** API scopes that guard addresses, and the other addresses of a call, by its own. */
type Guards = {
  guarded: readonly { id: string; path: string }[]
  addresses: { get: (path: string) => readonly string[] | undefined }
}

export const isPublicAccess = (can: AccessRule): can is { open: string } => typeof can === 'object' && 'open' in can
export const isTerminalAccess = (can: AccessRule): can is { terminal: string } =>
  typeof can === 'object' && 'terminal' in can

/** Whether somebody who signed in holds what a route asks for. */
function holds(caller: Caller, can: AccessRule): boolean {
  if (typeof can === 'string') return hasPermission(caller, can)
  if (Array.isArray(can)) return can.some((code) => hasPermission(caller, code as string))
  return !('platform' in can) || caller.isPlatform
}

/** Whether API scopes are asked at all: for who is bound by them, at doors that ask for somebody. */
export const isApiScopeChecked = (caller: Caller | undefined, can: AccessRule): boolean =>
  caller !== undefined && !caller.isAdmin && !isPublicAccess(can) && !isTerminalAccess(can)

/**
 * Who may make which call, without looking anything up: the refusal of a caller at a route asked for at `path`, or
 * undefined for who is let in. Nobody is undefined, as is a person at the door of a device. Of `guards` nothing is
 * asked where `isApiScopeChecked` says no.
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
  // Who guards one address of a call guards all of them.
  const addresses = [path, ...(guards.addresses.get(pattern) ?? [])]
  const here = guards.guarded.filter((guard) => addresses.some((one) => one.includes(guard.path)))
  return here.length && !here.some((guard) => caller.apiScopeIds.has(guard.id)) ? new Refused('forbidden') : undefined
}

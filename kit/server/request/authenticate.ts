import { LRUCache } from 'lru-cache'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../database/db.ts'
import type { Services } from '../module/services.ts'
import { onProcessBroadcast, broadcastToProcesses } from '../shared/broadcast.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * Returns the token of a request: from header Blade-Auth, with or without "bearer ", or from the query parameter in any
 * case (wire contract §1.1).
 */
export function tokenFromRequest(headers: Headers, query: Record<string, string>): string | undefined {
  const header = headers['blade-auth']
  const value =
    (Array.isArray(header) ? header[0] : header) ||
    Object.entries(query).find(([key]) => key.toLowerCase() === 'blade-auth')?.[1]
  const token = value?.replace(/^bearer\s+/i, '').trim()
  return token && token.length < 4096 ? token : undefined
}

/** Returns the token from the cookie of protocol clients, for requests where browsers send no headers. */
export function tokenFromCookie({ cookie = '' }: Headers): string | undefined {
  // Tokens need no cookie encoding; some clients put "bearer" before them.
  return /(?:^|;\s*)[\w-]*access-token=(?:bearer(?:%20|\s)+)?([\w.-]{1,4096})/i.exec(String(cookie))?.[1]
}

const TRUST_MS = 10_000
/** From this age in milliseconds a caller is re-read in the background, while the cached one still answers. */
const RENEW_MS = 7000

/** Channel on which processes announce changed permissions; messages are `AffectedCallers`. */
export const permissionsChangedChannel = 'access.changed'

/** Caches to clear on changed permissions in this process, by services object. */
const memories = new WeakMap<Services, Set<() => void>>()

/**
 * Calls `forget` when anybody's permissions change: immediately for changes by this process, on notification for
 * others.
 */
export function onPermissionsChanged(services: Services, invalidate: () => void): void {
  const known = memories.get(services)
  if (known) return void known.add(invalidate)
  const all = new Set([invalidate])
  memories.set(services, all)
  const clearAll = () => all.forEach((one) => one())
  onProcessBroadcast(services, permissionsChangedChannel, clearAll)
}

/**
 * Whose open connections end after a permission change, so that they reconnect with the new permissions; nobody's if
 * empty.
 */
export type AffectedCallers = {
  userIds?: string[]
  roleIds?: string[]
  sessionIds?: string[]
  /** Everyone signed in to these tenants. */
  tenantIds?: string[]
  everybody?: true
}

const AFFECTED_MAX = 50

/**
 * Must be called by every change of users, roles, grants, menus, departments, scopes, packages or tenants: after the
 * commit no process uses the old permissions any more.
 */
export function publishPermissionsChanged(
  services: Services,
  db: Pick<Db, 'afterCommit'>,
  affected: AffectedCallers,
): void {
  // A notification has limited size; with too many ids everyone reconnects.
  const isMany = Object.values(affected).some((ids) => Array.isArray(ids) && ids.length > AFFECTED_MAX)
  db.afterCommit(() => {
    memories.get(services)?.forEach((invalidate) => invalidate())
    return broadcastToProcesses(services, permissionsChangedChannel, isMany ? { everybody: true } : affected)
  })
}

export type Authentication = {
  /** Caller of a token; undefined if it is not valid. */
  callerOf: (token: string) => Promise<Caller | undefined>
  /** Tenant the token belonged to when last read. Only for load shedding, never for permissions. */
  lastTenantOf: (token: string) => string | undefined
}

/**
 * Caches the callers of tokens for some seconds, since verifying costs as much as a list; concurrent requests share one
 * read. Permission changes clear the cache.
 */
export function createAuthentication(
  services: Services,
  clock: () => number = () => performance.now(),
): Authentication {
  const known = new LRUCache<string, { caller: Caller; readAt: number }>({ max: 20_000 })
  const tenants = new LRUCache<string, string>({ max: 20_000 })
  const reading = new Map<string, Promise<Caller | undefined>>()
  let changes = 0
  onPermissionsChanged(services, () => {
    changes++
    known.clear()
    // Later requests must not get a result read before the change.
    reading.clear()
  })

  async function read(token: string): Promise<Caller | undefined> {
    const [changesBefore, readAt] = [changes, clock()]
    const caller = await services.access.callerOf(token)
    if (!caller) return void known.delete(token)
    tenants.set(token, caller.tenantId)
    // Permissions may have changed during the read.
    if (changesBefore === changes) known.set(token, { caller, readAt })
    return caller
  }

  function readOnce(token: string): Promise<Caller | undefined> {
    const pending = reading.get(token)
    if (pending) return pending
    const started = read(token).finally(() => {
      if (reading.get(token) === started) reading.delete(token)
    })
    reading.set(token, started)
    return started
  }

  return {
    lastTenantOf: (token) => tenants.get(token),
    callerOf: async (token) => {
      const hit = known.get(token)
      const age = hit ? clock() - hit.readAt : Infinity
      if (!hit || age >= TRUST_MS) return readOnce(token)
      // If it fails, the next request tries again; the error reaches callers once the cached entry has expired.
      if (age >= RENEW_MS) readOnce(token).catch(() => {})
      return hit.caller
    },
  }
}

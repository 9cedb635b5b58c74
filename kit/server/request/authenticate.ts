import { LRUCache } from 'lru-cache'
import type { Caller } from '../caller.ts'
import type { Db } from '../database/db.ts'
import type { Services } from '../services.ts'
import { onProcessBroadcast, broadcastToProcesses } from '../broadcast.ts'

type Headers = Record<string, string | string[] | undefined>

/**
 * The token of a request: header Blade-Auth with or without "bearer ", or the query under either spelling (wire
 * contract §1.1).
 */
export function tokenFromRequest(headers: Headers, query: Record<string, string>): string | undefined {
  const header = headers['blade-auth']
  const value =
    (Array.isArray(header) ? header[0] : header) ||
    Object.entries(query).find(([key]) => key.toLowerCase() === 'blade-auth')?.[1]
  const token = value?.replace(/^bearer\s+/i, '').trim()
  return token && token.length < 4096 ? token : undefined
}

/** The same out of the cookie the protocol's clients keep it in, for what a browser asks without headers. */
export function tokenFromCookie({ cookie = '' }: Headers): string | undefined {
  // A token holds no sign that a cookie would have to encode, but for the scheme some clients put before it.
  return /(?:^|;\s*)[\w-]*access-token=(?:bearer(?:%20|\s)+)?([\w.-]{1,4096})/i.exec(String(cookie))?.[1]
}

const TRUST_MS = 10_000
/** From this age on a caller is read again while the remembered one still answers: nobody waits for it. */
const RENEW_MS = 7000

/** Channel of changed rights between processes; carries `AffectedCallers`. */
export const permissionsChangedChannel = 'access.changed'

/** What remembers rights in this process, by the services it belongs to. */
const memories = new WeakMap<Services, Set<() => void>>()

/**
 * Calls back when somebody's rights changed: at once for a change of this process, as soon as it is heard of for
 * others.
 */
export function onPermissionsChanged(services: Services, forget: () => void): void {
  const known = memories.get(services)
  if (known) return void known.add(forget)
  const all = new Set([forget])
  memories.set(services, all)
  const forgetAll = () => all.forEach((one) => one())
  onProcessBroadcast(services, permissionsChangedChannel, forgetAll)
}

/** Whose open connections end with a change: they come back with what is allowed now. Nobody's without a word. */
export type AffectedCallers = {
  userIds?: string[]
  roleIds?: string[]
  sessionIds?: string[]
  /** Of everybody who signed in to these. */
  tenantIds?: string[]
  everybody?: true
}

const AFFECTED_MAX = 50

/**
 * To be called by whatever changes users, roles, grants, menus, departments, scopes, packages or tenants: after the
 * commit nobody acts by old rights.
 */
export function publishPermissionsChanged(
  services: Services,
  db: Pick<Db, 'afterCommit'>,
  affected: AffectedCallers,
): void {
  // A message between processes has room for few; beyond that everybody reconnects.
  const isMany = Object.values(affected).some((ids) => Array.isArray(ids) && ids.length > AFFECTED_MAX)
  db.afterCommit(() => {
    memories.get(services)?.forEach((forget) => forget())
    return broadcastToProcesses(services, permissionsChangedChannel, isMany ? { everybody: true } : affected)
  })
}

export type Authentication = {
  /** Who signed in with the token; undefined for none. */
  callerOf: (token: string) => Promise<Caller | undefined>
  /** Whose token it was when it was last read: who is to be turned away first in a rush, never who may see what. */
  lastTenantOf: (token: string) => string | undefined
}

/**
 * Remembers for some seconds who a token belongs to: verifying costs as much as a list, and is done once however many
 * calls wait for it. Changes of rights forget everything at once.
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
    // Who asks from now on must not get what was read before.
    reading.clear()
  })

  async function read(token: string): Promise<Caller | undefined> {
    const [asked, readAt] = [changes, clock()]
    const caller = await services.access.callerOf(token)
    if (!caller) return void known.delete(token)
    tenants.set(token, caller.tenantId)
    // Rights may have changed while they were read.
    if (asked === changes) known.set(token, { caller, readAt })
    return caller
  }

  function readOnce(token: string): Promise<Caller | undefined> {
    const underWay = reading.get(token)
    if (underWay) return underWay
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
      // Should it fail, it is tried again by the next, and heard of by who asks when the time of trust is over.
      if (age >= RENEW_MS) readOnce(token).catch(() => {})
      return hit.caller
    },
  }
}

import { LRUCache } from 'lru-cache'
import type { Caller } from './caller.ts'
import type { Db } from './db.ts'
import type { Services } from './services.ts'

type Headers = Record<string, string | string[] | undefined>

/** The token of a request: header Blade-Auth with or without "bearer ", or the query under either spelling (wire contract §1.1). */
export function tokenOf(headers: Headers, query: Record<string, string>): string | undefined {
  const header = headers['blade-auth']
  const fromQuery = Object.entries(query).find(([key]) => key.toLowerCase() === 'blade-auth')?.[1]
  const value = (Array.isArray(header) ? header[0] : header) || fromQuery
  const token = value?.replace(/^bearer\s+/i, '').trim()
  return token && token.length < 4096 ? token : undefined
}

const TRUST_MS = 10_000

/** Channel of changed rights between processes; carries `Affected`. */
export const accessChannel = 'access.changed'

/** What remembers rights in this process, by the services it belongs to. */
const memories = new WeakMap<Services, Set<() => void>>()

/** Calls back when somebody's rights changed: at once for a change of this process, as soon as it is heard of for others. */
export function onRightsChanged(services: Services, forget: () => void): void {
  const known = memories.get(services)
  if (known) return void known.add(forget)
  const all = new Set([forget])
  memories.set(services, all)
  const forgetAll = () => all.forEach((one) => one())
  // A lost connection may have swallowed a call.
  void services.shared.subscribe(accessChannel, forgetAll, forgetAll)
}

/** Whose open connections end with a change: they come back with what is allowed now. */
export type Affected = { userIds?: string[]; roleIds?: string[]; sessionIds?: string[] }

const AFFECTED_MAX = 50

/** To be called by whatever changes users, roles, grants, menus, departments, scopes, packages or tenants: after the commit nobody acts by old rights. */
export function rightsChanged(services: Services, db: Pick<Db, 'afterCommit'>, affected: Affected = {}): void {
  // A message between processes has room for few; beyond that everybody reconnects.
  const isMany = Object.values(affected).some((ids) => ids.length > AFFECTED_MAX)
  db.afterCommit(() => {
    memories.get(services)?.forEach((forget) => forget())
    services.shared.publish(accessChannel, isMany ? { everybody: true } : affected).catch((err: unknown) => services.log.warn({ err }, 'other processes were not told of changed rights'))
  })
}

/** Remembers for some seconds who a token belongs to: verifying costs as much as a list. Changes of rights forget everything at once. */
export function createAuthentication(services: Services) {
  const known = new LRUCache<string, Caller>({ max: 20_000, ttl: TRUST_MS })
  let changes = 0
  onRightsChanged(services, () => {
    changes++
    known.clear()
  })
  return async (token: string): Promise<Caller | undefined> => {
    const hit = known.get(token)
    if (hit) return hit
    const asked = changes
    const caller = await services.access.callerOf(token)
    // Rights may have changed while they were read.
    if (caller && asked === changes) known.set(token, caller)
    return caller
  }
}

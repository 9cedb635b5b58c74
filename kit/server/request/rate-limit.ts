import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isTransientDatabaseError } from '../database/connections.ts'
import { Refused } from '../base/refused.ts'
import { networkPrefixOf } from './egress.ts'
import type { Route } from '../module/module.ts'
import { defineGlobalSharedKey, type SharedStore } from '../shared/index.ts'

const WINDOW_SECONDS = 60
const rateKey = defineGlobalSharedKey('rate', 'addresses are counted before anybody says whose they are')

/** Refuses requests of one client address above a route's `perMinute`, counted over all processes. */
export function createRateLimit(shared: SharedStore): (spec: Route, request: FastifyRequest) => Promise<void> {
  const counts = new LRUCache<string, { hits: number }>({ max: 10_000, ttl: WINDOW_SECONDS * 1000 })
  const countHere = (key: string): number => {
    const hit = counts.get(key)
    if (!hit) counts.set(key, { hits: 1 })
    return hit ? ++hit.hits : 1
  }

  return async ({ path, perMinute }, request) => {
    if (!perMinute) return
    const key = rateKey(path, networkPrefixOf(request.ip))
    const count = await shared.increment(key, WINDOW_SECONDS).catch((error: unknown) => {
      // If the shared counter is unavailable, each process counts for itself, so that reads continue.
      if (!isTransientDatabaseError(error)) throw error
      return countHere(key)
    })
    if (count > perMinute) throw new Refused('too_many_requests', { seconds: WINDOW_SECONDS })
  }
}

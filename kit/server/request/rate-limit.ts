import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isTransientDatabaseError } from '../database/connections.ts'
import { Refused } from '../refused.ts'
import { networkPrefixOf } from './egress.ts'
import type { Route } from '../module.ts'
import { defineGlobalSharedKey, type SharedStore } from '../shared/index.ts'

const WINDOW_SECONDS = 60
const rateKey = defineGlobalSharedKey('rate', 'addresses are counted before anybody says whose they are')

/** Refuses what one address asks more often than a route's `perMinute` allows, in all processes together. */
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
      // Reading goes on when nothing can be counted for all processes: then each counts for itself.
      if (!isTransientDatabaseError(error)) throw error
      return countHere(key)
    })
    if (count > perMinute) throw new Refused('too_many_requests', { seconds: WINDOW_SECONDS })
  }
}

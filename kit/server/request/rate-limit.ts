import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isTransient } from '../database/connections.ts'
import { Refused } from '../refused.ts'
import { networkOf } from './egress.ts'
import type { Route } from '../module.ts'
import { keptForAll, type Shared } from '../shared/index.ts'

const WINDOW_SECONDS = 60
const rateKey = keptForAll('rate', 'addresses are counted before anybody says whose they are')

/** Refuses what one address asks more often than a route's `perMinute` allows, in all processes together. */
export function createRateLimit(shared: Shared): (spec: Route, request: FastifyRequest) => Promise<void> {
  const counts = new LRUCache<string, { hits: number }>({ max: 10_000, ttl: WINDOW_SECONDS * 1000 })
  const countHere = (key: string): number => {
    const hit = counts.get(key)
    if (!hit) counts.set(key, { hits: 1 })
    return hit ? ++hit.hits : 1
  }

  return async ({ path, perMinute }, request) => {
    if (!perMinute) return
    const key = rateKey(path, networkOf(request.ip))
    const count = await shared.increment(key, WINDOW_SECONDS).catch((error: unknown) => {
      // Reading goes on when nothing can be counted for all processes: then each counts for itself.
      if (!isTransient(error)) throw error
      return countHere(key)
    })
    if (count > perMinute) throw new Refused('too_many_requests', { seconds: WINDOW_SECONDS })
  }
}

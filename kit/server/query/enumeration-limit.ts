/**
 * Limits guessing of masked values. A mask leaves only some thousand possible values (138****5678: ten thousand), so
 * that searching for each would reveal the real one. Each person may search for a limited number of different values an
 * hour, one at a time.
 */
import { LRUCache } from 'lru-cache'
import type { Caller } from '../base/caller.ts'
import { Refused } from '../base/refused.ts'
import { tenantSharedKey, type SharedStore } from '../shared/index.ts'

const VALUES_MAX = 300
const WINDOW_MS = 3_600_000
const CALLERS_MAX = 5_000

type ProbeRecord = { until: number; values: Set<string>; isSpent?: true }
/** Of more people the least recent are forgotten, which never is someone who keeps trying. */
const probesByCaller = new LRUCache<string, ProbeRecord>({ max: CALLERS_MAX })

let counter: Pick<SharedStore, 'increment'> | undefined

/**
 * Makes all processes count together through the shared store. A search does not wait for that count, so slightly more
 * than the limit may be answered.
 */
export function shareProbeCountsAcrossProcesses(shared: Pick<SharedStore, 'increment'>): void {
  counter = shared
}

/** Records that a person searches for a whole masked value. Refuses when they have tried too many different ones. */
export function recordMaskedValueProbe(
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  value: string,
  now = Date.now(),
): void {
  const person = `${tenantId}/${userId}`
  let own = probesByCaller.get(person)
  if (!own || own.until <= now) probesByCaller.set(person, (own = { until: now + WINDOW_MS, values: new Set() }))
  if (own.values.has(value)) return
  if (own.isSpent || own.values.size >= VALUES_MAX)
    throw new Refused('too_many_requests', { seconds: Math.ceil((own.until - now) / 1000) })
  own.values.add(value)
  const spend = (count: number) => {
    if (count > VALUES_MAX) own.isSpent = true
  }
  // If the shared store is not reachable, each process still has its own limit.
  counter?.increment(tenantSharedKey(tenantId, 'guess', userId), WINDOW_MS / 1000).then(spend, () => {})
}

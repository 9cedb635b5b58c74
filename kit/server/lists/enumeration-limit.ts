import { LRUCache } from 'lru-cache'
import type { Caller } from '../caller.ts'
import { Refused } from '../refused.ts'
import { tenantSharedKey, type SharedStore } from '../shared/index.ts'

/**
 * A mask leaves some thousand values open (of 138****5678 ten thousand): whoever asked for them all, each as a whole,
 * would find which it is. So one person asks for so many different ones in an hour, and for no two at once.
 */
const VALUES_MAX = 300
const WINDOW_MS = 3_600_000
const CALLERS_MAX = 5_000

type ProbeRecord = { until: number; values: Set<string>; isSpent?: true }
/** Of more persons those are forgotten who asked longest ago; nobody who goes on trying. */
const asked = new LRUCache<string, ProbeRecord>({ max: CALLERS_MAX })

let counter: Pick<SharedStore, 'increment'> | undefined

/**
 * From now on what all processes are asked counts together. A search does not wait for the count, so that a few more
 * than the bound may be answered meanwhile.
 */
export function shareProbeCountsAcrossProcesses(shared: Pick<SharedStore, 'increment'>): void {
  counter = shared
}

/** Notes that a person asks for a whole value of a masked field; refuses what is no search but a trial of all. */
export function recordMaskedValueProbe(
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  value: string,
  now = Date.now(),
): void {
  const person = `${tenantId}/${userId}`
  let own = asked.get(person)
  if (!own || own.until <= now) asked.set(person, (own = { until: now + WINDOW_MS, values: new Set() }))
  if (own.values.has(value)) return
  if (own.isSpent || own.values.size >= VALUES_MAX)
    throw new Refused('too_many_requests', { seconds: Math.ceil((own.until - now) / 1000) })
  own.values.add(value)
  const spend = (count: number) => {
    if (count > VALUES_MAX) own.isSpent = true
  }
  // Where nobody can be told, each process still has its own bound.
  counter?.increment(tenantSharedKey(tenantId, 'guess', userId), WINDOW_MS / 1000).then(spend, () => {})
}

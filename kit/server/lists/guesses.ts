import { LRUCache } from 'lru-cache'
import type { Caller } from '../caller.ts'
import { Refused } from '../refused.ts'

/**
 * A mask leaves some thousand values open (of 138****5678 ten thousand): whoever asked for them all, each as a whole,
 * would find which it is. So one person asks for so many different ones in an hour, and for no two at once.
 */
const VALUES_MAX = 300
const WINDOW_MS = 3_600_000
const PERSONS_KEPT = 5_000

type Asked = { until: number; values: Set<string> }
/** Of more persons those are forgotten who asked longest ago; nobody who goes on trying. */
const asked = new LRUCache<string, Asked>({ max: PERSONS_KEPT })

/** Notes that a person asks for a whole value of a masked field; refuses what is no search but a trial of all. */
export function noteGuess(
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  value: string,
  now = Date.now(),
): void {
  const person = `${tenantId}/${userId}`
  let own = asked.get(person)
  if (!own || own.until <= now) asked.set(person, (own = { until: now + WINDOW_MS, values: new Set() }))
  if (own.values.size >= VALUES_MAX && !own.values.has(value))
    throw new Refused('too_many_requests', { seconds: Math.ceil((own.until - now) / 1000) })
  own.values.add(value)
}

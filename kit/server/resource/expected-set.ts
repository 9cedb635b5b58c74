import { Refused } from '../refused.ts'

/**
 * Refuses to replace a set by another one when it is no longer what its author saw; who does not say what was seen
 * writes over whatever is there.
 */
export function requireUnchangedSet(seen: unknown, now: readonly string[]): void {
  if (!Array.isArray(seen)) return
  const were = new Set(seen.map(String))
  if (were.size !== new Set(now).size || now.some((one) => !were.has(one))) throw new Refused('changed_meanwhile')
}

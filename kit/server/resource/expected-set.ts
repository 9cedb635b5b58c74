import { Refused } from '../base/refused.ts'

/**
 * Refuses to replace a set (such as the roles of a user) that is no longer what the caller saw. Without `seen` it is
 * overwritten.
 */
export function requireUnchangedSet(seen: unknown, now: readonly string[]): void {
  if (!Array.isArray(seen)) return
  const were = new Set(seen.map(String))
  if (were.size !== new Set(now).size || now.some((one) => !were.has(one))) throw new Refused('changed_meanwhile')
}

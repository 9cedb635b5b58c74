import { onPermissionsChanged } from '#kit/server/request/authenticate.ts'
import type { Services } from '#kit/server/module/services.ts'

const KEEP_MS = 60_000

/**
 * Returns a getter that keeps the loaded value in memory, shared by all callers, until rights change or a minute has
 * passed.
 */
export function cacheUntilRightsChange<T>(
  load: (services: Services) => Promise<T>,
): (services: Services) => Promise<T> {
  const memories = new WeakMap<Services, { at: number; value?: Promise<T> }>()
  return (services) => {
    let memory = memories.get(services)
    if (!memory) {
      const made: { at: number; value?: Promise<T> } = { at: 0 }
      memory = made
      memories.set(services, made)
      onPermissionsChanged(services, () => delete made.value)
    }
    if (memory.value && Date.now() - memory.at < KEEP_MS) return memory.value
    const mine = memory
    const value = load(services)
    Object.assign(mine, { at: Date.now(), value })
    value.catch(() => {
      if (mine.value === value) delete mine.value
    })
    return value
  }
}

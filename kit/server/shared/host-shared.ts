import type { Json, MinimalLogger, SharedStore } from './shared.ts'
import { silentLogger } from './shared.ts'
import { createSubscribers } from './subscribers.ts'

/** The way to the other processes of this machine. */
export type HostBus = {
  /** Resolves when all of them have heard, or when one does not answer in time. */
  tell: (channel: string, message: Json) => Promise<void>
  /** Who hears what the others tell. */
  onTold: (hear: (channel: string, message: Json) => void) => void
}

/**
 * `Shared` for one of several processes of a machine: what is published has been heard by all of them when `publish`
 * resolves, so that whoever changed something may ask any of them next. They hear it a second time with everybody else.
 */
export function createHostSharedStore(
  shared: SharedStore,
  near: HostBus,
  log: MinimalLogger = silentLogger,
): SharedStore {
  const subscribers = createSubscribers(log)
  near.onTold((channel, message) => subscribers.deliver(channel, message))
  return {
    ...shared,
    publish: async (channel, message) =>
      void (await Promise.all([shared.publish(channel, message), near.tell(channel, message)])),
    subscribe: async (channel, handler, onGap) => {
      const leave = subscribers.add(channel, handler)
      try {
        const unsubscribe = await shared.subscribe(channel, handler, onGap)
        return () => {
          leave()
          unsubscribe()
        }
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

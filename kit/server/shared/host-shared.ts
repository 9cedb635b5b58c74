import type { Json, SharedStore } from './shared.ts'
import { type MinimalLogger, silentLogger } from '../base/minimal-logger.ts'
import { createSubscribers } from './subscribers.ts'

/** Messages between the processes of this machine. */
export type HostBus = {
  /** Resolves when all other processes have received the message, or one has not answered in time. */
  tell: (channel: string, message: Json) => Promise<void>
  /** Sets the handler for messages of the others. */
  onTold: (handler: (channel: string, message: Json) => void) => void
}

/**
 * `SharedStore` for one of several processes of a machine: when `publish` resolves, all processes of the machine have
 * received the message, so that the next request may go to any of them. They receive it a second time through the
 * store.
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

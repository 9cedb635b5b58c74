import type { Json, Unsubscribe } from './shared.ts'
import type { MinimalLogger } from '../base/minimal-logger.ts'

type Subscriber = { handler: (message: Json) => void; onGap?: (() => void) | undefined }

/** Subscribers of this process by channel; a handler that throws is logged and does not affect the others. */
export function createSubscribers(log: MinimalLogger) {
  const byChannel = new Map<string, Set<Subscriber>>()

  function safely(channel: string, call: () => void) {
    try {
      call()
    } catch (err) {
      log.error({ err, channel }, 'A subscriber failed')
    }
  }

  return {
    add(channel: string, handler: (message: Json) => void, onGap?: () => void): Unsubscribe {
      const subscriber = { handler, onGap }
      const subscribers = byChannel.get(channel) ?? new Set()
      byChannel.set(channel, subscribers.add(subscriber))
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && byChannel.get(channel) === subscribers) byChannel.delete(channel)
      }
    },
    deliver(channel: string, message: Json) {
      for (const { handler } of byChannel.get(channel) ?? []) safely(channel, () => handler(message))
    },
    gap() {
      for (const [channel, subscribers] of byChannel) {
        for (const { onGap } of subscribers) if (onGap) safely(channel, onGap)
      }
    },
  }
}

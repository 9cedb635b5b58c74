import type { Json, SharedStore } from './index.ts'
import type { MinimalLogger } from '../base/minimal-logger.ts'

type Broadcasting = { shared: SharedStore; log: Pick<MinimalLogger, 'warn'> }

const AGAIN_MS = 1000

/**
 * Publishes a message that makes other processes drop cached data. Failures are only logged, as caches also expire by
 * themselves. Resolves once published, so that the caller's next request may go to another process.
 */
export function broadcastToProcesses(services: Broadcasting, channel: string, message: Json = 1): Promise<void> {
  return services.shared.publish(channel, message).catch((err: unknown) => {
    services.log.warn({ err, channel }, 'other processes could not be told')
  })
}

/**
 * Calls `forget` on every message of `channel`, and after a lost connection that may have missed one. If subscribing
 * fails, it calls `forget` and retries every second.
 */
export function onProcessBroadcast(services: Broadcasting, channel: string, invalidate: () => void): void {
  services.shared.subscribe(channel, invalidate, invalidate).catch((err: unknown) => {
    services.log.warn({ err, channel }, 'cannot listen to other processes yet')
    invalidate()
    setTimeout(() => onProcessBroadcast(services, channel, invalidate), AGAIN_MS).unref()
  })
}

import type { BaseServices } from './services.ts'
import type { Json } from './shared/index.ts'

const AGAIN_MS = 1000

/**
 * Tells all processes something their memories must know. What cannot be told is no reason to fail: memories also end
 * by themselves. Resolves when they have been told: whoever changed something may ask another process next.
 */
export function broadcastToProcesses(services: BaseServices, channel: string, message: Json = 1): Promise<void> {
  return services.shared.publish(channel, message).catch((err: unknown) => {
    services.log.warn({ err, channel }, 'other processes could not be told')
  })
}

/**
 * Calls `forget` when somebody tells of `channel`, and when a lost connection may have swallowed such a call. Where
 * nobody can be listened to yet, it forgets now and tries again.
 */
export function onProcessBroadcast(services: BaseServices, channel: string, forget: () => void): void {
  services.shared.subscribe(channel, forget, forget).catch((err: unknown) => {
    services.log.warn({ err, channel }, 'cannot listen to other processes yet')
    forget()
    setTimeout(() => onProcessBroadcast(services, channel, forget), AGAIN_MS).unref()
  })
}

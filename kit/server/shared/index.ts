import type { Pool } from 'pg'
import type { PostgresListener } from './listener.ts'
import { createHostSharedStore, type HostBus } from './host-shared.ts'
import { createPostgresSharedStore } from './postgres-shared.ts'
import { createRedisSharedStore } from './redis-shared.ts'
import type { MinimalLogger } from '../base/minimal-logger.ts'
import type { SharedStore } from './shared.ts'
import { createFallbackSharedStore } from './fallback-shared.ts'

export { defineGlobalSharedKey, tenantSharedKey } from './keys.ts'
export type { SharedKey } from './keys.ts'
export { createPostgresListener } from './listener.ts'
export type { PostgresListener } from './listener.ts'
export type { HostBus } from './host-shared.ts'
export { sharedTablesSql } from './postgres-shared.ts'
export type { Json, SharedStore } from './shared.ts'

type Options = {
  redisUrl?: string | undefined
  log?: MinimalLogger
  listener?: PostgresListener
  near?: HostBus | undefined
}

/** Creates the shared store: Redis if a URL is given, with the database as fallback; otherwise the database alone. */
export function createSharedStore(pool: Pool, { redisUrl, near, ...options }: Options = {}): SharedStore {
  const ours = createPostgresSharedStore(pool, options)
  const shared = redisUrl ? createFallbackSharedStore(createRedisSharedStore(redisUrl, options), ours, options) : ours
  return near ? createHostSharedStore(shared, near, options.log) : shared
}

import type { Pool } from 'pg'
import type { Listener } from './listener.ts'
import { createPostgresShared } from './postgres-shared.ts'
import { createRedisShared } from './redis-shared.ts'
import type { Reporter, Shared } from './shared.ts'

export { createListener } from './listener.ts'
export type { Listener } from './listener.ts'
export { sharedTablesSql } from './postgres-shared.ts'
export { silent } from './shared.ts'
export type { Json, Reporter, Shared, Unsubscribe } from './shared.ts'

type Options = { redisUrl?: string | undefined; log?: Reporter; listener?: Listener }

/** Redis when an address is given, the product's own database otherwise. */
export function createShared(pool: Pool, { redisUrl, ...options }: Options = {}): Shared {
  return redisUrl ? createRedisShared(redisUrl, options) : createPostgresShared(pool, options)
}

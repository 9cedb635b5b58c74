import type { Pool } from 'pg'
import type { Listener } from './listener.ts'
import { createHostShared, type HostBus } from './host-shared.ts'
import { createPostgresShared } from './postgres-shared.ts'
import { createRedisShared } from './redis-shared.ts'
import type { Reporter, Shared } from './shared.ts'
import { createFallbackShared } from './fallback-shared.ts'

export { keptForAll, keyOf } from './keys.ts'
export type { SharedKey } from './keys.ts'
export { createListener } from './listener.ts'
export type { Listener } from './listener.ts'
export type { HostBus } from './host-shared.ts'
export { sharedTablesSql } from './postgres-shared.ts'
export { silent } from './shared.ts'
export type { Json, Reporter, Shared } from './shared.ts'

type Options = { redisUrl?: string | undefined; log?: Reporter; listener?: Listener; near?: HostBus | undefined }

/**
 * Redis when an address is given, with the product's own database standing in while it is away; the database alone
 * otherwise.
 */
export function createShared(pool: Pool, { redisUrl, near, ...options }: Options = {}): Shared {
  const ours = createPostgresShared(pool, options)
  const shared = redisUrl ? createFallbackShared(createRedisShared(redisUrl, options), ours, options) : ours
  return near ? createHostShared(shared, near, options.log) : shared
}

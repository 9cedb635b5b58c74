import type { Pool } from 'pg'
import type { Listener } from './listener.ts'
import { createNearShared, type Near } from './host-shared.ts'
import { createPostgresShared } from './postgres-shared.ts'
import { createRedisShared } from './redis-shared.ts'
import type { Reporter, Shared } from './shared.ts'
import { createSteadyShared } from './fallback-shared.ts'

export { keptForAll, keyOf } from './keys.ts'
export type { SharedKey } from './keys.ts'
export { createListener } from './listener.ts'
export type { Listener } from './listener.ts'
export type { Near } from './host-shared.ts'
export { sharedTablesSql } from './postgres-shared.ts'
export { silent } from './shared.ts'
export type { Json, Reporter, Shared } from './shared.ts'

type Options = { redisUrl?: string | undefined; log?: Reporter; listener?: Listener; near?: Near | undefined }

/**
 * Redis when an address is given, with the product's own database standing in while it is away; the database alone
 * otherwise.
 */
export function createShared(pool: Pool, { redisUrl, near, ...options }: Options = {}): Shared {
  const ours = createPostgresShared(pool, options)
  const shared = redisUrl ? createSteadyShared(createRedisShared(redisUrl, options), ours, options) : ours
  return near ? createNearShared(shared, near, options.log) : shared
}

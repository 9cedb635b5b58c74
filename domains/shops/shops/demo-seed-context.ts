import type { Random } from '#kit/server/base/random.ts'
import type { Services } from '#kit/server/module/services.ts'

/** Context for seeding a part of the demo data in one tenant; the `db` passed with it is bound to that tenant. */
export type DemoSeedContext = {
  services: Services
  now: Date
  /** Random generator of this part with a fixed seed, so that the data is always the same. */
  random: Random
  /** Days of history. */
  days: number
  shops: readonly { shopId: string; code: string; bossUserId: string }[]
  /** User ids of the demo people by account. */
  users: ReadonlyMap<string, string>
}

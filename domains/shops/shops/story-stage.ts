import type { Random } from '#kit/server/random.ts'
import type { Services } from '#kit/server/services.ts'

/** What a later part of the demo story is told with, one tenant at a time; `db` beside it is bound to that tenant. */
export type StorySeedContext = {
  services: Services
  now: Date
  /** A generator of the part's own, from the story's fixed seed: the same every time. */
  random: Random
  /** Days of history there are. */
  days: number
  shops: readonly { shopId: string; code: string; bossUserId: string }[]
  /** Ids of the cast by account. */
  users: ReadonlyMap<string, string>
}

import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json, SharedStore } from './shared.ts'

/** Milliseconds the first store is not used after a failure, so that not every call waits for it. */
const restMs = 1_000

type Options = { log?: MinimalLogger; now?: () => number }

/** Chooses between the two stores and records failures. */
function createStoreSwitch(first: SharedStore, standIn: SharedStore, { log = silentLogger, now = Date.now }: Options) {
  let restUntil = 0
  let isAway = false

  function note(err?: unknown) {
    if (err) restUntil = now() + restMs
    if (isAway === Boolean(err)) return
    isAway = Boolean(err)
    if (err) log.warn({ err }, 'The shared store is away; the database stands in')
    else log.info({}, 'The shared store is back')
  }

  async function either<T>(work: (store: SharedStore) => Promise<T>): Promise<T> {
    if (now() >= restUntil) {
      try {
        const answer = await work(first)
        note()
        return answer
      } catch (err) {
        note(err)
      }
    }
    return work(standIn)
  }

  async function both(work: (store: SharedStore) => Promise<unknown>): Promise<void> {
    const quick = now() >= restUntil ? work(first) : Promise.reject(new Error('resting'))
    const [fast, safe] = await Promise.allSettled([quick, work(standIn)])
    if (fast.status === 'rejected' && now() >= restUntil) note(fast.reason)
    if (safe.status === 'rejected' && fast.status === 'rejected') throw safe.reason
  }

  const found = async (look: (store: SharedStore) => Promise<Json | undefined>) =>
    (await either(look)) ?? (isAway ? undefined : look(standIn))

  return { either, both, found, note, isAway: () => isAway }
}

/**
 * A fast store with a fallback for when it is away, so that sign-in does not depend on a cache. Messages are always
 * sent through both, so that a process that lost one still gets them. Values for one use are looked up in both, as
 * another process may have stored them in the other. A counter may restart with an outage, so a limit may allow twice
 * as many tries.
 */
export function createFallbackSharedStore(
  first: SharedStore,
  standIn: SharedStore,
  options: Options = {},
): SharedStore {
  const { either, both, found, note, isAway } = createStoreSwitch(first, standIn, options)

  return {
    publish: (channel, message) => both((store) => store.publish(channel, message)),
    async subscribe(channel, handler, onGap) {
      let isOver = false
      // Not awaited: a store that is down at start is subscribed to when it returns, and `onGap` makes the subscriber
      // reload.
      const later = first.subscribe(channel, handler, onGap).then(
        (unsubscribe) => {
          if (isOver) unsubscribe()
          else onGap?.()
          return unsubscribe
        },
        (err: unknown) => void note(err),
      )
      const unsubscribe = await standIn.subscribe(channel, handler, onGap)
      return () => {
        isOver = true
        unsubscribe()
        void later.then((end) => end?.())
      }
    },
    increment: (key, windowSeconds, kind) => either((store) => store.increment(key, windowSeconds, kind)),
    count: (key) => either((store) => store.count(key)),
    forget: (key) => both((store) => store.forget(key)),
    put: (key, value, ttlSeconds) => either((store) => store.put(key, value, ttlSeconds)),
    claim: (key, value, ttlSeconds) => either((store) => store.claim(key, value, ttlSeconds)),
    take: (key) => found((store) => store.take(key)),
    read: (key) => found((store) => store.read(key)),
    ping: () => standIn.ping(),
    isStandingIn: isAway,
    async close() {
      await Promise.all([first.close(), standIn.close()])
    },
  }
}

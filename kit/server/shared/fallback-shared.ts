import { silentLogger } from './shared.ts'
import type { Json, MinimalLogger, SharedStore } from './shared.ts'

/** After a failure the first store is left alone for so long: nobody waits for it call by call. */
const restMs = 1_000

type Options = { log?: MinimalLogger; now?: () => number }

/** Which of the two stores is asked, and what to make of a failure. */
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
 * A fast store, and another that stands in while the first is away, so that nobody is kept from signing in or out by a
 * cache. Messages go both ways always: a process that has lost one of them still hears what it must forget. What is
 * kept for one use is looked for in both, since another process may have put it where this one does not look. A counter
 * may begin anew with an outage: a limit holds within each store, so somebody gets at most twice as many tries.
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
      // Not waited for: a store that is away at the start is listened to when it comes, and what was missed is read
      // anew.
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Limits the requests one process works on at once. More are refused before anything is read or queried for them:
 * refusing is cheap, and accepted requests are answered in time.
 */
type LoadShedder = {
  /**
   * Admits a request of `key`; returns a function to call when it is answered (repeated calls do no harm). Returns
   * undefined if the request is refused.
   */
  admit: (key: string) => (() => void) | undefined
  /** Whether `admit` would accept a request now. */
  isWelcome: (key: string) => boolean
  /**
   * Milliseconds to delay the refusal of a request: 0 at first, more for a key with many refusals, as a client that
   * retries at once would keep the process busy with refusals.
   */
  holdMs: (key: string) => number
  /** Number of admitted requests not yet answered. */
  inside: () => number
}

/** The share of places one key may hold while others have none. */
const MOST_OF_ONE = 0.75
const HOLD_MAX_MS = 2000
/** Refusals of one key per second that are sent without delay. */
const REFUSED_AT_ONCE = 50

/**
 * Creates a load shedder for `places` requests at once. One key alone gets at most three quarters. When all places are
 * taken, keys with less than an equal share are still admitted, so a burst only displaces itself.
 */
export function createLoadShedder(places: number, clock: () => number = () => performance.now()): LoadShedder {
  const most = Math.max(1, Math.floor(places * MOST_OF_ONE))
  const held = new Map<string, number>()
  const refused = new Map<string, number>()
  let second = 0
  let total = 0

  const isWelcome = (key: string): boolean => {
    const mine = held.get(key) ?? 0
    if (total < places) return mine < most
    return total < places * 2 && mine < Math.max(1, Math.floor(places / (held.size + (mine ? 0 : 1))))
  }

  return {
    isWelcome,
    inside: () => total,
    holdMs: (key) => {
      const now = Math.floor(clock() / 1000)
      if (now !== second) {
        // Halve the counts each second instead of resetting them, so that a continuing burst stays slowed down.
        for (const [one, count] of refused) {
          const left = count >> Math.min(now - second, 30)
          if (left) refused.set(one, left)
          else refused.delete(one)
        }
        second = now
      }
      const count = (refused.get(key) ?? 0) + 1
      refused.set(key, count)
      return count <= REFUSED_AT_ONCE ? 0 : Math.min(count, HOLD_MAX_MS)
    },
    admit: (key) => {
      if (!isWelcome(key)) return undefined
      total++
      held.set(key, (held.get(key) ?? 0) + 1)
      let isInside = true
      return () => {
        if (!isInside) return
        isInside = false
        total--
        const left = held.get(key)! - 1
        if (left) held.set(key, left)
        else held.delete(key)
      }
    },
  }
}

type Shedding = {
  /** Requests at once. */
  places: number
  /** Key of a request: its tenant or client address. */
  keyOf: (request: FastifyRequest) => string
  refuse: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Paths that are never refused: health checks, which matter most under load, and event streams, which stay open. */
const NEVER_SHED = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/health/parts', '/api/live'])

/**
 * Refuses requests below `/api` while this process has more than it can answer in time, first those of the busiest key.
 * A request holds its place only while it is worked on, not while its body arrives or its answer is sent, so slow
 * clients take nothing from others.
 */
export function installLoadShedding(app: FastifyInstance, { places, keyOf, refuse }: Shedding): void {
  const door = createLoadShedder(places)
  const keys = new WeakMap<FastifyRequest, string>()
  const inside = new WeakMap<FastifyRequest, () => void>()

  const turnAway = (key: string, request: FastifyRequest, reply: FastifyReply) => {
    const holdMs = door.holdMs(key)
    if (!holdMs) return refuse(request, reply)
    setTimeout(() => !reply.raw.destroyed && refuse(request, reply), holdMs).unref()
  }
  app.addHook('onRequest', (request, reply, done) => {
    const pattern = request.routeOptions.url
    if (!pattern?.startsWith('/api/') || NEVER_SHED.has(pattern)) return done()
    const key = keyOf(request)
    if (!door.isWelcome(key)) return turnAway(key, request, reply)
    keys.set(request, key)
    return done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    const key = keys.get(request)
    if (key === undefined) return done()
    const leave = door.admit(key)
    if (!leave) return turnAway(key, request, reply)
    inside.set(request, leave)
    reply.raw.once('close', leave)
    return done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    inside.get(request)?.()
    done(null, payload)
  })
}

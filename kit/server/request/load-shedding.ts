import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * How many calls one process works on at once. What comes beyond that is turned away at the door, before anything is
 * read or asked for it: turning away costs a fraction of what letting everybody wait costs, and those who are let in
 * are answered in time.
 */
type LoadShedder = {
  /**
   * Lets a call of `key` in and answers what is to be called when it has its answer (more than once does no harm), or
   * turns it away: undefined.
   */
  admit: (key: string) => (() => void) | undefined
  /** Whether `admit` would let a call in now. */
  isWelcome: (key: string) => boolean
  /**
   * How many milliseconds to keep back the refusal of a call that was turned away. None at first; who asks again at
   * once a thousand times would otherwise take the process with refusals alone.
   */
  holdMs: (key: string) => number
  /** Calls that were let in and have no answer yet. */
  inside: () => number
}

/** The share of places one key may hold while others have none. */
const MOST_OF_ONE = 0.75
const HOLD_MAX_MS = 2000
/** Refusals of one key in a second that are answered at once. */
const REFUSED_AT_ONCE = 50

/**
 * A door for `places` calls at once. One key alone gets three quarters of them; when all are taken, whoever holds less
 * than an equal share is still let in, so that a rush of one turns only itself away.
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
        // Half of it stays: a rush does not begin anew with every second.
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
  /** Calls at once. */
  places: number
  /** Who is turned away together: a tenant, an address. */
  keyOf: (request: FastifyRequest) => string
  refuse: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Asked by machines that must hear how it is just when there is a rush, and what stays open on purpose. */
const NEVER_SHED = new Set(['/api/health', '/api/health/live', '/api/health/ready', '/api/health/parts', '/api/live'])

/**
 * Turns calls of routes below `/api` away while this process has more at once than it can answer in time, the rushing
 * key's first. A call holds its place while it is worked on, not while its body comes or its answer goes: who sends and
 * reads slowly takes nothing from others.
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

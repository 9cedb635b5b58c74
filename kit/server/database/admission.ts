/**
 * Who gets a database connection next when all are taken. Nobody waits for ever, one tenant's rush leaves the others
 * served, and slow writes leave connections to those who only look.
 */

/** What a connection is wanted for: looking and changing do not queue behind each other. */
export type Lane = 'read' | 'write'

type Wish = { tenantId: string; lane: Lane; patienceMs: number }

/** All connections are taken and the wait would be too long; nothing was done. */
export class Crowded extends Error {
  override name = 'Crowded'
}

export type Gate = {
  /** Resolves with what gives the place back, once; refuses with `Crowded` when the queue is full or patience ends. */
  enter: (wish: Wish) => Promise<() => void>
  waiting: () => number
  /** While shut, who asks and who waits is refused at once with `why`; undefined opens it again. */
  shut: (why: Error | undefined) => void
}

type Waiter = Wish & { admit: () => void; refuse: (why: Error) => void }

const QUEUE_PER_PLACE = 32
/** The share of places that neither one tenant nor one lane may take. */
const KEPT_FREE = 4

/** What of so many places may be taken, and by whom it is taken. */
function createPlaces(places: number) {
  const most = places >= KEPT_FREE ? places - Math.floor(places / KEPT_FREE) : places
  // Of what one lane may take, a tenant leaves some: else its slow writes would be everybody's.
  const mostOfLane = Math.max(1, most - Math.max(1, Math.floor(most / KEPT_FREE)))
  const held = { total: 0, read: 0, write: 0, tenants: new Map<string, Record<Lane, number>>() }

  const lanesOf = (tenantId: string) => held.tenants.get(tenantId) ?? { read: 0, write: 0 }
  const of = (tenantId: string) => lanesOf(tenantId).read + lanesOf(tenantId).write

  return {
    of,
    fits: ({ tenantId, lane }: Wish) =>
      held.total < places && held[lane] < most && of(tenantId) < most && lanesOf(tenantId)[lane] < mostOfLane,
    count: ({ tenantId, lane }: Wish, change: 1 | -1): void => {
      held.total += change
      held[lane] += change
      const lanes = lanesOf(tenantId)
      held.tenants.set(tenantId, { ...lanes, [lane]: lanes[lane] + change })
      if (!of(tenantId)) held.tenants.delete(tenantId)
    },
  }
}

/** When the queue is full, the tenant with most waiting loses its latest: a rush turns itself away first. */
function makeRoom(waiters: ReadonlySet<Waiter>, wish: Wish): boolean {
  const counts = new Map<string, number>([[wish.tenantId, 1]])
  for (const { tenantId } of waiters) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  const most = Math.max(...counts.values())
  if (counts.get(wish.tenantId) === most) return false
  const last = [...waiters].findLast(({ tenantId }) => counts.get(tenantId) === most)!
  last.refuse(new Crowded('others were waiting for fewer'))
  return true
}

/** A place in the queue, until somebody admits or refuses it or its patience ends. */
const wait = (waiters: Set<Waiter>, wish: Wish, take: (wish: Wish) => () => void): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      waiters.delete(waiter)
    }
    const waiter: Waiter = {
      ...wish,
      admit: () => {
        leave()
        resolve(take(wish))
      },
      refuse: (why) => {
        leave()
        reject(why)
      },
    }
    const timer = setTimeout(() => waiter.refuse(new Crowded('no database connection in time')), wish.patienceMs)
    waiters.add(waiter)
  })

/** A gate before `places` connections. */
export function createGate(places: number): Gate {
  const queueMax = places * QUEUE_PER_PLACE
  const { of, fits, count } = createPlaces(places)
  const waiters = new Set<Waiter>()
  let shutBy: Error | undefined

  function take(wish: Wish): () => void {
    count(wish, 1)
    let isBack = false
    return () => {
      if (isBack) return
      isBack = true
      count(wish, -1)
      admitNext()
    }
  }

  /** Whoever fits and whose tenant holds the fewest places; among equals who came first. */
  function admitNext(): void {
    if (!waiters.size) return
    let next: Waiter | undefined
    for (const waiter of waiters) {
      if (fits(waiter) && (!next || of(waiter.tenantId) < of(next.tenantId))) next = waiter
    }
    next?.admit()
  }

  return {
    waiting: () => waiters.size,
    shut: (why) => {
      shutBy = why
      if (why) for (const waiter of waiters) waiter.refuse(why)
    },
    enter: (wish) => {
      if (shutBy) return Promise.reject(shutBy)
      if (fits(wish)) return Promise.resolve(take(wish))
      if (waiters.size >= queueMax && !makeRoom(waiters, wish))
        return Promise.reject(new Crowded('the queue for database connections is full'))
      return wait(waiters, wish, take)
    },
  }
}

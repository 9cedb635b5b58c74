/**
 * Decides who gets the next database connection when all are taken. No wait is unbounded, one tenant's burst leaves
 * connections to the others, and slow writes leave connections to reads.
 */
import { setImmediate } from 'node:timers'
import type { AccessMode } from '../base/trace.ts'

type AcquireRequest = {
  tenantId: string
  lane: AccessMode
  acquireTimeoutMs: number
  isSharing?: true
  /** No person waits for it: device messages, jobs, seeds. */
  isOfMachines?: boolean
}

/** Request for a connection that several short reads share. */
type SharedAcquireRequest = Omit<AcquireRequest, 'lane' | 'isSharing'>

/** All connections are taken and the wait would be too long; nothing was done. */
export class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
}

export type AdmissionControl = {
  /**
   * Waits for a place. Resolves with a function that releases it. Throws `PoolExhaustedError` if the queue is full or
   * the request's time limit passes.
   */
  enter: (request: AcquireRequest) => Promise<() => void>
  /**
   * Waits for a place that up to `SHARED_READS_MAX` short reads share: those requested in the same event-loop turn and
   * those waiting when a place is free, tenants in turn. Throws like `enter`.
   */
  share: (request: SharedAcquireRequest) => Promise<SharedPermit>
  waiting: () => number
  /** Shuts the gate: waiting and new requests are refused with `why`. `undefined` opens it again. */
  shut: (why: Error | undefined) => void
}

/**
 * A share of a place; `place` is the same object for all sharers. Each calls `leave` once; the last one runs its `last`
 * before others get the place.
 */
type SharedPermit = { readonly place: object; leave: (last?: () => void) => void }

type WaitingRequest = AcquireRequest & { admit: (place: Permit) => void; refuse: (why: Error) => void }

const QUEUE_PER_PLACE = 32
/** One in so many places is reserved: neither one tenant nor all reads or all writes together may take those. */
const RESERVED_SHARE = 4
/** Most reads on one shared connection: with more, the last ones wait for the answers of all others. */
const SHARED_READS_MAX = 8
/**
 * Machines may take one in so many places; the others stay free for people, however many gateways reconnect at once.
 */
const MACHINES_PART = 2
/** One in so many places may be shared; the first shared reads are spread over these. */
const SHARED_PART = 3

type Places = ReturnType<typeof createPermits>
type Queue = ReturnType<typeof createQueue>

/** Counts the places taken by tenant and kind, and decides whether another may be taken. */
function createPermits(places: number) {
  const most = places >= RESERVED_SHARE ? places - Math.floor(places / RESERVED_SHARE) : places
  // A tenant may not use all places of a mode, or its slow writes would use up everybody's.
  const mostOfLane = Math.max(1, most - Math.max(1, Math.floor(most / RESERVED_SHARE)))
  const sharedMost = Math.max(1, Math.floor(places / SHARED_PART))
  const machinesMost = Math.max(1, Math.floor(places / MACHINES_PART))
  const held = {
    total: 0,
    shared: 0,
    machines: 0,
    read: 0,
    write: 0,
    tenants: new Map<string, Record<AccessMode | 'machines', number>>(),
  }

  const lanesOf = (tenantId: string) => held.tenants.get(tenantId) ?? { read: 0, write: 0, machines: 0 }
  /** Places the tenant holds of the same kind: machines' places for a machine, people's otherwise. */
  const of = ({ tenantId, isOfMachines }: Pick<AcquireRequest, 'tenantId' | 'isOfMachines'>) => {
    const { read, write, machines } = lanesOf(tenantId)
    return isOfMachines ? machines : read + write
  }

  /** Whether the tenant may take another place. Machines' and people's places are counted separately. */
  const withinTenantShare = (request: AcquireRequest) =>
    request.isOfMachines
      ? of(request) < machinesMost
      : of(request) < most && lanesOf(request.tenantId)[request.lane] < mostOfLane

  return {
    of,
    mayHold: withinTenantShare,
    fits: (request: AcquireRequest) =>
      !(request.isSharing && held.shared >= sharedMost) &&
      held.total < places &&
      (request.isOfMachines ? held.machines < machinesMost : held[request.lane] < most) &&
      withinTenantShare(request),
    count: ({ tenantId, lane, isOfMachines, isSharing }: AcquireRequest, change: 1 | -1): void => {
      const kind = isOfMachines ? 'machines' : lane
      held.total += change
      held[kind] += change
      if (isSharing) held.shared += change
      const lanes = lanesOf(tenantId)
      held.tenants.set(tenantId, { ...lanes, [kind]: lanes[kind] + change })
      if (!Object.values(lanesOf(tenantId)).some(Boolean)) held.tenants.delete(tenantId)
    },
    /** How many of the waiting sharers each free shared place takes. */
    partOf: (sharers: number) => Math.min(SHARED_READS_MAX, Math.ceil(sharers / (sharedMost - held.shared))),
  }
}

/** A taken place, counted for its first holder's request until all its holders have left. */
class Permit {
  #holders = 0
  readonly #owner: AcquireRequest
  readonly #counts: Pick<Places, 'count'>
  readonly #admitNext: () => void

  constructor(owner: AcquireRequest, counts: Pick<Places, 'count'>, admitNext: () => void) {
    this.#owner = owner
    this.#counts = counts
    this.#admitNext = admitNext
    counts.count(owner, 1)
  }

  /** Adds a holder. */
  hold(): SharedPermit {
    this.#holders++
    let isBack = false
    return {
      place: this,
      leave: (last) => {
        if (isBack) return
        isBack = true
        if (--this.#holders) return
        last?.()
        this.#counts.count(this.#owner, -1)
        this.#admitNext()
      },
    }
  }
}

/** The queue of requests that wait for a place. */
function createQueue(places: number) {
  const most = places * QUEUE_PER_PLACE
  const waiters = new Set<WaitingRequest>()
  const isFull = () => waiters.size >= most

  /**
   * Makes room in a full queue: refuses the latest request of the tenant with most waiting, so that a burst displaces
   * itself.
   */
  function shedLongestQueue({ tenantId: own }: AcquireRequest): void {
    const counts = new Map<string, number>([[own, 1]])
    for (const { tenantId } of waiters) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
    const longest = Math.max(...counts.values())
    if (counts.get(own) === longest) throw new PoolExhaustedError('the queue for database connections is full')
    const last = [...waiters].findLast(({ tenantId }) => counts.get(tenantId) === longest)!
    last.refuse(new PoolExhaustedError('others were waiting for fewer'))
  }

  return {
    waiters: waiters as ReadonlySet<WaitingRequest>,
    isFull,
    /** Waits until the request is admitted or refused, or its time limit passes. */
    wait: (request: AcquireRequest): Promise<SharedPermit> =>
      new Promise((resolve, reject) => {
        if (isFull()) shedLongestQueue(request)
        const leave = () => {
          clearTimeout(timer)
          waiters.delete(waiter)
        }
        const waiter: WaitingRequest = {
          ...request,
          admit: (place) => {
            leave()
            resolve(place.hold())
          },
          refuse: (why) => {
            leave()
            reject(why)
          },
        }
        const timer = setTimeout(
          () => waiter.refuse(new PoolExhaustedError('no database connection in time')),
          request.acquireTimeoutMs,
        )
        waiters.add(waiter)
      }),
    /**
     * Returns the next request that `may` be admitted: of the tenant that holds the fewest places, first come first
     * served.
     */
    next: (
      may: (waiter: WaitingRequest) => boolean,
      held: (waiter: WaitingRequest) => number,
    ): WaitingRequest | undefined => {
      let found: WaitingRequest | undefined
      for (const waiter of waiters) if (may(waiter) && (!found || held(waiter) < held(found))) found = waiter
      return found
    },
  }
}

/** Admits waiting requests: one for each place, or several at once for a shared place. */
function createDispatcher(taken: Places, { waiters, next }: Queue) {
  const { of, fits, mayHold: withinTenantShare, partOf } = taken

  const enter = (request: AcquireRequest): Permit => new Permit(request, taken, admitNext)

  function admitNext(): boolean {
    const first = waiters.size ? next(fits, of) : undefined
    if (!first) return false
    if (first.isSharing) fill(first)
    else first.admit(enter(first))
    return true
  }

  /** Fills a shared place, tenants in turn; only with tenants that could take a place of their own. */
  function fill(first: WaitingRequest): void {
    const part = partOf([...waiters].filter(({ isSharing }) => isSharing).length)
    const place = enter(first)
    const filled = new Map<string, number>()
    const held = (waiter: WaitingRequest) => of(waiter) + (filled.get(waiter.tenantId) ?? 0)
    const mayShare = (one: WaitingRequest) =>
      !!one.isSharing && (one.tenantId === first.tenantId || withinTenantShare(one))
    for (let sharer: WaitingRequest | undefined = first, number = 0; sharer && number < part; number++) {
      filled.set(sharer.tenantId, (filled.get(sharer.tenantId) ?? 0) + 1)
      sharer.admit(place)
      sharer = next(mayShare, held)
    }
  }

  return { enter, admitNext }
}

/** Creates the admission control for `places` connections. */
export function createAdmissionControl(places: number): AdmissionControl {
  const taken = createPermits(places)
  const queue = createQueue(places)
  const { enter, admitNext } = createDispatcher(taken, queue)
  let shutBy: Error | undefined
  let isGathering = false

  /** Admits sharers only after all requests of this event-loop turn have arrived, so that they share. */
  function gather(): void {
    if (queue.isFull()) admitAll()
    if (isGathering) return
    isGathering = true
    setImmediate(() => {
      isGathering = false
      admitAll()
    })
  }

  const admitAll = (): void => {
    while (admitNext());
  }

  return {
    waiting: () => queue.waiters.size,
    shut: (why) => {
      shutBy = why
      if (why) for (const waiter of queue.waiters) waiter.refuse(why)
    },
    enter: async (request) => {
      if (shutBy) throw shutBy
      const held = taken.fits(request) ? enter(request).hold() : await queue.wait(request)
      return () => held.leave()
    },
    share: async (request) => {
      if (shutBy) throw shutBy
      gather()
      return queue.wait({ ...request, lane: 'read', isSharing: true })
    },
  }
}

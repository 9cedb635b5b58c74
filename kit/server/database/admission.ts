import { setImmediate } from 'node:timers'

/**
 * Who gets a database connection next when all are taken. Nobody waits for ever, one tenant's rush leaves the others
 * served, and slow writes leave connections to those who only look.
 */

/** What a connection is wanted for: looking and changing do not queue behind each other. */
export type AccessMode = 'read' | 'write'

type AcquireRequest = {
  tenantId: string
  lane: AccessMode
  acquireTimeoutMs: number
  isSharing?: true
  /** Nobody waits for it: messages of devices, jobs, seeds. */
  isOfMachines?: boolean
}

/** What a connection may be wanted for together with others: short readings. */
type SharedAcquireRequest = Omit<AcquireRequest, 'lane' | 'isSharing'>

/** All connections are taken and the wait would be too long; nothing was done. */
export class PoolExhaustedError extends Error {
  override name = 'PoolExhaustedError'
}

export type AdmissionControl = {
  /**
   * Resolves with what gives the place back, once; refuses with `PoolExhaustedError` when the queue is full or patience
   * ends.
   */
  enter: (wish: AcquireRequest) => Promise<() => void>
  /**
   * Resolves with a place that up to `SHARED_READS_MAX` have together: those who ask while the process reads what has
   * come in, and those who wait when a place becomes free, by the same turns. Refuses as `enter` does.
   */
  share: (wish: SharedAcquireRequest) => Promise<SharedPermit>
  waiting: () => number
  /** While shut, who asks and who waits is refused at once with `why`; undefined opens it again. */
  shut: (why: Error | undefined) => void
}

/**
 * The same `place` for all who share it. Each leaves once, and the last does `last` before others get the place.
 * `alone` is said by who takes long: the place is his tenant's from then on, and another one is shared in its stead.
 */
type SharedPermit = { readonly place: object; leave: (last?: () => void) => void; alone: () => void }

type WaitingRequest = AcquireRequest & { admit: (place: Permit) => void; refuse: (why: Error) => void }

const QUEUE_PER_PLACE = 32
/** The share of places that neither one tenant nor one lane may take. */
const RESERVED_SHARE = 4
/** More at once make those at the end wait for answers that come one after the other. */
const SHARED_READS_MAX = 8
/**
 * The share of places that work nobody waits for may take: the others are people's, however many gateways come back at
 * once.
 */
const MACHINES_PART = 2
/** One in so many places may be shared; the first to ask are spread over them. */
const SHARED_PART = 3

type Places = ReturnType<typeof createPermits>
type Queue = ReturnType<typeof createQueue>

/** What of so many places may be taken, and by whom it is taken. */
function createPermits(places: number) {
  const most = places >= RESERVED_SHARE ? places - Math.floor(places / RESERVED_SHARE) : places
  // Of what one lane may take, a tenant leaves some: else its slow writes would be everybody's.
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
  /** How many places the tenant has for people, or for machines, whichever asks. */
  const of = ({ tenantId, isOfMachines }: Pick<AcquireRequest, 'tenantId' | 'isOfMachines'>) => {
    const { read, write, machines } = lanesOf(tenantId)
    return isOfMachines ? machines : read + write
  }

  /** Whether the tenant holds fewer places than it may; its devices take nothing from its people. */
  const withinTenantShare = (wish: AcquireRequest) =>
    wish.isOfMachines ? of(wish) < machinesMost : of(wish) < most && lanesOf(wish.tenantId)[wish.lane] < mostOfLane

  return {
    of,
    mayHold: withinTenantShare,
    fits: (wish: AcquireRequest) =>
      !(wish.isSharing && held.shared >= sharedMost) &&
      held.total < places &&
      (wish.isOfMachines ? held.machines < machinesMost : held[wish.lane] < most) &&
      withinTenantShare(wish),
    count: ({ tenantId, lane, isOfMachines }: AcquireRequest, change: 1 | -1): void => {
      const kind = isOfMachines ? 'machines' : lane
      held.total += change
      held[kind] += change
      const lanes = lanesOf(tenantId)
      held.tenants.set(tenantId, { ...lanes, [kind]: lanes[kind] + change })
      if (!Object.values(lanesOf(tenantId)).some(Boolean)) held.tenants.delete(tenantId)
    },
    countShared: (change: 1 | -1): void => void (held.shared += change),
    /** How many of so many each of the free shared places gets. */
    partOf: (sharers: number) => Math.min(SHARED_READS_MAX, Math.ceil(sharers / (sharedMost - held.shared))),
  }
}

/** A taken place, until all who hold it have left. */
class Permit {
  #holders = 0
  /** Whose place it is: the first one's, or of who takes long. */
  #owner: AcquireRequest
  #isShared: boolean
  readonly #counts: Pick<Places, 'count' | 'countShared'>
  readonly #admitNext: () => void

  constructor(owner: AcquireRequest, counts: Pick<Places, 'count' | 'countShared'>, admitNext: () => void) {
    this.#owner = owner
    this.#isShared = !!owner.isSharing
    this.#counts = counts
    this.#admitNext = admitNext
    counts.count(owner, 1)
    if (this.#isShared) counts.countShared(1)
  }

  /** Takes a part in it. */
  hold(wish: AcquireRequest): SharedPermit {
    this.#holders++
    let isBack = false
    return {
      place: this,
      leave: (last) => {
        if (isBack) return
        isBack = true
        if (--this.#holders) return
        last?.()
        this.#unshare()
        this.#counts.count(this.#owner, -1)
        this.#admitNext()
      },
      alone: () => {
        if (isBack || !this.#unshare()) return
        this.#counts.count(this.#owner, -1)
        this.#counts.count((this.#owner = wish), 1)
        this.#admitNext()
      },
    }
  }

  #unshare(): boolean {
    if (!this.#isShared) return false
    this.#isShared = false
    this.#counts.countShared(-1)
    return true
  }
}

/** Who waits for one of so many places. */
function createQueue(places: number) {
  const most = places * QUEUE_PER_PLACE
  const waiters = new Set<WaitingRequest>()
  const isFull = () => waiters.size >= most

  /** When the queue is full, the tenant with most waiting loses its latest: a rush turns itself away first. */
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
    /** A place in the queue, until somebody admits or refuses it or its patience ends. */
    wait: (wish: AcquireRequest): Promise<SharedPermit> =>
      new Promise((resolve, reject) => {
        if (isFull()) shedLongestQueue(wish)
        const leave = () => {
          clearTimeout(timer)
          waiters.delete(waiter)
        }
        const waiter: WaitingRequest = {
          ...wish,
          admit: (place) => {
            leave()
            resolve(place.hold(wish))
          },
          refuse: (why) => {
            leave()
            reject(why)
          },
        }
        const timer = setTimeout(
          () => waiter.refuse(new PoolExhaustedError('no database connection in time')),
          wish.acquireTimeoutMs,
        )
        waiters.add(waiter)
      }),
    /** Of those who may, whose tenant holds the fewest places; among equals who came first. */
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

/** Admits those who wait, one place after the other, and the sharers of one together. */
function createDispatcher(taken: Places, { waiters, next }: Queue) {
  const { of, fits, mayHold: withinTenantShare, partOf } = taken

  const enter = (wish: AcquireRequest): Permit => new Permit(wish, taken, admitNext)

  function admitNext(): boolean {
    const first = waiters.size ? next(fits, of) : undefined
    if (!first) return false
    if (first.isSharing) fill(first)
    else first.admit(enter(first))
    return true
  }

  /** In turns by tenant, and nobody whose tenant could not have the place for itself. */
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

/** A gate before `places` connections. */
export function createAdmissionControl(places: number): AdmissionControl {
  const taken = createPermits(places)
  const queue = createQueue(places)
  const { enter, admitNext } = createDispatcher(taken, queue)
  let shutBy: Error | undefined
  let isGathering = false

  /** Those who share are admitted when all that has come in by now has been read. */
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
    enter: async (wish) => {
      if (shutBy) throw shutBy
      const held = taken.fits(wish) ? enter(wish).hold(wish) : await queue.wait(wish)
      return () => held.leave()
    },
    share: async (wish) => {
      if (shutBy) throw shutBy
      gather()
      return queue.wait({ ...wish, lane: 'read', isSharing: true })
    },
  }
}

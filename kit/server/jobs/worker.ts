import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createListener, silent } from '../shared/index.ts'
import type { Listener, Reporter } from '../shared/index.ts'
import { jobChannel, JobGivesWay, JobRefused } from './job.ts'
import type { JobDefinition } from './job.ts'
import { createLedger, leaseOf, retryDelay } from './ledger.ts'
import type { ClaimedJob } from './ledger.ts'
import { createScheduler } from './schedule.ts'

export type JobWorker = {
  start(): Promise<void>
  /** Takes nothing new, waits for what runs, and after `graceMs` breaks it off and gives it back. */
  stop(graceMs?: number): Promise<void>
  /** Fires due schedules and runs due jobs until none is left: for tests and commands, without `start`. */
  runDue(): Promise<void>
  state(): { running: number; started: boolean }
}

export type JobWorkerOptions = {
  pool: Pool
  jobs: JobDefinition[]
  listener?: Listener
  log?: Reporter
  now?: () => Date
  leaseMs?: number
  pollMs?: number
  /** How long a run of work that takes turns goes on while others wait. */
  turnMs?: number
}

class JobTimedOut extends Error {
  override name = 'JobTimedOut'
}

const concurrencyDefault = 2
const timeoutSecondsDefault = 15 * 60
const sweepMs = 60 * 60_000
/** So often a run whose turn is over looks whether others wait. */
const lookAgainMs = 1_000
/** Tenants whose turns are remembered: more than ever have long work waiting at once. */
const tenantsRemembered = 1_000

/** Runs the jobs of these definitions; any number of processes may do so side by side. */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { pool, log = silent, now, leaseMs = 20_000, pollMs = 2_000, turnMs = 30_000 } = options
  const definitions = new Map(options.jobs.map((job) => [job.queue, job]))
  if (definitions.size < options.jobs.length) throw new Error('Two job definitions have the same queue')
  const ledger = createLedger(pool, randomUUID(), leaseMs, now)
  const scheduler = createScheduler(pool, options.jobs, now)
  const listener = options.listener ?? createListener(pool, log)
  const running = new Map<string, { job: ClaimedJob; abort: AbortController; finished: Promise<void> }>()
  const filling = new Map<string, Promise<void>>()
  const wanted = new Set<string>()
  const served = new Map<string, string[]>()
  const timers: NodeJS.Timeout[] = []
  let renewedAt = Date.now()
  let unlisten = () => {}
  let started = false
  let begun = 0
  let taking = true

  async function attempt(definition: JobDefinition, job: ClaimedJob, abort: AbortController) {
    const { signal } = abort
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    const limitMs = (definition.timeoutSeconds ?? timeoutSecondsDefault) * 1000
    const timer = setTimeout(() => abort.abort(new JobTimedOut(`No end within ${limitMs} ms`)), limitMs)
    const context = {
      tenantId: job.tenantId,
      signal,
      jobId: job.id,
      attempt: job.attempts,
      ...(definition.takesTurns && { giveWay: turnIn(definition.queue) }),
    }
    await Promise.race([definition.run(job.payload, context), aborted]).finally(() => clearTimeout(timer))
  }

  function turnIn(queue: string): () => Promise<void> {
    let lookAt = Date.now() + turnMs
    return async () => {
      if (Date.now() < lookAt) return
      if (await ledger.isAwaited(queue)) throw new JobGivesWay('others wait')
      lookAt = Date.now() + Math.min(turnMs, lookAgainMs)
    }
  }

  /** Claims jobs; of work that takes turns those of tenants that have not had one for longest. */
  async function claim({ queue, takesTurns }: JobDefinition, limit: number): Promise<ClaimedJob[]> {
    if (!takesTurns) return ledger.claim(queue, limit)
    const before = served.get(queue) ?? []
    const claimed = await ledger.claim(queue, limit, before)
    const now = new Set(claimed.map(({ tenantId }) => tenantId))
    served.set(queue, [...before.filter((tenantId) => !now.has(tenantId)), ...now].slice(-tenantsRemembered))
    return claimed
  }

  async function perform(definition: JobDefinition, job: ClaimedJob, abort: AbortController) {
    try {
      await attempt(definition, job, abort)
      await ledger.finish(job)
    } catch (err) {
      const isBrokenOff = abort.signal.aborted && !(abort.signal.reason instanceof JobTimedOut)
      if (isBrokenOff || err instanceof JobGivesWay) {
        await ledger.giveBack(job)
        return
      }
      const retryIn = err instanceof JobRefused ? undefined : retryDelay(definition, job)
      const details = { err, queue: job.queue, jobId: job.id, attempt: job.attempts, retryIn }
      log.warn(details, retryIn === undefined ? 'A job failed for good' : 'A job failed and will be tried again')
      await ledger.fail(job, err instanceof Error ? `${err.name}: ${err.message}` : String(err), retryIn)
    }
  }

  function run(definition: JobDefinition, job: ClaimedJob) {
    begun++
    const lease = leaseOf(job)
    const abort = new AbortController()
    // The lease of a job whose outcome could not be written runs out, and it is tried again.
    const finished = perform(definition, job, abort)
      .catch((err: unknown) => log.error({ err, jobId: job.id }, 'The outcome of a job could not be written'))
      .then(() => {
        running.delete(lease)
        if (started) void fill(definition.queue)
      })
    running.set(lease, { job, abort, finished })
  }

  async function take(definition: JobDefinition) {
    const { queue, concurrency = concurrencyDefault } = definition
    do {
      wanted.delete(queue)
      const busy = [...running.values()].filter(({ job }) => job.queue === queue).length
      if (!taking || busy >= concurrency) return
      for (const job of await claim(definition, concurrency - busy)) run(definition, job)
    } while (wanted.has(queue))
  }

  /** One claim per queue at a time; a wish that comes meanwhile is served right after. */
  function fill(queue: string): Promise<void> {
    const definition = definitions.get(queue)
    if (!definition) return Promise.resolve()
    wanted.add(queue)
    const current = filling.get(queue)
    if (current) return current
    const next = take(definition)
      .catch((err: unknown) => log.warn({ err, queue }, 'Jobs could not be fetched'))
      .finally(() => filling.delete(queue))
    filling.set(queue, next)
    return next
  }

  const fillAll = () => Promise.all([...definitions.keys()].map(fill))

  async function look() {
    await scheduler.fire()
    await ledger.reclaim()
    await fillAll()
  }

  async function heartbeat() {
    const leases = [...running]
    const held = await heldLeases().catch((err: unknown) => {
      if (Date.now() - renewedAt < leaseMs) throw err
      return new Set<string>()
    })
    for (const [lease, { abort }] of leases) {
      if (!held.has(lease)) abort.abort(new Error('The lease of the job was lost'))
    }
  }

  async function heldLeases(): Promise<Set<string>> {
    if (running.size === 0) return new Set()
    const held = await ledger.renew([...running.values()].map(({ job }) => job.id))
    renewedAt = Date.now()
    return held
  }

  function every(ms: number, work: () => Promise<unknown>, failure: string) {
    timers.push(setInterval(() => void work().catch((err: unknown) => log.warn({ err }, failure)), ms).unref())
  }

  return {
    async start() {
      await scheduler.register()
      unlisten = await listener.listen(
        jobChannel,
        (queue) => void fill(queue),
        () => void fillAll(),
      )
      started = true
      every(pollMs, look, 'Looking for due jobs failed')
      every(leaseMs / 4, heartbeat, 'Leases could not be renewed')
      every(sweepMs, () => ledger.sweep(), 'Old jobs could not be removed')
      await look()
    },
    async stop(graceMs = 10_000) {
      taking = false
      started = false
      unlisten()
      await Promise.all(filling.values())
      const rest = [...running.values()]
      const grace = setTimeout(() => {
        for (const { abort } of rest) abort.abort(new Error('The process stops'))
      }, graceMs)
      await Promise.all(rest.map(({ finished }) => finished))
      clearTimeout(grace)
      for (const timer of timers) clearInterval(timer)
      if (!options.listener) await listener.close()
    },
    async runDue() {
      await scheduler.register()
      let before: number
      // A job may begin and end while other queues are looked at: only a round that began none is the last.
      do {
        before = begun
        await look()
        await Promise.all([...running.values()].map(({ finished }) => finished))
        await fillAll()
      } while (running.size > 0 || begun > before)
    },
    state: () => ({ running: running.size, started }),
  }
}

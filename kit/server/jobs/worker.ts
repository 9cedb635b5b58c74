import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { createPostgresListener, type PostgresListener } from '../shared/index.ts'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import { createJobClaimer } from './claims.ts'
import { jobChannel } from '../database/enqueue.ts'
import type { JobDefinition } from './job.ts'
import type { RunOptions } from './run-job.ts'
import { createJobStore } from './job-store.ts'
import { createJobRunRegistry } from './runs.ts'
import { createScheduler } from './schedule.ts'

export type JobWorker = {
  start(): Promise<void>
  /** Claims no more jobs and waits for running ones; after `graceMs` aborts them and returns them to their queues. */
  stop(graceMs?: number): Promise<void>
  /** Fires due schedules and runs due jobs until none is left: for tests and commands, without `start`. */
  runDue(): Promise<void>
  state(): { running: number; started: boolean }
}

export type JobWorkerOptions = {
  pool: Pool
  jobs: JobDefinition[]
  listener?: PostgresListener
  log?: MinimalLogger
  /** Called after each run. */
  onRun?: RunOptions['onRun']
  now?: () => Date
  leaseMs?: number
  pollMs?: number
  /** Time slice of a `fairByTenant` run, in milliseconds, while others wait. */
  timeSliceMs?: number
}

const sweepMs = 60 * 60_000

/**
 * Creates a worker for these jobs; any number of processes may run one. A job is claimed (claims.ts), run under a lease
 * (runs.ts), and then finished, given back or retried (run-job.ts).
 */
export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { pool, jobs, log = silentLogger, onRun, now, leaseMs = 20_000, pollMs = 2_000, timeSliceMs = 30_000 } = options
  const ledger = createJobStore(pool, randomUUID(), leaseMs, now)
  const scheduler = createScheduler(pool, jobs, now)
  const listener = options.listener ?? createPostgresListener(pool, log)
  const onEnd = (queue: string) => void (started && claims.fill(queue))
  const runs = createJobRunRegistry({ ledger, log, onRun, timeSliceMs, leaseMs, onEnd })
  const claims = createJobClaimer({ jobs, ledger, runs, log })
  const timers: NodeJS.Timeout[] = []
  let unlisten = () => {}
  let started = false

  async function look() {
    await scheduler.fire()
    await ledger.reclaim()
    await claims.fillAll()
  }

  function every(ms: number, work: () => Promise<unknown>, failure: string) {
    timers.push(setInterval(() => void work().catch((err: unknown) => log.warn({ err }, failure)), ms).unref())
  }

  return {
    async start() {
      await scheduler.register()
      unlisten = await listener.listen(
        jobChannel,
        (queue) => void claims.fill(queue),
        () => void claims.fillAll(),
      )
      started = true
      every(pollMs, look, 'Looking for due jobs failed')
      every(leaseMs / 4, () => runs.renewLeases(), 'Leases could not be renewed')
      every(sweepMs, () => ledger.sweep(), 'Old jobs could not be removed')
      await look()
    },
    async stop(graceMs = 10_000) {
      started = false
      unlisten()
      await claims.end()
      await runs.end(graceMs)
      for (const timer of timers) clearInterval(timer)
      if (!options.listener) await listener.close()
    },
    async runDue() {
      await scheduler.register()
      let before: number
      // A job may start and end while other queues are checked, so only a round that started none is the last.
      do {
        before = runs.begun()
        await look()
        await runs.finished()
        await claims.fillAll()
      } while (runs.size() > 0 || runs.begun() > before)
    },
    state: () => ({ running: runs.size(), started }),
  }
}

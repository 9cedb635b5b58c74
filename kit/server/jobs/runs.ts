import type { JobDefinition } from './job.ts'
import { leaseKeyOf } from './job-store.ts'
import type { ClaimedJob } from './job-store.ts'
import { runJob } from './run-job.ts'
import type { RunOptions } from './run-job.ts'

type Run = { job: ClaimedJob; abort: AbortController; finished: Promise<void> }

export type JobRunRegistry = ReturnType<typeof createJobRunRegistry>

/** The jobs that one worker is running, by lease. `onEnd` is called with the queue of each run that ended. */
export function createJobRunRegistry(options: RunOptions & { leaseMs: number; onEnd: (queue: string) => void }) {
  const { ledger, log, leaseMs, onEnd } = options
  const running = new Map<string, Run>()
  let renewedAt = Date.now()
  let begun = 0

  async function heldLeases(): Promise<Set<string>> {
    if (running.size === 0) return new Set()
    const held = await ledger.renew([...running.values()].map(({ job }) => job.id))
    renewedAt = Date.now()
    return held
  }

  return {
    begin(definition: JobDefinition, job: ClaimedJob): void {
      begun++
      const lease = leaseKeyOf(job)
      const abort = new AbortController()
      // If the outcome could not be written, the lease expires and the job is retried.
      const finished = runJob(definition, job, abort, options)
        .catch((err: unknown) => log.error({ err, jobId: job.id }, 'The outcome of a job could not be written'))
        .then(() => {
          running.delete(lease)
          onEnd(definition.queue)
        })
      running.set(lease, { job, abort, finished })
    },
    /**
     * Renews the leases of running jobs, and aborts those whose lease was lost, as another worker may have started
     * them.
     */
    async renewLeases(): Promise<void> {
      const leases = [...running]
      const held = await heldLeases().catch((err: unknown) => {
        if (Date.now() - renewedAt < leaseMs) throw err
        return new Set<string>()
      })
      for (const [lease, { abort }] of leases) {
        if (!held.has(lease)) abort.abort(new Error('The lease of the job was lost'))
      }
    },
    /** Waits for running jobs; aborts them after `graceMs`. */
    async end(graceMs: number): Promise<void> {
      const rest = [...running.values()]
      const grace = setTimeout(() => {
        for (const { abort } of rest) abort.abort(new Error('The process stops'))
      }, graceMs)
      await Promise.all(rest.map(({ finished }) => finished))
      clearTimeout(grace)
    },
    finished: () => Promise.all([...running.values()].map(({ finished }) => finished)),
    busy: (queue: string) => [...running.values()].filter(({ job }) => job.queue === queue).length,
    size: () => running.size,
    /** Number of runs started since the worker was created. */
    begun: () => begun,
  }
}

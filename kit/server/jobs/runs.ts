import type { JobDefinition } from './job.ts'
import { leaseKeyOf } from './job-store.ts'
import type { ClaimedJob } from './job-store.ts'
import { runJob } from './run-job.ts'
import type { RunOptions } from './run-job.ts'

type Run = { job: ClaimedJob; abort: AbortController; finished: Promise<void> }

export type JobRunRegistry = ReturnType<typeof createJobRunRegistry>

/** What one worker runs right now, by lease. `onEnd` hears the queue of each run that ended. */
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
      // The lease of a job whose outcome could not be written runs out, and it is tried again.
      const finished = runJob(definition, job, abort, options)
        .catch((err: unknown) => log.error({ err, jobId: job.id }, 'The outcome of a job could not be written'))
        .then(() => {
          running.delete(lease)
          onEnd(definition.queue)
        })
      running.set(lease, { job, abort, finished })
    },
    /** Keeps the leases of what runs, and breaks off what somebody else may have begun meanwhile. */
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
    /** Waits for what runs, and after `graceMs` breaks it off. */
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
    /** Runs begun since the worker was made. */
    begun: () => begun,
  }
}

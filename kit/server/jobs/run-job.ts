import { createTrace, executionContext as work, newTraceId } from '../base/trace.ts'
import type { MinimalLogger } from '../base/minimal-logger.ts'
import { JobYieldSignal, UnrecoverableJobError, type JobDefinition } from './job.ts'
import { retryDelaySeconds, type ClaimedJob, type JobStore } from './job-store.ts'

class JobTimedOut extends Error {
  override name = 'JobTimedOut'
}

const timeoutSecondsDefault = 15 * 60
/** Milliseconds between two checks for waiting jobs after the time slice has passed. */
const lookAgainMs = 1_000

export type RunOptions = {
  ledger: JobStore
  log: MinimalLogger
  onRun?: ((queue: string, outcome: 'done' | 'again' | 'failed' | 'given back') => void) | undefined
  /** Time slice of a `fairByTenant` run, in milliseconds, while others wait. */
  timeSliceMs: number
}

type Run = [definition: JobDefinition, job: ClaimedJob, abort: AbortController, options: RunOptions]

/**
 * Runs a claimed job and records its outcome: done, given back, to be retried, or failed for good. Continues the trace
 * of the call that enqueued it.
 */
export const runJob = (...run: Run): Promise<void> =>
  work.run({ isHeld: false, trace: createTrace(run[1].traceId || newTraceId()) }, () => runTraced(...run))

async function runTraced(...[definition, job, abort, options]: Run): Promise<void> {
  try {
    await attempt(definition, job, abort, options)
    await options.ledger.finish(job)
    options.onRun?.(job.queue, 'done')
  } catch (err) {
    const isBrokenOff = abort.signal.aborted && !(abort.signal.reason instanceof JobTimedOut)
    if (!isBrokenOff && !(err instanceof JobYieldSignal)) return fail(definition, job, err, options)
    await options.ledger.giveBack(job)
    options.onRun?.(job.queue, 'given back')
  }
}

async function attempt(definition: JobDefinition, job: ClaimedJob, abort: AbortController, options: RunOptions) {
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
    ...(definition.fairByTenant && { yieldIfOthersWait: turnIn(definition.queue, options) }),
  }
  await Promise.race([definition.run(job.payload, context), aborted]).finally(() => clearTimeout(timer))
}

function turnIn(queue: string, { ledger, timeSliceMs }: RunOptions): () => Promise<void> {
  let lookAt = Date.now() + timeSliceMs
  return async () => {
    if (Date.now() < lookAt) return
    if ((await ledger.awaited([queue])).length) throw new JobYieldSignal('others wait')
    lookAt = Date.now() + Math.min(timeSliceMs, lookAgainMs)
  }
}

async function fail(definition: JobDefinition, job: ClaimedJob, err: unknown, { ledger, log, onRun }: RunOptions) {
  const retryIn = err instanceof UnrecoverableJobError ? undefined : retryDelaySeconds(definition, job)
  const details = { err, queue: job.queue, jobId: job.id, attempt: job.attempts, retryIn }
  log.warn(details, retryIn === undefined ? 'A job failed for good' : 'A job failed and will be tried again')
  await ledger.fail(job, err instanceof Error ? `${err.name}: ${err.message}` : String(err), retryIn)
  onRun?.(job.queue, retryIn === undefined ? 'failed' : 'again')
}

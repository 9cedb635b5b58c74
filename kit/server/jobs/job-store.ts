import type { Pool } from 'pg'
import type { JobDefinition } from './job.ts'

export type ClaimedJob = {
  id: string
  tenantId: string
  queue: string
  payload: unknown
  attempts: number
  maxAttempts: number
  /** Trace id of the call that enqueued it; empty for scheduled jobs. */
  traceId: string
}

/** Key of one run of a job: each attempt has its own lease. */
export const leaseKeyOf = ({ id, attempts }: { id: string; attempts: number }) => `${id}:${attempts}`

const keepDone = '7 days'
const keepFailed = '90 days'
const backoffSecondsMax = 3600

/** SQL for the current time: a test's time if given, else that of the database, which all processes share. */
const clock = 'coalesce($1::timestamptz, clock_timestamp())'

/**
 * Wraps an UPDATE that ends jobs: jobs that were requested again while running are enqueued anew. Returns their queues.
 */
const ending = (update: string) => `
  with ended as (${update} returning *),
    again as (insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts, trace_id)
      select tenant_id, queue, payload, dedupe_key, again_at, max_attempts, trace_id from ended
      where state in ('done', 'failed') and again_at is not null)
  select queue from ended`

type LeaseHolder = {
  pool: Pool
  worker: string
  /** SQL for the time until which a lease taken now is valid. */
  lease: string
  time: () => string | null
}

export type JobStore = ReturnType<typeof createJobStore>

/**
 * The statements of a worker; `now` is for tests. Every change of a leased job names its holder: a worker that lost the
 * lease changes nothing.
 */
export function createJobStore(pool: Pool, worker: string, leaseMs: number, now?: () => Date) {
  const lease = `${clock} + make_interval(secs => ${leaseMs / 1000})`
  const holder: LeaseHolder = { pool, worker, lease, time: () => now?.().toISOString() ?? null }
  return { ...leasesOf(holder), ...jobOutcomes(holder) }
}

/** Claims jobs, renews their leases, and frees jobs whose lease expired. */
function leasesOf({ pool, worker, lease, time }: LeaseHolder) {
  return {
    /** Claims due jobs. Tenants in `behind` come after all others, the last of them last. */
    async claim(queue: string, limit: number, after?: readonly string[]): Promise<ClaimedJob[]> {
      const { rows } = await pool.query(
        `update job set state = 'running', attempts = attempts + 1, leased_by = $2, lease_until = ${lease},
           start_time = ${clock}, again_at = null
         where id in (
           select id from job where queue = $3 and state = 'asked' and run_at <= ${clock}
           order by ${after ? 'array_position($5::text[], tenant_id) nulls first, ' : ''}run_at, id
           limit $4 for update skip locked)
         returning id::text, tenant_id as "tenantId", queue, payload, attempts, max_attempts as "maxAttempts",
           trace_id as "traceId"`,
        [time(), worker, queue, limit, ...(after ? [after] : [])],
      )
      return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
    },

    /** Returns which of these queues have due jobs. */
    async awaited(queues: readonly string[]): Promise<string[]> {
      const { rows } = await pool.query<{ queue: string }>({
        name: 'jobs_awaited',
        text: `select queue from unnest($2::text[]) queue where exists (
          select from job where job.queue = queue.queue and state = 'asked' and run_at <= ${clock})`,
        values: [time(), queues],
      })
      return rows.map(({ queue }) => queue)
    },

    /** Frees jobs whose worker died, to run again; the lost run counts as an attempt. */
    async reclaim(): Promise<string[]> {
      const { rows } = await pool.query(
        ending(`update job set
           state = case when attempts < max_attempts then 'asked' else 'failed' end,
           finish_time = case when attempts < max_attempts then null else ${clock} end,
           last_error = 'The process that ran this job ended', leased_by = null, lease_until = null
         where id in (select id from job where state = 'running' and lease_until < ${clock} for update skip locked)`),
        [time()],
      )
      return rows.map((row) => row.queue)
    },

    /** Renews leases; returns those still held. */
    async renew(ids: string[]): Promise<Set<string>> {
      const { rows } = await pool.query(
        `update job set lease_until = ${lease}
         where id = any($3::bigint[]) and leased_by = $2 and state = 'running'
         returning id::text, attempts`,
        [time(), worker, ids],
      )
      return new Set(rows.map(leaseKeyOf))
    },
  }
}

/** Statements that record how a run ended. */
function jobOutcomes({ pool, worker, time }: LeaseHolder) {
  return {
    async finish(job: ClaimedJob) {
      await pool.query(
        ending(`update job set state = 'done', finish_time = ${clock}, last_error = '', leased_by = null,
           lease_until = null
         where id = $3 and leased_by = $2 and attempts = $4 and state = 'running'`),
        [time(), worker, job.id, job.attempts],
      )
    },

    async fail(job: ClaimedJob, error: string, retryInSeconds: number | undefined) {
      await pool.query(
        ending(`update job set state = case when $5::float8 is null then 'failed' else 'asked' end, last_error = $6,
           finish_time = case when $5::float8 is null then ${clock} end,
           run_at = ${clock} + make_interval(secs => coalesce($5::float8, 0)), leased_by = null, lease_until = null
         where id = $3 and leased_by = $2 and attempts = $4 and state = 'running'`),
        [time(), worker, job.id, job.attempts, retryInSeconds ?? null, error.slice(0, 4_000)],
      )
    },

    /**
     * Returns a job to its queue, after an interruption by shutdown or by `yieldIfOthersWait`; the run does not count
     * as an attempt.
     */
    async giveBack(job: ClaimedJob) {
      await pool.query(
        `update job set state = 'asked', attempts = attempts - 1, run_at = ${clock}, leased_by = null,
           lease_until = null
         where id = $3 and leased_by = $2 and attempts = $4 and state = 'running'`,
        [time(), worker, job.id, job.attempts],
      )
    },

    async sweep() {
      await pool.query(
        `delete from job where (state = 'done' and finish_time < ${clock} - interval '${keepDone}')
           or (state = 'failed' and finish_time < ${clock} - interval '${keepFailed}')`,
        [time()],
      )
    },
  }
}

/** Seconds until the next attempt, or undefined when there is none. */
export function retryDelaySeconds(definition: JobDefinition, job: ClaimedJob): number | undefined {
  if (job.attempts >= job.maxAttempts) return undefined
  if (definition.backoffSeconds) return definition.backoffSeconds(job.attempts)
  const delay = Math.min(5 * 2 ** (job.attempts - 1), backoffSecondsMax)
  return delay * (0.9 + Math.random() * 0.2)
}

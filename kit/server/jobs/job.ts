import sql, { type Sql } from 'sql-template-tag'
import { currentTrace } from '../trace.ts'

export type JobContext = {
  tenantId: string
  /** Aborts when the process stops, the time is up or the lease was lost: then another worker may have the job. */
  signal: AbortSignal
  jobId: string
  /** Number of this attempt, from 1. */
  attempt: number
  /**
   * Only with `fairByTenant`. Call it where long work could continue later: ends the run if its time slice is used up
   * and other jobs wait. The job then runs again after them.
   */
  giveWay?: () => Promise<void>
}

/** One kind of background work. A run may be repeated after a crash: `run` must bear that. */
export type JobDefinition<Payload = any> = {
  queue: string
  run(payload: Payload, context: JobContext): Promise<void>
  /** Maximum runs at once in one process; default 2. */
  concurrency?: number
  /** A run that takes longer is aborted and counts as failed; default 15 minutes. */
  timeoutSeconds?: number
  /** Seconds to wait before attempt n + 1; default 5 s doubled each time, at most an hour. */
  backoffSeconds?(attempt: number): number
  /** For long jobs: tenants take turns, the one served last comes last. */
  fairByTenant?: true
  /** Also runs on this schedule (Asia/Shanghai), once in all processes; a time missed while down is made up once. */
  cron?: string
}

export function defineJob<Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition
}

/** Throw it to fail a job for good, where retrying cannot help. */
export class UnrecoverableJobError extends Error {
  override name = 'UnrecoverableJobError'
}

/** Thrown by `giveWay` to end a run while others wait; the job continues later. */
export class JobYieldSignal extends Error {
  override name = 'JobYieldSignal'
}

type JobRequest = {
  queue: string
  payload?: unknown
  tenantId: string
  /**
   * Deduplication key, per queue and tenant. While such a job waits, enqueueing again changes nothing (with
   * `moveEarlier` it takes the new payload); while it runs, it is run once more afterwards with the last payload and
   * time. No run begins before the transactions that enqueued it commit.
   */
  key?: string
  runAt?: Date
  /** Moves a waiting job with the same key forward to `runAt`. */
  moveEarlier?: boolean
  maxAttempts?: number
}

/** A pg client or pool, to run in the caller's transaction. */
type Queryable = { query(text: string, values: unknown[]): Promise<unknown> }

export const jobChannel = 'job'
const maxAttemptsDefault = 10

export const jobTablesSql = `
create table if not exists job (
  id bigint generated always as identity primary key,
  tenant_id text not null,
  queue text not null,
  payload jsonb not null,
  dedupe_key text,
  state text not null default 'asked' check (state in ('asked', 'running', 'done', 'failed')),
  run_at timestamptz not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  lease_until timestamptz,
  leased_by text,
  last_error text not null default '',
  again_at timestamptz,
  create_time timestamptz not null default clock_timestamp(),
  start_time timestamptz,
  finish_time timestamptz,
  trace_id text not null default ''
);
create unique index if not exists job_dedupe on job (queue, tenant_id, dedupe_key) where state in ('asked', 'running');
create index if not exists job_asked on job (queue, run_at) where state = 'asked';
create index if not exists job_running on job (lease_until) where state = 'running';
create index if not exists job_finished on job (finish_time) where state in ('done', 'failed');
create index if not exists job_failed on job (finish_time) where state = 'failed';
create table if not exists job_schedule (
  name text primary key,
  cron text not null,
  tz text not null,
  next_at timestamptz not null,
  last_at timestamptz
);
`

/**
 * Enqueues a job in the caller's transaction; it exists only if that commits. Returns the job's id, or undefined if a
 * job with the same key was already waiting. Callers at the same moment may get the same id.
 */
export async function enqueue(client: Queryable, request: JobRequest): Promise<string | undefined> {
  const statement = enqueueSql(request)
  const { rows } = (await client.query(statement.text, statement.values)) as { rows: { id: string }[] }
  return rows[0]?.id
}

/** Returns the statement of `enqueue`, to be sent with others. */
export const enqueueSql = (request: JobRequest): Sql => enqueueSqlWhere(request, sql`true`)

/** Like `enqueueSql`, but enqueues only if the SQL condition holds. */
export function enqueueSqlWhere(request: JobRequest, condition: Sql): Sql {
  const { queue, payload = {}, tenantId, key, runAt, moveEarlier = false, maxAttempts = maxAttemptsDefault } = request
  const same = sql`queue = ${queue} and tenant_id = ${tenantId} and dedupe_key = ${key}`
  // The shared lock keeps the waiting job from starting before this commit, without making other callers wait.
  const isFirst =
    key === undefined || moveEarlier
      ? sql``
      : sql`and not exists (select from job where ${same} and state = 'asked' for share)`
  return sql`
    insert into job (tenant_id, queue, payload, dedupe_key, run_at, max_attempts, trace_id)
    select ${tenantId}, ${queue}, ${JSON.stringify(payload)}::jsonb, ${key ?? null},
      coalesce(${runAt?.toISOString() ?? null}::timestamptz, clock_timestamp()), ${maxAttempts}::int,
      ${currentTrace()?.id ?? ''} where ${condition} ${isFirst}
    on conflict (queue, tenant_id, dedupe_key) where state in ('asked', 'running') do update
      set payload = excluded.payload,
        again_at = case job.state when 'running' then excluded.run_at end,
        run_at = case when ${moveEarlier} and job.state = 'asked' then least(job.run_at, excluded.run_at)
          else job.run_at end
    returning id::text, pg_notify(${jobChannel}, ${queue})`
}

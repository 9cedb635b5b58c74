import type { Queue } from '../database/queue.ts'

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
  yieldIfOthersWait?: () => Promise<void>
}

/** One kind of background work. A run may be repeated after a crash: `run` must bear that. */
export type JobDefinition<Payload = any, Context = JobContext> = {
  queue: string
  run: (payload: Payload, context: Context) => Promise<void>
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

/** Options of a job: its queue types the payload. Only a job whose payload may be empty can have a schedule. */
export type JobOptions<Payload, Context> = Omit<JobDefinition<Payload, Context>, 'queue' | 'cron'> & {
  queue: Queue<Payload>
  cron?: Record<string, never> extends Payload ? string : never
}

export const defineJob = <Payload, Context = JobContext>({
  queue,
  ...options
}: JobOptions<Payload, Context>): JobDefinition<Payload, Context> => ({ ...options, queue: queue.name })

/** Throw it to fail a job for good, where retrying cannot help. */
export class UnrecoverableJobError extends Error {
  override name = 'UnrecoverableJobError'
}

/** Thrown by `yieldIfOthersWait` to end a run while others wait; the job continues later. */
export class JobYieldSignal extends Error {
  override name = 'JobYieldSignal'
}

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

import sql, { type Sql } from 'sql-template-tag'
import { currentTrace } from '../trace.ts'

export type JobContext = {
  tenantId: string
  /** Aborts when the process stops, the time is up or the lease was lost: then another worker may have the job. */
  signal: AbortSignal
  jobId: string
  /** 1 at the first run. */
  attempt: number
  /**
   * For long work that takes turns, to be called where it can go on later: ends the run when it has had its turn and
   * others wait. It comes again behind them.
   */
  giveWay?: () => Promise<void>
}

/** One kind of background work. A run may be repeated after a crash: `run` must bear that. */
export type JobDefinition<Payload = any> = {
  queue: string
  run(payload: Payload, context: JobContext): Promise<void>
  /** How many run at once in one process; default 2. */
  concurrency?: number
  /** A run that takes longer is aborted and counts as failed; default 15 minutes. */
  timeoutSeconds?: number
  /** Seconds to wait before attempt n + 1; default 5 s doubled each time, at most an hour. */
  backoffSeconds?(attempt: number): number
  /** Long work of many people: tenants come one after the other, and who has had a turn lets others go first. */
  fairByTenant?: true
  /** Also runs by the clock of Asia/Shanghai, once among all processes; a time missed while down is made up once. */
  cron?: string
}

export function defineJob<Payload>(definition: JobDefinition<Payload>): JobDefinition<Payload> {
  return definition
}

/** Thrown by a job that another attempt cannot help. */
export class UnrecoverableJobError extends Error {
  override name = 'UnrecoverableJobError'
}

/** Thrown to end a run that others wait for; what is left of it comes again. */
export class JobYieldSignal extends Error {
  override name = 'JobYieldSignal'
}

type JobRequest = {
  queue: string
  payload?: unknown
  tenantId: string
  /**
   * One job of this key of the tenant at a time: while it waits, asking again changes nothing; while it runs, it runs
   * once more afterwards, with the payload and time of the last who asked. No run begins before its askers' commits.
   */
  key?: string
  runAt?: Date
  /** A job of the same key that waits for later comes forward to this time. */
  moveEarlier?: boolean
  maxAttempts?: number
}

/** A pg client or pool: whatever the caller's transaction is. */
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
 * Asks for a job in the caller's transaction: it exists if and only if that commits.
 * Answers the job's id, or undefined when a job of the same key was already waiting; who asks at the same moment may be
 * told of the same one.
 */
export async function enqueue(client: Queryable, request: JobRequest): Promise<string | undefined> {
  const statement = enqueueSql(request)
  const { rows } = (await client.query(statement.text, statement.values)) as { rows: { id: string }[] }
  return rows[0]?.id
}

/** The same as a statement, which goes with others in one message. */
export const enqueueSql = (request: JobRequest): Sql => enqueueSqlWhere(request, sql`true`)

/** The same for a job that is wanted under a condition only. */
export function enqueueSqlWhere(request: JobRequest, condition: Sql): Sql {
  const { queue, payload = {}, tenantId, key, runAt, moveEarlier = false, maxAttempts = maxAttemptsDefault } = request
  const same = sql`queue = ${queue} and tenant_id = ${tenantId} and dedupe_key = ${key}`
  // Held in share until the commit, a waiting job does not begin before it, and whoever else asks need not wait.
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

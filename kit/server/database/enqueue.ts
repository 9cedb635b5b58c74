import sql, { type Sql } from 'sql-template-tag'
import { currentTrace } from '../base/trace.ts'
import type { Queue } from './queue.ts'

type JobRequest = {
  queue: string
  payload?: unknown
  tenantId: string
  /**
   * Deduplication key, per queue and tenant. While such a job waits, enqueueing again changes nothing (with
   * `moveEarlier` it takes the new payload); while it runs, it is run once more afterwards with the last payload and
   * time (with `moveEarlier` the earliest of the times). No run begins before the transactions that enqueued it commit.
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

/**
 * Enqueues a job in the caller's transaction; it exists only if that commits. Returns the job's id, or undefined if a
 * job with the same key was already waiting. Callers at the same moment may get the same id.
 */
export async function enqueue(client: Queryable, request: JobRequest): Promise<string | undefined> {
  const statement = insertJobSql(request, sql`true`)
  const { rows } = (await client.query(statement.text, statement.values)) as { rows: { id: string }[] }
  return rows[0]?.id
}

type EnqueueOptions = Omit<JobRequest, 'queue' | 'payload'>

/**
 * Returns the statement that enqueues a job, to be sent with others; with `condition`, it does so only if that SQL
 * condition holds.
 */
export const enqueueSql = <Payload>(
  { name, maxAttempts }: Queue<Payload>,
  payload: NoInfer<Payload>,
  options: EnqueueOptions,
  condition: Sql = sql`true`,
): Sql => insertJobSql({ queue: name, payload, maxAttempts, ...options }, condition)

function insertJobSql(request: JobRequest, condition: Sql): Sql {
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
        again_at = case when job.state = 'running'
          then case when ${moveEarlier} then least(job.again_at, excluded.run_at) else excluded.run_at end end,
        run_at = case when ${moveEarlier} and job.state = 'asked' then least(job.run_at, excluded.run_at)
          else job.run_at end
    returning id::text, pg_notify(${jobChannel}, ${queue})`
}

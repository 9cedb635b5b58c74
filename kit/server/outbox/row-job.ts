import { sql, type Db, type Sql } from '../database/db.ts'
import { defineQueue, type Queue } from '../database/queue.ts'
import { defineModuleJob, type ModuleJob } from '../module/module.ts'

/** Enough attempts for days; what is still open afterwards the sweep brings back. */
const ATTEMPTS_MAX = 100
/** Rows one sweep brings back at most. The next one takes the others. */
const SWEEP_MAX = 500

export type SweepDefinition = {
  queue: string
  cron: string
  /** Why rows of all tenants are read: "prints of all tenants that nobody sends". */
  crossTenantReason: string
}

type RowJobDefinition = {
  queue: string
  /** Further queues whose jobs carry the same rows. */
  otherQueues?: readonly string[]
  /** Statement that gives `id` and `tenant_id` of all open rows, over all tenants. */
  openSql: () => Sql
  /** Name of the row's id in the job's payload, `id` when omitted. */
  payloadKey?: string
  sweep: SweepDefinition
}

/** The row's id under the call's own name for it, and how often the other side was asked. */
export type RowJobPayload = { readonly [key: string]: string | number | undefined }

export type EnqueueRow = (db: Db, id: string, when?: { runAt?: Date; payload?: { checks?: number } }) => Promise<void>

/** Declares the queue of rows' jobs, for one whose handler is no outbound call. */
export const rowQueue = <Payload extends RowJobPayload = RowJobPayload>(name: string): Queue<Payload> =>
  defineQueue(name, { maxAttempts: ATTEMPTS_MAX })

/**
 * Returns how a row gets its job: at most one waits for each row, under the row's id as key. Enqueueing earlier brings
 * it forward; enqueueing while it runs lets it run once more. Of use where callers stand below the call's declaration.
 */
export const enqueuerOfRows =
  (queue: string, payloadKey = 'id'): EnqueueRow =>
  (db, id, { runAt, payload } = {}) =>
    db.enqueue(
      rowQueue(queue),
      { [payloadKey]: id, ...payload },
      { key: id, moveEarlier: true, ...(runAt && { runAt }) },
    )

/**
 * Derives a sweep, which enqueues open rows that have no job, as their attempts are used up or the jobs were lost with
 * a restored database. It asks the job table and not the clock. The jobs have the ids of their rows as keys.
 */
export function defineRequeueJob({ queue, otherQueues = [], openSql, payloadKey, sweep }: RowJobDefinition): ModuleJob {
  const enqueue = enqueuerOfRows(queue, payloadKey)
  const { queue: sweepQueue, cron, crossTenantReason: reason } = sweep
  return defineModuleJob({
    queue: defineQueue(sweepQueue),
    cron,
    run: (_payload, { services }) =>
      services.unit({ crossTenantReason: reason }, async (all) => {
        const rows = await all.query<{ id: string; tenantId: string }>(sql`
          select o.id::text, o.tenant_id from (${openSql()}) o where not exists (
            select from job j where j.queue = any(${[queue, ...otherQueues]}::text[]) and j.tenant_id = o.tenant_id
              and j.dedupe_key = o.id::text and j.state in ('asked', 'running'))
          limit ${SWEEP_MAX}`)
        for (const { id, tenantId } of rows) await all.asTenant(tenantId, (db) => enqueue(db, id))
      }),
  })
}

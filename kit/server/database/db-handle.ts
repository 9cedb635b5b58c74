import type { Sql } from 'sql-template-tag'
import type { Resource, RowOf, UpdateOf, NewRowOf } from '../../resource/define-resource.ts'
import type { ChangeLog } from './change-log.ts'
import type { Topic } from '../../resource/topic.ts'
import type { Queue } from './queue.ts'

/**
 * Handle of one transaction bound to one tenant; the only way to the tables. A forgotten WHERE reads only the tenant's
 * rows; without a tenant no row is visible.
 */
export type Db = {
  readonly tenantId: string
  readonly userId: string
  readonly deptId: string | null
  readonly isCrossTenant: boolean
  /** Rows with camelCase keys; amounts and counts are numbers, ids are text (values.ts). */
  query: <R extends object = Record<string, any>>(statement: Sql) => Promise<R[]>
  one: <R extends object = Record<string, any>>(statement: Sql) => Promise<R | undefined>
  /** Runs a statement and returns the number of affected rows. */
  run: (statement: Sql) => Promise<number>
  get: <R extends Resource<any, any>>(resource: R, id: string, lock?: 'forUpdate') => Promise<RowOf<R> | undefined>
  find: <R extends Resource<any, any>>(resource: R, where: Sql, tail?: Sql) => Promise<RowOf<R>[]>
  insert: <R extends Resource<any, any>>(
    resource: R,
    draft: NewRowOf<R> & { id?: string; createTime?: string },
  ) => Promise<RowOf<R>>
  /** Many rows with one statement; all drafts have the same fields. */
  insertAll: <R extends Resource<any, any>>(resource: R, drafts: readonly NewRowOf<R>[]) => Promise<void>
  update: <R extends Resource<any, any>>(resource: R, id: string, patch: UpdateOf<R>) => Promise<RowOf<R>>
  remove: <R extends Resource<any, any>>(resource: R, ids: readonly string[]) => Promise<number>
  /** Sends a message to browsers after the commit; `scope` limits who receives it (live.ts). */
  publish: <Data>(
    topic: Topic<Data>,
    data: NoInfer<Data>,
    scope?: { permission?: string; limits?: Record<string, string>; userIds?: string[] },
  ) => void
  /** Adds a job to a queue in this transaction; it runs after the commit and survives a crash (jobs/). */
  enqueue: <Payload>(
    queue: Queue<Payload>,
    payload: NoInfer<Payload>,
    options?: { key?: string; runAt?: Date; moveEarlier?: boolean },
  ) => Promise<void>
  /** Runs a statement just before COMMIT; all such statements are combined into one. Nobody gets its result. */
  beforeCommit: (statement: Sql) => void
  /** Makes the COMMIT depend on `work` without awaiting it first. If it rejects, the unit fails with its error. */
  waitUntil: (work: Promise<unknown>) => void
  /** Runs after a successful commit, in this process only (for caches). The unit resolves after it. */
  afterCommit: (work: () => void | Promise<void>) => void
  /** Runs `work` in the same transaction with sight of all tenants. A test lists the reasons. */
  acrossTenants: <T>(reason: string, work: (db: Db) => Promise<T>) => Promise<T>
  /** Runs `work` in the same transaction for another tenant; only in a unit that may see all tenants. */
  asTenant: <T>(tenantId: string, work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * Runs `work` in the same transaction at another time: rows get it as creation and update time, and no messages are
   * sent to browsers. For demo data.
   */
  withTimestamp: <T>(at: Date, work: (db: Db) => Promise<T>) => Promise<T>
  /** SQL for the time of what is written now: `now()`, or the time given to `withTimestamp`. */
  readonly timestampSql: Sql
  /** Takes a lock on the name (within the tenant) until the transaction ends. */
  advisoryLock: (name: string) => Promise<void>
  /** Runs `work` in a savepoint: if it throws, only its changes are rolled back and the transaction stays usable. */
  savepoint: <T>(work: () => Promise<T>) => Promise<T>
  /** Changes made by this unit, to be written to the change history (change-log.ts). */
  readonly changes: ChangeLog
}

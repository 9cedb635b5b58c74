import { createHash } from 'node:crypto'
import type pg from 'pg'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { MANAGEMENT_TENANT } from '../base/caller.ts'
import { executionContext, type ConnectionLimits, type Trace } from '../base/trace.ts'
import { createChangeLog, type ChangeLog } from './change-log.ts'
import { enqueueSql } from './enqueue.ts'
import type { Db } from './db-handle.ts'
import {
  DatabaseUnavailableError,
  isConnectionLoss,
  isUnsentStatementError,
  openPool,
  CommitOutcomeUnknownError,
  type OnStatementTimed,
} from './connections.ts'
import { PENDING_LIST_KIB } from './ngrams.ts'
import { recoverMissingPartition } from './partition-maintenance.ts'
import { acquireConnection, type AcquiredConnection } from './acquire.ts'
import { SHARED_STATEMENT_MS, readOnSharedConnection } from './shared-reads.ts'
import {
  isAbortedBatchError,
  createStatementBatch,
  type StatementBatch,
  type StatementResult,
  type ResultRow,
  type Statement,
} from './statement-batch.ts'
import * as rows from './rows.ts'
import { queueNotifications } from './notify.ts'
import { registerSqlTypeParsers } from './values.ts'

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag'

export type { Db } from './db-handle.ts'

registerSqlTypeParsers()

export type Pool = pg.Pool

/** Timeouts in milliseconds for statements and locks of HTTP calls; background work may take longer. */
const [CALL_STATEMENT_MS, CALL_LOCK_MS, STATEMENT_MS] = [20_000, 10_000, 60_000]
/** Timeout of the driver, for a server that does not even enforce its own statement timeout. */
const SILENCE_MS = STATEMENT_MS + 15_000
const CONNECT_MS = 5000

/**
 * Creates a connection pool whose role sees no rows until a tenant is set (no BYPASSRLS), in time zone Asia/Shanghai
 * (docs/decisions/0002).
 */
export function createPool(
  url: string,
  options: { max?: number; role?: 'store_app' | 'store_platform'; timed?: OnStatementTimed } = {},
): Pool {
  return openPool({
    connectionString: url,
    max: options.max ?? 12,
    timed: options.timed,
    pipeline: true,
    query_timeout: SILENCE_MS,
    connectionTimeoutMillis: CONNECT_MS,
    options: [
      `-c role=${options.role ?? 'store_app'} -c TimeZone=Asia/Shanghai -c search_path=public`,
      `-c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=120000`,
      `-c gin_pending_list_limit=${PENDING_LIST_KIB}`,
    ].join(' '),
  })
}

/** Creates a pool with the rights of the schema owner; only for migrations. */
export const createOwnerPool = (url: string): Pool =>
  openPool({ connectionString: url, max: 2, options: '-c TimeZone=Asia/Shanghai -c search_path=public' })

export type UnitOfWorkOptions = {
  tenantId: string
  /** Reason why this unit sees all tenants; absent for normal work. */
  crossTenantReason?: string
  /**
   * Forces generic plans, even where PostgreSQL expects custom ones to be better: for lookups by key, where planning
   * costs more than running. Not for filters, whose best plan depends on the values.
   */
  genericPlans?: boolean
  /** Reads everything from one snapshot (`repeatable read, read only`); writes fail. */
  repeatableRead?: boolean
}

/** Unit of work without a tenant; it runs as the management tenant and needs a reason. */
export type UnitOfWorkRequest =
  | UnitOfWorkOptions
  | (Omit<UnitOfWorkOptions, 'tenantId'> & { crossTenantReason: string })

/** Who acts, and through which call (`via`); both are written to the change history. */
export type Actor = { userId: string; deptId: string | null; via?: string }
export const systemActor: Actor = { userId: '0', deptId: null }
/** Actor of changes made at start, when rows are adapted to this version's declarations. */
export const upgradeActor: Actor = { ...systemActor, via: 'upgrade' }

/**
 * Names of prepared statements by text length: comparing the few texts of equal length is cheaper than hashing 4 kB.
 */
const names = new Map<number, { text: string; name: string }[]>()
let namesCount = 0
/**
 * Limits for named statements, as many texts are filters used once. Units with `genericPlans` may name more, so that
 * others do not leave them without names.
 */
const [NAMES_MAX, NAMES_OF_KEPT_MAX] = [800, 1200]

/** Returns the name under which a text is prepared; undefined once `most` texts have one. */
function statementName(text: string, most: number): string | undefined {
  const asLong = names.get(text.length)
  const hit = asLong?.find((one) => one.text === text)
  if (hit) return hit.name
  if (namesCount >= most) return undefined
  namesCount++
  const name = `s${createHash('sha1').update(text).digest('base64url').slice(0, 20)}`
  if (asLong) asLong.push({ text, name })
  else names.set(text.length, [{ text, name }])
  return name
}

const preparedInUnit = (bound: UnitOfWorkOptions, statement: Sql) =>
  prepared(statement, bound.genericPlans ? NAMES_OF_KEPT_MAX : NAMES_MAX)

const prepared = (statement: Sql, most = NAMES_MAX) => ({
  name: statementName(statement.text, most),
  text: statement.text,
  values: statement.values,
})

/** Runs `work` as an HTTP call: short wait for a connection, and short statement timeouts. */
export const withConnectionLimits = <T>(limits: ConnectionLimits, work: () => Promise<T>, trace?: Trace): Promise<T> =>
  executionContext.run({ isHeld: false, asked: limits, ...(trace && { trace }) }, work)

type Committed = () => void | Promise<void>

/** Rolls back and releases the connection; discards it if the rollback fails. */
function rollbackAndRelease({ client, release }: AcquiredConnection, batch: StatementBatch): Promise<void> {
  batch.flush()
  return client.query('ROLLBACK').then(
    () => release(),
    (broken: Error) => release(broken),
  )
}

/**
 * Runs `work` in one transaction bound to a tenant. BEGIN and the tenant setting travel with the first statement in one
 * round trip. Rolls back if `work` throws. Throws `DatabaseUnavailableError` if the connection is lost before COMMIT
 * was sent, and `CommitOutcomeUnknownError` if it is lost after: then the caller must check before repeating
 * (docs/decisions/0022).
 */
export async function unitOfWork<T>(
  pool: Pool,
  target: UnitOfWorkRequest,
  actor: Actor,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const bound: UnitOfWorkOptions = { tenantId: MANAGEMENT_TENANT, ...target }
  const store = executionContext.getStore()
  if (store?.isHeld) throw new Error('a unit of work may not be opened inside another one: pass the db handle on')
  const connection = await acquireConnection(pool, bound.tenantId)
  const batch = createStatementBatch(connection.client)
  const waits: PendingWork = { commits: [], messages: new Set(), deferred: [] }
  let isEnding = false
  let result: T
  try {
    deferWork(waits, batch.execute(bound.repeatableRead ? BEGIN_SNAPSHOT : BEGIN))
    deferWork(waits, batch.execute(prepared(bindUnit(bound))))
    const [db, unit] = createDbHandle(batch, bound, actor, waits)
    result = await executionContext.run({ ...store, isHeld: true }, async () => work(db))
    const ending = endOf(unit)
    const sent = [...waits.deferred]
    // Sent in one message with COMMIT: if the database rejects it, nothing is committed, and it throws below.
    if (ending) sent.push(batch.execute(preparedInUnit(bound, ending)))
    isEnding = true
    const committing = batch.execute(COMMIT)
    await firstRejection([...sent, committing])
    // If an unawaited statement failed, PostgreSQL answers COMMIT with ROLLBACK; only the command tag shows it.
    if ((await committing).commandTag !== 'COMMIT')
      throw new Error('the transaction was rolled back instead of committed')
  } catch (error) {
    await rollbackAndRelease(connection, batch)
    throw await recoverMissingPartition(
      pool,
      toConnectionError(await rootCauseOf(waits.deferred, waits, error), isEnding),
    )
  }
  connection.release()
  queueNotifications(pool, waits.messages)
  await Promise.all(waits.commits.map(async (run) => run()))
  return result
}

/** Awaits works whose statements are sent in one message. Throws the error of the first one in order, not in time. */
export async function awaitBatch<const T extends readonly unknown[]>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await firstRejection(works.map((work) => Promise.resolve(work)))
  return Promise.all(works)
}

/** Waits for all; throws the error of the first that failed in order, since later ones fail as a consequence. */
async function firstRejection(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason
}

/** If a statement failed only because an earlier one had failed, returns the earlier one's error. */
async function rootCauseOf(
  deferred: readonly Promise<unknown>[],
  waits: PendingWork,
  error: unknown,
): Promise<unknown> {
  if (!isAbortedBatchError(error)) return error
  // Errors of `waitUntil` promises come first: they are the ones their senders made.
  const ends = await Promise.allSettled(deferred)
  const cause = ends.find((one) => one.status === 'rejected' && !isAbortedBatchError(one.reason))
  return (cause as PromiseRejectedResult | undefined)?.reason ?? waits.broken ?? error
}

/**
 * Turns a lost connection into the error that says whether something may have been committed; other errors are
 * unchanged.
 */
function toConnectionError(error: unknown, isEnding = false): unknown {
  if (!isConnectionLoss(error)) return error
  if (isEnding && !isUnsentStatementError(error))
    return new CommitOutcomeUnknownError('the connection was lost while saving', { cause: error })
  return new DatabaseUnavailableError('the connection was lost', { cause: error })
}

const BEGIN: Statement = { name: 'begin', text: 'begin' }
const BEGIN_SNAPSHOT: Statement = { name: 'snapshot', text: 'begin isolation level repeatable read, read only' }
const COMMIT: Statement = { name: 'commit', text: 'commit' }

const ACT_ACROSS = raw(`, set_config('role', 'store_platform', true)`)
const END_EARLY = raw(`, set_config('statement_timeout', '${CALL_STATEMENT_MS}', true),
  set_config('lock_timeout', '${CALL_LOCK_MS}', true)`)

const bindStatement = (bound: UnitOfWorkOptions): Sql =>
  sql`select set_config('app.tenant', ${bound.tenantId}, true), set_config('role',
    ${bound.crossTenantReason ? 'store_platform' : 'store_app'}, true)`

/**
 * Runs independent reads as one transaction in one round trip, on a shared connection. A lost connection is retried
 * once, as repeated reads do no harm.
 */
export async function readBatch(
  pool: Pool,
  target: UnitOfWorkRequest,
  statements: readonly Sql[],
): Promise<ResultRow[][]> {
  const bound: UnitOfWorkOptions = { tenantId: MANAGEMENT_TENANT, ...target }
  const { tenantId } = bound
  const queries = statements.map((statement) => prepared(statement))
  const bind = (isShared: boolean) => prepared(isShared ? bindSharedRead(bound) : bindUnit(bound))
  try {
    const found = await readOnSharedConnection(pool, { tenantId, bind, statements: queries })
    return found.map(({ rows: each }) => each)
  } catch (error) {
    throw toConnectionError(error)
  }
}

const KEEP_PLANS = raw(`, set_config('plan_cache_mode', 'force_generic_plan', true)`)

const END_SOON = raw(`, set_config('statement_timeout', '${SHARED_STATEMENT_MS}', true)`)

/** SQL settings for the transaction: tenant, role, plan mode and timeouts. */
const boundTo = ({ tenantId, crossTenantReason, genericPlans }: UnitOfWorkOptions): Sql =>
  sql`set_config('app.tenant', ${tenantId}, true)${crossTenantReason ? ACT_ACROSS : empty}${
    genericPlans ? KEEP_PLANS : empty
  }${executionContext.getStore()?.asked ? END_EARLY : empty}`
const bindSharedRead = (bound: UnitOfWorkOptions): Sql => sql`select ${boundTo(bound)}${END_SOON}`
const bindUnit = (bound: UnitOfWorkOptions): Sql => sql`select ${boundTo(bound)}`

/** Work pending until the commit, shared by all handles of the transaction. */
type PendingWork = {
  readonly commits: Committed[]
  /** Messages to browsers; a set, so that equal ones are sent once. */
  readonly messages: Set<string>
  readonly deferred: Promise<unknown>[]
  /** Error of the statement that failed first; those sent after it fail as a consequence. */
  broken?: unknown
}

/** State behind a `Db` handle: connection, tenant, actor and pending work. */
type TransactionState = {
  readonly batch: StatementBatch
  readonly bound: UnitOfWorkOptions
  readonly actor: Actor
  readonly waits: PendingWork
  /** Statements for `beforeCommit`. */
  ends: Sql[]
  /** Time given to `withTimestamp`. */
  readonly past?: Date
  readonly changes: ChangeLog
  /** An inner handle (`acrossTenants`, `asTenant`) is using the connection. */
  isDelegated: boolean
}

function createDbHandle(
  batch: StatementBatch,
  bound: UnitOfWorkOptions,
  actor: Actor,
  waits: PendingWork,
  past?: Date,
): [Db, TransactionState] {
  const unit: TransactionState = {
    batch,
    bound,
    actor,
    waits,
    past,
    changes: createChangeLog(actor),
    ends: [],
    isDelegated: false,
  }

  const db: Db = {
    changes: unit.changes,
    tenantId: bound.tenantId,
    userId: actor.userId,
    deptId: actor.deptId,
    isCrossTenant: bound.crossTenantReason !== undefined,
    timestampSql: past ? sql`${past.toISOString()}::timestamptz` : sql`now()`,
    query: async (statement) => (await execute(unit, statement)).rows as never,
    one: async (statement) => (await execute(unit, statement)).rows[0] as never,
    run: async (statement) => countOf(await execute(unit, statement)),
    get: (resource, id, lock) => rows.getRow(db, resource, id, lock),
    find: (resource, where, tail) => rows.findRows(db, resource, where, tail),
    insert: (resource, draft) => rows.insertRow(db, resource, draft),
    insertAll: (resource, drafts) => rows.insertRows(db, resource, drafts),
    update: (resource, id, patch) => rows.updateRow(db, resource, id, patch),
    remove: (resource, ids) => rows.removeRows(db, resource, ids),
    savepoint: (work) => attempt(unit, work),
    advisoryLock: async (name) =>
      void (await execute(
        unit,
        sql`select pg_advisory_xact_lock(hashtextextended(${`${bound.tenantId}/${name}`}, 0))`,
      )),
    publish: (topic, data, scope) => publish(unit, { topic: topic.name, tenantId: bound.tenantId, data, ...scope }),
    enqueue: async (queue, payload, options) =>
      void (await batch.execute(enqueueSql(queue, payload, { tenantId: bound.tenantId, ...options }))),
    beforeCommit: (statement) => void unit.ends.push(statement),
    waitUntil: (work) => deferWork(waits, work),
    afterCommit: (work) => void waits.commits.push(work),
    acrossTenants: (reason, work) => rebound(unit, { tenantId: bound.tenantId, crossTenantReason: reason }, work),
    asTenant: (tenantId, work) => {
      if (!bound.crossTenantReason && tenantId !== bound.tenantId)
        throw new Error('only a unit across tenants may act as another tenant')
      return rebound(unit, { tenantId }, work)
    },
    withTimestamp: (at, work) => within(createDbHandle(batch, bound, actor, waits, at), work),
  }

  return [db, unit]
}

function deferWork({ deferred }: PendingWork, work: Promise<unknown>): void {
  work.catch(() => {})
  deferred.push(work)
}

/** Number of affected rows, from the command tag. */
const countOf = ({ commandTag }: StatementResult): number =>
  Number(commandTag?.slice(commandTag.lastIndexOf(' ') + 1)) || 0

/**
 * Throws when the outer handle is used while `acrossTenants` or `asTenant` runs with an inner one on the same
 * connection: the statement would see the inner tenant's rows.
 */
function requireNotDelegated({ isDelegated }: TransactionState): void {
  if (isDelegated)
    throw new Error('a handle is not used while acrossTenants or asTenant uses its transaction: use the inner one')
}

async function execute(unit: TransactionState, statement: Sql): Promise<StatementResult> {
  requireNotDelegated(unit)
  const { batch, bound, waits } = unit
  try {
    return await batch.execute(preparedInUnit(bound, statement))
  } catch (error) {
    // The driver's stack trace starts at the socket; this one starts at the caller.
    Error.captureStackTrace(error as Error)
    if (!isAbortedBatchError(error)) waits.broken = error
    throw error
  }
}

/** Runs `work` with an inner handle, then writes the changes that handle recorded. */
async function within<T>([inner, unit]: [Db, TransactionState], work: (db: Db) => Promise<T>): Promise<T> {
  const result = await work(inner)
  const ending = endOf(unit)
  if (ending) await inner.run(ending)
  return result
}

/** Combines the statements for the end of a handle's work into one; undefined if there are none. */
function endOf({ changes, ends }: TransactionState): Sql | undefined {
  const changed = changes.take()
  const parts = changed ? [...ends, changed] : ends
  if (parts.length < 2) return parts[0]
  return sql`with ${join(parts.map((part, at) => sql`${raw(`end${at}`)} as (${part})`))} select 1`
}

async function rebound<T>(unit: TransactionState, next: UnitOfWorkOptions, work: (db: Db) => Promise<T>): Promise<T> {
  requireNotDelegated(unit)
  const { batch, bound, actor, waits, past } = unit
  const lending = execute(unit, bindStatement(next))
  unit.isDelegated = true
  let isDone = false
  try {
    await lending
    const result = await within(createDbHandle(batch, next, actor, waits, past), work)
    isDone = true
    return result
  } finally {
    unit.isDelegated = false
    // Also when `work` throws and the caller catches it: no statement may run with the inner rights afterwards. If the
    // transaction is broken, it rolls back anyway.
    const back = execute(unit, bindStatement(bound))
    await (isDone ? back : back.catch(() => {}))
  }
}

async function attempt<T>(unit: TransactionState, work: () => Promise<T>): Promise<T> {
  const { changes, waits } = unit
  const undoChanges = changes.mark()
  const [commitCount, deferredCount, endCount] = [waits.commits.length, waits.deferred.length, unit.ends.length]
  const messages = new Set(waits.messages)
  await execute(unit, sql`savepoint attempt`)
  try {
    const result = await work()
    await firstRejection(waits.deferred.slice(deferredCount))
    await execute(unit, sql`release savepoint attempt`)
    return result
  } catch (error) {
    unit.batch.flush()
    await execute(unit, sql`rollback to savepoint attempt`)
    await execute(unit, sql`release savepoint attempt`)
    undoChanges()
    const reason = await rootCauseOf(waits.deferred.slice(deferredCount), waits, error)
    waits.broken = undefined
    waits.commits.length = commitCount
    waits.deferred.length = deferredCount
    unit.ends.length = endCount
    waits.messages.clear()
    for (const message of messages) waits.messages.add(message)
    throw reason
  }
}

/** Longest message in bytes; NOTIFY takes at most 8000. */
const MESSAGE_MAX = 7500

function publish(unit: TransactionState, message: { topic: string; tenantId: string; data: unknown }): void {
  if (unit.past) return
  const whole = JSON.stringify(message)
  // Listeners that get empty data refetch anyway.
  const short = Buffer.byteLength(whole) < MESSAGE_MAX ? whole : JSON.stringify({ ...message, data: {} })
  unit.waits.messages.add(short)
}

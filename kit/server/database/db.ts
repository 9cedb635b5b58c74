import { createHash } from 'node:crypto'
import type pg from 'pg'
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Resource, RowOf, PatchOf, NewRowOf } from '../../resource/define-resource.ts'
import { MANAGEMENT_TENANT } from '../caller.ts'
import { executionContext, type ConnectionLimits, type Trace } from '../trace.ts'
import { createChangeLog, type ChangeLog } from '../history/change-log.ts'
import { enqueueSql } from '../jobs/job.ts'
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
import { STARTED_AT_SQL, readOnSharedConnection } from './shared-reads.ts'
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

registerSqlTypeParsers()

export type Pool = pg.Pool

/**
 * How long somebody who asked over HTTP waits for a statement and for a lock; what nobody waits for may take longer.
 */
const [ASKED_STATEMENT_MS, ASKED_LOCK_MS, STATEMENT_MS] = [20_000, 10_000, 60_000]
/** The server ends what takes too long; the driver itself gives up only on a server that does not. */
const SILENCE_MS = STATEMENT_MS + 15_000
const CONNECT_MS = 5000

/**
 * Connections that can see nothing until a tenant is set: role without BYPASSRLS, Shanghai's clock
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

/** Connections of the schema's owner, for migrations and nothing else. */
export const createOwnerPool = (url: string): Pool =>
  openPool({ connectionString: url, max: 2, options: '-c TimeZone=Asia/Shanghai -c search_path=public' })

export type UnitOfWorkOptions = {
  tenantId: string
  /** Why this unit may see all tenants; absent for all ordinary work. */
  crossTenantReason?: string
  /**
   * Statements keep their plans, also where PostgreSQL believes those made anew to be better: for what asks by keys,
   * whose plans cost more than running them. Not for filters, whose values decide how they are best answered.
   */
  genericPlans?: boolean
  /** All is read as it was at one moment, and nothing may be written. */
  repeatableRead?: boolean
}

/** Work for all tenants at once is the management tenant's. */
export type UnitOfWorkRequest =
  | UnitOfWorkOptions
  | (Omit<UnitOfWorkOptions, 'tenantId'> & { crossTenantReason: string })

/**
 * A database handle bound to one tenant inside one transaction. There is no other way to the tables: a forgotten WHERE
 * finds only the tenant's rows, and a handle without a tenant finds none.
 */
export type Db = {
  readonly tenantId: string
  readonly userId: string
  readonly deptId: string | null
  readonly isCrossTenant: boolean
  /** Rows with camelCase keys; amounts and counts are numbers, ids are text (values.ts). */
  query: <R extends object = Record<string, any>>(statement: Sql) => Promise<R[]>
  one: <R extends object = Record<string, any>>(statement: Sql) => Promise<R | undefined>
  /** Number of rows a statement changed. */
  run: (statement: Sql) => Promise<number>
  get: <R extends Resource<any, any>>(resource: R, id: string, lock?: 'forUpdate') => Promise<RowOf<R> | undefined>
  find: <R extends Resource<any, any>>(resource: R, where: Sql, tail?: Sql) => Promise<RowOf<R>[]>
  insert: <R extends Resource<any, any>>(
    resource: R,
    draft: NewRowOf<R> & { id?: string; createTime?: string },
  ) => Promise<RowOf<R>>
  /** Many rows with one statement; all drafts have the same fields. */
  insertAll: <R extends Resource<any, any>>(resource: R, drafts: readonly NewRowOf<R>[]) => Promise<void>
  update: <R extends Resource<any, any>>(resource: R, id: string, patch: PatchOf<R>) => Promise<RowOf<R>>
  remove: <R extends Resource<any, any>>(resource: R, ids: readonly string[]) => Promise<number>
  /** Tells browsers (after commit) that something happened; `scope` limits who hears it. See live.ts. */
  publish: (
    topic: string,
    data: Record<string, unknown>,
    scope?: { permission?: string; limits?: Record<string, string>; userIds?: string[] },
  ) => void
  /** Asks for work after commit, in a job that survives a crash. See jobs/. */
  enqueue: (
    queue: string,
    payload: unknown,
    options?: { key?: string; runAt?: Date; moveEarlier?: boolean; maxAttempts?: number },
  ) => Promise<void>
  /** A statement nobody waits for: it goes with the COMMIT, in one statement with all others of the kind. */
  beforeCommit: (statement: Sql) => void
  /**
   * Something under way that need not be waited for before the COMMIT is sent behind it. When it fails, the unit
   * fails with its error.
   */
  waitUntil: (work: Promise<unknown>) => void
  /** Runs after a successful commit, in this process: for caches. What it promises is waited for before the answer. */
  afterCommit: (work: () => void | Promise<void>) => void
  /**
   * The same transaction seen by the platform: all tenants. The reason is for the reader and for the test that lists
   * them.
   */
  acrossTenants: <T>(reason: string, work: (db: Db) => Promise<T>) => Promise<T>
  /** The same transaction in the name of another tenant; only from a unit that may cross. */
  asTenant: <T>(tenantId: string, work: (db: Db) => Promise<T>) => Promise<T>
  /**
   * The same transaction telling what happened at another moment: rows written inside carry it as theirs, and nobody
   * hears of them. For stories.
   */
  withTimestamp: <T>(at: Date, work: (db: Db) => Promise<T>) => Promise<T>
  /** When what is written now happened, as SQL: for statements that name `create_time` themselves. */
  readonly timestampSql: Sql
  /** Serialises callers on a name until the transaction ends. */
  advisoryLock: (name: string) => Promise<void>
  /** Undoes what `work` did when it throws, and only that; the transaction goes on. */
  savepoint: <T>(work: () => Promise<T>) => Promise<T>
  /** What the unit changed, on its way to the rows' history (change-log.ts). */
  readonly changes: ChangeLog
}

/** Who acts, and by which call: the history of a row tells both. */
export type Actor = { userId: string; deptId: string | null; via?: string }
export const systemActor: Actor = { userId: '0', deptId: null }
/** A start that brings rows to what this version declares; histories name it. */
export const upgradeActor: Actor = { ...systemActor, via: 'upgrade' }

/** By length: to hash a text of four kilobytes costs more than to compare it with the few that are as long. */
const names = new Map<number, { text: string; name: string }[]>()
let namesCount = 0
/** Many texts are of filters asked once. Units of work that keep their plans have room left when those are many. */
const [NAMES_MAX, NAMES_OF_KEPT_MAX] = [800, 1200]

/** Prepared statement name for a text, while there are few enough of them. */
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

let withoutFilters: ((text: string) => string) | undefined

/**
 * Takes the application's own tenant conditions out of every statement that may see one tenant only, so that a test
 * meets the database's policies alone. Refuses to do so anywhere but in a test run.
 */
export function dropTenantFiltersInTests(isDropped: boolean): void {
  if (!process.env.VITEST) throw new Error('tenant conditions are dropped in tests only')
  withoutFilters = isDropped
    ? (text) =>
        text.replace(
          /(?<![\w"])(?:"?\w+"?\.)?"?\btenant_id"?\s*(?:=\s*(?:\$\d+|any\s*\(\s*\$\d+[^()]*\))|in\s*\([^()]*\))/gi,
          '($& or true)',
        )
    : undefined
}

const preparedWithin = (bound: UnitOfWorkOptions, statement: Sql, most = NAMES_MAX) => {
  const query = prepared(statement, most)
  return withoutFilters && !bound.crossTenantReason ? { text: withoutFilters(query.text), values: query.values } : query
}

const preparedInUnit = (bound: UnitOfWorkOptions, statement: Sql) =>
  preparedWithin(bound, statement, bound.genericPlans ? NAMES_OF_KEPT_MAX : NAMES_MAX)

const prepared = (statement: Sql, most = NAMES_MAX) => ({
  name: statementName(statement.text, most),
  text: statement.text,
  values: statement.values,
})

/** Runs `work` as a call from outside: it gets a connection soon or is refused, and its statements end early. */
export const withConnectionLimits = <T>(asked: ConnectionLimits, work: () => Promise<T>, trace?: Trace): Promise<T> =>
  executionContext.run({ isHeld: false, asked, ...(trace && { trace }) }, work)

type Committed = () => void | Promise<void>

/** Undoes what is open on a connection and gives it back; one that cannot be undone is thrown away. */
function rollbackAndRelease({ client, release }: AcquiredConnection, breaths: StatementBatch): Promise<void> {
  breaths.flush()
  return client.query('ROLLBACK').then(
    () => release(),
    (broken: Error) => release(broken),
  )
}

/**
 * Runs `work` in one transaction bound to a tenant. BEGIN and the tenant travel with the first statement in one round
 * trip. Throwing rolls everything back. Refuses with `DatabaseUnavailableError` when the connection was lost before the
 * end was asked for, and with `CommitOutcomeUnknownError` when the answer to COMMIT was: who asked has to look before
 * asking again (docs/decisions/0022).
 */
export async function unitOfWork<T>(
  pool: Pool,
  whose: UnitOfWorkRequest,
  actor: Actor,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const bound: UnitOfWorkOptions = { tenantId: MANAGEMENT_TENANT, ...whose }
  const store = executionContext.getStore()
  if (store?.isHeld) throw new Error('a unit of work may not be opened inside another one: pass the db handle on')
  const lent = await acquireConnection(pool, bound.tenantId)
  const breaths = createStatementBatch(lent.client)
  const waits: PendingWork = { commits: [], messages: new Set(), rides: [] }
  let isEnding = false
  let result: T
  try {
    ride(waits, breaths.execute(bound.repeatableRead ? BEGIN_SNAPSHOT : BEGIN))
    ride(waits, breaths.execute(prepared(bindUnit(bound))))
    const [db, unit] = createDbHandle(breaths, bound, actor, waits)
    result = await executionContext.run({ ...store, isHeld: true }, async () => work(db))
    const ending = endOf(unit)
    const sent = [...waits.rides]
    // In one message with the end: what the database refuses keeps the COMMIT from being done, and throws here.
    if (ending) sent.push(breaths.execute(preparedInUnit(bound, ending)))
    isEnding = true
    const committing = breaths.execute(COMMIT)
    await firstRejection([...sent, committing])
    // A statement nobody heard of failed: PostgreSQL ends the transaction, and says so by this word alone.
    if ((await committing).commandTag !== 'COMMIT')
      throw new Error('the transaction was rolled back instead of committed')
  } catch (error) {
    await rollbackAndRelease(lent, breaths)
    throw await recoverMissingPartition(pool, toConnectionError(await rootCauseOf(waits.rides, waits, error), isEnding))
  }
  lent.release()
  queueNotifications(pool, waits.messages)
  await Promise.all(waits.commits.map(async (run) => run()))
  return result
}

/** Work whose statements leave in one message; throws the first refusal in this order, whichever was heard first. */
export async function awaitBatch<const T extends readonly unknown[]>(
  works: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await firstRejection(works.map((work) => Promise.resolve(work)))
  return Promise.all(works)
}

/** Waits for all; throws the error of the first that failed, as those behind it fail for its sake. */
async function firstRejection(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const one of await Promise.allSettled(sent)) if (one.status === 'rejected') throw one.reason
}

/** Where a statement failed only because one nobody waited for, or not yet, had failed before it: the error of that. */
async function rootCauseOf(rides: readonly Promise<unknown>[], waits: PendingWork, error: unknown): Promise<unknown> {
  if (!isAbortedBatchError(error)) return error
  // A ride says it in the words of who sent it.
  const ends = await Promise.allSettled(rides)
  const told = ends.find((one) => one.status === 'rejected' && !isAbortedBatchError(one.reason))
  return (told as PromiseRejectedResult | undefined)?.reason ?? waits.broken ?? error
}

/** An error of the connection says whether anything may have been done; all others stay what they are. */
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
const END_EARLY = raw(`, set_config('statement_timeout', '${ASKED_STATEMENT_MS}', true),
  set_config('lock_timeout', '${ASKED_LOCK_MS}', true)`)

const bindStatement = (bound: UnitOfWorkOptions): Sql =>
  sql`select set_config('app.tenant', ${bound.tenantId}, true), set_config('role',
    ${bound.crossTenantReason ? 'store_platform' : 'store_app'}, true)`

/**
 * Reads that need no answer of one another: the whole transaction in one round trip. Reading twice harms nobody, so a
 * lost connection is tried once more.
 */
export async function readBatch(
  pool: Pool,
  whose: UnitOfWorkRequest,
  statements: readonly Sql[],
): Promise<ResultRow[][]> {
  const bound: UnitOfWorkOptions = { tenantId: MANAGEMENT_TENANT, ...whose }
  const asked = statements.map((statement) => preparedWithin(bound, statement))
  try {
    const [, ...found] = await readOnSharedConnection(pool, bound.tenantId, [prepared(bindReading(bound)), ...asked])
    return found.map(({ rows: each }) => each)
  } catch (error) {
    throw toConnectionError(error)
  }
}

const KEEP_PLANS = raw(`, set_config('plan_cache_mode', 'force_generic_plan', true)`)

const SAYS_WHEN = raw(STARTED_AT_SQL)

/** Whose rows are seen, and how long the server may take, until the transaction ends. */
const boundTo = ({ tenantId, crossTenantReason, genericPlans }: UnitOfWorkOptions): Sql =>
  sql`set_config('app.tenant', ${tenantId}, true)${crossTenantReason ? ACT_ACROSS : empty}${
    genericPlans ? KEEP_PLANS : empty
  }${executionContext.getStore()?.asked ? END_EARLY : empty}`
const bindReading = (bound: UnitOfWorkOptions): Sql => sql`select ${SAYS_WHEN}, ${boundTo(bound)}`
const bindUnit = (bound: UnitOfWorkOptions): Sql => sql`select ${boundTo(bound)}`

/** What waits for the commit, of all handles of a transaction. */
type PendingWork = {
  readonly commits: Committed[]
  /** To browsers; the same one is told once. */
  readonly messages: Set<string>
  readonly rides: Promise<unknown>[]
  /** Why a statement failed; those sent behind it fail for its sake. */
  broken?: unknown
}

/** What a handle is made of: a connection in whose transaction it speaks, for whom, and what waits for the commit. */
type TransactionState = {
  readonly breaths: StatementBatch
  readonly bound: UnitOfWorkOptions
  readonly actor: Actor
  readonly waits: PendingWork
  /** Statements that go with the end. */
  ends: Sql[]
  /** The moment told of, where a story tells the past. */
  readonly past?: Date
  readonly changes: ChangeLog
  /** While the connection acts for somebody else. */
  isLent: boolean
}

function createDbHandle(
  breaths: StatementBatch,
  bound: UnitOfWorkOptions,
  actor: Actor,
  waits: PendingWork,
  past?: Date,
): [Db, TransactionState] {
  const unit: TransactionState = {
    breaths,
    bound,
    actor,
    waits,
    past,
    changes: createChangeLog(actor),
    ends: [],
    isLent: false,
  }
  const db: Db = {
    changes: unit.changes,
    tenantId: bound.tenantId,
    userId: actor.userId,
    deptId: actor.deptId,
    isCrossTenant: bound.crossTenantReason !== undefined,
    timestampSql: past ? sql`${past.toISOString()}::timestamptz` : sql`now()`,
    query: async (statement) => (await send(unit, statement)).rows as never,
    one: async (statement) => (await send(unit, statement)).rows[0] as never,
    run: async (statement) => countOf(await send(unit, statement)),
    get: (resource, id, lock) => rows.getRow(db, resource, id, lock),
    find: (resource, where, tail) => rows.findRows(db, resource, where, tail),
    insert: (resource, draft) => rows.insertRow(db, resource, draft),
    insertAll: (resource, drafts) => rows.insertRows(db, resource, drafts),
    update: (resource, id, patch) => rows.updateRow(db, resource, id, patch),
    remove: (resource, ids) => rows.removeRows(db, resource, ids),
    savepoint: (work) => attempt(unit, work),
    advisoryLock: async (name) =>
      void (await send(unit, sql`select pg_advisory_xact_lock(hashtextextended(${`${bound.tenantId}/${name}`}, 0))`)),
    publish: (topic, data, scope) => publish(unit, { topic, tenantId: bound.tenantId, data, ...scope }),
    enqueue: async (queue, payload, options) =>
      void (await breaths.execute(enqueueSql({ queue, payload, tenantId: bound.tenantId, ...options }))),
    beforeCommit: (statement) => void unit.ends.push(statement),
    waitUntil: (work) => ride(waits, work),
    afterCommit: (work) => void waits.commits.push(work),
    acrossTenants: (reason, work) => rebound(unit, { tenantId: bound.tenantId, crossTenantReason: reason }, work),
    asTenant: (tenantId, work) => {
      if (!bound.crossTenantReason && tenantId !== bound.tenantId)
        throw new Error('only a unit across tenants may act as another tenant')
      return rebound(unit, { tenantId }, work)
    },
    withTimestamp: (at, work) => within(createDbHandle(breaths, bound, actor, waits, at), work),
  }
  return [db, unit]
}

function ride({ rides }: PendingWork, work: Promise<unknown>): void {
  work.catch(() => {})
  rides.push(work)
}

/** How many rows were read or changed, where the answer says so. */
const countOf = ({ commandTag }: StatementResult): number =>
  Number(commandTag?.slice(commandTag.lastIndexOf(' ') + 1)) || 0

/** The connection acts for somebody else: a statement through this handle would run with the other’s rights. */
function refuseLent({ isLent }: TransactionState): void {
  if (isLent)
    throw new Error('a handle is not used while acrossTenants or asTenant has lent its transaction: use the inner one')
}

async function send(unit: TransactionState, statement: Sql): Promise<StatementResult> {
  refuseLent(unit)
  const { breaths, bound, waits } = unit
  try {
    return await breaths.execute(preparedInUnit(bound, statement))
  } catch (error) {
    // Made where the socket was read, an error says nothing of who asked.
    Error.captureStackTrace(error as Error)
    if (!isAbortedBatchError(error)) waits.broken = error
    throw error
  }
}

/** Work through an inner handle of the transaction, which keeps a log of changes of its own. */
async function within<T>([inner, unit]: [Db, TransactionState], work: (db: Db) => Promise<T>): Promise<T> {
  const result = await work(inner)
  const ending = endOf(unit)
  if (ending) await inner.run(ending)
  return result
}

/** What goes with the end of a handle's work as one statement; undefined when there is nothing. */
function endOf({ changes, ends }: TransactionState): Sql | undefined {
  const changed = changes.take()
  const parts = changed ? [...ends, changed] : ends
  if (parts.length < 2) return parts[0]
  return sql`with ${join(parts.map((part, at) => sql`${raw(`end${at}`)} as (${part})`))} select 1`
}

async function rebound<T>(unit: TransactionState, next: UnitOfWorkOptions, work: (db: Db) => Promise<T>): Promise<T> {
  refuseLent(unit)
  const { breaths, bound, actor, waits, past } = unit
  const lending = send(unit, bindStatement(next))
  unit.isLent = true
  let isDone = false
  try {
    await lending
    const result = await within(createDbHandle(breaths, next, actor, waits, past), work)
    isDone = true
    return result
  } finally {
    unit.isLent = false
    // Also when `work` refused and somebody catches that: nobody goes on with rights that were lent. A broken
    // transaction rolls back anyway.
    const back = send(unit, bindStatement(bound))
    await (isDone ? back : back.catch(() => {}))
  }
}

async function attempt<T>(unit: TransactionState, work: () => Promise<T>): Promise<T> {
  const { changes, waits } = unit
  const undoChanges = changes.mark()
  const [told, ridden, ended] = [waits.commits.length, waits.rides.length, unit.ends.length]
  const messages = new Set(waits.messages)
  await send(unit, sql`savepoint attempt`)
  try {
    const result = await work()
    await firstRejection(waits.rides.slice(ridden))
    await send(unit, sql`release savepoint attempt`)
    return result
  } catch (error) {
    unit.breaths.flush()
    await send(unit, sql`rollback to savepoint attempt`)
    await send(unit, sql`release savepoint attempt`)
    undoChanges()
    const reason = await rootCauseOf(waits.rides.slice(ridden), waits, error)
    waits.broken = undefined
    waits.commits.length = told
    waits.rides.length = ridden
    unit.ends.length = ended
    waits.messages.clear()
    for (const message of messages) waits.messages.add(message)
    throw reason
  }
}

/** A NOTIFY carries at most 8000 bytes. */
const MESSAGE_MAX = 7500

function publish(
  unit: TransactionState,
  message: { topic: string; tenantId: string; data: Record<string, unknown> },
): void {
  if (unit.past) return
  const whole = JSON.stringify(message)
  // Listeners of an oversized change refetch anyway.
  const short = Buffer.byteLength(whole) < MESSAGE_MAX ? whole : JSON.stringify({ ...message, data: {} })
  unit.waits.messages.add(short)
}

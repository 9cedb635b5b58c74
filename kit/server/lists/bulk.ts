import { createHash } from 'node:crypto'
import { type Field, isEmptyInput } from '../../fields/base/field-kind.ts'
import { fieldKindOf } from '../../fields/kinds.ts'
import { formatYuan } from '../../fields/money/cents.ts'
import { f } from '../../resource/f.ts'
import { permissionCodeOf, type Action, type Resource } from '../../resource/define-resource.ts'
import { placeholderNames, type LocalizedText } from '../../base/localized-text.ts'
import { hasPermission, type Caller } from '../base/caller.ts'
import { isSame } from '../database/change-log.ts'
import {
  hasAtLeastAccess,
  accessSnapshotOf,
  canReadField,
  canReadUnmasked,
  type AccessSnapshot,
} from '../database/data-scope.ts'
import { empty, join, readBatch, sql, systemActor, unitOfWork, type Db, type Sql } from '../database/db.ts'
import { crashResponse, refusalResponse } from '../request/envelope.ts'
import { queryFilterSql } from '../query/filters.ts'
import { visibleRowsSql } from '../resource/list-of.ts'
import { parseRowIds } from '../request/requested-operation.ts'
import { PendingApproval, pendingApprovalRefusal } from '../request/approval-gate.ts'
import { parseInput } from '../request/parse-input.ts'
import { presentRows, selectColumnsSql } from '../resource/present.ts'
import { Refused } from '../base/refused.ts'
import { lockAgainstReferencing } from '../resource/references.ts'
import { requireIdList } from '../resource/remove-of.ts'
import { tenantIdsByRow } from '../resource/submit-of.ts'
import { newTraceId, currentTrace } from '../base/trace.ts'
import { actorOfCaller, databaseErrorRefusal } from '../request/pipeline.ts'
import { defineModuleJob, defineRoute, type Call, type ModuleJob, type ServedResource } from '../module/module.ts'
import type { Services } from '../module/services.ts'
import { columnNameSql, hasTenantColumn, storedFields } from '../database/row-sql.ts'
import { newId } from '../database/snowflake.ts'
import { hasListPermission, requireListPermission } from '../resource/may-list.ts'
import { findServedResource } from '../resource/custom-fields.ts'
import { requireServedResource, callRoute } from '../resource/call-route.ts'
import { defineQueue } from '../jobs/index.ts'
import { bulkProgressTopic } from '../../resource/kit-topics.ts'

type Values = Record<string, unknown>

/** A bulk run as it is stored: the operation, its rows and input, and who requested it. */
type BulkRequest = {
  resource: string
  operation: string
  ids: string[]
  input: Values
  lang: Call['lang']
  caller: Caller
  /** Dry run: executed, then rolled back. */
  isDryRun?: boolean
  /** What the caller could see when the rows of the preview were read. */
  reach?: AccessSnapshot
}
type RowOutcome = { id: string; title: string; isDone: boolean; msg: string }
/** Numbers in the action's answers, summed over the rows, for its `done` sentence. */
type Sums = Record<string, number>
type Done = RowOutcome & { sums?: Sums }

const SET_MAX = 100_000
/** Up to this many rows are processed while the caller waits; more become a job. */
export const BULK_INLINE_ROWS_MAX = 100
const PREVIEW_ROWS_MAX = 30
const CHUNK = 50
const REFUSALS_MAX = 1000
/** Most unfinished runs of one person; runs older than a day do not count. */
const UNFINISHED_RUNS_MAX = 10
const PATH = '/api/kit/bulk/:resource'
/** Path of the bulk route. */
export const BULK_PATH = PATH

/** Reads a stored request; runs stored before an update have `operation` under its old name `deed`. */
const currentRequest = (ask: BulkRequest & { deed?: string }): BulkRequest => ({
  ...ask,
  operation: ask.operation ?? ask.deed,
})

/** Returns the path and parameters of the operation's own route, for these rows. */
function callOf(
  { resource }: ServedResource,
  operation: string,
  ids: readonly string[],
  input: Values,
): { path: string; query?: Record<string, string>; body?: Values } {
  if (operation === 'remove') return { path: `${resource.path}/remove`, query: { ids: ids.join(',') } }
  if (operation === 'edit') return { path: `${resource.path}/submit`, body: { id: ids[0], ...input } }
  const action = resource.actions[operation] as Action
  return {
    path: `${resource.path}/${action.path ?? operation}`,
    query: action.on === 'row' ? { id: ids[0]! } : { ids: ids.join(',') },
    body: input,
  }
}

/**
 * Checks that the caller may run the operation, and that it is declared for many rows. Returns the operation's input,
 * checked.
 */
async function checkOperation(served: ServedResource, call: Call, operation: string, given: Values): Promise<Values> {
  const { resource } = served
  const { caller } = call
  // A preview shows rows, so it needs the same permission as the list.
  await requireListPermission(call, served)
  const need = (verb: string) => {
    if (!hasPermission(caller, permissionCodeOf(resource, verb))) throw new Refused('forbidden')
  }
  if (operation === 'remove') {
    need('delete')
    if (resource.remove === false) throw new Refused('not_removable', { label: resource.label })
    return {}
  }
  if (operation === 'edit') {
    need('edit')
    const fields = Object.fromEntries(
      resource.list.bulk
        .filter((key: string) => given[key] !== undefined)
        .map((key: string) => [key, resource.fields[key]]),
    )
    if (!Object.keys(fields).length) throw new Refused(resource.list.bulk.length ? 'nothing_chosen' : 'not_for_many')
    parseInput(fields, given)
    return Object.fromEntries(Object.keys(fields).map((key) => [key, given[key]]))
  }
  const action = (Object.hasOwn(resource.actions, operation) ? resource.actions[operation] : undefined) as
    | Action
    | undefined
  if (!action || action.on === 'toolbar' || (action.on === 'row' && !action.bulk)) throw new Refused('not_for_many')
  need(action.can ?? operation)
  parseInput(action.input ?? {}, given)
  return Object.fromEntries(
    Object.keys(action.input ?? {})
      .filter((key) => given[key] !== undefined)
      .map((key) => [key, given[key]]),
  )
}

/** Whether the action takes all rows in one call (all or nothing); other operations run row by row. */
const isWhole = ({ resource }: ServedResource, operation: string): boolean =>
  (resource.actions[operation] as Action | undefined)?.on === 'bulk'

type RowSelection = {
  ids: string[]
  count: number
  /** Digest of the ids: differs if other rows are selected, even if the number is equal. */ digest: string
}

/**
 * Runs a read with the visibility of the caller's lists: all tenants for platform administrators, else only their own.
 */
const whereListed = <T>({ caller, db }: Call, read: (db: Db) => Promise<T>): Promise<T> =>
  caller.isPlatform ? db.acrossTenants('platform administrator', read) : read(db)

/** Returns the selected rows within the caller's scope: those named by id, or all that match the list filter. */
async function selectionOf(served: ServedResource, call: Call, body: Values): Promise<RowSelection> {
  const { resource } = served
  const filter = body.filter
  const isFilter = typeof filter === 'object' && filter !== null && !Array.isArray(filter)
  const wanted: Record<string, string> = isFilter
    ? Object.fromEntries(
        Object.entries(filter)
          .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
          .map(([key, value]) => [key, String(value)]),
      )
    : {}
  const inside = { ...call, query: wanted }
  const narrowed: Sql = isFilter
    ? queryFilterSql(resource, wanted, call.caller)
    : sql` and r.id = any(${requireIdList(resource, body.ids)}::bigint[])`
  const statement = sql`select r.id::text as id ${visibleRowsSql(served, inside)}${narrowed} order by r.id
    limit ${SET_MAX + 1}`
  const found = await whereListed(call, (db) => db.query<{ id: string }>(statement))
  if (found.length > SET_MAX) throw new Refused('set_too_big', { max: SET_MAX })
  const ids = found.map(({ id }) => id)
  return { ids, count: ids.length, digest: createHash('sha256').update(ids.join()).digest('base64url') }
}

/**
 * Refuses if the selection has changed since the caller saw it: in number, or (if `expectedSet` is sent) in its rows.
 */
function requireSameCount(body: Values, { count, digest }: RowSelection): void {
  const expected = body.expectedCount
  if (!['string', 'number'].includes(typeof expected) || !/^\d{1,9}$/.test(String(expected)))
    throw new Refused('missing_parameter', { name: 'expectedCount' })
  if (Number(expected) !== count || (!isEmptyInput(body.expectedSet) && body.expectedSet !== digest))
    throw new Refused('set_moved', { count }, { count })
  if (!count) throw new Refused('nothing_chosen')
}

/** Totals of the amounts that the action's confirmation mentions, over all rows, as far as the caller may read them. */
async function amountsOf(
  { resource, hooks }: ServedResource,
  call: Call,
  operation: string,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const { confirm } = (resource.actions[operation] ?? {}) as Partial<Action>
  const fields = storedFields(resource).filter(
    ([key, field]) =>
      confirm &&
      placeholderNames(confirm).includes(key) &&
      fieldKindOf(field).currency &&
      canReadField(resource, key, call.caller) &&
      canReadUnmasked(resource, field, call.caller),
  )
  if (!fields.length) return {}
  const sums = fields.map(([key]) => sql`coalesce(sum(r.${columnNameSql(key)}), 0)::text as ${columnNameSql(key)}`)
  const read = sql`select ${join(sums)} ${visibleRowsSql({ resource, hooks } as ServedResource, { ...call, query: {} })}
    and r.id = any(${ids}::bigint[])`
  const [row] = await whereListed(call, (db) => db.query<Record<string, string>>(read))
  return Object.fromEntries(fields.map(([key]) => [key, formatYuan(Number(row![key]))]))
}

const titled = (resource: Resource<any, any>, row: Values | undefined, id: string): string =>
  String(row?.[resource.title] ?? '') || id

async function wireOf(served: ServedResource, call: Call, ids: readonly string[]): Promise<Map<string, Values>> {
  const { resource } = served
  const read = sql`select ${selectColumnsSql(call.services.registry, resource, 'list')}
    ${visibleRowsSql(served, { ...call, query: {} })} and r.id = any(${ids}::bigint[])`
  const rows = await whereListed(call, (db) => db.query(read))
  const wire = await presentRows(call, resource, served.hooks, rows)
  return new Map(wire.map((row) => [row.id as string, row]))
}

const sentence = (call: Pick<Call, 'lang'>, error: unknown): string | undefined => {
  const refused = error instanceof Refused ? error : databaseErrorRefusal(error)
  return refused && refusalResponse(refused, call.lang).body.msg
}

/** Numbers in an action's answer that its `done` sentence uses and that can be summed. */
function sumsIn({ resource }: ServedResource, operation: string, answer: unknown): Sums {
  const { done } = (resource.actions[operation] ?? {}) as Partial<Action>
  if (!done || typeof answer !== 'object' || answer === null) return {}
  const sums = Object.entries(answer).filter(
    ([key, value]) => typeof value === 'number' && done.zh.includes(`{${key}}`),
  )
  return Object.fromEntries(sums)
}

function added(all: Sums, more: Sums): Sums {
  const sums = { ...all }
  for (const [key, value] of Object.entries(more)) sums[key] = (sums[key] ?? 0) + value
  return sums
}
const addUp = (outcomes: readonly Done[]): Sums => outcomes.reduce<Sums>((all, { sums = {} }) => added(all, sums), {})

/**
 * Applies the operation to one row (or to the whole set) through its own route, in a savepoint: a refusal undoes only
 * this row. Returns the refusal's message, or the numbers to be summed.
 */
async function applyToRow(
  served: ServedResource,
  call: Call,
  operation: string,
  ids: readonly string[],
  input: Values,
): Promise<{ msg?: string; sums?: Sums }> {
  try {
    const { path, ...ask } = callOf(served, operation, ids, input)
    const answer = await call.db.savepoint(() => callRoute({ ...call, isOfSet: true }, path, ask))
    return answer instanceof PendingApproval
      ? { msg: sentence(call, pendingApprovalRefusal(answer)) }
      : { sums: sumsIn(served, operation, answer) }
  } catch (error) {
    const msg = sentence(call, error)
    if (msg !== undefined) return { msg }
    // In a background run a crash is recorded for its row, so that the rest is still processed; in a request it is
    // thrown as usual.
    if (call.request.url) throw error
    const traceId = currentTrace()?.id ?? newTraceId()
    call.services.log.error({ err: error, traceId }, 'a row of a bulk run crashed')
    return { msg: crashResponse(traceId, call.lang).body.msg }
  }
}

const refusedOf = (outcomes: readonly Done[]): RowOutcome[] =>
  outcomes.filter((one) => !one.isDone).map(({ sums: _sums, ...one }) => one)

/**
 * Locks all rows against new references before the first is removed. Each removal takes the same lock, but one by one,
 * so that two bulk removals could deadlock.
 */
async function lockAll({ resource }: ServedResource, call: Call, ids: readonly string[]): Promise<void> {
  const tenants =
    hasTenantColumn(resource) && call.caller.isPlatform ? await tenantIdsByRow(call, resource, ids) : undefined
  const places = ids.flatMap((id) => {
    const tenantId = tenants ? tenants.get(id) : call.db.tenantId
    return tenantId === undefined ? [] : { id, tenantId }
  })
  await lockAgainstReferencing(call.db, resource, places)
}

/** Row ids in the order of the action's `order` field, so that two bulk runs lock rows in the same order. */
function inOrder(
  { resource }: ServedResource,
  operation: string,
  ids: readonly string[],
  rows: ReadonlyMap<string, Values>,
): readonly string[] {
  const { order } = (resource.actions[operation] ?? {}) as Partial<Action>
  if (order === undefined) return ids
  const placed = ids.map((id) => ({ id, place: String(rows.get(id)?.[order] ?? '') }))
  return placed.toSorted((a, b) => Number(a.place > b.place) - Number(a.place < b.place)).map(({ id }) => id)
}

async function doAll(
  served: ServedResource,
  call: Call,
  operation: string,
  ids: readonly string[],
  input: Values,
): Promise<Done[]> {
  const { resource } = served
  const before = await wireOf(served, call, ids)
  const outcomes: Done[] = []
  const outcome = (id: string, { msg, sums }: Awaited<ReturnType<typeof applyToRow>>): Done => ({
    id,
    title: titled(resource, before.get(id), id),
    isDone: msg === undefined,
    msg: msg ?? '',
    sums,
  })
  if (isWhole(served, operation)) {
    const { msg } = await applyToRow(served, call, operation, ids, input)
    return ids.map((id) => outcome(id, { msg }))
  }
  if (operation === 'remove') await lockAll(served, call, ids)
  for (const id of inOrder(served, operation, ids, before))
    outcomes.push(outcome(id, await applyToRow(served, call, operation, [id], input)))
  return outcomes
}

class RolledBack extends Error {}

/** Fields whose wire value differs between before and after a dry run. */
const changedKeys = (resource: Resource<any, any>, before: Values, after: Values): string[] =>
  Object.entries(resource.fields as Record<string, Field>)
    .filter(
      ([key, field]) => !field.secret && field.form !== 'hidden' && key in before && !isSame(before[key], after[key]),
    )
    .map(([key]) => key)

type DryRunRow = Done & { keys: string[]; was: Values; now: Values }

/**
 * Runs the operation on the first rows with all hooks, reads the result and rolls everything back, so that the preview
 * shows what would really happen.
 */
async function dryRun(
  served: ServedResource,
  call: Call,
  operation: string,
  ids: readonly string[],
  input: Values,
): Promise<DryRunRow[]> {
  const { resource } = served
  const tried = isWhole(served, operation) ? ids : ids.slice(0, PREVIEW_ROWS_MAX)
  const shown = tried.slice(0, PREVIEW_ROWS_MAX)
  let rows: DryRunRow[] = []
  await call.services.labels.ready(call.caller.tenantId)
  await call.db
    .savepoint(async () => {
      const before = await wireOf(served, call, shown)
      const outcomes = new Map((await doAll(served, call, operation, tried, input)).map((one) => [one.id, one]))
      const after = operation === 'remove' ? new Map<string, Values>() : await wireOf(served, call, shown)
      rows = shown.map((id) => {
        const [was, now] = [before.get(id) ?? {}, after.get(id) ?? {}]
        return { ...outcomes.get(id)!, keys: after.has(id) ? changedKeys(resource, was, now) : [], was, now }
      })
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return rows
}

const LABEL = {
  operation: { zh: '操作', en: 'Operation' },
  ids: { zh: '编号', en: 'IDs' },
  filter: { zh: '筛选条件', en: 'Filter' },
  count: { zh: '条数', en: 'Expected count' },
  set: { zh: '预览时的数据', en: 'Previewed rows' },
  input: { zh: '内容', en: 'Input' },
  id: { zh: '编号', en: 'ID' },
} satisfies Record<string, LocalizedText>

const takes = {
  operation: f.text({ label: LABEL.operation, required: true, max: 60 }),
  ids: f.longText({ label: LABEL.ids }),
  filter: f.json({ label: LABEL.filter }),
  expectedCount: f.number({ label: LABEL.count }),
  expectedSet: f.text({ label: LABEL.set, max: 60 }),
  input: f.json({ label: LABEL.input }),
}

const bodyOf = (call: Call): { body: Values; operation: string; given: Values } => {
  const body = (
    typeof call.body === 'object' && call.body !== null && !Array.isArray(call.body) ? call.body : {}
  ) as Values
  const input = body.input
  if (typeof body.operation !== 'string' || !body.operation)
    throw new Refused('missing_parameter', { name: 'operation' })
  return {
    body,
    operation: body.operation,
    given: (typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}) as Values,
  }
}

const summaryOf = (rows: DryRunRow[]) => ({
  dryRunCount: rows.length,
  refused: rows.filter((row) => !row.isDone).length,
  rows,
})

/** Stores the run, enqueues its job and returns the run's id. Refuses if the caller has too many unfinished runs. */
async function leave(
  served: ServedResource,
  call: Call,
  { operation, input, isDryRun }: Pick<BulkRequest, 'operation' | 'input' | 'isDryRun'>,
  ids: readonly string[],
): Promise<string> {
  const { caller, db } = call
  await db.advisoryLock(`bulk runs of ${caller.userId}`)
  const open = await db.one<{ n: number }>(sql`select count(*)::int as n from bulk_run
    where tenant_id = ${db.tenantId} and user_id = ${caller.userId || '0'} and finish_time is null
      and create_time > now() - interval '1 day'`)
  if (open!.n >= UNFINISHED_RUNS_MAX) throw new Refused('too_many_tasks', { max: UNFINISHED_RUNS_MAX })
  const id = newId()
  const reach = accessSnapshotOf(served.resource, caller)
  const asker = { ...caller, permissions: [], apiScopeIds: [] }
  const ask = { resource: served.resource.name, operation, input, lang: call.lang, caller: asker, isDryRun, reach }
  await call.db.run(
    sql`insert into bulk_run (id, tenant_id, user_id, ask, ids)
      values (${id}, ${call.db.tenantId}, ${call.caller.userId || '0'}, ${JSON.stringify(ask)},
      ${ids}::bigint[])`,
  )
  await call.db.enqueue(isDryRun ? dryRunQueue : runBulkOperationQueue, { id })
  return id
}

type Run = {
  ask: BulkRequest
  count: number
  done: number
  failed: number
  refused: RowOutcome[]
  dryRunRows: DryRunRow[] | null
  sums: Sums
  finishTime: string | null
}

/**
 * Returns the progress of one of the caller's own runs. Its rows are shown only while the caller may still see all that
 * they could when the rows were read; otherwise only the counts.
 */
async function runOf(call: Call<{ id: string | null }>) {
  const { services, caller, input } = call
  const [rows] = await readBatch(services.pool, { tenantId: caller.tenantId }, [
    sql`select ask, cardinality(ids) as count, done, failed, refused, dry_run_rows as "dryRunRows", sums,
      finish_time as "finishTime"
      from bulk_run where tenant_id = ${caller.tenantId} and user_id = ${caller.userId || '0'} and id = ${input.id}`,
  ])
  const run = rows![0] as Run | undefined
  if (!run) throw new Refused('not_found', { label: { zh: '批量操作', en: 'Run bulk action' } })
  const { ask, count, done, failed, refused, dryRunRows, sums, finishTime } = run
  const served = findServedResource(ask.resource, call)
  const isSeen =
    served &&
    ask.reach &&
    (await hasListPermission(call, served)) &&
    hasAtLeastAccess(accessSnapshotOf(served.resource, caller), ask.reach)
  const details = isSeen ? { refused, rows: dryRunRows ?? [] } : { refused: [], rows: [] }
  return { count, done: done - failed, failed, sums, ...details, finishTime: finishTime ?? '' }
}

export const bulkRoutes = [
  defineRoute({
    method: 'POST',
    path: `${PATH}/preview`,
    title: { zh: '批量操作预览', en: 'Preview bulk action' },
    can: { signedIn: "each row goes through the resource's own call" },
    log: false,
    documentedInput: takes,
    handle: async (call) => {
      const served = requireServedResource(call)
      const { body, operation, given } = bodyOf(call)
      const input = await checkOperation(served, call, operation, given)
      const set = await selectionOf(served, call, body)
      if (!isEmptyInput(body.expectedCount)) requireSameCount(body, set)
      const summary = { count: set.count, set: set.digest, amounts: await amountsOf(served, call, operation, set.ids) }
      if (isWhole(served, operation) && set.count > BULK_INLINE_ROWS_MAX)
        return {
          ...summary,
          ...summaryOf([]),
          runId: await leave(served, call, { operation, input, isDryRun: true }, set.ids),
        }
      return { ...summary, ...summaryOf(await dryRun(served, call, operation, set.ids, input)), runId: '' }
    },
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    title: { zh: '批量操作', en: 'Bulk action' },
    can: { signedIn: "each row goes through the resource's own call" },
    documentedInput: takes,
    asks: (call) => {
      const { body, operation, given } = bodyOf(call)
      const { ids, filter, expectedCount, expectedSet } = body
      const values = { resource: call.query.resource, operation, ids, filter, expectedCount, expectedSet, input: given }
      return { values, fields: {}, ids: parseRowIds({ ids }) }
    },
    handle: async (call) => {
      const served = requireServedResource(call)
      const { body, operation, given } = bodyOf(call)
      const input = await checkOperation(served, call, operation, given)
      const set = await selectionOf(served, call, body)
      requireSameCount(body, set)
      await call.services.labels.ready(call.caller.tenantId)
      if (set.count <= BULK_INLINE_ROWS_MAX) {
        const outcomes = await doAll(served, call, operation, set.ids, input)
        const refused = refusedOf(outcomes)
        const done = set.count - refused.length
        const summary = { count: set.count, set: set.digest, done, failed: refused.length }
        return { ...summary, refused, sums: addUp(outcomes), runId: '' }
      }
      return {
        count: set.count,
        set: set.digest,
        done: 0,
        failed: 0,
        refused: [],
        sums: {},
        runId: await leave(served, call, { operation, input }, set.ids),
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/run`,
    title: { zh: '批量操作进度', en: 'Bulk action progress' },
    can: { signedIn: "one's own runs" },
    tx: false,
    input: { id: f.ref('', { label: LABEL.id, required: true }) },
    handle: runOf,
  }),
]

const runBulkOperationQueue = defineQueue<{ id: string }>('kit.bulk')
/** A queue of its own, so that previews do not wait for long bulk runs of others. */
const dryRunQueue = defineQueue<{ id: string }>('kit.dryRun')

/** Creates a call for background work on behalf of a person, with the rights they have now. */
export function createCallOnBehalfOf(services: Services, caller: Caller, lang: Call['lang']): Omit<Call, 'db'> {
  return {
    caller,
    lang,
    input: {},
    body: undefined,
    query: {},
    services,
    request: { ip: '', userAgent: '', method: 'POST', url: '', headers: {}, traceId: currentTrace()?.id ?? '' },
    reply: () => {
      throw new Error('a background call answers nobody')
    },
  }
}

/**
 * Processes a large selection chunk by chunk. A chunk's changes and its progress are one transaction, so that after a
 * crash no row is repeated or left out.
 */
export const runBulkOperationJob: ModuleJob<{ id: string }> = defineModuleJob({
  queue: runBulkOperationQueue,
  concurrency: 1,
  fairByTenant: true,
  timeoutSeconds: 4 * 3600,
  run: async ({ id }, { services, signal, tenantId, yieldIfOthersWait }) => {
    const [[run]] = (await readBatch(services.pool, { tenantId }, [
      sql`select ask, ids::text[] as ids, done from bulk_run where tenant_id = ${tenantId} and id = ${id}
        and finish_time is null`,
    ])) as [{ ask: BulkRequest; ids: string[]; done: number }[]]
    if (!run) return

    const { ids } = run
    const ask = currentRequest(run.ask)
    await services.own?.ready(tenantId)
    const served = findServedResource(ask.resource, { services, caller: ask.caller })
    const restored = { ...ask.caller, permissions: new Set<string>(), apiScopeIds: new Set<string>() }

    let { done } = run
    while (done < ids.length && !signal.aborted) {
      // Rights are read again for each chunk, so that withdrawn ones have effect.
      const caller = await services.access.again(restored)
      if (!served || !caller) {
        const msg = sentence(ask, new Refused('forbidden'))
        const refused = ids.slice(done, done + REFUSALS_MAX).map((one) => ({ id: one, title: one, isDone: false, msg }))
        return void (await services.unit({ tenantId }, (db) =>
          db.run(
            sql`update bulk_run set done = cardinality(ids), failed = failed + cardinality(ids) - done,
              refused = refused || ${JSON.stringify(refused)}::jsonb, finish_time = now() where tenant_id = ${tenantId}
              and id = ${id}`,
          ),
        ))
      }

      const part = isWhole(served, ask.operation) ? ids : ids.slice(done, done + CHUNK)
      await unitOfWork(services.pool, { tenantId }, { ...actorOfCaller(caller), via: PATH }, async (db) => {
        const locked = await db.one<{ done: number; sums: Sums }>(
          sql`select done, sums from bulk_run where tenant_id = ${tenantId} and id = ${id} for update`,
        )
        if (locked?.done !== done) throw new Error('another worker has taken over')

        await services.labels.ready(tenantId)
        const outcomes = await doAll(
          served,
          { ...createCallOnBehalfOf(services, caller, ask.lang), db },
          ask.operation,
          part,
          ask.input,
        )
        const refused = refusedOf(outcomes)
        const isLast = done + part.length === ids.length
        await db.run(
          sql`update bulk_run set done = ${done + part.length}, failed = failed + ${refused.length}, refused = case
            when jsonb_array_length(refused) < ${REFUSALS_MAX} then refused || ${JSON.stringify(refused)}::jsonb
            else refused end, sums = ${JSON.stringify(added(locked.sums, addUp(outcomes)))}::jsonb${
              isLast
                ? sql`, finish_time =
              now()`
                : empty
            } where tenant_id = ${tenantId} and id = ${id}`,
        )
        db.publish(bulkProgressTopic, { id, done: done + part.length, count: ids.length }, { userIds: [caller.userId] })
      })
      done += part.length
      if (done < ids.length) await yieldIfOthersWait?.()
    }
    if (done < ids.length) throw new Error('stopped before the end')
  },
})

/**
 * Preview of an action on a large set as a whole: executed and rolled back in a job, while the caller waits for the
 * result.
 */
const dryRunJob: ModuleJob<{ id: string }> = defineModuleJob({
  queue: dryRunQueue,
  concurrency: 2,
  fairByTenant: true,
  timeoutSeconds: 3600,
  run: async ({ id }, { services, tenantId }) => {
    const mine = sql`tenant_id = ${tenantId} and id = ${id}`
    const [[run]] = (await readBatch(services.pool, { tenantId }, [
      sql`select ask, ids::text[] as ids from bulk_run where ${mine} and finish_time is null`,
    ])) as [{ ask: BulkRequest; ids: string[] }[]]
    if (!run) return

    const { ids } = run
    const ask = currentRequest(run.ask)
    await services.own?.ready(tenantId)
    const served = findServedResource(ask.resource, { services, caller: ask.caller })
    const caller = await services.access.again({
      ...ask.caller,
      permissions: new Set<string>(),
      apiScopeIds: new Set<string>(),
    })

    await unitOfWork(
      services.pool,
      { tenantId },
      caller ? { ...actorOfCaller(caller), via: PATH } : systemActor,
      async (db) => {
        const rows =
          served && caller
            ? await dryRun(
                served,
                { ...createCallOnBehalfOf(services, caller, ask.lang), db },
                ask.operation,
                ids,
                ask.input,
              )
            : ids.slice(0, PREVIEW_ROWS_MAX).map((one) => ({
                id: one,
                title: one,
                isDone: false,
                msg: sentence(ask, new Refused('forbidden')) ?? '',
                keys: [],
                was: {},
                now: {},
              }))
        // The caller's current access, which may be wider than when they started the run.
        const reach = served && caller ? { reach: accessSnapshotOf(served.resource, caller) } : {}
        await db.run(sql`update bulk_run set dry_run_rows = ${JSON.stringify(rows)}::jsonb,
        ask = ask || ${JSON.stringify(reach)}::jsonb, done = cardinality(ids), finish_time = now() where ${mine}`)
        db.publish(bulkProgressTopic, { id, done: ids.length, count: ids.length }, { userIds: [ask.caller.userId] })
      },
    )
  },
})

export const kitJobs: readonly ModuleJob[] = [runBulkOperationJob, dryRunJob]

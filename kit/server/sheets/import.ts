import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sql from 'sql-template-tag'
import { localize } from '../../base/localized-text.ts'
import { permissionCodeOf } from '../../resource/define-resource.ts'
import { bulkInsert } from '../database/bulk-insert.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../database/db.ts'
import { Refused } from '../base/refused.ts'
import { requestApprovalIfNeeded, pendingApprovalRefusal } from '../request/approval-gate.ts'
import { actorOfCaller, authoriseCall, databaseErrorRefusal } from '../request/pipeline.ts'
import { defineModuleJob, type Call, type ServedResource } from '../module/module.ts'
import { newId } from '../database/snowflake.ts'
import { accessSnapshotOf } from '../database/data-scope.ts'
import { requireUploadSize, safeUploadName } from '../storage/index.ts'
import { findServedResource } from '../resource/custom-fields.ts'
import { submitOperationOf, handleSubmitCall, submitTitle } from '../resource/submit-of.ts'
import { columnHeadings, findResourceField } from './cells.ts'
import {
  diffSheetRows,
  planSheetImport,
  type CellChange,
  type SheetRowDifference,
  type SheetImportPlan,
} from './diff.ts'
import { openWorkbook, sheetRows, type SheetRow, type Workbook } from './read-sheet.ts'
import {
  requestBackgroundTask,
  taskFileKey,
  updateBackgroundTask,
  taskProblemsOf,
  taskProblemSentence,
  requireTaskDataStillVisible,
  runBackgroundTask,
  type TaskProblem,
  type BackgroundTask,
  type BackgroundTaskContext,
  backgroundTaskQueues,
} from './tasks.ts'
import { cellStyleOf, writeWorkbook, XLSX_CONTENT_TYPE } from './write-sheet.ts'
import type { Services } from '../module/services.ts'

export const SHEET_UPLOAD_BYTES_MAX = 32 * 1024 * 1024
/**
 * Maximum unpacked size in bytes: an export of ROWS_MAX rows and forty columns has 330 MB. It is read as a stream,
 * never held as a whole.
 */
const UNPACKED_MAX = 400 * 1024 * 1024
const ROWS_MAX = 100_000
/** Rows compared at once, fewer where their texts are long. */
const CHECK_ROWS = 500
const CHECK_SIGNS = 2_000_000
const APPLY_ROWS = 50
/** Most lines in an error workbook. */
const ERRORS_MAX = 20_000
const ERRORS_SIGNS = 16_000_000

const faultHeading = { zh: '错误', en: 'Errors' }
const SOURCE = 'source.xlsx'

/**
 * POST {base}/import: stores an uploaded workbook and starts comparing it with the stored rows in the background.
 * Nothing is written yet.
 */
export async function handleImportCall(served: ServedResource, call: Call): Promise<{ id: string }> {
  if (!call.file) throw new Refused('missing_parameter', { name: 'file' })
  requireUploadSize(call.file.bytes, SHEET_UPLOAD_BYTES_MAX)
  // Refuses anything that is no workbook at once, naming its format; the names and order of its entries do not matter.
  await openWorkbook(call.file.bytes)
  const name = safeUploadName(call.file.name, 'xlsx')
  const id = newId()
  const file = taskFileKey({ id, tenantId: call.caller.tenantId }, SOURCE)
  await call.services.files.put(file, call.file.bytes, { contentType: XLSX_CONTENT_TYPE })
  const sum = createHash('sha256').update(call.file.bytes).digest('base64url')
  const ask = { query: {}, columns: [], name, sum }
  const taskId = await requestBackgroundTask(call, { id, kind: 'import', resource: served.resource.name, ask })
  if (taskId !== id) await call.services.files.remove(file)
  return { id: taskId }
}

async function sourceOf(services: Services, task: BackgroundTask): Promise<Buffer> {
  const found = await services.files.get(taskFileKey(task, SOURCE))
  if (!found) throw new Refused('task_gone')
  return buffer(found.stream)
}

const signsOf = ({ cells }: SheetRow) =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)

/** Yields the headings of a workbook, then its rows in batches, without blank rows. */
async function* stretchesOf(
  workbook: Workbook,
): AsyncGenerator<{ headings?: SheetRow; rows: SheetRow[]; first: number }> {
  let [isHead, count, signs] = [true, 0, 0]
  const rows: SheetRow[] = []
  const taken = () => {
    signs = 0
    const all = rows.splice(0)
    return { rows: all, first: count - all.length }
  }
  for await (const batch of sheetRows(workbook, UNPACKED_MAX)) {
    for (const row of batch) {
      if (isHead) {
        if (row.cells.every((cell) => String(cell).trim() === '')) continue
        isHead = false
        yield { headings: row, rows: [], first: 0 }
      } else if (row.cells.some((cell) => String(cell).trim() !== '')) {
        if (++count > ROWS_MAX) throw new Refused('sheet_too_long', { max: ROWS_MAX })
        rows.push(row)
        signs += signsOf(row)
        if (rows.length === CHECK_ROWS || signs > CHECK_SIGNS) yield taken()
      }
    }
  }
  if (rows.length) yield taken()
}

/** Why a row was not written: refused (`wrong`), or it needs approval by others (`held`). */
type Unwritten = { state: 'wrong' | 'held'; problems: TaskProblem[] }

/**
 * Submits a row in a savepoint. Returns why it was not written, or undefined if it was; the transaction stays usable.
 */
async function trySubmit(
  served: ServedResource,
  call: Call,
  entity: Record<string, unknown>,
): Promise<Unwritten | undefined> {
  const { resource } = served
  try {
    // Some resources have a separate route for new rows.
    const path = `${resource.path}/${(!entity.id && resource.createPath) || 'submit'}`
    const held = await call.db.savepoint(async () => {
      const can = ['add', 'edit'].map((verb) => permissionCodeOf(resource, verb))
      await authoriseCall(call.caller, can, path, call.services)
      const row = { ...call, query: {}, body: entity }
      const handle = (one: Call) => handleSubmitCall(served, one)
      const asks = (one: Call) => submitOperationOf(served, one)
      const held = await requestApprovalIfNeeded(
        { method: 'POST', path, title: submitTitle(resource), can, asks, handle },
        row,
      )
      if (!held) await handle(row)
      return held
    })
    return held && { state: 'held', problems: taskProblemsOf(pendingApprovalRefusal(held)) }
  } catch (error) {
    const refused = error instanceof Refused ? error : databaseErrorRefusal(error)
    if (refused) return { state: 'wrong', problems: taskProblemsOf(refused) }
    call.services.log.error({ err: error }, 'a row of an import broke')
    return { state: 'wrong', problems: [{ code: 'row_broke' }] }
  }
}

class Undo extends Error {}

/**
 * Lets only one sheet of a tenant write at a time: two could contain the same rows in different order, and new rows
 * have no id to sort locks by.
 */
const takeTurn = (db: Db): Promise<void> => db.advisoryLock('lines of sheets')

/** Sorts by row id, which is the common lock order; new rows last. */
const byRow = (one: Record<string, unknown>, other: Record<string, unknown>): number =>
  one.id && other.id ? Number(BigInt(String(one.id)) - BigInt(String(other.id))) : Number(!one.id) - Number(!other.id)

/**
 * Submits all differences and rolls them back, so that rules known only to saving report problems before anything is
 * written. In small batches, as meanwhile the rows are locked for others.
 */
async function dryRun(
  work: BackgroundTaskContext,
  caller: Caller,
  differences: readonly SheetRowDifference[],
): Promise<void> {
  const open = differences
    .filter(({ state }) => state === 'new' || state === 'changed')
    .sort((one, other) => byRow(one.entity, other.entity))
  for (let at = 0; at < open.length; at += APPLY_ROWS) await dryRunOf(work, caller, open.slice(at, at + APPLY_ROWS))
}

async function dryRunOf(
  work: BackgroundTaskContext,
  caller: Caller,
  open: readonly SheetRowDifference[],
): Promise<void> {
  await work.services
    .unit(
      { tenantId: caller.tenantId },
      async (db) => {
        await takeTurn(db)
        for (const difference of open) {
          const unwritten = await trySubmit(work.served, work.call(caller, db), difference.entity)
          // A row that needs approval keeps its state here; approval is requested when the import is applied.
          if (unwritten?.state === 'held') difference.problems = unwritten.problems
          else if (unwritten) Object.assign(difference, unwritten)
        }
        throw new Undo()
      },
      actorOfCaller(caller),
    )
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error
    })
}

/** Marks lines that would add the same unique row as an earlier line: each alone would be valid. */
function markTwice(
  served: ServedResource,
  differences: readonly SheetRowDifference[],
  seen: Map<string, number>,
): void {
  for (const difference of differences) {
    if (difference.state !== 'new') continue
    for (const keys of [
      ...served.resource.unique,
      ...served.resource.uniqueEverywhere,
    ] as readonly (readonly string[])[]) {
      const values = keys.map((key) => difference.entity[key])
      if (values.some((value) => value === undefined || value === '')) continue
      const key = JSON.stringify([keys, values])
      const line = seen.get(key)
      if (line === undefined) seen.set(key, difference.line)
      else
        Object.assign(difference, {
          state: 'wrong',
          problems: [
            {
              key: [...keys].reverse().find((one) => served.resource.fields[one].form !== 'hidden') ?? keys[0],
              problem: { code: 'twice', params: { line } },
            },
          ],
        })
    }
  }
}

const ROW_COLUMNS = {
  task_id: 'bigint',
  line: 'integer',
  state: 'text',
  title: 'text',
  row_id: 'bigint',
  entity: 'jsonb',
  changes: 'jsonb',
  problems: 'jsonb',
}

type Result = {
  new: number
  changed: number
  same: number
  wrong: number
  cells: number
  ignored: string[]
  written?: number
  failed?: number
  held?: number
}
const noResult = (): Result => ({ new: 0, changed: 0, same: 0, wrong: 0, cells: 0, ignored: [] })

/** Restores what a comparison that continues after a crash must know of earlier lines. */
async function linesBefore({
  task,
  served,
  unit,
}: BackgroundTaskContext): Promise<{ seen: Map<string, number>; lineOf: Map<string, number> }> {
  const [seen, lineOf] = [new Map<string, number>(), new Map<string, number>()]
  if (!task.done) return { seen, lineOf }
  const rows = await unit((db) =>
    db.query<Pick<SheetRowDifference, 'line' | 'state' | 'rowId' | 'entity'>>(
      sql`select line, state, row_id::text as row_id, entity from background_task_row where tenant_id = ${task.tenantId}
        and task_id = ${task.id} and state in ('new', 'changed') order by line`,
    ),
  )
  for (const { line, rowId } of rows) if (rowId) lineOf.set(rowId, line)
  markTwice(
    served,
    rows.map((row) => ({ ...row, title: '', changes: [], problems: [] })),
    seen,
  )
  return { seen, lineOf }
}

async function check(work: BackgroundTaskContext): Promise<void> {
  const { task, served, services, unit } = work
  const workbook = await openWorkbook(await sourceOf(services, task))
  let plan: SheetImportPlan | undefined
  let result = { ...noResult(), ...task.result }
  const { seen, lineOf } = await linesBefore(work)

  for await (const { headings, rows: stretch, first } of stretchesOf(workbook)) {
    work.signal.throwIfAborted()
    const caller = await work.caller()
    requireTaskDataStillVisible(task, served.resource, caller)
    const call = work.call(caller)
    if (headings) {
      plan = planSheetImport(served.resource, call, { sheet: workbook.name, ...headings }, Object.values(faultHeading))
      result = { ...result, ignored: plan.ignored }
      // The lines contain row data, so they are shown only to callers who may still see it.
      task.progress = { ...task.progress, reach: task.progress.reach ?? accessSnapshotOf(served.resource, caller) }
      continue
    }

    // Rows compared before a crash are already recorded, whatever the batch size was then.
    const rows = stretch.slice(Math.max(0, task.done - first))
    if (!rows.length) continue
    const differences = await diffSheetRows(served, call, plan!, rows, lineOf)
    markTwice(served, differences, seen)
    await dryRun(work, caller, differences)
    const next = { ...result }
    for (const { state, changes } of differences) {
      next[state]++
      if (state === 'changed') next.cells += changes.length
    }

    const changed = differences.filter(({ state }) => state !== 'same')
    const isOurs = await unit(async (db) => {
      if (!(await updateBackgroundTask(db, task, { state: 'running', done: task.done + rows.length, result: next })))
        return false
      await bulkInsert(
        db,
        'background_task_row',
        ROW_COLUMNS,
        changed.map((one) => [
          task.id,
          one.line,
          one.state,
          one.title,
          one.rowId,
          JSON.stringify(one.entity),
          JSON.stringify(one.changes),
          JSON.stringify(one.problems),
        ]),
      )
      return true
    })
    if (!isOurs) return
    result = next
    await work.yieldIfOthersWait()
  }

  if (!plan) throw new Refused('sheet_empty', { sheet: workbook.name })
  await unit((db) => updateBackgroundTask(db, task, { state: 'checked', total: task.done, result }))
}

type Planned = { line: number; state: string; entity: Record<string, unknown> }

/**
 * Writes the compared rows in batches. A batch and its recorded outcome are one transaction, so that no row is written
 * twice.
 */
async function apply(work: BackgroundTaskContext): Promise<void> {
  const { task, services } = work
  for (;;) {
    work.signal.throwIfAborted()
    const [caller, served] = [await work.caller(), await work.servedNow()]

    const isMore = await services
      .unit(
        { tenantId: task.tenantId },
        async (db) => {
          await takeTurn(db)
          const rows = await db.query<Planned>(
            sql`select line, state, entity from background_task_row where tenant_id = ${task.tenantId}
              and task_id = ${task.id} and state in ('new', 'changed') order by line limit ${APPLY_ROWS} for update`,
          )
          const result = { written: 0, failed: 0, held: 0, ...task.result } as unknown as Required<Result>
          for (const { line, state, entity } of rows.toSorted((a, b) => byRow(a.entity, b.entity))) {
            const unwritten = await trySubmit(served, work.call(caller, db), entity)
            const missed = unwritten && (unwritten.state === 'held' ? 'held' : 'failed')
            result[missed ?? 'written']++
            const outcome = missed ?? (state === 'new' ? 'added' : 'saved')
            await db.run(
              sql`update background_task_row set state = ${outcome},
                problems = ${JSON.stringify(unwritten?.problems ?? [])}
                where tenant_id = ${task.tenantId} and task_id = ${task.id} and line = ${line}`,
            )
          }

          const isDone = rows.length < APPLY_ROWS
          if (
            !(await updateBackgroundTask(db, task, {
              state: isDone ? 'done' : 'applying',
              done: result.written + result.failed + result.held,
              result,
            }))
          )
            throw new Undo()
          return !isDone
        },
        { ...actorOfCaller(caller), via: `${served.resource.path}/import` },
      )
      .catch((error: unknown) => {
        if (error instanceof Undo) return false
        throw error
      })
    if (!isMore) return
    await work.yieldIfOthersWait()
  }
}

export const runImportJob = defineModuleJob({
  queue: backgroundTaskQueues.import,
  concurrency: 1,
  fairByTenant: true,
  timeoutSeconds: 6 * 3600,
  run: ({ taskId }, { services, ...context }) =>
    runBackgroundTask(services, context, taskId, ['waiting', 'running', 'applying'], (work) =>
      work.task.state === 'applying' ? apply(work) : check(work),
    ),
})

/**
 * Starts writing a compared import. Refuses a file that was imported since this comparison began, by anyone: rows
 * without unique fields would be added twice.
 */
export async function applyImportTask(db: Db, task: BackgroundTask): Promise<void> {
  const { new: fresh = 0, changed = 0 } = task.result as Partial<Result>
  if (task.state !== 'checked' || fresh + changed === 0) throw new Refused('task_not_now')
  await db.advisoryLock(`sheet/${task.resource}/${task.ask.sum}`)
  const written = await db.one(
    sql`select 1 from background_task mine join background_task other on other.tenant_id = mine.tenant_id
      and other.id <> mine.id and other.kind = mine.kind and other.resource = mine.resource
      and other.ask ->> 'sum' = mine.ask ->> 'sum' and other.update_time >= mine.create_time
      and (other.state = 'applying' or other.result ? 'written')
      where mine.tenant_id = ${task.tenantId} and mine.id = ${task.id} limit 1`,
  )
  if (written) throw new Refused('sheet_written_meanwhile')
  await updateBackgroundTask(db, task, { state: 'applying', done: 0, total: fresh + changed })
}

type StoredRow = {
  line: number
  state: string
  title: string
  rowId: string | null
  changes: CellChange[]
  problems: TaskProblem[]
}

/** Returns the lines of a compared import, those with problems first. */
export async function loadImportTaskRows(
  call: Call,
  task: BackgroundTask,
  page: { current: number; size: number; state?: string | null },
): Promise<Record<string, unknown>> {
  const { resource } = findServedResource(task.resource, call)!
  const ofState = page.state ? sql` and state = any(${page.state.split(',')})` : sql``
  const from = sql`from background_task_row where tenant_id = ${call.db.tenantId} and task_id = ${task.id}${ofState}`
  const rows = await call.db.query<StoredRow>(
    sql`select line, state, title, row_id::text as row_id, changes, problems ${from}
      order by (state not in ('wrong', 'failed')), line limit ${page.size} offset ${(page.current - 1) * page.size}`,
  )
  const counted = await call.db.one<{ n: number }>(sql`select count(*)::int as n ${from}`)
  const labels = columnHeadings(resource, call.lang)
  return {
    total: counted!.n,
    current: page.current,
    size: page.size,
    records: rows.map(({ line, state, title, rowId, changes, problems }) => ({
      line,
      state,
      title: title ?? '',
      rowId: rowId ?? '',
      changes: changes.map((change) => ({ ...change, label: labels.get(change.key) ?? change.key })),
      problems: problems.map((problem) => ({
        key: problem.key ?? '',
        sentence: taskProblemSentence(problem, resource, call.lang),
      })),
    })),
  }
}

/**
 * Builds a workbook of the lines with problems, as uploaded, with a column that explains them, to be corrected and
 * uploaded again.
 */
export async function buildErrorWorkbook(call: Call, task: BackgroundTask): Promise<Buffer> {
  const served = findServedResource(task.resource, call)!
  const { resource } = served
  const faults = await call.services.unit({ tenantId: task.tenantId }, (db) =>
    db.query<{ line: number; problems: TaskProblem[] }>(sql`
    select line, problems from background_task_row where tenant_id = ${task.tenantId} and task_id = ${task.id}
    and state in ('wrong', 'failed') order by line limit ${ERRORS_MAX}`),
  )
  const byLine = new Map(faults.map(({ line, problems }) => [line, problems]))

  let headRow: SheetRow = { line: 1, cells: [] }
  const kept: SheetRow[] = []
  let signs = 0
  const workbook = await openWorkbook(await sourceOf(call.services, task))
  for await (const stretch of stretchesOf(workbook)) {
    headRow = stretch.headings ?? headRow
    for (const row of stretch.rows) {
      if (!byLine.has(row.line) || signs > ERRORS_SIGNS) continue
      kept.push(row)
      signs += signsOf(row)
    }
  }

  const { cells: headings } = headRow
  const plan = planSheetImport(resource, call, { sheet: workbook.name, ...headRow }, Object.values(faultHeading))
  const old = headings.findIndex((heading) => Object.values(faultHeading).includes(String(heading)))
  const width = old < 0 ? headings.length : old
  const looks = Array.from({ length: width }, (_none, place) => {
    const key = plan.columns.find((one) => one.place === place)?.key
    return key ? cellStyleOf(findResourceField(resource, key)!) : ('plain' as const)
  })

  return writeWorkbook([
    {
      name: localize(resource.label, call.lang),
      looks: [...looks, 'wrong'],
      headings: [
        ...Array.from({ length: width }, (_none, place) => ({
          text: String(headings[place] ?? ''),
          width: 18,
          look: looks[place],
          isHidden: place === plan.idPlace && place > 0,
        })),
        { text: faultHeading[call.lang], width: 60 },
      ],
      rows: kept.map(({ line, cells }) => [
        ...Array.from({ length: width }, (_none, place) => cells[place] ?? ''),
        byLine
          .get(line)!
          .map((problem) => taskProblemSentence(problem, resource, call.lang))
          .join('; '),
      ]),
    },
  ])
}

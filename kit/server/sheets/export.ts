import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import sql, { raw } from 'sql-template-tag'
import { localize, type Lang } from '../../base/localized-text.ts'
import type { Caller } from '../base/caller.ts'
import { accessSnapshotOf, type AccessSnapshot } from '../database/data-scope.ts'
import { readBatch } from '../database/db.ts'
import { queryFilterSql, queryOrderBySql } from '../query/filters.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '../resource/list-of.ts'
import { requireListPermission } from '../resource/may-list.ts'
import { withTenantCustomFields } from '../resource/custom-fields.ts'
import { presentRows, selectColumnsSql } from '../resource/present.ts'
import { Refused } from '../base/refused.ts'
import { defineModuleJob, type Call, type ServedResource } from '../module/module.ts'
import { EXPORT_NOTE_LABEL, createExportWatermark } from './mark.ts'
import { toSheetCell, exportColumnKeys, findResourceField, sheetHeading } from './cells.ts'
import {
  requestBackgroundTask,
  taskFileKey,
  updateBackgroundTask,
  requireTaskDataStillVisible,
  runBackgroundTask,
  type BackgroundTaskContext,
  backgroundTaskQueues,
} from './tasks.ts'
import {
  cellStyleOf,
  rowXml,
  sheetHeadXml,
  sheetTailXml,
  SHEET_ROWS_MAX,
  workbookFrameEntries,
  XLSX_CONTENT_TYPE,
  type CellStyle,
  type ExportWatermark,
} from './write-sheet.ts'
import {
  streamZip,
  createZipOutputEntry,
  EMPTY_ZIP_CHECKSUM,
  deflateZipPart,
  type ZipOutputEntry,
  type ZipChecksum,
} from './zip.ts'

/** Rows in each part; a crash costs at most one part. */
const PART_ROWS = 10_000
/** Rows read at once; the event loop can handle other work in between. */
const READ_ROWS = 200
const ID_BYTES = 8
const COLUMNS_MAX = 200

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const GARBAGE_MAX = 96 * 1024 * 1024
let kept = 0
const held = () => {
  const { used_heap_size: heap, external_memory: outside } = getHeapStatistics()
  return heap + outside
}

/**
 * Collects garbage explicitly. V8 waits while the machine has free memory; an export of a million rows would hold
 * gigabytes that other processes need.
 */
function tidyUp(): void {
  if (held() < kept + GARBAGE_MAX) return
  collect()
  kept = held()
}

type SheetState = { sum: ZipChecksum; lines: number; files: string[] }
/** Progress of an export: files with the row ids in order, and the compressed parts of each sheet so far. */
type Progress = {
  columns: string[]
  ids: { file: string; sheet: number }[]
  parts: number
  sheets: SheetState[]
  reach?: AccessSnapshot
}

/** POST {base}/export: the list with its filters, sort and columns as a workbook, written in the background. */
export async function handleExportCall(served: ServedResource, call: Call): Promise<{ id: string }> {
  const { resource } = withTenantCustomFields(served, call)
  await requireListPermission(call, served)
  const { columns: requested, ...given } = { ...(call.body as Record<string, unknown> | undefined), ...call.query }
  const query = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[key, String(value)]] : [],
    ),
  )
  // Refuses an invalid filter now instead of in the background.
  queryFilterSql(resource, query, call.caller)
  const columns = typeof requested === 'string' ? requested.split(',').slice(0, COLUMNS_MAX) : []
  return { id: await requestBackgroundTask(call, { kind: 'export', resource: resource.name, ask: { query, columns } }) }
}

/** Returns the sheet of the next part and its maximum number of rows. */
export function nextExportPart(
  written: number,
  partRows = PART_ROWS,
  sheetRows = SHEET_ROWS_MAX,
): { sheet: number; rows: number } {
  const sheet = Math.floor(written / sheetRows)
  return { sheet, rows: Math.min(partRows, (sheet + 1) * sheetRows - written) }
}

/**
 * Writes the list's ids in order into files, one for each part. Since they are fixed, no row is exported twice,
 * whatever changes meanwhile.
 */
async function writeIds(
  { task, served, services, call }: BackgroundTaskContext,
  caller: Caller,
): Promise<{ ids: Progress['ids']; total: number }> {
  const { resource } = served
  const owner = call(caller)
  const statement = sql`select r.id ${visibleRowsSql(served, owner)}${queryFilterSql(resource, task.ask.query, caller)}
    order by ${queryOrderBySql(resource, task.ask.query, caller)}`
  const ids: Progress['ids'] = []
  let total = 0
  await services.unit(unitOfWorkOptionsForRead(owner), async (db) => {
    await db.run(sql`declare listed no scroll cursor for ${statement}`)
    for (;;) {
      const { sheet, rows: wanted } = nextExportPart(total)
      const rows = await db.query<{ id: string }>(sql`fetch ${raw(String(wanted))} from listed`)
      if (!rows.length) break
      const bytes = Buffer.alloc(rows.length * ID_BYTES)
      rows.forEach((row, at) => bytes.writeBigInt64LE(BigInt(row.id), at * ID_BYTES))
      const file = taskFileKey(task, `ids-${ids.length}`)
      await services.files.put(file, bytes, { contentType: 'application/octet-stream' })
      ids.push({ file, sheet })
      total += rows.length
    }
  })
  return { ids, total }
}

async function readIds({ services }: BackgroundTaskContext, file: string): Promise<string[]> {
  const found = await services.files.get(file)
  if (!found) throw new Refused('task_gone')
  const bytes = await buffer(found.stream)
  return Array.from({ length: bytes.length / ID_BYTES }, (_none, at) => bytes.readBigInt64LE(at * ID_BYTES).toString())
}

/**
 * Returns these rows in this order, as the list shows them to the caller now; missing and invisible ones are left out.
 * `keys`: fields that are needed.
 */
export async function loadExportRows(
  served: ServedResource,
  call: Call,
  ids: readonly string[],
  keys: readonly string[],
): Promise<{ wire: Record<string, unknown>[]; rows: Record<string, unknown>[] }> {
  const { resource } = served
  await call.services.labels.ready(call.caller.tenantId)
  const [found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select ${selectColumnsSql(call.services.registry, resource, 'list', served.hooks.present ? undefined : keys)}
      ${visibleRowsSql(served, call)} and r.id = any(${ids}::bigint[])`,
  ])
  const byId = new Map<string, Record<string, unknown>>(found!.map((row) => [row.id as string, row]))
  const rows = ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
  return { wire: await presentRows(call, resource, served.hooks, rows), rows }
}

async function writePart(
  work: BackgroundTaskContext,
  progress: Progress,
  stretch: Progress['ids'][number] | undefined,
): Promise<Progress> {
  const { task, served, services } = work
  const { resource } = served
  const caller = await work.caller()
  requireTaskDataStillVisible(task, resource, caller)
  const call = work.call(caller)
  const fields = progress.columns.map((key) => [key, findResourceField(resource, key)!] as const)
  const looks: CellStyle[] = fields.map(([key, field]) => (key === 'id' ? 'text' : cellStyleOf(field)))

  const sheets = [...progress.sheets]
  const at = stretch?.sheet ?? 0
  const isFirst = !sheets[at]
  const before = sheets[at] ?? { sum: EMPTY_ZIP_CHECKSUM, lines: 1, files: [] }
  const ids = stretch ? await readIds(work, stretch.file) : []
  const isIdVisible = task.ask.columns.includes('id') || resource.list.columns.includes('id')
  let { lines } = before

  async function* content() {
    if (isFirst)
      yield Buffer.from(
        sheetHeadXml(
          progress.columns.map((key) =>
            sheetHeading(resource, key, task.lang, key === 'id' ? { look: 'text', isHidden: !isIdVisible } : {}),
          ),
        ),
      )
    for (let from = 0; from < ids.length; from += READ_ROWS) {
      tidyUp()
      const { wire, rows } = await loadExportRows(served, call, ids.slice(from, from + READ_ROWS), progress.columns)
      if (wire.length)
        yield Buffer.from(
          wire
            .map((row, index) =>
              rowXml(
                ++lines,
                fields.map(([key, field]) => toSheetCell(key, field, row, rows[index], task.lang)),
                looks,
              ),
            )
            .join(''),
        )
    }
  }

  const { bytes, sum } = await deflateZipPart(content(), before.sum, false)
  work.signal.throwIfAborted()
  // A unique name: a process believed dead must not overwrite a part that another one has recorded.
  const file = taskFileKey(task, `part-${progress.parts}-${process.pid.toString(36)}${Date.now().toString(36)}`)
  await services.files.put(file, bytes, { contentType: 'application/octet-stream' })
  sheets[at] = { sum, lines, files: [...before.files, file] }
  return { ...progress, parts: progress.parts + 1, sheets }
}

async function* contentOf(
  { services }: BackgroundTaskContext,
  files: readonly string[],
  tail: Buffer,
): AsyncGenerator<Buffer> {
  for (const file of files) {
    const found = await services.files.get(file)
    if (!found) throw new Refused('task_gone')
    yield* found.stream as AsyncIterable<Buffer>
  }
  yield tail
}

const noteSheet = (mark: ExportWatermark, lang: Lang): string =>
  sheetHeadXml([{ text: localize(EXPORT_NOTE_LABEL, lang), width: 120 }]) +
  rowXml(2, [mark.words], ['text']) +
  sheetTailXml([], 0, mark)

/** Joins the compressed parts into the workbook file. */
async function putTogether(work: BackgroundTaskContext, progress: Progress): Promise<void> {
  const { task, served, services } = work
  const title = localize(served.resource.label, task.lang)
  const mark = createExportWatermark(await work.caller(), task.lang, services.now(), task.id)
  const sheets = await Promise.all(
    progress.sheets.map(async ({ sum, files }, at): Promise<ZipOutputEntry> => {
      const tail = await deflateZipPart([Buffer.from(sheetTailXml([], 0, mark))], sum, true)
      return {
        name: `xl/worksheets/sheet${at + 1}.xml`,
        sum: tail.sum,
        content: () => contentOf(work, files, tail.bytes),
      }
    }),
  )
  const note = await createZipOutputEntry(`xl/worksheets/sheet${sheets.length + 1}.xml`, noteSheet(mark, task.lang))
  const frame = await workbookFrameEntries(
    [
      ...sheets.map((_one, at) => ({ name: sheets.length > 1 ? `${title} ${at + 1}` : title })),
      { name: localize(EXPORT_NOTE_LABEL, task.lang) },
    ],
    mark,
  )
  await services.files.put(
    taskFileKey(task, 'file.xlsx'),
    Readable.from(streamZip([...frame, ...sheets, note]), { objectMode: false, highWaterMark: 256 * 1024 }),
    { contentType: XLSX_CONTENT_TYPE },
  )
}

const rowsWritten = (progress: Progress) => progress.sheets.reduce((sum, sheet) => sum + sheet.lines - 1, 0)

async function runExport(work: BackgroundTaskContext): Promise<void> {
  const { task, services, unit } = work
  let progress = task.progress as Progress
  if (!progress.ids) {
    const caller = await work.caller()
    const columns = exportColumnKeys(work.served.resource, caller, task.ask.columns)
    const { ids, total } = await writeIds(work, caller)
    progress = { columns, ids, parts: 0, sheets: [], reach: accessSnapshotOf(work.served.resource, caller) }
    if (!(await unit((db) => updateBackgroundTask(db, task, { state: 'running', progress, total })))) return
  }
  const parts = Math.max(1, progress.ids.length)
  while (progress.parts < parts) {
    work.signal.throwIfAborted()
    progress = await writePart(work, progress, progress.ids[progress.parts])
    if (!(await unit((db) => updateBackgroundTask(db, task, { progress, done: rowsWritten(progress) })))) return
    await work.yieldIfOthersWait()
  }
  await putTogether(work, progress)
  const rows = rowsWritten(progress)
  if (
    !(await unit((db) =>
      updateBackgroundTask(db, task, {
        state: 'done',
        progress: { reach: progress.reach },
        done: rows,
        total: rows,
        result: { rows, sheets: progress.sheets.length },
      }),
    ))
  )
    return
  for (const file of [...progress.ids.map((one) => one.file), ...progress.sheets.flatMap((sheet) => sheet.files)])
    await services.files.remove(file)
}

export const exportSheetJob = defineModuleJob({
  queue: backgroundTaskQueues.export,
  concurrency: 2,
  fairByTenant: true,
  timeoutSeconds: 6 * 3600,
  run: ({ taskId }, { services, ...context }) =>
    runBackgroundTask(services, context, taskId, ['waiting', 'running'], runExport),
})

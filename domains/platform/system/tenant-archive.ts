import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import sql, { raw } from 'sql-template-tag'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { baseFields, customColumnTypes, toSqlName, resourceWithCustomFields, type Field } from '#kit/resource/index.ts'
import { isSecretFieldName } from '#kit/fields/base/secret-names.ts'
import type { Db } from '#kit/server/database/db.ts'
import { requirePlatformCaller } from '#kit/server/base/require-platform-caller.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  ARCHIVE_FILE,
  taskFileKey,
  deleteTaskFiles,
  updateBackgroundTask,
  runBackgroundTask,
  ZIP,
  type BackgroundTaskContext,
  backgroundTaskQueues,
} from '#kit/server/sheets/tasks.ts'
import {
  streamZip,
  createZipOutputEntry,
  EMPTY_ZIP_CHECKSUM,
  deflateZipPart,
  type ZipOutputEntry,
  type ZipChecksum,
} from '#kit/server/sheets/zip.ts'
import { tenantFilesSlot, type TenantFile } from './tenant-files.ts'
import { findTenantTables } from './tenant-tables.ts'

/** Rows read and bytes compressed at a time, which limits memory. */
const [ROWS, STRETCH] = [500, 4 * 1024 * 1024]
const PROGRESS_MS = 2000

type Column = { name: string; type: string; label?: { zh: string; en: string } }
type TableFacts = {
  file: string
  table: string
  family?: string
  label?: { zh: string; en: string }
  columns: Column[]
  /** Names of the columns left out, such as secrets. */
  omitted: string[]
  rows: number
  bytes: number
  sha256: string
}
type ArchiveProgress = { done: number }

/** Writes an archive of all data of a tenant. Starts over after a crash, as the snapshot it reads from is gone. */
export const exportTenantArchiveJob = defineModuleJob({
  queue: backgroundTaskQueues.archive,
  concurrency: 1,
  timeoutSeconds: 6 * 3600,
  run: ({ taskId }, { services, ...context }) =>
    runBackgroundTask(services, context, taskId, ['waiting', 'running'], writeArchive),
})

async function writeArchive(work: BackgroundTaskContext): Promise<void> {
  const { task, services, unit, signal } = work
  const tenantId = task.ask.query.tenantId!
  requirePlatformCaller({ caller: await work.caller() })
  if (!(await unit((db) => updateBackgroundTask(db, task, { state: 'running', done: 0 })))) return
  await deleteTaskFiles(services, task)
  const progress: ArchiveProgress = { done: 0 }
  const teller = startProgressUpdates(work, progress)
  try {
    const { moment, tables, entries, omittedTables } = await writeTables(work, tenantId, progress)
    const files = await filesOf(work, tenantId)
    const facts = { tenantId, moment, tables, omittedTables, files: files.facts }
    const manifest = await createZipOutputEntry('manifest.json', `${JSON.stringify(facts, null, 1)}\n`)
    signal.throwIfAborted()
    await services.files.put(
      taskFileKey(task, ARCHIVE_FILE),
      Readable.from(streamZip([manifest, ...entries, ...files.entries]), { objectMode: false }),
      { contentType: ZIP },
    )
    await teller.stop()
    const rows = tables.reduce((sum, one) => sum + one.rows, 0)
    const result = { rows, files: files.entries.length }
    await unit((db) => updateBackgroundTask(db, task, { state: 'done', done: rows, total: rows, result }))
  } finally {
    await teller.stop()
    for (const file of await services.files.list(taskFileKey(task, 'part-'))) await services.files.remove(file)
  }
}

/** Updates the task's progress at intervals, in a transaction of its own, as the archive's stays open. */
function startProgressUpdates({ task, unit, services }: BackgroundTaskContext, progress: ArchiveProgress) {
  let telling: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    if (progress.done === task.done) return
    telling = telling
      .then(() => unit((db) => updateBackgroundTask(db, task, { done: progress.done })))
      .catch((err: unknown) => services.log.warn({ err }, 'the progress of an archive could not be stored'))
  }, PROGRESS_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await telling
    },
  }
}

/** Writes all rows of the tenant from one snapshot, one line of JSON each. */
function writeTables(work: BackgroundTaskContext, tenantId: string, progress: ArchiveProgress) {
  const { services } = work
  return services.unit({ crossTenantReason: 'a tenant takes its data along', repeatableRead: true }, async (db) => {
    const { moment } = (await db.one<{ moment: string }>(sql`select now()::text as moment`))!
    await services.own?.ready(tenantId)
    const tables: TableFacts[] = []
    const entries: ZipOutputEntry[] = []
    const omittedTables: string[] = []
    for (const name of new Set((await findTenantTables(db)).map((one) => one.name))) {
      const shape = await shapeOf(db, services, tenantId, name)
      if (!shape) {
        omittedTables.push(name)
        continue
      }
      const { entry, ...facts } = await writeTable(work, db, tenantId, { ...shape, progress })
      if (!facts.rows) continue
      tables.push(facts)
      entries.push(entry)
    }
    return { moment, tables, entries, omittedTables }
  })
}

type Shape = Pick<TableFacts, 'file' | 'table' | 'family' | 'label' | 'columns' | 'omitted'> & { hasOwn: boolean }

const isSecretColumn = (name: string, field?: Field) =>
  isSecretFieldName(name) || (field !== undefined && !!fieldKindOf(field).writeOnly)

/** Returns the file name and exported columns of a table; undefined when none is exported. */
async function shapeOf(db: Db, services: Services, tenantId: string, name: string): Promise<Shape | undefined> {
  const { registry, own } = services
  const columns = await db.query<Column>(
    sql`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
  )
  const table = name.replaceAll('"', '')
  const declared = tablesOfModules(registry.modules).find((one) => one.name === table)
  // Undeclared tables, such as detached monthly partitions, belong to the operator and are not exported.
  if (!declared || declared.secret === true) return undefined
  const served = [...registry.served.values()].find((one) => one.resource.table === table)?.resource
  const resource = served && resourceWithCustomFields(served, own?.of(tenantId)[served.name])
  const fields = new Map(
    Object.entries({ ...baseFields, ...resource?.fields }).map(([key, field]) => [toSqlName(key), field as Field]),
  )
  const { secret = [] } = declared
  // Describes only the custom field columns the tenant uses; values left in others are exported anyway.
  const isSpare = ({ name: column }: Column) => column in customColumnTypes && !fields.has(column)
  const isOut = ({ name: column }: Column) => !secret.includes(column) && !isSecretColumn(column, fields.get(column))
  return {
    file: `data/${table}.jsonl`,
    table,
    ...(resource && { family: resource.name, label: resource.label }),
    columns: columns
      .filter((one) => isOut(one) && !isSpare(one))
      .map((one) => ({ ...one, label: fields.get(one.name)?.label })),
    hasOwn: declared.own !== undefined,
    omitted: columns.filter((one) => !isOut(one)).map((one) => one.name),
  }
}

async function writeTable(
  work: BackgroundTaskContext,
  db: Db,
  tenantId: string,
  { progress, hasOwn, ...shape }: Shape & { progress: ArchiveProgress },
): Promise<TableFacts & { entry: ZipOutputEntry }> {
  const { signal } = work
  let rows = 0
  const named = (names: readonly string[]) => raw(names.map((column) => `t."${column}"`).join(', '))
  const columns = named(shape.columns.map(({ name }) => name).filter((name) => !(name in customColumnTypes)))
  // Read separately: custom field columns are mostly empty.
  const spare = named(hasOwn ? Object.keys(customColumnTypes) : [])
  const table = raw(`"${shape.table}"`)
  await db.run(
    sql`declare taken no scroll cursor for
      select (to_jsonb(r) || jsonb_strip_nulls(to_jsonb(o)))::text as line from ${table} t
      cross join lateral (select ${columns}) r cross join lateral (select ${spare}) o
      where t.tenant_id = ${tenantId}`,
  )
  async function* lines() {
    for (;;) {
      signal.throwIfAborted()
      const found = await db.query<{ line: string }>(sql`fetch ${raw(String(ROWS))} from taken`)
      if (!found.length) return
      rows += found.length
      progress.done += found.length
      yield Buffer.from(found.map(({ line }) => `${line}\n`).join(''))
    }
  }
  const { entry, sha256 } = await spooled(work, shape.file, lines())
  await db.run(sql`close taken`)
  return { ...shape, rows, bytes: entry.sum.size, sha256, entry }
}

/** Compresses an entry in parts and stores them as files of the task. */
async function spooled(
  { task, services }: BackgroundTaskContext,
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<{ entry: ZipOutputEntry; sha256: string }> {
  const hash = createHash('sha256')
  const files: string[] = []
  let sum: ZipChecksum = EMPTY_ZIP_CHECKSUM
  let waiting: Buffer[] = []
  let size = 0
  const write = async (isLast: boolean) => {
    const packed = await deflateZipPart(waiting, sum, isLast)
    const file = taskFileKey(task, `part-${process.pid}-${name.replaceAll('/', '-')}-${files.length}`)
    await services.files.put(file, packed.bytes, { contentType: 'application/octet-stream' })
    files.push(file)
    ;({ sum } = packed)
    waiting = []
    size = 0
  }
  for await (const piece of content) {
    hash.update(piece)
    waiting.push(piece)
    size += piece.length
    if (size >= STRETCH) await write(false)
  }
  await write(true)
  return { entry: { name, sum, content: () => laid(services, files) }, sha256: hash.digest('hex') }
}

async function* laid(services: Services, files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    const found = await services.files.get(file)
    if (!found) throw new Refused('task_gone')
    yield* found.stream as AsyncIterable<Buffer>
  }
}

/** Exports the tenant's files. Each is read twice, to measure and to compress it, as files never change. */
async function filesOf({ services, signal }: BackgroundTaskContext, tenantId: string) {
  const store = services.slots.find(tenantFilesSlot)!
  const entries: ZipOutputEntry[] = []
  const missing: string[] = []
  let bytes = 0
  const packed = async (file: TenantFile) => {
    const stream = await store.open(services, tenantId, file)
    return stream && deflateZipPart(stream, EMPTY_ZIP_CHECKSUM, true)
  }
  for (let page = await store.after(services, tenantId, ''); page.length;) {
    for (const file of page) {
      signal.throwIfAborted()
      const found = await packed(file)
      if (!found) {
        missing.push(file.key)
        continue
      }
      bytes += found.sum.size
      entries.push({ name: `files/${file.key}`, sum: found.sum, content: () => again(() => packed(file)) })
    }
    page = await store.after(services, tenantId, page.at(-1)!.key)
  }
  // The rows of stored_file have their checksums.
  return { entries, facts: { count: entries.length, bytes, missing } }
}

async function* again(read: () => Promise<{ bytes: Buffer } | undefined>): AsyncGenerator<Buffer> {
  const found = await read()
  if (!found) throw new Refused('task_gone')
  yield found.bytes
}

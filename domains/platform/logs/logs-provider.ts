import sql, { join, raw } from 'sql-template-tag'
import type { Db } from '#kit/server/database/db.ts'
import { isTransientDatabaseError } from '#kit/server/database/connections.ts'
import { maskUrl } from '#kit/server/base/mask.ts'
import type { OperationLogs, OperationEntry, BaseServices } from '#kit/server/module/services.ts'
import { sanitizeLogText, errorLogRow, operationLogRow, systemLogRow, type LogRow } from './log-entry.ts'

const TABLES = ['log_api', 'log_error', 'log_usual', 'request_log'] as const
type Table = (typeof TABLES)[number]

export type SystemLogEntry = { level: 'info' | 'warn' | 'error'; id: string; data: unknown }

/** An error collected by a browser (specification §3). */
export type BrowserErrorReport = {
  url?: unknown
  time?: unknown
  type?: unknown
  message?: unknown
  stack?: unknown
  info?: unknown
}

export type AllLogWriters = OperationLogs & {
  usual: (entry: OperationEntry, usual: SystemLogEntry) => void
  browserErrors: (entry: OperationEntry, errors: readonly BrowserErrorReport[]) => number
  /** Queues a row of the external call log, already masked. */
  request: (row: LogRow) => void
  /** Writes all queued rows now, for tests and at the end of the process. */
  flush: () => Promise<void>
}

const INTEGERS = new Set(['http_status', 'line_number', 'cost_ms'])
const FLUSH_MS = 300
const AGAIN_MS = 5000
const BATCH_MAX = 500
const WAITING_MAX = 20_000
const BROWSER_ERRORS_MAX = 200
const BROWSER_TEXT_MAX = 20_000

/** Returns a text sent by a browser; '' for other types. */
const browserText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? sanitizeLogText(value, BROWSER_TEXT_MAX) : ''

const columnsSql = (row: LogRow) =>
  raw(
    Object.keys(row)
      .map((name) => `"${name}"`)
      .join(', '),
  )
const insertSql = (table: Table, row: LogRow) =>
  sql`insert into ${raw(table)} (${columnsSql(row)}) values (${join(Object.values(row))})`

const OTHER_TYPES: Record<string, string> = { id: 'bigint', create_user: 'bigint', create_time: 'timestamptz' }
const typeOf = (name: string) => OTHER_TYPES[name] ?? (INTEGERS.has(name) ? 'integer' : 'text')

/**
 * Creates the log writers. Inside a transaction an operation is written with it; all others are queued and written in
 * batches, so that no caller waits.
 */
export function createLogWriters(services: BaseServices): AllLogWriters {
  const { later, flush } = createQueue(services)
  return {
    operation: (entry: OperationEntry, db?: Db) => {
      const row = operationLogRow(entry)
      if (!db || db.tenantId !== entry.tenantId) return later('log_api', row)
      // In the same transaction, so that a change and its log entry are stored together or not at all.
      db.beforeCommit(insertSql('log_api', row))
    },
    error: (entry, error) => later('log_error', errorLogRow(entry, error)),
    request: (row) => later('request_log', row),
    usual: (entry, usual) => later('log_usual', systemLogRow(entry, usual)),
    browserErrors: (entry, errors) => {
      const taken = errors.slice(0, BROWSER_ERRORS_MAX).filter((one) => typeof one === 'object' && one !== null)
      for (const one of taken) later('log_error', browserErrorRow(entry, one))
      return taken.length
    },
    flush,
  }
}

function browserErrorRow(entry: OperationEntry, one: BrowserErrorReport): LogRow {
  const error = Object.assign(new Error(browserText(one.message)), {
    name: browserText(one.type) || 'error',
    stack: browserText(one.stack),
  })
  return {
    ...errorLogRow(
      {
        ...entry,
        uri: maskUrl(browserText(one.url)),
        params: { info: browserText(one.info), time: browserText(one.time) },
      },
      error,
    ),
    service_id: 'browser',
    method_class: '',
    method_name: '',
  }
}

/** Creates the queue of rows not written yet. */
function createQueue(services: BaseServices) {
  let waiting: { table: Table; row: LogRow }[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let lost = 0

  /**
   * Requeues rows while the database is unavailable, up to `WAITING_MAX`; drops rows that failed for other reasons,
   * with a warning.
   */
  function keep(err: unknown, table: Table, rows: readonly LogRow[]): void {
    services.log.warn({ err, table, rows: rows.length }, 'log rows could not be written')
    if (!isTransientDatabaseError(err)) return
    const accepted = rows.slice(0, WAITING_MAX - waiting.length)
    lost += rows.length - accepted.length
    waiting.push(...accepted.map((row) => ({ table, row })))
    timer ??= setTimeout(() => void flush(), AGAIN_MS).unref()
  }

  async function writeWaiting(): Promise<void> {
    const batch = waiting
    waiting = []
    for (const table of TABLES) {
      const rows = batch.filter((one) => one.table === table).map((one) => one.row)
      for (let start = 0; start < rows.length; start += BATCH_MAX) {
        const part = rows.slice(start, start + BATCH_MAX)
        await insertLogRows(services, table, part).catch((err: unknown) => keep(err, table, part))
      }
    }
    if (lost) services.log.warn({ lost }, 'more log rows than could be written')
    lost = 0
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    return (writing = writing.then(writeWaiting))
  }

  function later(table: Table, row: LogRow): void {
    if (waiting.length >= WAITING_MAX) return void lost++
    waiting.push({ table, row: { ...row, create_time: services.now().toISOString() } })
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref()
  }

  return { later, flush }
}

async function insertLogRows(services: BaseServices, table: Table, rows: readonly LogRow[]): Promise<void> {
  const types = Object.keys(rows[0]!).map((name) => `"${name}" ${typeOf(name)}`)
  const columns = Object.keys(rows[0]!)
    .map((name) => `"${name}"`)
    .join(', ')
  await services.systemPool.query(
    `insert into ${table} (${columns}) select ${columns}
      from jsonb_to_recordset($1::jsonb) as r (${types.join(', ')})`,
    [JSON.stringify(rows)],
  )
}

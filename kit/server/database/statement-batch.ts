import type { Socket } from 'node:net'
import pg from 'pg'
import { destroySocket, isConnectionLoss } from './connections.ts'
import { createRowReader, type RowReader } from './values.ts'

/** A statement as it is sent: prepared once a connection if it has a name. */
export type Statement = { name?: string | undefined; text: string; values?: readonly unknown[] }
export type ResultRow = Record<string, unknown>
/** Result of a statement: rows and command tag (`UPDATE 3`). */
export type StatementResult = { rows: ResultRow[]; commandTag: string }
/** A result that may have an error from reading its rows. */
type Answer = StatementResult & { problem?: unknown }

/** The parts of the driver's connection that are used here. */
type Connection = {
  stream: Socket
  parse: (what: { name: string; text: string }) => void
  bind: (what: { statement: string; values: readonly unknown[] }) => void
  describe: (what: { type: 'P' }) => void
  execute: (what: object) => void
  sync: () => void
  /** Statement texts by name: those parsed on this connection, and those being sent. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const noColumns: RowReader = () => ({})

/**
 * Receives the answers of all statements, or of those up to `failedAt`; without answers if the driver itself failed.
 */
type BatchCallback = (error: unknown, received?: { answers: Answer[]; failedAt?: number }) => void

/** Row readers of a connection's prepared statements; PostgreSQL describes the columns only once. */
const rowReaders = new WeakMap<Connection, Map<string, RowReader>>()

/**
 * A batch of statements with one Sync at the end. Outside a transaction PostgreSQL runs the batch as one, without BEGIN
 * and COMMIT: settings of the first statement hold for the others and end with them, also on failure. After a failure
 * the rest is skipped.
 */
class BatchQuery extends pg.Query {
  readonly statements: readonly Statement[]
  private readonly answers: Answer[]
  private readers = new Map<string, RowReader>()
  private reader: RowReader | undefined
  private at = -1
  /** The driver records under these two which statement has been parsed; they hold the one now being answered. */
  declare name: string
  declare text: string
  declare callback: BatchCallback

  constructor(statements: readonly Statement[], callback: BatchCallback) {
    super('')
    this.statements = statements
    this.answers = statements.map(() => ({ rows: [], commandTag: '' }))
    this.callback = callback
    this.submit = (connection) => this.begin(connection as unknown as Connection)
    this.next()
  }

  private next(): void {
    const statement = this.statements[++this.at]
    this.name = statement?.name ?? ''
    this.text = statement?.text ?? ''
    this.reader = this.readers.get(this.name)
  }

  private begin(connection: Connection): Error | null {
    let values: unknown[][]
    try {
      values = this.statements.map((one) => (one.values ?? []).map((value) => prepareValue(value)))
    } catch (error) {
      // Nothing was sent yet.
      return error as Error
    }
    this.readers = rowReaders.get(connection) ?? rowReaders.set(connection, new Map()).get(connection)!
    this.reader = this.readers.get(this.name)
    connection.stream.cork()
    try {
      for (const [index, { name = '', text }] of this.statements.entries()) {
        const { parsedStatements: parsed, submittedNamedStatements: submitted } = connection
        if (!name || (parsed[name] ?? submitted[name]) === undefined) connection.parse({ name, text })
        if (name && parsed[name] === undefined) submitted[name] = text
        connection.bind({ statement: name, values: values[index]! })
        if (!name || !this.readers.has(name)) connection.describe({ type: 'P' })
        connection.execute({})
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
    return null
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.reader = createRowReader(fields)
    if (this.name) this.readers.set(this.name, this.reader)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const answer = this.answers[this.at]!
    if (answer.problem) return
    try {
      answer.rows.push(this.reader!(fields))
    } catch (error) {
      answer.problem = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.answers[this.at]!.commandTag = text
    // No row description came, so it has no columns.
    if (this.name && !this.reader) this.readers.set(this.name, noColumns)
    this.next()
  }

  handleEmptyQuery(): void {
    this.next()
  }

  handleError(error: unknown, connection: Connection): void {
    // PostgreSQL skips all statements after a failure, so they were not prepared.
    for (const { name } of this.statements.slice(Math.max(this.at, 0)))
      if (name) delete connection.submittedNamedStatements[name]
    this.callback(error, { answers: this.answers, failedAt: this.at })
  }

  handleReadyForQuery(): void {
    this.callback(null, { answers: this.answers })
  }
}

/**
 * SQLSTATE codes: transaction aborted; unknown prepared statement, as its preparation in the same message was skipped.
 */
const ABORTED_CODES = new Set<unknown>(['25P02', '26000'])

/** Whether the statement failed only because an earlier one had failed. */
export const isAbortedBatchError = (error: unknown): boolean =>
  ABORTED_CODES.has((error as { code?: unknown } | null)?.code)

/** Sends statements in one message and returns their results. Outside a transaction they form one. */
export const executeBatch = (client: pg.ClientBase, statements: readonly Statement[]): Promise<StatementResult[]> =>
  new Promise((resolve, reject) => {
    const onAnswers: BatchCallback = (error, { answers } = { answers: [] }) => {
      const wrong = error ?? answers.find(({ problem }) => problem)?.problem
      if (wrong) reject(wrong)
      else resolve(answers)
    }
    client.query(new BatchQuery(statements, onAnswers))
  })

type PendingStatement = {
  statement: Statement
  resolve: (found: StatementResult) => void
  reject: (error: unknown) => void
}

/** Sends the statements of a transaction in batches, one for each event-loop turn. */
export type StatementBatch = {
  /** Runs a statement. Fails with `isAbortedBatchError` if an earlier one of its batch failed. */
  execute: (statement: Statement) => Promise<StatementResult>
  /** Sends the batch now, so that later statements run whatever becomes of this one. */
  flush: () => void
}

const abortedError = (cause: unknown): Error =>
  Object.assign(new Error('a statement of the same message failed', { cause }), { code: '25P02' })

/**
 * Creates the batching sender for a transaction that is open or begins with the first batch. The statements of one
 * event-loop turn form one message with one Sync, since each Sync costs the server a write and a wake-up. PostgreSQL
 * skips all statements after a failure.
 */
export function createStatementBatch(client: pg.ClientBase): StatementBatch {
  let queue: PendingStatement[] = []
  const flush = () => {
    const batch = queue
    if (!batch.length) return
    queue = []
    const onAnswers: BatchCallback = (error, { answers, failedAt = Infinity } = { answers: [] }) => {
      const isOfAll = error && (isConnectionLoss(error) || failedAt >= batch.length)
      for (const [at, { resolve, reject }] of batch.entries()) {
        const answer = answers[at]
        if (isOfAll || at === failedAt) reject(error)
        else if (at > failedAt) reject(abortedError(error))
        else if (answer?.problem) reject(answer.problem)
        else resolve(answer!)
      }
    }
    const statements = batch.map(({ statement }) => statement)
    try {
      client.query(new BatchQuery(statements, onAnswers))
    } catch (error) {
      // The exception would reach nobody, and half a message may have been written.
      destroySocket(client)
      for (const { reject } of batch) reject(error)
    }
  }
  return {
    flush,
    execute: ({ name, text, values = [] }) =>
      new Promise((resolve, reject) => {
        try {
          // A value that cannot be sent fails only its own statement, before the batch is sent.
          const statement = { name, text, values: values.map((value) => prepareValue(value)) }
          if (queue.push({ statement, resolve, reject }) === 1) process.nextTick(flush)
        } catch (error) {
          reject(error)
        }
      }),
  }
}

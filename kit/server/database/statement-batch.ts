import type { Socket } from 'node:net'
import pg from 'pg'
import { destroySocket, isConnectionLoss } from './connections.ts'
import { createRowReader, type RowReader } from './values.ts'

/** A statement as it is sent: prepared once a connection if it has a name. */
export type Statement = { name?: string | undefined; text: string; values?: readonly unknown[] }
export type ResultRow = Record<string, unknown>
/** What a statement was answered: its rows, and PostgreSQL's word for what was done, as `UPDATE 3`. */
export type StatementResult = { rows: ResultRow[]; commandTag: string }
/** The same as it is heard, with what could not be read of it. */
type Answer = StatementResult & { problem?: unknown }

/** What the driver's connection does for whatever is submitted to it. */
type Connection = {
  stream: Socket
  parse: (what: { name: string; text: string }) => void
  bind: (what: { statement: string; values: readonly unknown[] }) => void
  describe: (what: { type: 'P' }) => void
  execute: (what: object) => void
  sync: () => void
  /** Texts by name: what this connection has read, and what is on its way. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

const noColumns: RowReader = () => ({})

/** Told what each statement was answered, all of them or until one failed; by the driver alone, that none was. */
type BatchCallback = (error: unknown, heard?: { answers: Answer[]; failedAt?: number }) => void

/** How the rows of a connection's prepared statements are read: PostgreSQL keeps that as long as the statement. */
const rowReaders = new WeakMap<Connection, Map<string, RowReader>>()

/**
 * Statements answered one after the other, with one end for all of them. Outside a transaction PostgreSQL does what
 * comes before an end in one, without BEGIN and COMMIT: what the first sets for the transaction holds for the others
 * and ends with them, also when one fails. Refuses with the first failure; nothing is done after it.
 */
class BatchQuery extends pg.Query {
  readonly statements: readonly Statement[]
  private readonly answers: Answer[]
  private readers = new Map<string, RowReader>()
  private reader: RowReader | undefined
  private at = -1
  /** The driver notes what has been parsed under these two: the statement that is being answered. */
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
      // Nothing has been sent yet.
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
    // Nothing was said of its columns, so it has none.
    if (this.name && !this.reader) this.readers.set(this.name, noColumns)
    this.next()
  }

  handleEmptyQuery(): void {
    this.next()
  }

  handleError(error: unknown, connection: Connection): void {
    // PostgreSQL passes over what comes after a failure: it has not been parsed.
    for (const { name } of this.statements.slice(Math.max(this.at, 0)))
      if (name) delete connection.submittedNamedStatements[name]
    this.callback(error, { answers: this.answers, failedAt: this.at })
  }

  handleReadyForQuery(): void {
    this.callback(null, { answers: this.answers })
  }
}

/** The transaction is aborted; a statement of the same message, which therefore was not prepared, is not known. */
const ABORTED_CODES = new Set<unknown>(['25P02', '26000'])

/** Whether a statement failed only because one that was sent before it had failed. */
export const isAbortedBatchError = (error: unknown): boolean =>
  ABORTED_CODES.has((error as { code?: unknown } | null)?.code)

/**
 * What each statement is answered, all asked in one message; in one transaction of their own on a connection that has
 * none.
 */
export const executeBatch = (client: pg.ClientBase, statements: readonly Statement[]): Promise<StatementResult[]> =>
  new Promise((resolve, reject) => {
    const heard: BatchCallback = (error, { answers } = { answers: [] }) => {
      const wrong = error ?? answers.find(({ problem }) => problem)?.problem
      if (wrong) reject(wrong)
      else resolve(answers)
    }
    client.query(new BatchQuery(statements, heard))
  })

type PendingStatement = {
  statement: Statement
  resolve: (found: StatementResult) => void
  reject: (error: unknown) => void
}

/** Statements of one transaction on their way: those of a breath wait for its end. */
export type StatementBatch = {
  /** Answers a statement; refused as what follows it (`isAbortedBatchError`) behind one of its breath that failed. */
  execute: (statement: Statement) => Promise<StatementResult>
  /** Ends the breath now: what is asked next is done whatever became of those before. */
  flush: () => void
}

const abortedError = (cause: unknown): Error =>
  Object.assign(new Error('a statement of the same message failed', { cause }), { code: '25P02' })

/**
 * Asks the statements of a transaction that is open or begins with them: those of one breath are one message with one
 * end, for each end costs the server a write and wakes who asked. PostgreSQL passes over what stands behind a failure.
 */
export function createStatementBatch(client: pg.ClientBase): StatementBatch {
  let breath: PendingStatement[] = []
  const flush = () => {
    const asked = breath
    if (!asked.length) return
    breath = []
    const heard: BatchCallback = (error, { answers, failedAt = Infinity } = { answers: [] }) => {
      const isOfAll = error && (isConnectionLoss(error) || failedAt >= asked.length)
      for (const [at, { resolve, reject }] of asked.entries()) {
        const answer = answers[at]
        if (isOfAll || at === failedAt) reject(error)
        else if (at > failedAt) reject(abortedError(error))
        else if (answer?.problem) reject(answer.problem)
        else resolve(answer!)
      }
    }
    const statements = asked.map(({ statement }) => statement)
    try {
      client.query(new BatchQuery(statements, heard))
    } catch (error) {
      // Nobody hears what is thrown here, and half a message may have been written.
      destroySocket(client)
      for (const { reject } of asked) reject(error)
    }
  }
  return {
    flush,
    execute: ({ name, text, values = [] }) =>
      new Promise((resolve, reject) => {
        try {
          // What cannot be sent fails alone, before anything of its breath has left.
          const statement = { name, text, values: values.map((value) => prepareValue(value)) }
          if (breath.push({ statement, resolve, reject }) === 1) process.nextTick(flush)
        } catch (error) {
          reject(error)
        }
      }),
  }
}

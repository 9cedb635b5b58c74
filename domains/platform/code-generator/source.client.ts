import { Socket } from 'node:net'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { MYSQL_DRIVER_CLASS } from './dictionaries.ts'

/** Connection settings of an external database, with the password decrypted. */
export type DataSourceConnection = {
  driverClass: string
  host: string
  port: number
  databaseName: string
  username: string
  password: string
  useTls: boolean
}

export type DataSourceLimits = { connectMs: number; statementMs: number; wholeMs: number; bytes: number; rows: number }
const limitsUsual: DataSourceLimits = {
  connectMs: 5000,
  statementMs: 5000,
  wholeMs: 15_000,
  bytes: 8 * 1024 * 1024,
  rows: 20_000,
}

export type RunSourceQuery = (statement: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>

type SourceFault = 'unreachable' | 'timeout' | 'refused' | 'too_much'
/**
 * Failure of a data source session. `code` is the database's own, if it sent one; the message holds no socket error.
 */
export class DataSourceError extends Error {
  readonly fault: SourceFault
  readonly code: string
  constructor(fault: SourceFault, cause: unknown, code = '') {
    super(`${fault} ${code}`, { cause })
    this.fault = fault
    this.code = code
  }
}

const LOOK_MS = 20

/**
 * Returns a socket that connects to this address whatever host the driver asks for, and is destroyed when it receives
 * or lasts more than the limits.
 */
function pinned(
  address: string,
  port: number,
  limits: DataSourceLimits,
): { socket: Socket; end: () => void; why: () => SourceFault | '' } {
  const socket = new Socket()
  let why: SourceFault | '' = ''
  const cut = (fault: SourceFault) => {
    why ||= fault
    socket.destroy(new Error(fault))
  }
  const looking = setInterval(() => {
    if (socket.bytesRead > limits.bytes) cut('too_much')
  }, LOOK_MS)
  const whole = setTimeout(() => cut('timeout'), limits.wholeMs)
  const connecting = setTimeout(() => cut('timeout'), limits.connectMs)
  const connect = socket.connect.bind(socket)
  socket.connect = () => connect({ host: address, port })
  socket.once('connect', () => clearTimeout(connecting))
  // The driver handles errors too; this listener prevents a crash before it does.
  socket.on('error', () => {})
  return {
    socket,
    why: () => why,
    end: () => {
      clearInterval(looking)
      clearTimeout(whole)
      clearTimeout(connecting)
      socket.destroy()
    },
  }
}

/**
 * Opens a read-only session on an external database, runs `work` and closes it. Connects to the checked address; values
 * are sent as parameters.
 */
export async function runDataSourceSession<T>(
  source: DataSourceConnection,
  address: string,
  work: (ask: RunSourceQuery) => Promise<T>,
  limits: Partial<DataSourceLimits> = {},
): Promise<T> {
  const all = { ...limitsUsual, ...limits }
  const line = pinned(address, source.port, all)
  const cut = new Promise<never>((_resolve, fail) => {
    line.socket.once('close', () => fail(new Error('the line was closed')))
  })
  try {
    const go =
      source.driverClass === MYSQL_DRIVER_CLASS
        ? toMysql(source, line.socket, all, work)
        : toPostgres(source, line.socket, all, work)
    go.catch(() => {})
    return await Promise.race([go, cut])
  } catch (error) {
    throw faultOf(error, line.why())
  } finally {
    cut.catch(() => {})
    line.end()
  }
}

/** MariaDB's and MySQL's error codes for a statement that exceeded its time limit. */
const LATE = new Set([1969, 3024])

function faultOf(error: unknown, why: SourceFault | ''): unknown {
  if (why) return new DataSourceError(why, error)
  const { code, errno, sqlState, fatal } = (error ?? {}) as {
    [key in 'code' | 'errno' | 'sqlState' | 'fatal']?: unknown
  }
  const text = typeof code === 'string' ? code : ''
  if (LATE.has(Number(errno)) || /^57014$|TIMEOUT|ER_QUERY_INTERRUPTED/.test(text))
    return new DataSourceError('timeout', error)
  if (text === 'TOO_MUCH') return new DataSourceError('too_much', error)
  if (sqlState !== undefined || /^([0-9A-Z]{5}|ER_\w+)$/.test(text)) return new DataSourceError('refused', error, text)
  if (fatal !== undefined || error instanceof Error) return new DataSourceError('unreachable', error)
  return error
}

const tooMuch = () => Object.assign(new Error('more rows than are taken'), { code: 'TOO_MUCH' })

async function toPostgres<T>(
  source: DataSourceConnection,
  socket: Socket,
  limits: DataSourceLimits,
  work: (ask: RunSourceQuery) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    host: source.host,
    port: source.port,
    database: source.databaseName,
    user: source.username,
    password: source.password,
    ssl: source.useTls ? { rejectUnauthorized: true } : false,
    stream: () => socket,
    application_name: 'office',
    client_encoding: 'utf8',
    options: `-c default_transaction_read_only=on -c statement_timeout=${limits.statementMs}`,
    query_timeout: limits.statementMs + 1000,
    types: { getTypeParser: () => (value: unknown) => value },
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(async (statement, values = []) => {
      const { rows } = await client.query<Record<string, unknown>>({
        text: statement,
        values: [...values],
        // The extended protocol allows only one statement per query.
        queryMode: 'extended',
      } as pg.QueryConfig)
      if (rows.length > limits.rows) throw tooMuch()
      return rows
    })
  } finally {
    void client.end().catch(() => {})
  }
}

async function toMysql<T>(
  source: DataSourceConnection,
  socket: Socket,
  limits: DataSourceLimits,
  work: (ask: RunSourceQuery) => Promise<T>,
): Promise<T> {
  const connection = await mysql.createConnection({
    host: source.host,
    port: source.port,
    database: source.databaseName,
    user: source.username,
    password: source.password,
    ...(source.useTls && { ssl: { rejectUnauthorized: true, verifyIdentity: true } }),
    stream: () => socket.connect(source.port),
    connectTimeout: limits.connectMs,
    charset: 'utf8mb4',
    multipleStatements: false,
    // The server cannot make the driver send a local file.
    infileStreamFactory: undefined,
    flags: ['-LOCAL_FILES'],
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  } as mysql.ConnectionOptions)
  connection.on('error', () => {})
  try {
    await connection.query('set session transaction read only')
    await limitStatements(connection, limits.statementMs)
    return await work(async (statement, values = []) => {
      const [rows] = await connection.execute({ sql: statement, timeout: limits.statementMs + 1000 }, [
        ...values,
      ] as never[])
      const list = rows as Record<string, unknown>[]
      if (list.length > limits.rows) throw tooMuch()
      return list
    })
  } finally {
    connection.destroy()
  }
}

/** Sets the statement timeout: MariaDB's variable in seconds, else MySQL's in milliseconds. */
async function limitStatements(connection: mysql.Connection, ms: number): Promise<void> {
  try {
    await connection.query(`set session max_statement_time = ${ms / 1000}`)
  } catch {
    await connection.query(`set session max_execution_time = ${ms}`)
  }
}

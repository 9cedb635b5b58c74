import type { Socket } from 'node:net'
import pg from 'pg'

/**
 * Every connection to PostgreSQL is opened here (apps/server/src/structure.test.ts watches that): with somebody who
 * hears its end. An `error` nobody listens to ends the process, and a pool listens to its idle connections only, not to
 * those at work.
 */

/** The database cannot be reached or stopped answering. Nothing was changed: the same call may be made again. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/**
 * The connection was lost while a commit was under way: what it asked for is done or not, and only the rows can tell.
 */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
}

/**
 * PostgreSQL's own words for an end of the connection that is nobody's fault here: shut down, killed, failed over,
 * full, idle too long.
 */
const LOST_CODES = /^(?:57P0[1-5]|08...|53300|25P0[34])$/
const SOCKET_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** The driver's own words carry no code. */
const DRIVER_WORDS = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after',
]

/** Whether an error says that the connection went, rather than that the statement was wrong. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseAway) return true
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || LOST_CODES.test(code))) return true
  return typeof message === 'string' && DRIVER_WORDS.some((words) => message.startsWith(words))
}

/** The driver did not even send what it was given: the connection was known to be gone. */
export const isUnsent = (error: unknown): boolean =>
  /^Client (?:has encountered a connection error|was closed)/.test((error as Error | null)?.message ?? '')

/** The disk of the database, or of this machine, has no room. */
export const isDiskFull = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes((error as { code?: string } | null)?.code ?? '')

/** Whether the same work may go well in a while without anybody changing it. */
export const isPassing = (error: unknown): boolean => isConnectionLoss(error) || isDiskFull(error)

type Connected = Parameters<pg.Pool['connect']>[0] &
  ((err: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void)

/** A pool none of whose connections can end the process, and which says `DatabaseAway` when it gets none. */
class WatchedPool extends pg.Pool {
  readonly open = new Set<pg.PoolClient>()

  constructor(config: pg.PoolConfig) {
    super(config)
    // Lost while idle: the pool has dropped it already. Whoever wants to note it adds a listener of their own.
    this.on('error', () => {})
    this.on('connect', (client) => {
      // Lost at work: its statements are refused one by one, and whoever asked for them answers.
      client.on('error', () => {})
      this.open.add(client)
    })
    this.on('remove', (client) => this.open.delete(client))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (callback) return super.connect((err, client, done) => callback(err && away(err), client, done))
    return super.connect().catch((err: unknown) => {
      throw away(err)
    })
  }
}

/**
 * Refused in the handshake, nothing has been asked of the server yet. What is our own mistake (a wrong password, no
 * such role) stays itself.
 */
function away(error: unknown): Error {
  if (!isConnectionLoss(error)) return error as Error
  return new DatabaseAway('no connection to the database', { cause: error })
}

/** Opens a pool; connections are made as they are needed. */
export const openPool = (config: pg.PoolConfig): pg.Pool => new WatchedPool({ keepAlive: true, ...config })

/** One connection outside any pool, not yet connected. */
export function openClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client({ keepAlive: true, ...config })
  client.on('error', () => {})
  return client
}

/** Ends a connection without waiting for a word of the other side; the driver's own end waits for what is under way. */
export function hangUp(client: pg.ClientBase): void {
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
}

/**
 * Cuts all connections of a pool: for a server that stopped answering without saying so. What waits for it is refused
 * at once.
 */
export function cutOff(pool: pg.Pool): void {
  for (const client of (pool as WatchedPool).open) hangUp(client)
}

/**
 * A transaction of the machinery, whose statements are bound to no tenant. A connection that cannot be rolled back is
 * thrown away, not lent to the next.
 */
export async function transaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

/**
 * All connections to PostgreSQL are opened here (apps/server/src/structure.test.ts checks that), so that each has an
 * error listener: an `error` event without one ends the process, and a pool listens only to its idle connections.
 */
import type { Socket } from 'node:net'
import pg from 'pg'
import { currentTrace, type Trace } from '../base/trace.ts'

/** The database cannot be reached or stopped answering. Nothing was changed: the same call may be made again. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError'
}

/** The connection was lost during a commit: the changes may be stored or not, which only the rows can tell. */
export class CommitOutcomeUnknownError extends Error {
  override name = 'CommitOutcomeUnknownError'
}

/**
 * SQLSTATE codes of a connection ended by the server: shutdown, termination, failover, too many connections, timeouts.
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
/** Beginnings of driver error messages for a lost connection; those errors have no code. */
const DRIVER_WORDS = [
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Cannot use a pool after',
]

/** Whether the error is a lost or failed connection, and not a wrong statement. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || LOST_CODES.test(code))) return true
  // Unix socket: the file is missing while the server is down, and EAGAIN means its backlog is full.
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'EAGAIN')) return true
  return typeof message === 'string' && DRIVER_WORDS.some((words) => message.startsWith(words))
}

/** Whether the driver never sent the statement, as the connection was already known to be gone. */
export const isUnsentStatementError = (error: unknown): boolean =>
  /^Client (?:has encountered a connection error|was closed)/.test((error as Error | null)?.message ?? '')

/** Whether the disk of the database or of this machine is full. */
export const isDiskFullError = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes((error as { code?: string } | null)?.code ?? '')

/** Whether the same work may succeed later without any change. */
export const isTransientDatabaseError = (error: unknown): boolean => isConnectionLoss(error) || isDiskFullError(error)

/** The hosts of a cluster as one URL each; `at`: index of the one last connected to. */
type Address = { urls: readonly string[]; at: number; mustWrite: boolean }

const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/s
const MUST_WRITE = /[?&]target_session_attrs=(?:read-write|primary)\b/

/** Splits a connection string with several hosts (libpq syntax) into one URL for each host. */
export function connectionUrlsPerHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = HOSTS.exec(url) ?? []
  return hosts ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

const addresses = new Map<string, Address>()

/**
 * Returns the shared state of a connection string: when one connection finds a host unusable, all others skip it too.
 */
function addressOf(url = ''): Address {
  let address = addresses.get(url)
  if (!address) {
    const urls = connectionUrlsPerHost(url)
    addresses.set(url, (address = { urls, at: 0, mustWrite: urls.length > 1 || MUST_WRITE.test(url) }))
  }
  return address
}

/**
 * Time a host has to answer when there are others, in beats of a timer. Not one timeout in milliseconds: a process
 * blocked by its own start has not yet read the answer, and no beats are counted meanwhile.
 */
const [HOST_CHECKS, HOST_CHECK_MS] = [5, 500]

type Greeted = (err: any, client?: any) => void
type Status = { parameterName: string; parameterValue: string }
type Wire = { stream: Socket; on: (event: 'parameterStatus', handler: (status: Status) => void) => void }
const wireOf = (client: pg.ClientBase): Wire => (client as unknown as { connection: Wire }).connection

/** Parameters a server reports on connecting; "on" means it takes no writes. */
const READS_ONLY = new Set(['in_hot_standby', 'default_transaction_read_only'])

/**
 * Connection to the host that takes writes (libpq's `target_session_attrs=read-write`, which the driver lacks). Rejects
 * an unreachable host or a standby; the process's next connection then tries the next host.
 */
class WritingClient extends pg.Client {
  readonly #turn: () => void
  readonly #isOneOfSeveral: boolean
  #readsOnly = false

  constructor(config: pg.ClientConfig = {}) {
    const address = addressOf(config.connectionString)
    const { at, urls } = address
    super({ ...config, ...(config.connectionString ? { connectionString: urls[at] } : {}) })
    this.#isOneOfSeveral = urls.length > 1
    this.#turn = () => {
      if (address.at === at) address.at = (at + 1) % urls.length
    }
    if (!address.mustWrite) return
    wireOf(this).on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterValue === 'on' && READS_ONLY.has(parameterName)) this.#readsOnly = true
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Greeted): void
  override connect(callback?: Greeted): Promise<pg.Client> | void {
    const reached = this.#reach()
    if (!callback) return reached
    reached.then(() => callback(null, this), callback)
  }

  async #reach(): Promise<pg.Client> {
    const timer = this.#isOneOfSeveral ? this.#startHostTimeout() : undefined
    try {
      await super.connect()
      if (!this.#readsOnly) return this
      this.end().catch(() => {})
      throw new DatabaseUnavailableError('this host takes no writes')
    } catch (error) {
      this.#turn()
      throw error
    } finally {
      clearInterval(timer)
    }
  }

  #startHostTimeout(): NodeJS.Timeout {
    let beats = 0
    return setInterval(() => {
      if (++beats === HOST_CHECKS) wireOf(this).stream.destroy(new Error('timeout expired'))
    }, HOST_CHECK_MS)
  }
}

/** Retries at the next host until each was tried. Other errors than a lost connection are thrown at once. */
async function atAnyHost<T>(url: string | undefined, connect: () => Promise<T>): Promise<T> {
  const address = addressOf(url)
  for (let tries = 1; ; tries++) {
    const { at } = address
    try {
      return await connect()
    } catch (error) {
      if (tries === address.urls.length || address.at === at || !isConnectionLoss(error)) throw error
    }
  }
}

type Connected = Parameters<pg.Pool['connect']>[0] &
  ((err: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void)

/** Called for each statement that was answered or failed, with the time it took by itself. */
export type OnStatementTimed = (ms: number, statement: unknown, trace: Trace | undefined) => void

const andThen =
  (callback: (...results: unknown[]) => unknown, answered: () => void) =>
  (...results: unknown[]) => {
    answered()
    return callback(...results)
  }

/**
 * Sends statements of one event-loop turn in one packet: a write to the socket costs more than building the messages.
 */
class CorkedClient extends WritingClient {
  private isCorked = false
  private answeredAt = 0
  private readonly timed: OnStatementTimed | undefined

  constructor(config: pg.ClientConfig & { timed?: OnStatementTimed } = {}) {
    super(config)
    this.timed = config.timed
  }

  override query(...args: any[]): any {
    this.cork()
    const answered = this.stopwatch(args[0])
    const [first] = args
    const last = args.length - 1
    if (typeof args[last] === 'function') args[last] = andThen(args[last], answered)
    else if (typeof first.callback === 'function') first.callback = andThen(first.callback, answered)
    const result: unknown = (super.query as (...args: any[]) => unknown)(...args)
    if (result instanceof Promise) result.then(answered, answered)
    return result
  }

  /**
   * Returns a function that records a statement's time. Statements are pipelined, so its own time starts when the one
   * before it was answered.
   */
  private stopwatch(statement: unknown): () => void {
    const since = performance.now()
    const trace = currentTrace()
    return () => {
      const now = performance.now()
      const ms = now - Math.max(since, this.answeredAt)
      this.answeredAt = now
      if (trace) trace.databaseMs += ms
      this.timed?.(ms, statement, trace)
    }
  }

  private cork(): void {
    if (this.isCorked) return
    const { stream } = wireOf(this)
    this.isCorked = true
    stream.cork()
    process.nextTick(() => {
      this.isCorked = false
      stream.uncork()
    })
  }
}

/** A pool that handles all connection errors, and throws `DatabaseUnavailableError` if it cannot connect. */
class WatchedPool extends pg.Pool {
  readonly open = new Set<pg.ClientBase>()

  constructor(config: pg.PoolConfig) {
    super({ Client: CorkedClient, ...config })
    // The pool already drops connections lost while idle; the listener only keeps the process alive.
    this.on('error', () => {})
    this.on('connect', (client) => {
      // When a connection is lost in use, its statements fail one by one, and their callers handle that.
      client.on('error', () => {})
      this.open.add(client)
    })
    this.on('remove', (client) => this.open.delete(client))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const reached = atAnyHost(this.options.connectionString, () => super.connect()).catch((err: unknown) => {
      throw toUnavailable(err)
    })
    if (!callback) return reached
    reached.then(
      (client) => callback(undefined, client, (broken) => client.release(broken)),
      (err: Error) => callback(err, undefined, () => {}),
    )
  }
}

/**
 * Turns a failed connection attempt into `DatabaseUnavailableError`; nothing was sent yet. Configuration mistakes
 * (wrong password, missing role) are returned unchanged.
 */
function toUnavailable(error: unknown): Error {
  if (!isConnectionLoss(error)) return error as Error
  return new DatabaseUnavailableError('no connection to the database', { cause: error })
}

/** Opens a pool; connections are made as they are needed. */
export const openPool = (config: pg.PoolConfig & { timed?: OnStatementTimed | undefined }): pg.Pool =>
  new WatchedPool({ keepAlive: true, ...config })

/** Opens a single connection outside any pool. */
export const openClient = (config: pg.ClientConfig): Promise<pg.Client> =>
  atAnyHost(config.connectionString, async () => {
    const client = new WritingClient({ keepAlive: true, ...config })
    client.on('error', () => {})
    await client.connect()
    return client
  })

/** Opens a connection with the pool's settings that is not part of it; `destroyPoolSockets` closes it too. */
export async function openExtraClient(pool: pg.Pool, config: pg.ClientConfig): Promise<pg.Client> {
  const { password } = pool.options
  const client = await openClient({ ...pool.options, password, ...config })
  const { open } = pool as WatchedPool
  open.add(client)
  client.on('end', () => open.delete(client))
  return client
}

/** Closes a connection at once; the driver's own `end` would wait for running statements. */
export const destroySocket = (client: pg.ClientBase): void => void wireOf(client).stream.destroy()

/**
 * Closes all connections of a pool and its extra ones at once, when the server hangs. Everything waiting for it fails
 * immediately.
 */
export function destroyPoolSockets(pool: pg.Pool): void {
  for (const client of (pool as WatchedPool).open) destroySocket(client)
}

/**
 * Runs a transaction that is bound to no tenant, for infrastructure. If the rollback fails, the connection is
 * discarded.
 */
export async function runSystemTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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

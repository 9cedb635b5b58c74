import type { Socket } from 'node:net'
import pg from 'pg'
import { currentTrace, type Trace } from '../trace.ts'

/**
 * Every connection to PostgreSQL is opened here (apps/server/src/structure.test.ts watches that): with somebody who
 * hears its end. An `error` nobody listens to ends the process, and a pool listens to its idle connections only, not to
 * those at work.
 */

/** The database cannot be reached or stopped answering. Nothing was changed: the same call may be made again. */
export class DatabaseUnavailableError extends Error {
  override name = 'DatabaseUnavailableError'
}

/**
 * The connection was lost while a commit was under way: what it asked for is done or not, and only the rows can tell.
 */
export class CommitOutcomeUnknownError extends Error {
  override name = 'CommitOutcomeUnknownError'
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
  if (error instanceof DatabaseUnavailableError) return true
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  if (typeof code === 'string' && (SOCKET_CODES.has(code) || LOST_CODES.test(code))) return true
  // A socket of this machine: none is there while its server is not, or more knock at it than it hears.
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'EAGAIN')) return true
  return typeof message === 'string' && DRIVER_WORDS.some((words) => message.startsWith(words))
}

/** The driver did not even send what it was given: the connection was known to be gone. */
export const isUnsentStatementError = (error: unknown): boolean =>
  /^Client (?:has encountered a connection error|was closed)/.test((error as Error | null)?.message ?? '')

/** The disk of the database, or of this machine, has no room. */
export const isDiskFullError = (error: unknown): boolean =>
  ['53100', 'ENOSPC', 'EDQUOT'].includes((error as { code?: string } | null)?.code ?? '')

/** Whether the same work may go well in a while without anybody changing it. */
export const isTransientDatabaseError = (error: unknown): boolean => isConnectionLoss(error) || isDiskFullError(error)

/** The address of a cluster: a URL for each of its hosts, and at which of them we last were well received. */
type Address = { urls: readonly string[]; at: number; mustWrite: boolean }

const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/s
const MUST_WRITE = /[?&]target_session_attrs=(?:read-write|primary)\b/

/** One URL for each host of a connection string, which may name several as PostgreSQL's own tools read them. */
export function connectionUrlsPerHost(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = HOSTS.exec(url) ?? []
  return hosts ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url]
}

const addresses = new Map<string, Address>()

/** Whoever of this process finds out that a host is no longer the one, finds it out for all. */
function addressOf(url = ''): Address {
  let address = addresses.get(url)
  if (!address) {
    const urls = connectionUrlsPerHost(url)
    addresses.set(url, (address = { urls, at: 0, mustWrite: urls.length > 1 || MUST_WRITE.test(url) }))
  }
  return address
}

/**
 * A machine that hangs lets everybody in and greets nobody: where others are to be asked it gets so many beats. Beats,
 * not milliseconds: a process busy with its own start has not read yet what it was told, and no beat comes meanwhile.
 */
const [HOST_BEATS, BEAT_MS] = [5, 500]

type Greeted = (err: any, client?: any) => void
type Status = { parameterName: string; parameterValue: string }
type Wire = { stream: Socket; on: (event: 'parameterStatus', handler: (status: Status) => void) => void }
const wireOf = (client: pg.ClientBase): Wire => (client as unknown as { connection: Wire }).connection

/** What a server says of itself unasked when it lets somebody in. */
const READS_ONLY = new Set(['in_hot_standby', 'default_transaction_read_only'])

/**
 * A connection to the host of several that takes writes (libpq's `target_session_attrs=read-write`, which the driver
 * lacks). A host that is away or a standby is refused, and the next connection of the process tries the next one.
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
    const patience = this.#isOneOfSeveral ? this.#losePatience() : undefined
    try {
      await super.connect()
      if (!this.#readsOnly) return this
      this.end().catch(() => {})
      throw new DatabaseUnavailableError('this host takes no writes')
    } catch (error) {
      this.#turn()
      throw error
    } finally {
      clearInterval(patience)
    }
  }

  #losePatience(): NodeJS.Timeout {
    let beats = 0
    return setInterval(() => {
      if (++beats === HOST_BEATS) wireOf(this).stream.destroy(new Error('timeout expired'))
    }, BEAT_MS)
  }
}

/** Tries again at the next host, until each has been tried; what is no loss of a connection is the same everywhere. */
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

/** Told of each statement that was answered or refused, and of how long it alone took. */
export type OnStatementTimed = (ms: number, statement: unknown, trace: Trace | undefined) => void

const andThen =
  (callback: (...heard: unknown[]) => unknown, answered: () => void) =>
  (...heard: unknown[]) => {
    answered()
    return callback(...heard)
  }

/** What is asked in one breath leaves in one message: a write to the socket costs more than all that is written. */
class CorkedClient extends WritingClient {
  private isCorked = false
  private answeredAt = 0
  private readonly timed: OnStatementTimed | undefined

  constructor(config: pg.ClientConfig & { timed?: OnStatementTimed } = {}) {
    super(config)
    this.timed = config.timed
  }

  override query(...asked: any[]): any {
    this.cork()
    const answered = this.stopwatch(asked[0])
    const [first] = asked
    const last = asked.length - 1
    if (typeof asked[last] === 'function') asked[last] = andThen(asked[last], answered)
    else if (typeof first.callback === 'function') first.callback = andThen(first.callback, answered)
    const result: unknown = (super.query as (...args: any[]) => unknown)(...asked)
    if (result instanceof Promise) result.then(answered, answered)
    return result
  }

  /** A statement sent behind others waits for their answers: its own time begins with the last of them. */
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

/**
 * A pool none of whose connections can end the process, and which says `DatabaseUnavailableError` when it gets none.
 */
class WatchedPool extends pg.Pool {
  readonly open = new Set<pg.ClientBase>()

  constructor(config: pg.PoolConfig) {
    super({ Client: CorkedClient, ...config })
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
 * Refused in the handshake, nothing has been asked of the server yet. What is our own mistake (a wrong password, no
 * such role) stays itself.
 */
function toUnavailable(error: unknown): Error {
  if (!isConnectionLoss(error)) return error as Error
  return new DatabaseUnavailableError('no connection to the database', { cause: error })
}

/** Opens a pool; connections are made as they are needed. */
export const openPool = (config: pg.PoolConfig & { timed?: OnStatementTimed | undefined }): pg.Pool =>
  new WatchedPool({ keepAlive: true, ...config })

/** One connection outside any pool. */
export const openClient = (config: pg.ClientConfig): Promise<pg.Client> =>
  atAnyHost(config.connectionString, async () => {
    const client = new WritingClient({ keepAlive: true, ...config })
    client.on('error', () => {})
    await client.connect()
    return client
  })

/** One connection beside a pool, with its address and options: who cuts off the pool cuts off this one too. */
export async function openExtraClient(pool: pg.Pool, config: pg.ClientConfig): Promise<pg.Client> {
  const { password } = pool.options
  const client = await openClient({ ...pool.options, password, ...config })
  const { open } = pool as WatchedPool
  open.add(client)
  client.on('end', () => open.delete(client))
  return client
}

/** Ends a connection without waiting for a word of the other side; the driver's own end waits for what is under way. */
export const destroySocket = (client: pg.ClientBase): void => void wireOf(client).stream.destroy()

/**
 * Cuts all connections of a pool and those beside it: for a server that stopped answering without saying so. What waits
 * for it is refused at once.
 */
export function destroyPoolSockets(pool: pg.Pool): void {
  for (const client of (pool as WatchedPool).open) destroySocket(client)
}

/**
 * A transaction of the machinery, whose statements are bound to no tenant. A connection that cannot be rolled back is
 * thrown away, not lent to the next.
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

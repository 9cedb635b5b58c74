import type { Client } from 'pg'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import { destroySocket, openClient } from './connections.ts'

/**
 * Leader election: work that only one process of the installation does at a time. Uses a session-level advisory lock,
 * which ends with its connection, so that another process takes over within seconds of a crash. A connection pooler
 * must keep sessions.
 */
export type Lease = {
  isHeld(): boolean
  /** Stops the work, then releases the lease. */
  stop(): Promise<void>
}

type Options = {
  /**
   * Starts the work and returns the function that stops it. Also stopped when the lease is lost, and started again when
   * it is regained.
   */
  gained: () => Promise<() => Promise<void>>
  log?: MinimalLogger
  intervalMs?: number
  /**
   * Timeout of a silent connection in milliseconds. The database waits twice as long before it frees the lock, so a
   * network partition never leaves two holders.
   */
  timeoutMs?: number
}

const EVERY_MS = 2_000
const TIMEOUT_MS = 5_000

const databaseTimeouts = (timeoutMs: number): string =>
  [
    `-c tcp_keepalives_idle=${Math.ceil(timeoutMs / 1000)} -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3`,
    `-c tcp_user_timeout=${2 * timeoutMs}`,
    // For a frozen process, whose machine still answers keepalives.
    `-c idle_session_timeout=${2 * timeoutMs}`,
  ].join(' ')

const connect = (databaseUrl: string, name: string, timeoutMs: number) =>
  openClient({
    connectionString: databaseUrl,
    application_name: `lease ${name}`,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAliveInitialDelayMillis: timeoutMs,
    options: databaseTimeouts(timeoutMs),
  })

async function obtain(client: Client, name: string): Promise<boolean> {
  const ask = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isMine"'
  const { rows } = await client.query<{ isMine: boolean }>(ask, [`lease/${name}`])
  return rows[0]!.isMine
}

/** A pause that `wake` ends early: when the connection has ended, or to stop. */
function createPause(intervalMs: number) {
  let end = () => {}
  return {
    wake: () => end(),
    pause: () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, intervalMs)
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

/** Keeps trying to get the lease until `stop` is called. */
export function holdLease(databaseUrl: string, name: string, options: Options): Lease {
  const { gained, log = silentLogger, intervalMs = EVERY_MS, timeoutMs = TIMEOUT_MS } = options
  let isHeld = false
  let isStopped = false
  const { pause, wake } = createPause(intervalMs)

  async function take(client: Client): Promise<boolean> {
    while (!isStopped && !(await obtain(client, name))) await pause()
    return !isStopped
  }

  /** Returns when stopped, throws when the connection is lost. */
  async function watch(client: Client): Promise<void> {
    while (!isStopped) {
      await client.query('select 1')
      await pause()
    }
  }

  async function hold(client: Client): Promise<void> {
    if (!(await take(client))) return
    isHeld = true
    const begun = gained()
    try {
      await Promise.race([watch(client), begun.then(() => new Promise<never>(() => {}))])
    } finally {
      isHeld = false
      await begun.then((end) => end()).catch((err: unknown) => log.error({ err, name }, 'The work of a lease failed'))
    }
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      let client: Client | undefined
      try {
        client = await connect(databaseUrl, name, timeoutMs)
        client.once('end', wake)
        await hold(client)
      } catch (err) {
        log.warn({ err, name }, 'A lease is not held')
      }
      if (client) destroySocket(client)
      if (!isStopped) await pause()
    }
  }

  const running = run()
  return {
    isHeld: () => isHeld,
    stop: async () => {
      isStopped = true
      wake()
      await running
    },
  }
}

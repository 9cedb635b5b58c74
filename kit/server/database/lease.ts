import type { Client } from 'pg'
import { silentLogger } from '../shared/index.ts'
import type { MinimalLogger } from '../shared/index.ts'
import { destroySocket, openClient } from './connections.ts'

/**
 * Work that one process of all machines does at a time, by a lock of a session: it ends with its connection, so the
 * work of a process that dies begins elsewhere within seconds. A pooler in between has to keep sessions.
 */
export type Lease = {
  isHeld(): boolean
  /** Ends the work, then lets go. */
  stop(): Promise<void>
}

type Options = {
  /** Begins the work; what it answers ends it. Ended when the lease is lost too, and begun again when it is back. */
  gained: () => Promise<() => Promise<void>>
  log?: MinimalLogger
  intervalMs?: number
  /**
   * Who holds it gives up a connection that says nothing after so long, the database after twice as long: two never
   * work at a time because a network was cut.
   */
  timeoutMs?: number
}

const EVERY_MS = 2_000
const PATIENCE_MS = 5_000

const databasePatience = (timeoutMs: number): string =>
  [
    `-c tcp_keepalives_idle=${Math.ceil(timeoutMs / 1000)} -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3`,
    `-c tcp_user_timeout=${2 * timeoutMs}`,
    // Of a process that stands still the machine goes on answering.
    `-c idle_session_timeout=${2 * timeoutMs}`,
  ].join(' ')

const connect = (databaseUrl: string, name: string, timeoutMs: number) =>
  openClient({
    connectionString: databaseUrl,
    application_name: `lease ${name}`,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAliveInitialDelayMillis: timeoutMs,
    options: databasePatience(timeoutMs),
  })

async function obtain(client: Client, name: string): Promise<boolean> {
  const ask = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as "isMine"'
  const { rows } = await client.query<{ isMine: boolean }>(ask, [`lease/${name}`])
  return rows[0]!.isMine
}

/** Until it is time again, or somebody wakes who waits: the connection has ended, or all is to end. */
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

/** Tries for the lease until it is stopped. */
export function holdLease(databaseUrl: string, name: string, options: Options): Lease {
  const { gained, log = silentLogger, intervalMs = EVERY_MS, timeoutMs = PATIENCE_MS } = options
  let isHeld = false
  let isStopped = false
  const { pause, wake } = createPause(intervalMs)

  async function take(client: Client): Promise<boolean> {
    while (!isStopped && !(await obtain(client, name))) await pause()
    return !isStopped
  }

  /** Ends when it is to end, or throws when the connection has gone. */
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

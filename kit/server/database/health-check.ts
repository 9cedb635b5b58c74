import type { Logger } from 'pino'
import {
  destroyPoolSockets,
  DatabaseUnavailableError,
  destroySocket,
  isConnectionLoss,
  openClient,
} from './connections.ts'
import { withTimeout } from '../in-time.ts'
import type { Pool } from './db.ts'
import { admissionControlOf } from './acquire.ts'

/**
 * Feels the database's pulse on a connection of its own. A server that hangs (a stopped machine, a dead network, a disk
 * that does not answer) says nothing to those who wait: when the pulse stays away, they are cut off and answered, who
 * comes is refused at once, and both end with the next beat.
 */
export type HealthCheck = {
  isHealthy: () => boolean
  stop: () => Promise<void>
}

type Options = { url: string; pools: readonly Pool[]; log: Logger; intervalMs?: number; timeoutMs?: number }

const EVERY_MS = 1000
/** Longer than a busy server takes for nothing at all; how long callers wait without a word. */
const PATIENCE_MS = 5000

export function startHealthCheck(options: Options): HealthCheck {
  const { url, pools, log, intervalMs = EVERY_MS, timeoutMs = PATIENCE_MS } = options
  let client: Awaited<ReturnType<typeof openClient>> | undefined
  let isHealthy = true
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function note(err?: unknown): void {
    if (isHealthy === !err) return
    isHealthy = !err
    if (isHealthy) log.info('the database answers again')
    else log.error({ err }, 'the database does not answer; calls are refused until it does')
    for (const pool of pools) {
      admissionControlOf(pool).shut(
        isHealthy ? undefined : new DatabaseUnavailableError('the database does not answer', { cause: err }),
      )
      if (!isHealthy) destroyPoolSockets(pool)
    }
  }

  async function pingDatabase(): Promise<void> {
    if (!client) {
      const own = { connectionString: url, connectionTimeoutMillis: timeoutMs, application_name: 'pulse' }
      // A connection may be cut while it is opened as well as later: one more is asked before the database is away.
      const fresh = await openClient(own).catch((err: unknown) => {
        if (!isConnectionLoss(err)) throw err
        return openClient(own)
      })
      // Too late: the beat after this one was quicker.
      if (client) return destroySocket(fresh)
      client = fresh
    }
    await client.query('select 1')
  }

  async function runHealthCheck(): Promise<void> {
    try {
      await withTimeout(pingDatabase(), timeoutMs, () => new Error(`no answer in ${timeoutMs} ms`))
      note()
    } catch (err) {
      const broken = client
      client = undefined
      if (broken) destroySocket(broken)
      // A connection that was cut is no silence: only when a new one does not answer either, the database is away.
      if (!broken || (err as Error).message.startsWith('no answer')) note(err)
    }
    if (!isStopped) timer = setTimeout(() => void runHealthCheck(), intervalMs).unref()
  }

  timer = setTimeout(() => void runHealthCheck(), intervalMs).unref()
  return {
    isHealthy: () => isHealthy,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

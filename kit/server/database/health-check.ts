import type { Logger } from 'pino'
import {
  destroyPoolSockets,
  DatabaseUnavailableError,
  destroySocket,
  isConnectionLoss,
  openClient,
} from './connections.ts'
import { withTimeout } from '../base/in-time.ts'
import type { Pool } from './db.ts'
import { admissionControlOf } from './acquire.ts'

/**
 * Checks every second, on its own connection, that the database answers. A hanging server (stopped machine, dead
 * network, stuck disk) never closes connections by itself: if the check gets no answer, all connections are closed, and
 * waiting and new calls are refused, until the check succeeds again.
 */
export type HealthCheck = {
  isHealthy: () => boolean
  stop: () => Promise<void>
}

type Options = { url: string; pools: readonly Pool[]; log: Logger; intervalMs?: number; timeoutMs?: number }

const EVERY_MS = 1000
/** Time limit of a check in milliseconds: longer than a busy server needs, and the longest callers wait in vain. */
const TIMEOUT_MS = 5000

export function startHealthCheck(options: Options): HealthCheck {
  const { url, pools, log, intervalMs = EVERY_MS, timeoutMs = TIMEOUT_MS } = options
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
      // A connection may also be cut while it is opened: try once more before reporting the database as down.
      const fresh = await openClient(own).catch((err: unknown) => {
        if (!isConnectionLoss(err)) throw err
        return openClient(own)
      })
      // A later check has already connected.
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
      // A cut connection does not mean the database is down: only when a new one gets no answer either.
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

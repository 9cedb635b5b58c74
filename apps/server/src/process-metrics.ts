import type { FastifyInstance } from 'fastify'
import { admissionControlOf } from '#kit/server/database/acquire.ts'
import { queueStatsSql } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { registerInstallationMetrics } from './installation.ts'

type QueueStats = Record<'due' | 'later' | 'running' | 'failed' | 'oldestSeconds', number> & { queue: string }

/** Route label of requests without a route: pages of the browser app and unknown addresses. */
const NO_ROUTE = 'none'

/**
 * Counts each answer and registers the gauges of this process. The lead also registers those that all processes share:
 * job queues and the installation.
 */
export function registerProcessMetrics(
  http: FastifyInstance,
  services: Services,
  { isLead }: { isLead: boolean },
): void {
  const { meters, live, pool, systemPool } = services
  http.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms, raw }, done) => {
    const { method, trace, routeOptions } = request
    // An event stream stays open as long as somebody listens, so its duration says nothing.
    if (!String(raw.getHeader('content-type')).startsWith('text/event-stream'))
      meters.answered({ method, route: routeOptions.url ?? NO_ROUTE, status, ms, ...(trace && { trace }) })
    done()
  })
  meters.gauge('store_live_connections', 'Browsers that listen for live messages', () => live.size())
  meters.gauge('store_pool_waiting', 'Calls that wait for a database connection', () =>
    admissionControlOf(pool).waiting(),
  )
  meters.gauges('store_pool_connections', 'Connections of each pool', ['pool', 'state'], () =>
    Object.entries({ calls: pool, machinery: systemPool }).flatMap(([name, { totalCount, idleCount }]) => [
      { labels: { pool: name, state: 'idle' }, value: idleCount },
      { labels: { pool: name, state: 'used' }, value: totalCount - idleCount },
    ]),
  )
  if (isLead) {
    recordQueueMetrics(services)
    registerInstallationMetrics(services)
  }
}

/**
 * Registers the gauges of the job queues. Servers that share a database report the same counts: take the maximum, not
 * the sum.
 */
function recordQueueMetrics({ meters, systemPool, log }: Services): void {
  let pending: Promise<QueueStats[]> | undefined
  // All gauges of one reading share one query. When the database is unavailable these report nothing, the others do.
  const queues = () =>
    (pending ??= systemPool
      .query<QueueStats>(queueStatsSql)
      .then(({ rows }) => rows)
      .catch((err: unknown) => {
        log.warn({ err }, 'jobs could not be counted')
        return []
      })
      .finally(() => (pending = undefined)))
  const states = ['due', 'later', 'running', 'failed'] as const
  meters.gauges('store_jobs', 'Jobs by queue and state; failed ones for a day', ['queue', 'state'], async () =>
    (await queues()).flatMap((one) =>
      states.map((state) => ({ labels: { queue: one.queue, state }, value: one[state] })),
    ),
  )
  meters.gauges('store_job_oldest_seconds', 'How long the oldest due job of a queue waits', ['queue'], async () =>
    (await queues()).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  )
}

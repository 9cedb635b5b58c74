import type { FastifyInstance } from 'fastify'
import { admissionControlOf } from '#kit/server/database/acquire.ts'
import { queueStatsSql } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/services.ts'
import { registerInstallationMetrics } from './installation.ts'

type QueueStats = Record<'due' | 'later' | 'running' | 'failed' | 'oldestSeconds', number> & { queue: string }

/** What no route stands behind: pages of the browser app, and addresses nobody knows. */
const NO_ROUTE = 'none'

/**
 * Counts each answer, and lets the meters read what this process holds; what all share is read by the one that leads.
 */
export function registerProcessMetrics(
  http: FastifyInstance,
  services: Services,
  { isLead }: { isLead: boolean },
): void {
  const { meters, live, pool, systemPool } = services
  http.addHook('onResponse', (request, { statusCode: status, elapsedTime: ms, raw }, done) => {
    const { method, trace, routeOptions } = request
    // A stream is answered for as long as somebody listens.
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

/** Several servers on one database say the same here: their greatest counts, not their sum. */
function recordQueueMetrics({ meters, systemPool, log }: Services): void {
  let asked: Promise<QueueStats[]> | undefined
  // One question for all gauges of a look; where the database is away the others are told all the same.
  const queues = () =>
    (asked ??= systemPool
      .query<QueueStats>(queueStatsSql)
      .then(({ rows }) => rows)
      .catch((err: unknown) => {
        log.warn({ err }, 'jobs could not be counted')
        return []
      })
      .finally(() => (asked = undefined)))
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

import { formatShanghaiTime } from '../base/time.ts'
import { EVENT_LOOP_SAMPLE_MS, type ProcessMeasurements, type PrometheusMetrics } from './meters.ts'
import type { SlowStatement } from './slow-statements.ts'

/** One sample of a Prometheus metric; the samples of a histogram each have their own name. */
type Value = { labels: Record<string, string | number>; value: number; metricName?: string }

const valuesOf = (metrics: PrometheusMetrics, name: string): Value[] =>
  (metrics.find((one) => one.name === name)?.values ?? []) as Value[]

const sumOf = (metrics: PrometheusMetrics, name: string): number =>
  valuesOf(metrics, name).reduce((sum, { value }) => sum + value, 0)

type RouteDurations = {
  method: string
  route: string
  count: number
  failed: number
  seconds: number
  buckets: Map<number, number>
}

const DURATION = 'store_http_request_duration_seconds'

/** Request duration histogram of all processes, by route; buckets are cumulative. */
function routeDurations(all: readonly ProcessMeasurements[]): Map<string, RouteDurations> {
  const byRoute = new Map<string, RouteDurations>()
  for (const { labels, value, metricName = '' } of all.flatMap(({ metrics }) => valuesOf(metrics, DURATION))) {
    const { le } = labels
    const [method, route, status] = [String(labels.method), String(labels.route), String(labels.status)]
    const key = `${method} ${route}`
    const durations = byRoute.get(key) ?? { method, route, count: 0, failed: 0, seconds: 0, buckets: new Map() }
    byRoute.set(key, durations)
    if (metricName.endsWith('_sum')) durations.seconds += value
    else if (metricName.endsWith('_count')) {
      durations.count += value
      if (status === '5xx') durations.failed += value
    } else if (le !== '+Inf') durations.buckets.set(Number(le), (durations.buckets.get(Number(le)) ?? 0) + value)
  }
  return byRoute
}

/** Quantile in milliseconds, interpolated within a bucket as Prometheus does. */
function quantile({ count, buckets }: RouteDurations, share: number): number {
  const rank = share * count
  let [below, from] = [0, 0]
  for (const [to, upTo] of [...buckets].sort(([a], [b]) => a - b)) {
    if (upTo >= rank) return 1000 * (from + ((to - from) * (rank - below)) / Math.max(upTo - below, 1))
    ;[below, from] = [upTo, to]
  }
  return 1000 * from
}

const tenth = (ms: number) => Math.round(ms * 10) / 10

/**
 * Latency of each route since the processes started, in milliseconds: median, 99th percentile, and average time in the
 * database and waiting for a connection. Sorted by total time.
 */
export function routeLatencySummary(all: readonly ProcessMeasurements[]) {
  const spent = (name: string) => {
    const sums = new Map<string, number>()
    for (const { labels, value } of all.flatMap(({ metrics }) => valuesOf(metrics, name))) {
      const key = `${labels.method} ${labels.route}`
      sums.set(key, (sums.get(key) ?? 0) + value)
    }
    return sums
  }
  const database = spent('store_http_request_database_seconds_total')
  const waited = spent('store_http_request_pool_wait_seconds_total')
  return [...routeDurations(all)]
    .filter(([, { count }]) => count > 0)
    .map(([key, durations]) => ({
      method: durations.method,
      route: durations.route,
      count: durations.count,
      failed: durations.failed,
      p50: tenth(quantile(durations, 0.5)),
      p99: tenth(quantile(durations, 0.99)),
      databaseMs: tenth((1000 * (database.get(key) ?? 0)) / durations.count),
      waitedMs: tenth((1000 * (waited.get(key) ?? 0)) / durations.count),
      totalMs: Math.round(durations.seconds * 1000),
    }))
    .sort((a, b) => b.totalMs - a.totalMs)
}

/** Number of responses with a status class (or one counted separately) since the processes started. */
export const countResponses = (all: readonly ProcessMeasurements[], status: string): number =>
  all
    .flatMap(({ metrics }) => valuesOf(metrics, DURATION))
    .filter(({ labels, metricName }) => metricName === `${DURATION}_count` && labels.status === status)
    .reduce((sum, { value }) => sum + value, 0)

/** Samples of an installation-wide metric, taken from the one process that measures it. */
export function metricSamples(
  all: readonly ProcessMeasurements[],
  name: string,
): { labels: Record<string, string>; value: number }[] {
  const samples = all.map(({ metrics }) => valuesOf(metrics, name)).find((values) => values.length)
  return (samples ?? []).map(({ labels, value }) => ({
    labels: Object.fromEntries(Object.entries(labels).map(([key, label]) => [key, String(label)])),
    value,
  }))
}

/** The slowest statements of all processes, each text once. */
export function slowestStatements(all: readonly ProcessMeasurements[]): SlowStatement[] {
  const known = new Map<string, SlowStatement>()
  for (const slow of all.flatMap((one) => one.slow)) {
    const before = known.get(slow.text)
    const worst = before && before.ms > slow.ms ? before : slow
    known.set(slow.text, { ...worst, runs: slow.runs + (before?.runs ?? 0) })
  }
  return [...known.values()].sort((a, b) => b.ms - a.ms)
}

/** Figures of one process; event-loop delay since the last call. */
export function summarizeProcess({ metrics, slow: _slow, ...who }: ProcessMeasurements) {
  const of = (name: string) => sumOf(metrics, name)
  // The measured value is the interval between two samples.
  const loop = (part: 'p50' | 'p99') =>
    tenth(Math.max(0, of(`nodejs_eventloop_lag_${part}_seconds`) * 1000 - EVENT_LOOP_SAMPLE_MS))
  const counts = valuesOf(metrics, DURATION).filter(({ metricName }) => metricName === `${DURATION}_count`)
  return {
    ...who,
    startedAt: formatShanghaiTime(new Date(of('process_start_time_seconds') * 1000)),
    memory: of('process_resident_memory_bytes'),
    heap: of('nodejs_heap_size_used_bytes'),
    loopP50Ms: loop('p50'),
    loopP99Ms: loop('p99'),
    cpuSeconds: tenth(of('process_cpu_seconds_total')),
    live: of('store_live_connections'),
    calls: counts.reduce((sum, { value }) => sum + value, 0),
    waiting: of('store_pool_waiting'),
  }
}

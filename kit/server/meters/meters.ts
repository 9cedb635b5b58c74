import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'
import type { Logger } from 'pino'
import type { Trace } from '../base/trace.ts'
import { createSlowStatementLog, type SlowStatement } from './slow-statements.ts'

export type PrometheusMetrics = MetricObjectWithValues<MetricValue<string>>[]

/** Measurements of one process; of several, the `first` serves no requests itself. */
export type ProcessMeasurements = {
  pid: number
  role: 'only' | 'first' | 'lead' | 'serving'
  version: string
  node: string
  metrics: PrometheusMetrics
  slow: SlowStatement[]
}

type Labelled = { labels: Record<string, string>; value: number }

/** Metrics of one process, always collected, so that history is there when somebody looks. */
export type ProcessMetrics = {
  /** Records an answered request. `route` is the pattern, never the actual path. */
  answered: (call: { method: string; route: string; status: number; ms: number; trace?: Trace }) => void
  /** Records an answered SQL statement. */
  timed: (ms: number, statement: any, trace: Trace | undefined) => void
  /** Records a finished job run. */
  ran: (queue: string, outcome: 'done' | 'again' | 'failed' | 'given back') => void
  /** Registers a value that is read when metrics are collected. */
  gauge: (name: string, help: string, read: () => number | Promise<number>) => void
  /** Like `gauge`, for several values with labels. */
  gauges: (name: string, help: string, labels: string[], read: () => Labelled[] | Promise<Labelled[]>) => void
  measure: () => Promise<ProcessMeasurements>
  /** Measurements of all processes of this machine. */
  all: () => Promise<ProcessMeasurements[]>
}

type Options = {
  role?: ProcessMeasurements['role']
  version?: string
  log?: Logger
  /** Slower statements are logged, in milliseconds; 0 for none. */
  slowMs?: number
  gather?: () => Promise<ProcessMeasurements[]>
}

/** Histogram buckets in seconds: fine enough to distinguish response times, few enough for a thousand routes. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Milliseconds between two samples of the event loop. */
export const EVENT_LOOP_SAMPLE_MS = 20

/** Status codes counted separately: "busy" and "too many requests" must not raise the alarms of other errors. */
const APART = [429, 503]
const classOf = (status: number): string => (APART.includes(status) ? String(status) : `${Math.floor(status / 100)}xx`)

/** Metrics of request durations, and of the parts spent in the database and waiting for a connection. */
function callsOf(registers: Registry[]) {
  const duration = new Histogram({
    name: 'store_http_request_duration_seconds',
    help: 'Calls answered, by route and class of status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  // Summed here and passed on at collection, as the registry computes a key of the labels for each increment.
  const spent = new Map<string, { labels: { method: string; route: string }; databaseMs: number; waitedMs: number }>()
  const counter = (name: string, help: string, part: 'databaseMs' | 'waitedMs') =>
    new Counter({
      name,
      help,
      labelNames: ['method', 'route'] as const,
      registers,
      collect() {
        for (const one of spent.values()) {
          this.inc(one.labels, one[part] / 1000)
          one[part] = 0
        }
      },
    })
  counter('store_http_request_database_seconds_total', 'Time calls waited for statements to be answered', 'databaseMs')
  counter('store_http_request_pool_wait_seconds_total', 'Time calls waited for a database connection', 'waitedMs')
  return ({ method, route, status, ms, trace }: Parameters<ProcessMetrics['answered']>[0]): void => {
    duration.observe({ method, route, status: classOf(status) }, ms / 1000)
    if (!trace) return
    const key = `${method} ${route}`
    const known = spent.get(key) ?? { labels: { method, route }, databaseMs: 0, waitedMs: 0 }
    spent.set(key, known)
    known.databaseMs += trace.databaseMs
    known.waitedMs += trace.waitedMs
  }
}

function statementsOf(registers: Registry[], { log, slowMs = 0 }: Options) {
  const { note, slowest } = createSlowStatementLog()
  const slow = new Counter({
    name: 'store_slow_statements_total',
    help: 'Statements slower than SLOW_STATEMENT_MS',
    registers,
  })
  const timed: ProcessMetrics['timed'] = (ms, statement, trace) => {
    const text = note(ms, statement, trace)
    if (text === undefined || !slowMs || ms < slowMs) return
    slow.inc()
    // Statements at start or of seeds may be slow, so they are not logged.
    if (trace) log?.warn({ ms: Math.round(ms), statement: text, traceId: trace.id }, 'a slow statement')
  }
  return { timed, slowest }
}

export function createProcessMetrics(options: Options = {}): ProcessMetrics {
  const { role = 'only', version = '', gather } = options
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLE_MS })
  const { timed, slowest } = statementsOf(registers, options)

  const runs = new Counter({
    name: 'store_job_runs_total',
    help: 'Runs of jobs that have ended',
    labelNames: ['queue', 'outcome'],
    registers,
  })

  const gauges: ProcessMetrics['gauges'] = (name, help, labelNames, read) => {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await read()
        this.reset()
        // A gauge without labels would show 0 where the value is unknown.
        if (!labelNames.length) this.remove()
        for (const { labels, value } of found) this.set(labels, value)
      },
    })
  }

  const measure = async (): Promise<ProcessMeasurements> => ({
    pid: process.pid,
    role,
    version,
    node: process.version,
    metrics: await registry.getMetricsAsJSON(),
    slow: slowest(),
  })

  return {
    answered: callsOf(registers),
    timed,
    ran: (queue, outcome) => runs.inc({ queue, outcome }),
    gauges,
    gauge: (name, help, read) => gauges(name, help, [], async () => [{ labels: {}, value: await read() }]),
    measure,
    all: gather ?? (async () => [await measure()]),
  }
}

/** Merges the measurements of several processes into Prometheus text format. */
export const prometheusText = (all: readonly ProcessMeasurements[]): Promise<string> =>
  AggregatorRegistry.aggregate(all.map(({ metrics }) => metrics)).metrics()

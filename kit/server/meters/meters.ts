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
import type { Trace } from '../trace.ts'
import { createSlowStatementLog, type SlowStatement } from './slow-statements.ts'

export type PrometheusMetrics = MetricObjectWithValues<MetricValue<string>>[]

/** What one process has measured; the first of several serves nobody itself. */
export type ProcessMeasurements = {
  pid: number
  role: 'only' | 'first' | 'lead' | 'serving'
  version: string
  node: string
  metrics: PrometheusMetrics
  slow: SlowStatement[]
}

type Labelled = { labels: Record<string, string>; value: number }

/** The meters of one process: kept whether anybody looks or not, so that whoever looks sees what was. */
export type ProcessMetrics = {
  /** A call was answered. `route` is the pattern, never an address. */
  answered: (call: { method: string; route: string; status: number; ms: number; trace?: Trace }) => void
  /** A statement was answered. */
  timed: (ms: number, statement: any, trace: Trace | undefined) => void
  /** A run of a job has ended. */
  ran: (queue: string, outcome: 'done' | 'again' | 'failed' | 'given back') => void
  /** Something that is read when somebody looks. */
  gauge: (name: string, help: string, read: () => number | Promise<number>) => void
  /** The same for several things of a kind. */
  gauges: (name: string, help: string, labels: string[], read: () => Labelled[] | Promise<Labelled[]>) => void
  measure: () => Promise<ProcessMeasurements>
  /** Those of all processes of this machine. */
  all: () => Promise<ProcessMeasurements[]>
}

type Options = {
  role?: ProcessMeasurements['role']
  version?: string
  log?: Logger
  /** Slower statements are said in the log; 0 for none. */
  slowMs?: number
  gather?: () => Promise<ProcessMeasurements[]>
}

/** Seconds, as fine as answers differ and as few as a thousand calls can bear. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** So often the event loop is looked at. */
export const EVENT_LOOP_SAMPLE_MS = 20

/** Told to come again, or asked too often: what somebody at night is woken for is another matter. */
const APART = [429, 503]
const classOf = (status: number): string => (APART.includes(status) ? String(status) : `${Math.floor(status / 100)}xx`)

/** What calls were, and what of their time went to the database. */
function callsOf(registers: Registry[]) {
  const duration = new Histogram({
    name: 'store_http_request_duration_seconds',
    help: 'Calls answered, by route and class of status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  // Added up here and handed over when somebody looks: the registry reckons a key of the labels for each call.
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
  const timed: ProcessMetrics['timed'] = (ms, asked, trace) => {
    const text = note(ms, asked, trace)
    if (text === undefined || !slowMs || ms < slowMs) return
    slow.inc()
    // What a start or a seed asks may take its time.
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
        // Without labels it would say nought, where nothing is known.
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

/** What several processes have measured, added up where that says something, as text for Prometheus. */
export const prometheusText = (all: readonly ProcessMeasurements[]): Promise<string> =>
  AggregatorRegistry.aggregate(all.map(({ metrics }) => metrics)).metrics()

import cluster, { type Worker } from 'node:cluster'
import { randomInt } from 'node:crypto'
import { EMBEDDED_CONNECTIONS_MAX } from '#apps/database/embedded-postgres.ts'
import { readEnvironmentNumber } from './config.ts'
import {
  createMetricsCollector,
  type MessageFromMetricsReporter,
  type MessageToMetricsReporter,
} from './collect-metrics.ts'
import { readHostResources, type HostResources } from './machine.ts'
import { createHostRelay, type WorkerToLeadMessage, type MessageToHostBus } from './host-bus.ts'
import { createRateAggregator, type RateCountReport } from './worker-role.ts'

/** The settings a worker process starts to serve with. */
export type WorkerSettings = {
  databaseUrl: string
  env: Record<string, string>
  /** Epoch ms at which the start began. */
  began: number
  ids: number
  isLead: boolean
  /** Other processes serve already. When false, the worker opens its port only at the message `open`. */
  joins: boolean
}
export type MessageToWorker =
  | { kind: 'serve'; orders: WorkerSettings }
  | { kind: 'open' }
  | { kind: 'stop' }
  | { kind: 'counted'; counted: RateCountReport }
  | MessageToHostBus
  | MessageToMetricsReporter
export type MessageFromWorker =
  | { kind: 'serving' }
  | { kind: 'beat' }
  | { kind: 'counted'; counted: RateCountReport }
  | WorkerToLeadMessage
  | MessageFromMetricsReporter

/** Memory of one worker process after some days of work, plus as much of the database for it. */
const BYTES_EACH = 768e6
/** Connections of a worker besides its pool: the system pool, LISTEN, the health check and the seed lock. */
const EXTRA_CONNECTIONS = 10
/** Connections left for commands, backups and people. */
const CONNECTIONS_KEPT = 20
const POOL_MIN = 4

/**
 * Returns the number of worker processes: as configured, or one per core as far as memory allows. An embedded database
 * works as much as they do, so beside it three for each four cores (two for two: docs/performance.md).
 */
export function chooseWorkerCount(
  configured: number,
  isEmbedded: boolean,
  machine: HostResources = readHostResources(),
): number {
  const connected = Math.floor((EMBEDDED_CONNECTIONS_MAX - CONNECTIONS_KEPT) / (EXTRA_CONNECTIONS + POOL_MIN))
  const most = isEmbedded ? connected : Infinity
  if (configured) return Math.min(configured, most)
  const byCores = isEmbedded ? Math.ceil(machine.cores * 0.75) : machine.cores
  return Math.max(1, Math.min(byCores, Math.floor(machine.bytes / BYTES_EACH), most))
}

/** Returns the pool size of each worker, so that all together stay within the embedded database's connections. */
export const poolSizePerWorker = (configured: number, workers: number): number =>
  Math.min(configured, Math.floor((EMBEDDED_CONNECTIONS_MAX - CONNECTIONS_KEPT) / workers) - EXTRA_CONNECTIONS)

const DEATHS_MAX = 5
const DEATHS_MS = 60_000
const AGAIN_MS = 200
/** In addition to the drain time. */
const STOP_MS = 14_000

/** Interval at which a serving worker reports that it is alive. */
export const WORKER_HEARTBEAT_MS = 1_000
/** Silence after which a worker is killed and replaced. */
const SILENT_MS = 5_000

type Options = { count: number; log: (line: string) => void; onFailure: () => void }
type WorkerOptions = Pick<WorkerSettings, 'databaseUrl' | 'env' | 'began'>
type WorkerHandle = { at: number; worker: Worker; isServing: boolean; heardAt: number; isHung: boolean }

export type WorkerProcesses = {
  /** Sends the waiting worker its settings. It prepares the database and serves at `open`; the others then join. */
  serve: (given: WorkerOptions) => void
  open: () => void
  stop: () => Promise<void>
  gathering: Pick<ReturnType<typeof createMetricsCollector>, 'gather' | 'owns'>
}

const postToWorker = ({ worker }: WorkerHandle, message: MessageToWorker) =>
  worker.isConnected() && worker.send(message, (error) => error && worker.kill('SIGKILL'))

/** Passes messages between the serving workers: rate counts, bus messages and measurements. */
function createMailbox(places: readonly WorkerHandle[]) {
  const sums = createRateAggregator()
  const send = (at: number, message: MessageToWorker) => {
    const place = places[at]
    if (place) postToWorker(place, message)
  }
  const relay = createHostRelay(send)
  const gathering = createMetricsCollector(send, () => places.filter(({ isServing }) => isServing).map(({ at }) => at))
  return {
    gathering,
    leave: (at: number): void => {
      relay.leave(at)
      gathering.leave(at)
    },
    take: (from: WorkerHandle, message: Exclude<MessageFromWorker, { kind: 'serving' | 'beat' }>): void => {
      if (message.kind === 'gather' || message.kind === 'measured') return gathering.take(from.at, message)
      const others = places.filter((one) => one !== from && one.isServing)
      if (message.kind !== 'counted') {
        const ats = others.map(({ at }) => at)
        return relay.take(from.at, message, ats)
      }
      sums.tell(from.at, message.counted)
      const addresses = Object.keys(message.counted.counts)
      for (const other of others) postToWorker(other, { kind: 'counted', counted: sums.besides(other.at, addresses) })
    },
  }
}

/** Counts the worker deaths of the last minute. A worker that ended on its own with code 0 is no death. */
function createCrashLoopGuard() {
  let deaths: number[] = []
  return {
    note: (isDeath: boolean): number => {
      const now = Date.now()
      deaths = [...deaths, ...(isDeath ? [now] : [])].filter((death) => death > now - DEATHS_MS)
      return deaths.length
    },
  }
}

/**
 * Kills workers that stay silent: their event loop is blocked, callers sent to them wait, and they would not end by
 * themselves. While this process itself stood still (a machine asleep) no worker counts as silent. Stopping workers
 * have their own time limit.
 */
function watchSilence(places: readonly WorkerHandle[], isStopping: () => boolean): void {
  let lookedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    const hasStoodStill = now - lookedAt > 3 * WORKER_HEARTBEAT_MS
    lookedAt = now
    if (isStopping()) return
    for (const place of places) {
      if (hasStoodStill) place.heardAt = now
      if (!place.isServing || place.isHung || now - place.heardAt < SILENT_MS) continue
      place.isHung = true
      place.worker.process.kill('SIGKILL')
    }
  }, WORKER_HEARTBEAT_MS)
  timer.unref()
}

function forked(at: number): WorkerHandle {
  const place: WorkerHandle = { at, worker: cluster.fork(), isServing: false, heardAt: 0, isHung: false }
  place.worker.on('message', () => void (place.heardAt = performance.now()))
  return place
}

const ordersOf = ({ at }: WorkerHandle, ids: number) => ({ ids: ids + at, isLead: at === 0 })

const goodbyeOf = ({ at, isHung }: WorkerHandle, why: string | number, count: number): string =>
  `Process ${at + 1} of ${count} has ${isHung ? `said nothing for ${SILENT_MS / 1000} s` : `ended with ${why}`}; ` +
  'another takes its place.'

/** Tells all workers to stop and kills those that take longer than `graceMs`. */
async function endAll(places: readonly WorkerHandle[], hasServed: boolean, graceMs: number): Promise<void> {
  const living = places.filter(({ worker }) => !worker.isDead())
  const hard = setTimeout(() => living.forEach(({ worker }) => worker.process.kill('SIGKILL')), graceMs)
  const ends = living.map((place) => {
    const ended = new Promise((resolve) => place.worker.once('exit', resolve))
    // Workers that do not serve yet have no calls to finish and may be slow to start: they are killed.
    if (hasServed) postToWorker(place, { kind: 'stop' })
    else place.worker.process.kill('SIGKILL')
    return ended
  })
  await Promise.all(ends)
  clearTimeout(hard)
}

/**
 * Runs worker processes that share one port. The first is forked at once, so that it loads while the database starts;
 * the others follow when it serves. A worker that dies is replaced. When they die as fast as they start, or none ever
 * served, `onFailure` is called.
 */
export function startWorkerProcesses({ count, log, onFailure }: Options): WorkerProcesses {
  const ids = randomInt(1024)
  const places: WorkerHandle[] = []
  const post = createMailbox(places)
  const deaths = createCrashLoopGuard()
  let given: WorkerOptions | undefined
  let hasServed = false
  let isStopping = false

  const begin = (place: WorkerHandle) =>
    given && postToWorker(place, { kind: 'serve', orders: { ...given, ...ordersOf(place, ids), joins: hasServed } })
  const occupy = (at: number) => {
    if (isStopping) return
    const place = forked(at)
    places[at] = place
    place.worker.on('message', (message: MessageFromWorker) => handleMessage(place, message))
    place.worker.on('exit', (code, signal) => leave(place, signal || code))
    begin(place)
  }
  const join = (place: WorkerHandle) => {
    place.isServing = true
    if (!hasServed) {
      hasServed = true
      for (let at = 1; at < count; at++) occupy(at)
    } else if (!deaths.note(false) && places.every(({ isServing }) => isServing)) {
      log(`${count} processes serve (WORKERS says how many).`)
    }
  }
  const handleMessage = (place: WorkerHandle, message: MessageFromWorker) =>
    message.kind === 'serving' ? join(place) : message.kind !== 'beat' && post.take(place, message)
  const leave = (place: WorkerHandle, why: string | number) => {
    place.isServing = false
    post.leave(place.at)
    if (isStopping) return
    // A hung worker does not count towards the crash loop: what blocked it may never come again.
    const died = deaths.note(why !== 0 && !place.isHung)
    if (!hasServed || died > DEATHS_MAX) {
      if (hasServed) log(`${died} processes have died within a minute, the last with ${why}: all end.`)
      isStopping = true
      return onFailure()
    }
    log(goodbyeOf(place, why, count))
    setTimeout(occupy, AGAIN_MS * died, place.at)
  }

  occupy(0)
  watchSilence(places, () => isStopping)
  return {
    gathering: post.gathering,
    serve: (orders) => {
      given = orders
      places.forEach(begin)
    },
    open: () => places.forEach((place) => postToWorker(place, { kind: 'open' })),
    stop: () => {
      isStopping = true
      return endAll(places, hasServed, STOP_MS + readEnvironmentNumber(process.env, 'DRAIN') * 1000)
    },
  }
}

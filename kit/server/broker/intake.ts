import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { Json } from '../shared/index.ts'
import { parseUntrustedJson } from '../base/outside-json.ts'
import { MQTT_MESSAGE_BYTES_MAX } from './topics.ts'

/**
 * A message that another broker delivered and that exceeds our size limit; the reason recorded when it is set aside.
 */
export class MessageTooLargeError extends Error {
  override name = 'MessageTooLargeError'
}

/**
 * Takes messages in and handles them in lanes (one per device): in order within a lane, lanes in parallel. A failing
 * message delays only its own lane.
 */
export type MessageIntake = {
  /**
   * Queues a message. Resolves at once, or when there is room again; the caller delivers the next message only then.
   */
  take(topic: string, payload: Buffer, retained: boolean): Promise<void>
  /** Number of messages queued and not yet handled. */
  inside(): number
  /** Resolves when no message is left. */
  idle(): Promise<void>
}

/** Why a message is set aside: no JSON or too large; failed twice; or its lane was full. */
type DeadLetterReason = 'malformed' | 'failed' | 'crowded'

/**
 * How a message arrived. `retained`: stored by the broker from before. `at`: time of arrival. `isLate`: it came while
 * delivery was held back, so even `at` does not tell when it was sent.
 */
type DeliveryFlags = { retained: boolean; isLate: boolean; at: number }

type Options = {
  /** Returns the lane of a message, usually its device. */
  laneOf: (topic: string) => string
  handle: (topic: string, message: Json, from: DeliveryFlags) => void | Promise<void>
  /** Someone is waiting for the result: its lane goes before waiting ones, and starts even if all workers are busy. */
  isPriority?: (topic: string) => boolean
  /** Stores a message that could not be handled, for inspection; of one that is too large only the beginning. */
  aside: (topic: string, payload: Buffer, reason: DeadLetterReason, err?: unknown) => void | Promise<void>
  /** Lanes handled in parallel. */
  lanes?: number
  insideMax?: number
  /** Messages queued in one lane, so that a stuck lane cannot fill the whole intake. */
  laneMax?: number
  againMs?: number
  /**
   * Whether an error is temporary, such as an unreachable database: the message is retried until it passes, and never
   * set aside.
   */
  isPassing?: (err: unknown) => boolean
  /** A message that was already acknowledged has been set aside: the device must be asked to send its data again. */
  letGo?: (topic: string) => void
  now?: () => number
  log?: MinimalLogger
}

type QueuedMessage = {
  topic: string
  payload: Buffer
  /** `payload` holds only the beginning. */
  isTooLarge: boolean
  hasFailed?: boolean
  /** How many times it was retried. */ waits?: number
} & DeliveryFlags
type OrderedQueue = { key: string; taken: QueuedMessage[]; /** Its last message was put aside. */ isSour: boolean }

/** Counts the queued messages; `room` and `idle` resolve when there is room, or when none is left. */
function createBackpressure(insideMax: number) {
  let inside = 0
  const waits: { most: number; resolve: () => void }[] = []
  const below = (most: number): Promise<void> =>
    inside <= most ? Promise.resolve() : new Promise((resolve) => waits.push({ most, resolve }))
  return {
    inside: () => inside,
    enter: () => void inside++,
    leave: () => {
      inside--
      const isOver = ({ most }: { most: number }) => inside <= most
      for (const one of waits.filter(isOver)) {
        waits.splice(waits.indexOf(one), 1)
        one.resolve()
      }
    },
    room: () => below(insideMax - 1),
    idle: () => below(0),
  }
}

function createHandling(options: Options) {
  const { log = silentLogger } = options

  async function putAside({ topic, payload }: QueuedMessage, reason: DeadLetterReason, err?: unknown): Promise<void> {
    if (reason !== 'malformed') options.letGo?.(topic)
    try {
      await options.aside(topic, payload, reason, err)
    } catch (failure) {
      log.error({ err: failure, topic, reason }, 'A message could not be put aside and was let go')
    }
  }

  /** Handles one message. Returns true when the lane is done with it, false when it must be retried later. */
  async function handle(lane: OrderedQueue, taken: QueuedMessage): Promise<boolean> {
    const message = taken.isTooLarge ? undefined : parse(taken.payload)
    if (message === undefined) {
      await putAside(taken, 'malformed', taken.isTooLarge ? new MessageTooLargeError('too large') : undefined)
      return true
    }
    try {
      await options.handle(taken.topic, message, { retained: taken.retained, isLate: taken.isLate, at: taken.at })
      lane.isSour = false
      return true
    } catch (err) {
      if (options.isPassing?.(err)) {
        taken.waits = (taken.waits ?? 0) + 1
        return false
      }
      // After a failed message, the next failure is not retried: otherwise bad messages in a row would delay the good
      // ones by one pause each.
      if (!taken.hasFailed && !lane.isSour) {
        taken.hasFailed = true
        return false
      }
      lane.isSour = true
      await putAside(taken, 'failed', err)
      return true
    }
  }

  return { putAside, handle }
}

/** Share of the capacity below which no late messages are expected any more. */
const CALM_SHARE = 0.1
const PAUSE_MAX_MS = 5_000

/** Additional lanes that may be handled in parallel for priority messages. */
const PRIORITY_MAX = 8

export function createMessageIntake(options: Options): MessageIntake {
  const { laneOf, lanes: atWorkMax = 32, insideMax = 1_000, againMs = 250, now = Date.now } = options
  const { laneMax = Math.ceil(insideMax / 10) } = options
  const { putAside, handle } = createHandling(options)
  const gauge = createBackpressure(insideMax)
  const lanes = new Map<string, OrderedQueue>()
  const ready: OrderedQueue[] = []
  let atWork = 0
  /** Delivery was held back, and messages from that time may still be arriving. */
  let isBacklogged = false

  const isUrgent = ({ taken: [first] }: OrderedQueue) => options.isPriority?.(first!.topic) ?? false

  const queue = (lane: OrderedQueue) => {
    if (isUrgent(lane) && atWork < atWorkMax + PRIORITY_MAX) return void work(lane)
    if (isUrgent(lane)) ready.unshift(lane)
    else ready.push(lane)
    while (atWork < atWorkMax && ready.length) void work(ready.shift()!)
  }

  const pauseOf = ({ taken: [first] }: OrderedQueue) =>
    Math.min(againMs * 2 ** Math.max(0, (first!.waits ?? 1) - 1), Math.max(againMs, PAUSE_MAX_MS))

  async function work(lane: OrderedQueue): Promise<void> {
    atWork++
    const isDone = await handle(lane, lane.taken[0]!)
    atWork--
    if (isDone) {
      lane.taken.shift()
      gauge.leave()
    }
    if (!lane.taken.length) lanes.delete(lane.key)
    else if (isDone) return queue(lane)
    else setTimeout(queue, pauseOf(lane), lane)
    const next = atWork < atWorkMax ? ready.shift() : undefined
    if (next) void work(next)
  }

  return {
    take(topic, payload, retained) {
      const key = laneOf(topic)
      if (isBacklogged && gauge.inside() <= insideMax * CALM_SHARE) isBacklogged = false
      const taken: QueuedMessage = { topic, ...bounded(payload), retained, isLate: isBacklogged, at: now() }
      const lane = lanes.get(key)
      gauge.enter()
      if (!lane) {
        const fresh: OrderedQueue = { key, taken: [taken], isSour: false }
        lanes.set(key, fresh)
        queue(fresh)
      } else if (lane.taken.length < laneMax) lane.taken.push(taken)
      else void putAside(taken, 'crowded').then(gauge.leave)
      if (gauge.inside() >= insideMax) isBacklogged = true
      return gauge.room()
    },
    inside: gauge.inside,
    idle: gauge.idle,
  }
}

/** Copies only the beginning of a message that is too large, so that the memory of a full intake is bounded. */
const bounded = (payload: Buffer): Pick<QueuedMessage, 'payload' | 'isTooLarge'> =>
  payload.length > MQTT_MESSAGE_BYTES_MAX
    ? { payload: Buffer.from(payload.subarray(0, MQTT_MESSAGE_BYTES_MAX)), isTooLarge: true }
    : { payload, isTooLarge: false }

function parse(payload: Buffer): Json | undefined {
  try {
    return parseUntrustedJson(payload.toString())
  } catch {
    return undefined
  }
}

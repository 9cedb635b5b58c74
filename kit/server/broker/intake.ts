import { silentLogger } from '../shared/index.ts'
import type { Json, MinimalLogger } from '../shared/index.ts'
import { parseUntrustedJson } from '../outside-json.ts'
import { MQTT_MESSAGE_BYTES_MAX } from './topics.ts'

/** What a broker of somebody else handed on, and ours would not have: said as why it was put aside. */
export class MessageTooLargeError extends Error {
  override name = 'MessageTooLargeError'
}

/**
 * Takes messages in: those of one lane (a device) one after the other as they came, lanes beside each other. A message
 * that fails delays its own lane and nobody else.
 */
export type MessageIntake = {
  /** Resolves at once, or when there is room again: who brings messages waits so long before the next. */
  take(topic: string, payload: Buffer, retained: boolean): Promise<void>
  /** Taken and not done with. */
  inside(): number
  /** Resolves when nothing is inside. */
  idle(): Promise<void>
}

/** No JSON, or too large to be looked at; failed twice; its lane was full. */
type DeadLetterReason = 'malformed' | 'failed' | 'crowded'

/**
 * How a message came: kept by the broker from before; when, for it may wait here; `isLate`, after others had been held
 * outside, so that even that tells nothing of when it was said.
 */
type DeliveryFlags = { retained: boolean; isLate: boolean; at: number }

type Options = {
  /** Whose message is it? */
  laneOf: (topic: string) => string
  handle: (topic: string, message: Json, from: DeliveryFlags) => void | Promise<void>
  /** Somebody stands and waits for it: its lane goes before those that wait, and beside those at work. */
  isPriority?: (topic: string) => boolean
  /** Keeps what could not be handled, for somebody to look at; of what is too large, its beginning. */
  aside: (topic: string, payload: Buffer, reason: DeadLetterReason, err?: unknown) => void | Promise<void>
  /** Lanes at work at the same time. */
  lanes?: number
  insideMax?: number
  /** Of one lane; so that a lane that does not get on cannot fill the whole. */
  laneMax?: number
  againMs?: number
  /** What will pass, such as a database that is away: such a message waits for it, and is never put aside. */
  isPassing?: (err: unknown) => boolean
  /** A message whose sender was told that it came was put aside all the same: who said it has to be asked again. */
  letGo?: (topic: string) => void
  now?: () => number
  log?: MinimalLogger
}

type QueuedMessage = {
  topic: string
  payload: Buffer
  /** Its payload is only its beginning. */
  isTooLarge: boolean
  hasFailed?: boolean
  /** How often it waited. */ waits?: number
} & DeliveryFlags
type OrderedQueue = { key: string; taken: QueuedMessage[]; /** Its last message was put aside. */ isSour: boolean }

/** Says when there is room, or nothing left. */
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

  /** Whether the lane is done with the message; if not it tries once more, after the others' turns. */
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
      // One bad message after the other would hold the good ones behind them for as many pauses.
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

/** Of a full intake: with less inside, what was held outside has come in. */
const CALM_SHARE = 0.1
const PAUSE_MAX_MS = 5_000

/** More than are meant to be at work, for what is urgent. */
const PRIORITY_MAX = 8

export function createMessageIntake(options: Options): MessageIntake {
  const { laneOf, lanes: atWorkMax = 32, insideMax = 1_000, againMs = 250, now = Date.now } = options
  const { laneMax = Math.ceil(insideMax / 10) } = options
  const { putAside, handle } = createHandling(options)
  const gauge = createBackpressure(insideMax)
  const lanes = new Map<string, OrderedQueue>()
  const ready: OrderedQueue[] = []
  let atWork = 0
  /** Who brings messages was made to wait, and what waited with it may still be coming. */
  let isBehind = false

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
      if (isBehind && gauge.inside() <= insideMax * CALM_SHARE) isBehind = false
      const taken: QueuedMessage = { topic, ...bounded(payload), retained, isLate: isBehind, at: now() }
      const lane = lanes.get(key)
      gauge.enter()
      if (!lane) {
        const fresh: OrderedQueue = { key, taken: [taken], isSour: false }
        lanes.set(key, fresh)
        queue(fresh)
      } else if (lane.taken.length < laneMax) lane.taken.push(taken)
      else void putAside(taken, 'crowded').then(gauge.leave)
      if (gauge.inside() >= insideMax) isBehind = true
      return gauge.room()
    },
    inside: gauge.inside,
    idle: gauge.idle,
  }
}

/** A thousand that wait hold no more memory than a thousand of the largest that may come. */
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

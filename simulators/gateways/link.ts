import { randomUUID } from 'node:crypto'
import type { Random } from '#kit/server/base/random.ts'
import type { Clock } from './clock.ts'
import type { Ledger } from './ledger.ts'
import type { Body, DevicePayload, Session, Transport, Will } from './protocol.ts'

type Topic = 'online' | 'hello' | 'hb' | 'state' | 'ack' | 'res' | 'prog' | 'evt' | 'ask'
type Options = {
  transport: Transport
  clock: Clock
  random: Random
  core: { has: Body['has']; ledger: Ledger; time: { own: () => number }; bootId: string }
  onUp: () => void
  onMessage: (topic: string, message: DevicePayload) => void
}

/** Messages that are not sent late: heartbeats and progress. */
const LIGHT: readonly Topic[] = ['hb', 'prog']
const RETAINED: readonly Topic[] = ['online', 'state']
const RETRY_MS = 1_000
const RETRY_MAX_MS = 60_000
const REORDER_MS = 200

function parsed(payload: string): DevicePayload | undefined {
  try {
    const message = JSON.parse(payload) as unknown
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as DevicePayload)
      : undefined
  } catch {
    return undefined
  }
}

/** Applies the network faults between device and broker, in both directions. */
function createWeather({ transport, clock, random, core: { has, ledger } }: Options) {
  const held: (() => void)[] = []

  function release(): void {
    while (held.length) held.splice(random.int(0, held.length - 1), 1)[0]!()
  }

  return {
    send(topic: Topic, payload: string): void {
      const put = () => {
        ledger.figures.sent++
        transport.publish(`up/${topic}`, payload, {
          qos: LIGHT.includes(topic) ? 0 : 1,
          retain: RETAINED.includes(topic),
        })
      }
      // The online message is never dropped or delayed, since the broker itself sends its counterpart.
      if (topic === 'online') return put()
      if (random.chance(has('drop') ?? 0)) return void ledger.figures.lost++
      for (let copies = has('duplicates') ? 2 : 1; copies > 0; copies--) {
        if (!has('reorder')) put()
        else if (held.push(put) === 1) clock.after(REORDER_MS, release)
      }
    },
    hear(call: () => void): void {
      ledger.figures.heard++
      if (random.chance(has('drop') ?? 0)) return void ledger.figures.lost++
      const slowMs = has('slow')
      if (slowMs) clock.after(slowMs, call)
      else call()
    },
    forget: () => void held.splice(0),
  }
}

type LineOptions = Pick<Options, 'transport' | 'clock' | 'random' | 'core'> & {
  /** Called once per connection. */
  willOf: () => Will
  onUp: () => void
  onPayload: (topic: string, payload: string, isStill: () => boolean) => void
  onEnd: () => void
}

/** Keeps one connection open and reconnects. */
function createLine({ transport, clock, random, core, willOf, onUp, onPayload, onEnd }: LineOptions) {
  let current: Session | undefined
  let isWanted = false
  let isUp = false
  let failures = 0
  let stopRetry = () => {}

  function retry(): void {
    stopRetry()
    const longest = Math.min(RETRY_MS * 2 ** ++failures, RETRY_MAX_MS)
    stopRetry = clock.after(random.int(RETRY_MS / 2, longest), open)
  }

  function open(): void {
    stopRetry()
    if (!isWanted || current || core.has('offline')) return
    const isStill = () => current === session
    const session: Session = {
      will: willOf(),
      onUp() {
        if (!isStill()) return
        isUp = true
        failures = 0
        onUp()
      },
      onDown() {
        if (!isStill()) return
        dropConnection()
        if (isWanted) retry()
      },
      onMessage: (topic, payload) => isStill() && onPayload(topic, payload, isStill),
    }
    current = session
    transport.open(session)
  }

  function dropConnection(): void {
    stopRetry()
    current = undefined
    isUp = false
    onEnd()
  }

  return {
    isUp: () => isUp,
    isWanted: () => isWanted,
    will: () => current?.will,
    want(wanted: boolean): void {
      isWanted = wanted
      if (wanted) open()
    },
    drop(how: 'leave' | 'cut'): void {
      if (current) transport[how]()
      dropConnection()
    },
  }
}

/** Sends and receives a device's messages over a network with faults. */
export function createLink(options: Options) {
  const { transport, clock, core, onUp, onMessage } = options
  const weather = createWeather(options)
  let connId = ''
  const presence = (word: DevicePayload): string =>
    JSON.stringify({ ...word, connId, bootId: core.bootId, ts: core.time.own() })
  const line = createLine({
    ...options,
    willOf() {
      connId = randomUUID()
      return { topic: 'up/online', payload: presence({ online: false, reason: 'lwt' }) }
    },
    onUp() {
      core.ledger.figures.connections++
      weather.send('online', presence({ online: true }))
      onUp()
    },
    onPayload(topic, payload, isStill) {
      const message = parsed(payload)
      if (message) weather.hear(() => isStill() && onMessage(topic, message))
    },
    onEnd: weather.forget,
  })

  return {
    isUp: line.isUp,
    isWanted: line.isWanted,
    connId: () => connId,
    send(topic: Topic, message: DevicePayload): boolean {
      if (line.isUp()) weather.send(topic, JSON.stringify(message))
      return line.isUp()
    },
    /** Sends a payload as it is, past the faults: malformed messages that no sane device sends. */
    shout(topic: Topic, payload: string): void {
      if (line.isUp()) transport.publish(`up/${topic}`, payload, { qos: 0, retain: false })
    },
    open: () => line.want(true),
    leave(reason: string): void {
      line.want(false)
      if (line.isUp()) weather.send('online', presence({ online: false, reason }))
      line.drop('leave')
    },
    cut(): void {
      line.want(false)
      line.drop('cut')
    },
    /** Reconnects before the broker notices the loss; the broker then publishes the first connection's will late. */
    lateWill(ms: number): void {
      const will = line.will()
      if (!will) return
      line.drop('leave')
      line.want(true)
      clock.after(ms, () => line.isUp() && transport.publish(will.topic, will.payload, { qos: 1, retain: true }))
    },
  }
}

export type Link = ReturnType<typeof createLink>

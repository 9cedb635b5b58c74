import type { Random } from '#kit/server/base/random.ts'
import type { Clock } from './clock.ts'

/** Result codes of docs/gateways.md. */
export const DONE = 0
export const BAD_PARAMETERS = 1
export const UNSUPPORTED = 2
export const BUSY = 3
export const EXPIRED = 4
export const BROKEN = 5
export const NOT_ALLOWED = 6
export const NOT_DOWNLOADED = 7
export const BAD_CHECKSUM = 8
export const NOT_FOUND = 9
export const PRECONDITION = 10
export const UNKNOWN_COMMAND = 11
export const OTHER = 99

export type DevicePayload = Record<string, unknown>
export type Command = { id: string; method: string; params: DevicePayload; ts: number; exp: number; by?: unknown }
export type Answer = { code: number; msg?: string; data?: DevicePayload }

export type Will = { topic: string; payload: string }

/** A connection to the broker. Topics are relative to the device's own root. */
export type Transport = {
  /** Tries once to connect. Calls `onUp` when subscribed to `down/`, and `onDown` once when it ends for any reason. */
  open: (session: Session) => void
  publish: (topic: string, payload: string, options: { qos: 0 | 1; retain: boolean }) => void
  /** Disconnects properly: the broker publishes no will. */
  leave: () => void
  /** Breaks the connection: the broker publishes the will. */
  cut: () => void
}
export type Session = {
  will: Will
  onUp: () => void
  onDown: () => void
  onMessage: (topic: string, payload: string) => void
}

export type Kind = 'gateway' | 'power' | 'register'

/** A device's identity and the parts attached to it. */
export type Credentials = {
  clientId: string
  tenantId: string
  secret: string
  kind: Kind
  doors?: number
  tags?: string[] | number
  printers?: string[]
  switches?: { clientId: string; name: string; watts: number }[] | number
  fw?: string
  /** The openids of its customers, given as in the register simulator. */
  customers?: { prefix: string; count: number }
  /** The products they take. */
  upcs?: string[]
}

/** What a part of a device needs of the whole. */
export type Body = {
  /** A power cut cancels its timers. */
  clock: Clock
  random: Random
  has<Name extends keyof Faults>(name: Name): Partial<Faults>[Name]
  /** Milliseconds by the device's own clock, which may be wrong. */
  ownTime: () => number
  serverTime: () => number
  event: (type: string, data: DevicePayload) => void
  progress: (id: string, step: string, pct?: number) => void
  stateChanged: () => void
  /** Records what really happened. */
  act: (what: string, data?: DevicePayload) => void
}

/**
 * A command's implementation. Returning an answer refuses the command before it is acknowledged; a returned function is
 * called after the acknowledgement and calls `end` with the result, or never.
 */
type Begin = (end: (answer: Answer) => void) => void
export type Method = (params: DevicePayload, command: Command) => Answer | Begin

export type Faults = {
  offline: boolean
  /** Milliseconds before it reacts to a message. */
  slow: number
  /** Does not acknowledge commands. */
  deafAck: boolean
  /** Ignores the server's confirmations of its events. */
  deafEvtack: boolean
  noResult: boolean
  /** Reports commands as done without executing them. */
  lying: boolean
  duplicates: boolean
  /** Share of messages lost, both ways. */
  drop: number
  reorder: boolean
  /** Milliseconds the device's clock is ahead. */
  clockError: number
  /** Seconds without power; happens once. */
  powerCut: number
  /** Milliseconds after reconnecting at which the previous connection's will is published; happens once. */
  lateWill: number
  paperOut: boolean
  upgrade: 'download' | 'checksum' | 'rollback' | 'neverBack'
  /** Share of price tags that do not accept a new image. */
  tagRefuses: number
  lockStuck: boolean
  /** Needless messages per second. */
  flood: number
  malformed: boolean
  /** Bytes of an oversized heartbeat. */
  huge: number
}
export type FaultChange = { [Name in keyof Faults]?: Faults[Name] | null }

import type { Random } from '#kit/server/random.ts'
import type { Clock } from './clock.ts'

/** The words of docs/gateways.md, once for all parts of a simulated device. */
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
export const NEVER_HEARD = 11
export const OTHER = 99

export type Data = Record<string, unknown>
export type Command = { id: string; method: string; params: Data; ts: number; exp: number; by?: unknown }
export type Answer = { code: number; msg?: string; data?: Data }

export type Will = { topic: string; payload: string }

/** One connection to the broker. Topics are given without the device's own root. */
export type Transport = {
  /** One attempt; says `onUp` when subscribed below `down/`, and `onDown` once when it ends, however it ends. */
  open: (session: Session) => void
  publish: (topic: string, payload: string, options: { qos: 0 | 1; retain: boolean }) => void
  /** Leaves as MQTT wants it: nobody hears the will. */
  leave: () => void
  /** The line is gone in the middle of a word: the broker says the will. */
  cut: () => void
}
export type Session = {
  will: Will
  onUp: () => void
  onDown: () => void
  onMessage: (topic: string, payload: string) => void
}

export type Kind = 'gateway' | 'power' | 'register'

/** What a device is given: who it is, and what hangs on it. */
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
  /** Who comes through its doors, as the register simulator says it. */
  customers?: { prefix: string; count: number }
  /** What they take from the shelves. */
  upcs?: string[]
}

/** What a part of a device, such as its doors, needs of the whole. */
export type Body = {
  /** Its timers end with the power. */
  clock: Clock
  random: Random
  has<Name extends keyof Faults>(name: Name): Partial<Faults>[Name]
  /** Milliseconds by the device's own clock, which may be wrong. */
  ownTime: () => number
  serverTime: () => number
  event: (type: string, data: Data) => void
  progress: (id: string, step: string, pct?: number) => void
  stateChanged: () => void
  /** Notes what really happened. */
  act: (what: string, data?: Data) => void
}

/**
 * A method of a device. What it returns at once refuses before the acknowledgement; a function is begun after it, and
 * calls `end` when it is done, or never.
 */
type Begin = (end: (answer: Answer) => void) => void
export type Method = (params: Data, command: Command) => Answer | Begin

export type Faults = {
  offline: boolean
  /** Milliseconds before it minds a message. */
  slow: number
  /** It does not say that it took a command. */
  deafAck: boolean
  /** It does not hear that its events were stored. */
  deafEvtack: boolean
  noResult: boolean
  /** Says done, and does nothing. */
  lying: boolean
  duplicates: boolean
  /** Share of messages lost, both ways. */
  drop: number
  reorder: boolean
  /** Milliseconds its clock is ahead. */
  clockError: number
  /** Seconds without power, once. */
  powerCut: number
  /** Milliseconds after its return at which the will of the connection before is heard, once. */
  lateWill: number
  paperOut: boolean
  upgrade: 'download' | 'checksum' | 'rollback' | 'neverBack'
  /** Share of tags that do not take a new picture. */
  tagRefuses: number
  lockStuck: boolean
  /** Needless messages a second. */
  flood: number
  malformed: boolean
  /** Bytes of a heartbeat that is far too long. */
  huge: number
}
export type FaultChange = { [Name in keyof Faults]?: Faults[Name] | null }

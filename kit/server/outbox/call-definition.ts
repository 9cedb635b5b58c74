import type { Db } from '../database/db.ts'
import type { Services } from '../module/services.ts'
import type { CallRows, StateCode } from './call-rows.ts'
import type { OutboundCallError } from './outbound-call-error.ts'
import type { SweepDefinition } from './row-job.ts'

/** What became of a call. Texts go to the field `reason`; `patch` is written along and may name another final state. */
export type OutboundAnswer<Row> =
  | { outcome: 'done'; patch?: Partial<Row> }
  /** The other side has it and has not finished; it is asked again, after `afterS` seconds or as declared. */
  | { outcome: 'accepted'; patch?: Partial<Row>; afterS?: number }
  | { outcome: 'failed' | 'expired' | 'unknown'; patch?: Partial<Row> }

/** What an error makes of a call: it failed, is sent or asked about again, or nobody can find out any more. */
export type FaultEnd = 'refused' | 'unsent' | 'unclear' | 'unknown'

/** Names of the fields of a row that the machinery keeps, as far as the row has them. */
export type CallFields<Row> = {
  state: keyof Row & string
  /** Why the call failed, expired, is unknown or still under way. */
  reason?: keyof Row & string
  /** Counts attempts to send. */
  attempts?: keyof Row & string
  /** When it was first sent, and when it ended. */
  sentTime?: keyof Row & string
  doneTime?: keyof Row & string
  /** When it is asked about next. Not looked at before; empty when that is now. */
  nextTime?: keyof Row & string
  /** When it becomes pointless. */
  expireTime?: keyof Row & string
  /** Number the other side gave it once it had accepted it. A later refusal of another attempt is dropped then. */
  theirNo?: keyof Row & string
  /** Until when a sender holds it, for calls that the request itself sends and a job takes over. */
  leaseUntil?: keyof Row & string
}

/** Codes of the states, as the row's dictionary has them. */
export type CallStates = {
  /** Not sent yet. */
  queued: StateCode
  /** Stored before the request leaves. Whoever finds it does not know whether it arrived. */
  sent: StateCode
  /** The other side has it; it is only asked about. The state `sent` when omitted. */
  accepted?: StateCode
  /** An attempt had no clear answer and the call is asked about. The state `sent` when omitted. */
  unclear?: StateCode
  /** An attempt certainly did not arrive and is repeated. The state `queued` when omitted. */
  unsent?: StateCode
  done: StateCode
  failed: StateCode
  /** Nobody can find out any more; people have to look. Required unless `find` or `isRepeatable` always finds out. */
  unknown?: StateCode
  /** It became pointless before it was sent. The state `unknown` or `failed` when omitted. */
  expired?: StateCode
}

/** A call that was claimed for sending: its row, what was prepared, and whether it may have been sent before. */
export type OutboundContext<Row, Work> = {
  services: Services
  tenantId: string
  row: Row
  work: Work
  /** An earlier attempt may have reached the other side. */
  isAgain: boolean
  /** Its time is over: only its outcome is still read. */
  isOver: boolean
  signal: AbortSignal | undefined
}

/** What `prepare` found: what sending needs, an answer without a request, or a time to try again. Undefined: wait. */
export type PreparedCall<Row, Work> =
  | { work: Work; patch?: Partial<Row> }
  | { answer: OutboundAnswer<Row> }
  | { runAt: Date; patch?: Partial<Row> }
  | undefined

export type OutboundCallDefinition<Row, Work> = {
  queue: string
  /** Queue of questions about accepted calls, where it is another. */
  checkQueue?: string
  /** Name of the row's id in the job's payload, `id` when omitted. */
  payloadKey?: string
  sweep: SweepDefinition
  rows: CallRows<Row>
  fields: CallFields<Row>
  states: CallStates
  /** Loads what sending needs, in the transaction that moves the row to `sent`. */
  prepare: (
    db: Db,
    row: Row,
    services: Services,
    isAgain: boolean,
  ) => PreparedCall<Row, Work> | Promise<PreparedCall<Row, Work>>
  /** Sends it, outside of any transaction. Throws an `OutboundCallError` without a clear answer. */
  send: (context: OutboundContext<Row, Work>) => Promise<OutboundAnswer<Row>>
  /**
   * Asks by our number what became of a call that may have been sent. Undefined: it never arrived, and is sent again.
   * Without it a call whose sender died is sent again only if `isRepeatable`, else it ends as unknown.
   */
  find?: (context: OutboundContext<Row, Work>) => Promise<OutboundAnswer<Row> | undefined>
  /** Asks about a call the other side has accepted; `find` when omitted. */
  check?: (context: OutboundContext<Row, Work>) => Promise<OutboundAnswer<Row>>
  /** Whether the other side acts once however often the same number is sent. */
  isRepeatable?: (row: Row, work: Work, now: Date) => boolean
  /** Number the other side knows it by. An answer to another one is dropped. */
  keyOf?: (row: Row) => string | null
  /** Seconds until an accepted call is asked about again, one after the other; the last repeats. */
  checkAfterS?: readonly number[]
  /** Attempts to send before a call that does not get through fails; without a limit when omitted. */
  attemptsMax?: number
  /** Fixed texts for the reason of calls that expired or whose outcome is unknown. */
  texts?: { unknown?: string; expired?: string }
  /** What an error leaves in the row. By default a refusal's message is the reason, and the text for unknown ones. */
  explain?: (error: OutboundCallError, end: FaultEnd, row: Row) => Partial<Row>
  /** A refusal is believed only when `find` does not find the call done. */
  doubtsRefusals?: true
  /** Runs in the transaction that ends the call. */
  ended?: (db: Db, row: Row, services: Services, answer: OutboundAnswer<Row>) => Promise<void>
  /** Runs after a call was answered, outside of the transaction, and again after a crash in between. */
  follow?: (context: OutboundContext<Row, Work>) => Promise<void>
  concurrency?: number
  timeoutSeconds?: number
  fairByTenant?: true
  /** Seconds before an unclear or unsent call is tried again, by attempt of its job. */
  backoffSeconds?: (attempt: number) => number
}

export type OutboundPayload = { id: string; checks?: number }

/** States in which a call still has to be sent or asked about. */
export const openStatesOf = ({ queued, sent, accepted, unclear }: CallStates): StateCode[] =>
  [queued, sent, accepted, unclear].filter((one) => one !== undefined)

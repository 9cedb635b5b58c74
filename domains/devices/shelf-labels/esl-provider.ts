import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { requestExternal } from '#kit/server/request/external-request.ts'
import type { TagContent } from './tag-content.ts'
import type { DrawnTag } from './tag-templates.ts'
import { rowFailureReason } from '#kit/server/each-alone.ts'
import { parseUntrustedJson } from '#kit/server/outside-json.ts'

/** An account at who carries pictures to tags, as its protocol needs it. */
export type EslAccount = {
  endpoint: string
  user: string
  secret: string
  storeNo: string
  font: string
  mayBeInside: boolean
  /** What it gave for signing in, where it gives anything; kept for as long as it is good for. */
  token: { read: () => Promise<string>; write: (token: string) => Promise<void> }
}

/** A tag and what it is to show. */
export type EslTagUpdate = { tagId: string; content: TagContent; drawn: DrawnTag }

/** What a carrier says of a tag. */
export type EslTagState = {
  tagId: string
  /** Something is on its way to it; what, where the carrier says. */
  pending?: { words?: string }
  /** What it last showed, in the carrier's own words, and how often it took anything. */
  shows: string
  count: number
  batteryMv?: number
  rssi?: number
  seenAt?: Date
  /** What it said of this tag could not be read, and why; nothing else of the state counts then. */
  odd?: string
}

/** Understood: it is to be shown, or refused in the carrier's own words. */
export type EslWriteResult = { isTaken: true } | { isTaken: false; reason: string }

/**
 * A way to tags that speaks HTTP. Calls throw `EslUnreachableError` when it is not clear what was understood, and
 * `EslRejectedError` when it does not know us.
 */
export type EslProvider = {
  /** What its tags show when this has arrived, in its own words. */
  wordsOf: (account: EslAccount, tag: EslTagUpdate) => string
  /** How these tags stand; one it does not know is left out. */
  states: (account: EslAccount, tags: readonly EslTagUpdate[]) => Promise<ReadonlyMap<string, EslTagState>>
  /** Hands pictures over, those not named in the answer were not reached. `states` are what was known before. */
  write: (
    account: EslAccount,
    tags: readonly EslTagUpdate[],
    states: ReadonlyMap<string, EslTagState>,
    taken: (tag: EslTagUpdate, said: EslWriteResult) => Promise<void>,
  ) => Promise<void>
  /** Takes back what is on its way to a tag, where what arrives next could be taken for something newer. */
  cancel?: (account: EslAccount, tag: EslTagUpdate) => Promise<unknown>
  /** So many tags are asked about at once where each costs a question. */
  statesMax: number
  flash: (account: EslAccount, tagId: string) => Promise<EslWriteResult>
  /** Tells what changes at once, until the signal ends it; without it a carrier is asked again. */
  listen?: (account: EslAccount, heard: () => void, signal: AbortSignal) => void
}

/** What a carrier says of one tag, read alone: an odd value costs no other tag its state. */
export function readTagStateSafely(tagId: string, read: () => Omit<EslTagState, 'tagId'>): EslTagState {
  try {
    return { tagId, ...read() }
  } catch (error) {
    return { tagId, shows: '', count: 0, odd: rowFailureReason(error) }
  }
}

const odd = (name: string, value: unknown) => new TypeError(`${name}: ${String(JSON.stringify(value)).slice(0, 60)}`)

/** A number as a carrier says it; 0 where it says none. Throws for what is no number. */
export function parseProviderNumber(name: string, value: unknown): number {
  const number = Number(value ?? 0)
  if (typeof value === 'object' && value !== null) throw odd(name, value)
  if (!Number.isFinite(number)) throw odd(name, value)
  return number
}

/** A text as a carrier says it. Throws for what is none. */
export function parseProviderText(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) throw odd(name, value)
  return String(value)
}

/** A time in milliseconds; undefined where none is said. Throws for what no calendar has. */
export function parseProviderTime(name: string, milliseconds: number): Date | undefined {
  if (milliseconds <= 0) return undefined
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) throw odd(name, milliseconds)
  return time
}

/** It is not known what the carrier understood. */
export class EslUnreachableError extends Error {
  readonly failure: 'timeout' | 'unreachable' | 'busy'
  constructor(cause: unknown, failure?: 'busy') {
    super(`the carrier of price tags did not answer: ${(cause as Error).message}`, { cause })
    this.failure = failure ?? classifyExternalFailure(cause)
  }
}

/** It does not take our name or key. */
export class EslRejectedError extends Error {}

const TIMEOUT_MS = 8_000
const DONE = 200

type EslHttpRequest = {
  method?: 'GET' | 'POST'
  body?: string | Buffer
  contentType?: string
  headers?: Record<string, string>
}
type Reply = { status: number; text: string }

/** An address without the slashes it ends with; counted, as an expression for it takes quadratic time. */
export function trimTrailingSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** Asks a carrier, whatever it answers. */
export async function requestEslProvider(account: EslAccount, path: string, more: EslHttpRequest = {}): Promise<Reply> {
  try {
    const { status, body } = await requestExternal({
      url: `${trimTrailingSlashes(account.endpoint)}${path}`,
      timeoutMs: TIMEOUT_MS,
      mayBeInside: account.mayBeInside,
      ...more,
    })
    if (status >= 500) throw new Error(`HTTP ${status}`)
    return { status, text: body.toString('utf8') }
  } catch (error) {
    throw new EslUnreachableError(error)
  }
}

/** What answers in another way than JSON is no carrier: what it said is nobody's business. */
export function parseEslJson({ status, text }: Reply): Record<string, any> {
  try {
    const parsed: unknown = parseUntrustedJson(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // Said below.
  }
  throw new EslUnreachableError(new Error(`HTTP ${status} without JSON`))
}

export const isEslSuccess = ({ status }: Reply): boolean => status === DONE

import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { requestExternal } from '#kit/server/request/external-request.ts'
import type { TagContent } from './tag-content.ts'
import type { DrawnTag } from './tag-templates.ts'
import { rowFailureReason } from '#kit/server/database/each-alone.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** Account at a provider that updates tags, decrypted. */
export type EslAccount = {
  endpoint: string
  user: string
  secret: string
  storeNo: string
  font: string
  mayBeInside: boolean
  /** Stores the access token until it expires, for providers that issue one. */
  token: { read: () => Promise<string>; write: (token: string) => Promise<void> }
}

/** A tag and the picture it is to show. */
export type EslTagUpdate = { tagId: string; content: TagContent; drawn: DrawnTag }

/** State of a tag as its provider reports it. */
export type EslTagState = {
  tagId: string
  /** Set while an update is on its way. `words` identifies its picture, where the provider says. */
  pending?: { words?: string }
  /** Identifies the picture the tag shows, in the provider's own form. */
  shows: string
  /** How many updates the tag has taken. */
  count: number
  batteryMv?: number
  rssi?: number
  seenAt?: Date
  /** Why the provider's answer about this tag could not be read. The other fields are meaningless then. */
  odd?: string
}

/** The provider's answer: accepted, or rejected with its reason. */
export type EslWriteResult = { isTaken: true } | { isTaken: false; reason: string }

/**
 * Client of a provider that is reached over HTTP. Calls throw `EslUnreachableError` when there is no clear answer, and
 * `EslRejectedError` when the credentials are rejected.
 */
export type EslProvider = {
  /** Returns how the provider identifies the picture of this update, to compare with `shows`. */
  wordsOf: (account: EslAccount, tag: EslTagUpdate) => string
  /** Returns the states of tags, without those the provider does not know. */
  states: (account: EslAccount, tags: readonly EslTagUpdate[]) => Promise<ReadonlyMap<string, EslTagState>>
  /**
   * Sends updates and calls `taken` with each answer. Tags it was not called for were not reached. `states` are the
   * ones known before.
   */
  write: (
    account: EslAccount,
    tags: readonly EslTagUpdate[],
    states: ReadonlyMap<string, EslTagState>,
    taken: (tag: EslTagUpdate, result: EslWriteResult) => Promise<void>,
  ) => Promise<void>
  /** Cancels what is on its way to a tag, for providers where its arrival could be taken for that of a newer update. */
  cancel?: (account: EslAccount, tag: EslTagUpdate) => Promise<unknown>
  /** Largest number of tags to ask about at once. */
  statesMax: number
  flash: (account: EslAccount, tagId: string) => Promise<EslWriteResult>
  /** Calls `heard` when a tag changes, until the signal aborts. Providers without it are polled. */
  listen?: (account: EslAccount, onChange: () => void, signal: AbortSignal) => void
}

/** Parses the state of one tag. An unreadable value sets `odd` and does not affect other tags. */
export function readTagStateSafely(tagId: string, read: () => Omit<EslTagState, 'tagId'>): EslTagState {
  try {
    return { tagId, ...read() }
  } catch (error) {
    return { tagId, shows: '', count: 0, odd: rowFailureReason(error) }
  }
}

const unexpectedValueError = (name: string, value: unknown) =>
  new TypeError(`${name}: ${String(JSON.stringify(value)).slice(0, 60)}`)

/** Parses a number, 0 when it is absent. Throws when it is not a number. */
export function parseProviderNumber(name: string, value: unknown): number {
  const number = Number(value ?? 0)
  if (typeof value === 'object' && value !== null) throw unexpectedValueError(name, value)
  if (!Number.isFinite(number)) throw unexpectedValueError(name, value)
  return number
}

/** Parses a text. Throws for an object. */
export function parseProviderText(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) throw unexpectedValueError(name, value)
  return String(value)
}

/** Parses a time in milliseconds, undefined when it is 0 or less. Throws for an impossible date. */
export function parseProviderTime(name: string, milliseconds: number): Date | undefined {
  if (milliseconds <= 0) return undefined
  const time = new Date(milliseconds)
  if (Number.isNaN(time.getTime())) throw unexpectedValueError(name, milliseconds)
  return time
}

/** Thrown when the provider gave no clear answer. */
export class EslUnreachableError extends Error {
  readonly failure: 'timeout' | 'unreachable' | 'busy'
  constructor(cause: unknown, failure?: 'busy') {
    super(`the carrier of price tags did not answer: ${(cause as Error).message}`, { cause })
    this.failure = failure ?? classifyExternalFailure(cause)
  }
}

/** Thrown when the provider rejects the credentials. */
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

/** Removes slashes at the end. A loop, as a regular expression would take quadratic time. */
export function trimTrailingSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

/** Sends a request to the provider and returns the answer. Throws `EslUnreachableError` without one and for 5xx. */
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

/** Parses a JSON object. Throws `EslUnreachableError` for anything else, as it does not come from a provider. */
export function parseEslJson({ status, text }: Reply): Record<string, any> {
  try {
    const parsed: unknown = parseUntrustedJson(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // Handled by the throw below.
  }
  throw new EslUnreachableError(new Error(`HTTP ${status} without JSON`))
}

export const isEslSuccess = ({ status }: Reply): boolean => status === DONE

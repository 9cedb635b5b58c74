/**
 * Client of WVP (video platform for GB28181). A sign-in returns a token for half an hour, which is cached, renewed
 * before it expires, and requested once for all callers waiting. The platform's sign-in errors are not passed on to
 * users.
 */

import { createHash } from 'node:crypto'
import { RESPONSE_BYTES_MAX } from '#kit/server/request/external-request.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { callVendor, VendorError, type VendorCall } from '#domains/platform/external-apis/api.ts'
import type { VideoAccount } from './accounts.ts'
import './refusals.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** Thrown when the platform rejects a request, with its code and message. */
export class WvpRejectedError extends Error {
  override name = 'WvpRefused'
  readonly code: number
  constructor(code: number, message: string) {
    super(message || String(code))
    this.code = code
  }
}

export type WvpRequest = {
  method: 'GET' | 'POST'
  path: string
  query?: Record<string, string | number | boolean | null | undefined>
  body?: object
  timeoutMs?: number
  answers?: VendorCall['answers']
  /** The media server answers without an envelope. */
  isFlat?: boolean
}

type Token = { text: string; renewAt: number }
type Session = { token?: Token; signingIn?: Promise<Token>; generation?: Promise<'g1' | 'g2'> }

const sessions = new WeakMap<Services, Map<string, Session>>()

function sessionOf(services: Services, { mark }: VideoAccount): Session {
  const all = sessions.get(services) ?? new Map<string, Session>()
  sessions.set(services, all)
  return all.get(mark) ?? all.set(mark, {}).get(mark)!
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
export const pushKeySignature = (pushKey: string): string => md5(pushKey)

/** Tokens live at least half an hour and are renewed after four fifths of that. */
const GOOD_MS = 24 * 60_000
const TIMEOUT_MS = 10_000

const addressOf = ({ base }: VideoAccount, path: string, query: WvpRequest['query'] = {}): string => {
  const url = new URL(base + path)
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(key, String(value))
  return url.href
}

const callOf = ({ tenantId, mayBeInside }: VideoAccount, call: Pick<VendorCall, 'method' | 'url'>): VendorCall => ({
  tenantId,
  system: 'wvp',
  mayBeInside,
  timeoutMs: TIMEOUT_MS,
  ...call,
})

type Envelope = { code?: unknown; msg?: unknown; data?: unknown }

function read(body: Buffer): Envelope | undefined {
  if (body.length > RESPONSE_BYTES_MAX.json) return undefined
  try {
    const value = parseUntrustedJson(body.toString('utf8')) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const OK = 0
const NOT_SIGNED_IN = 401

async function signIn(services: Services, account: VideoAccount): Promise<Token> {
  const { username, password } = account
  const url = addressOf(account, '/api/user/login', { username, password: md5(password) })
  const reply = await callVendor(services, {
    ...callOf(account, { method: 'GET', url }),
    shown: { username },
    read: ({ body }) => ({ bizCode: String(read(body)?.code ?? '') }),
  })
  const envelope = read(reply.body)
  const data = (envelope?.data ?? {}) as { accessToken?: unknown }
  const text = data.accessToken ?? reply.headers['access-token']
  if (envelope?.code !== OK || typeof text !== 'string' || !text) {
    services.log.warn({ account: account.id, code: envelope?.code }, 'a video platform does not let us in')
    throw new Refused('video_login_failed')
  }
  return { text, renewAt: services.now().getTime() + GOOD_MS }
}

/**
 * Returns the current token. Signs in when there is none, when it is about to expire, or when it is the one in `spent`.
 */
async function tokenOf(services: Services, account: VideoAccount, spent?: string): Promise<string> {
  const session = sessionOf(services, account)
  const { token } = session
  if (token && token.text !== spent && token.renewAt > services.now().getTime()) return token.text
  session.signingIn ??= signIn(services, account)
    .then((made) => (session.token = made))
    .finally(() => (session.signingIn = undefined))
  return (await session.signingIn).text
}

async function requestWvp(
  services: Services,
  account: VideoAccount,
  request: WvpRequest,
  headers: Record<string, string>,
) {
  const { method, path, query, body, answers, timeoutMs = TIMEOUT_MS } = request
  try {
    return await callVendor(services, {
      ...callOf(account, { method, url: addressOf(account, path, query) }),
      headers,
      timeoutMs,
      answers,
      ...(body && { body: JSON.stringify(body), contentType: 'application/json', shown: body }),
      read: (reply) => ({ bizCode: String(read(reply.body)?.code ?? '') }),
    })
  } catch (error) {
    if (error instanceof VendorError) throw new Refused('video_away')
    throw error
  }
}

/**
 * Sends a request with the token or API key. Repeats it once with a new token when the platform rejects the old one.
 */
async function signed(services: Services, account: VideoAccount, request: WvpRequest) {
  if (account.apiKey) {
    const reply = await requestWvp(services, account, request, { 'api-key': account.apiKey })
    if (reply.status === NOT_SIGNED_IN || read(reply.body)?.code === NOT_SIGNED_IN)
      throw new Refused('video_login_failed')
    return reply
  }
  let token = await tokenOf(services, account)
  for (let isAgain = false; ; isAgain = true) {
    const reply = await requestWvp(services, account, request, { 'access-token': token })
    const envelope = reply.contentType.includes('json') ? read(reply.body) : undefined
    // Some platforms answer an invalid token with 400.
    const isUnknown =
      reply.status === NOT_SIGNED_IN || envelope?.code === NOT_SIGNED_IN || (reply.status === 400 && !envelope)
    if (!isUnknown) return reply
    if (isAgain) throw new Refused('video_login_failed')
    token = await tokenOf(services, account, token)
  }
}

/** Calls the platform and returns `data`. Throws `WvpRejectedError` when it rejects the request. */
export async function callWvp(services: Services, account: VideoAccount, request: WvpRequest): Promise<unknown> {
  const reply = await signed(services, account, request)
  const envelope = read(reply.body)
  if (!envelope) throw reply.status === 404 ? new WvpRejectedError(404, 'not found') : new Refused('video_away')
  if (envelope.code === OK) return request.isFlat && !('data' in envelope) ? envelope : envelope.data
  throw new WvpRejectedError(Number(envelope.code) || reply.status, String(envelope.msg ?? '').slice(0, 200))
}

/**
 * Returns a picture, recognised by its first bytes, as platforms without one answer in many ways; undefined without
 * one.
 */
export async function fetchWvpPicture(
  services: Services,
  account: VideoAccount,
  path: string,
  query: WvpRequest['query'],
): Promise<Buffer | undefined> {
  const { status, body } = await signed(services, account, { method: 'GET', path, query, answers: 'media' })
  const isPicture =
    body.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) || body.subarray(1, 4).toString() === 'PNG'
  return status === 200 && isPicture ? body : undefined
}

/**
 * Returns the platform's generation: as configured, else by its API description, else by trying a call only one knows.
 */
export function findWvpGeneration(services: Services, account: VideoAccount): Promise<'g1' | 'g2'> {
  const { generation } = account
  if (generation !== 'auto') return Promise.resolve(generation)
  const session = sessionOf(services, account)
  session.generation ??= findGeneration(services, account).catch((error: unknown) => {
    session.generation = undefined
    throw error
  })
  return session.generation
}

async function findGeneration(services: Services, account: VideoAccount): Promise<'g1' | 'g2'> {
  const url = addressOf(account, '/v3/api-docs')
  const reply = await callVendor(services, {
    ...callOf(account, { method: 'GET', url }),
    answers: 'file',
  }).catch((error: unknown) => {
    throw error instanceof VendorError ? new Refused('video_away') : error
  })
  // Searched and not parsed, as the description may be very long.
  if (reply.status === 200 && reply.body.includes('"paths"'))
    return reply.body.includes('"/api/front-end/ptz') ? 'g2' : 'g1'
  const hasCommonChannels = await callWvp(services, account, {
    method: 'GET',
    path: '/api/common/channel/list',
    query: { page: 1, count: 1 },
  }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof WvpRejectedError) return error.code !== 404
      throw error
    },
  )
  return hasCommonChannels ? 'g2' : 'g1'
}

import { randomBytes } from 'node:crypto'
import { callVendor, parseJsonKeepingLongIntegers, VendorError } from '#domains/platform/external-apis/api.ts'
import type { ExternalResponse } from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { WechatAccount } from './accounts.ts'
import { findVerificationKey, findEncryptionKey, type Certificate } from './certificates.ts'
import {
  authorizationOf,
  isWechatPaySignatureValid,
  decryptResourceText,
  replyTextToVerify,
  encryptPersonalField,
  type EncryptedResource,
} from './sign.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const NONCE_BYTES = 16
const SKEW_MS = 300_000
/** Detail code: the number was used before, so the outcome of that request must be queried. */
const REUSED = '268498688'
/** Status of a temporary refusal (rate limit). */
const WAIT_STATUS = 429
const SCHEME_HEADERS = { accept: 'application/json', 'user-agent': 'unmanned-store' }

/** A personal value: sent encrypted and left out of logs. */
export class Redacted {
  readonly plain: string
  constructor(plain: string) {
    this.plain = plain
  }
}

/** Wraps a personal value; undefined if it is empty. */
export const redact = (plain: string | null | undefined): Redacted | undefined =>
  plain ? new Redacted(plain) : undefined

type WechatPayRequest = {
  method: 'GET' | 'POST'
  /** Path with query, exactly as sent, because it is signed. */
  path: string
  body?: object
  /** A multipart form with a file; only its `meta` part is signed. */
  upload?: { meta: string; contentType: string; bytes: Buffer }
}

type WechatPayBody = Record<string, any>
export type CallWechatPay = (ask: WechatPayRequest) => Promise<WechatPayBody>

/** Prepares a body: encrypts personal values and removes empty ones, for which WeChat Pay answers "system busy". */
function cleaned(value: unknown, seal: (plain: string) => string): unknown {
  if (value instanceof Redacted) return seal(value.plain)
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const kept = value.map((one) => cleaned(one, seal)).filter((one) => one !== undefined)
    return kept.length ? kept : undefined
  }
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const kept = cleaned(one, seal)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return entries.length ? Object.fromEntries(entries) : undefined
}

const hasHidden = (value: unknown): boolean =>
  value instanceof Redacted || (typeof value === 'object' && value !== null && Object.values(value).some(hasHidden))

const headerOf = (headers: ExternalResponse['headers'], name: string): string => String(headers[name] ?? '')

/** Detail code at the end of the request id; more exact than the error code. */
const numericCode = (requestNo: string) => requestNo.slice(requestNo.lastIndexOf('-') + 1)

function faultOf({ status, body, headers }: ExternalResponse): VendorError {
  const requestNo = headerOf(headers, 'request-id')
  let parsed: { code?: unknown; message?: unknown } = {}
  try {
    parsed = parseUntrustedJson(body.toString('utf8')) as typeof parsed
  } catch {
    // The answer is not from WeChat Pay but from something in between.
  }
  const isTheirs = typeof parsed.code === 'string'
  const isRefused = isTheirs && status >= 400 && status < 500
  const isReused = numericCode(requestNo) === REUSED
  return new VendorError({
    system: 'wechat',
    code: isTheirs ? String(parsed.code) : `http_${status}`,
    message: isTheirs ? String(parsed.message ?? '').slice(0, 300) : `HTTP ${status}`,
    httpStatus: status,
    requestNo,
    isRetryable: !isRefused || status === WAIT_STATUS,
    isUndone: isRefused && !isReused,
  })
}

const unverified = (message: string) =>
  new VendorError({ system: 'wechat', code: 'unverified', message, isRetryable: true, isUndone: false })

type SignedHeaders = { timestamp: string; nonce: string; signature: string; serialNo: string }

export const readSignatureHeaders = (headers: ExternalResponse['headers']): SignedHeaders => ({
  timestamp: headerOf(headers, 'wechatpay-timestamp'),
  nonce: headerOf(headers, 'wechatpay-nonce'),
  signature: headerOf(headers, 'wechatpay-signature'),
  serialNo: headerOf(headers, 'wechatpay-serial'),
})

/** Whether WeChat Pay signed this text within the last five minutes. */
export async function isSignedByWechatPay(
  services: Services,
  account: WechatAccount,
  { signature, serialNo, ...stamp }: SignedHeaders,
  body: string,
): Promise<boolean> {
  if (!(Math.abs(services.now().getTime() - Number(stamp.timestamp) * 1000) <= SKEW_MS)) return false
  const key = await findVerificationKey(account, serialNo, services.now(), () => loadCertificates(services, account))
  return key !== undefined && isWechatPaySignatureValid(replyTextToVerify(stamp, body), signature, key)
}

/** Sends one signed request; returns the answer whatever its status. */
function sendSigned(services: Services, account: WechatAccount, { method, path, body, upload, answers }: SentAsk) {
  const stamp = { timestamp: String(Math.floor(services.now().getTime() / 1000)), nonce: nonce() }
  const text = body === undefined ? '' : JSON.stringify(body.sent)
  const signed = upload ? upload.meta : text
  return callVendor(services, {
    tenantId: account.tenantId,
    system: 'wechat',
    method,
    url: `${account.base}${path}`,
    mayBeInside: account.mayBeInside,
    answers,
    headers: {
      ...SCHEME_HEADERS,
      authorization: authorizationOf(account, { ...stamp, method, path, body: signed }),
      ...(body?.serialNo ? { 'wechatpay-serial': body.serialNo } : {}),
    },
    contentType: upload?.contentType ?? (method === 'POST' ? 'application/json' : undefined),
    body: upload?.bytes ?? (method === 'POST' ? text : undefined),
    shown: upload?.meta ?? body?.shown,
    read: (reply) => ({ bizCode: reply.status < 300 ? 'ok' : faultOf(reply).code }),
  })
}

type SentAsk = Omit<WechatPayRequest, 'body'> & {
  body?: { sent: unknown; shown: unknown; serialNo?: string }
  answers?: 'file'
}

const nonce = () => randomBytes(NONCE_BYTES).toString('hex')

/**
 * Loads the platform certificates. They are authentic because they decrypt with the key only we and WeChat Pay know.
 */
async function loadCertificates(services: Services, account: WechatAccount): Promise<Certificate[]> {
  const reply = await sendSigned(services, account, { method: 'GET', path: '/v3/certificates?algorithm_type=RSA' })
  if (reply.status !== 200) throw faultOf(reply)
  const { data } = parseUntrustedJson(reply.body.toString('utf8')) as {
    data: { serial_no: string; expire_time: string; encrypt_certificate: EncryptedResource }[]
  }
  return data.map((one) => ({
    serialNo: one.serial_no,
    pem: decryptResourceText(one.encrypt_certificate, account.apiv3Key),
    expires: new Date(one.expire_time),
  }))
}

async function sentBody(services: Services, account: WechatAccount, body: object): Promise<SentAsk['body']> {
  const sealing = hasHidden(body)
    ? await findEncryptionKey(account, services.now(), () => loadCertificates(services, account))
    : undefined
  return {
    sent: cleaned(body, (plain) => encryptPersonalField(plain, sealing!.key)) ?? {},
    shown: cleaned(body, () => '******') ?? {},
    serialNo: sealing?.serialNo,
  }
}

/**
 * Creates the function that calls WeChat Pay for an account: signed, personal data encrypted, and the answer verified.
 * Throws a `VendorError` if the request did not succeed.
 */
export const createWechatPayCaller =
  (services: Services, account: WechatAccount): CallWechatPay =>
  async ({ body, ...ask }) => {
    const reply = await sendSigned(services, account, {
      ...ask,
      ...(body && { body: await sentBody(services, account, body) }),
    })
    if (reply.status >= 300) throw faultOf(reply)
    const text = reply.body.toString('utf8')
    if (!(await isSignedByWechatPay(services, account, readSignatureHeaders(reply.headers), text)))
      throw unverified('the answer is not signed by WeChat Pay')
    return text ? (parseJsonKeepingLongIntegers(text) as WechatPayBody) : {}
  }

/** Loads a file from a URL of WeChat Pay. The answer is not signed; the caller compares its hash. */
export async function loadFile(services: Services, account: WechatAccount, url: string): Promise<Buffer> {
  const { pathname, search } = new URL(url)
  // Only path and query of the URL are used, so that it cannot lead to another host.
  const reply = await sendSigned(services, account, { method: 'GET', path: `${pathname}${search}`, answers: 'file' })
  if (reply.status !== 200) throw faultOf(reply)
  return reply.body
}

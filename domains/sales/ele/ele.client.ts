import { randomUUID } from 'node:crypto'
import { callVendor, parseJsonKeepingLongIntegers, VendorError } from '#domains/platform/external-apis/api.ts'
import type { PlatformAccount } from '#domains/sales/delivery-platforms/api.ts'
import type { ExternalResponse } from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { EleCommand, EleCommands } from './ele-wire.ts'
import { asciiJson, signEleMessage } from './sign.ts'

/** A tenant's credentials at Ele. `appNo` is called `source` there. */
export type EleAccount = Pick<PlatformAccount, 'tenantId' | 'appNo' | 'secret' | 'baseUrl' | 'mayBeInside'> & {
  accessToken?: string
}

const PLATFORM = 'https://api-be.ele.me/'
const VERSION = '3'
const system = 'ele'

/**
 * Errors of the platform's gateway when the service behind it failed. Only the first means that the call did not
 * arrive.
 */
const GATE: Readonly<Record<string, { isUndone: boolean }>> = {
  'gw.ISPConnectError': { isUndone: true },
  'gw.ISPInvokeError': { isUndone: false },
  'gw.ISPInvokeTimeout': { isUndone: false },
  'gw.UNKOWN': { isUndone: false },
  '-1': { isUndone: false },
}
/** Rate limiting has no error code of its own, only these words. */
const TOO_OFTEN = /频繁|频率|限流|稍后再试/

/** Commands whose answers hold personal data: the log leaves out what they return. */
const OF_PEOPLE = new Set<EleCommand>(['order.get', 'order.list'])

export const newRequestId = (): string => randomUUID().toUpperCase()

/**
 * Calls the platform and returns the answer's data. Throws `VendorError`: a refusal with the platform's code and
 * message, or an unclear outcome (not `isUndone`).
 */
export async function callEle<C extends EleCommand>(
  services: Services,
  account: EleAccount,
  cmd: C,
  body: EleCommands[C][0],
): Promise<EleCommands[C][1]> {
  const { tenantId, appNo: source, secret, baseUrl, accessToken, mayBeInside } = account
  const form = signEleMessage(
    {
      cmd,
      timestamp: `${Math.floor(services.now().getTime() / 1000)}`,
      version: VERSION,
      ticket: newRequestId(),
      source,
      encrypt: '',
      body: asciiJson(body),
      ...(accessToken && { access_token: accessToken }),
    },
    secret,
  )
  const reply = await callVendor(services, {
    tenantId,
    system,
    method: 'POST',
    url: baseUrl || PLATFORM,
    body: new URLSearchParams(form).toString(),
    contentType: 'application/x-www-form-urlencoded',
    mayBeInside,
    shown: { cmd, ticket: form.ticket, body },
    read: (reply) => shownOf(cmd, reply),
  })
  return dataOf(reply) as EleCommands[C][1]
}

type EleEnvelope = { errno: string; error: string; data?: unknown; traceNo?: string }

function envelopeOf({ body }: ExternalResponse): EleEnvelope | undefined {
  try {
    const answer = parseJsonKeepingLongIntegers(body.toString('utf8')) as {
      traceid?: unknown
      body?: Record<string, unknown>
    }
    const envelope = answer.body
    if (envelope?.errno === undefined || envelope.errno === null) return undefined
    const traceNo = answer.traceid === undefined ? undefined : textOf(answer.traceid)
    return { errno: textOf(envelope.errno), error: textOf(envelope.error ?? ''), data: envelope.data, traceNo }
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function shownOf(cmd: EleCommand, reply: ExternalResponse): { bizCode?: string; response?: unknown } {
  const envelope = envelopeOf(reply)
  if (!envelope) return {}
  const { errno, error, data } = envelope
  return { bizCode: errno, response: { error, ...(OF_PEOPLE.has(cmd) ? {} : { data }) } }
}

function dataOf(reply: ExternalResponse): unknown {
  const envelope = envelopeOf(reply)
  if (!envelope) {
    const isBusy = reply.status === 429
    throw new VendorError({
      system,
      code: `${reply.status}`,
      message: `ele answered HTTP ${reply.status}`,
      httpStatus: reply.status,
      isRetryable: isBusy || reply.status >= 500 || reply.status < 400,
      isUndone: isBusy || (reply.status >= 400 && reply.status < 500),
    })
  }
  const { errno, error, data, traceNo } = envelope
  if (errno === '0') return data
  const atGate = GATE[error] ?? GATE[errno]
  throw new VendorError({
    system,
    code: errno,
    message: error || errno,
    httpStatus: reply.status,
    requestNo: traceNo,
    isRetryable: !!atGate || TOO_OFTEN.test(error),
    isUndone: atGate?.isUndone ?? true,
  })
}

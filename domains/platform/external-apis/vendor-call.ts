import { callAndLogExternal, type LoggedExternalCall } from '#domains/platform/logs/api.ts'
import { classifyExternalFailure, isUnsentRequestError } from '#kit/server/request/egress.ts'
import {
  requestExternal,
  type RESPONSE_BYTES_MAX,
  type ExternalResponse,
} from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/services.ts'

type VendorFault = {
  system: LoggedExternalCall['system']
  /** The vendor's own code, or `no_answer`. */
  code: string
  message: string
  httpStatus?: number
  /** The vendor's number of the request, for its support. */
  requestNo?: string
  /** Asked again under the same number, it may go well. */
  isRetryable: boolean
  /** Nothing was understood there: it was refused, or nothing left for it. Else nobody knows yet. */
  isUndone: boolean
  cause?: unknown
}

/**
 * A vendor did not do what it was asked. What is neither done nor undone (`isUndone` false) is asked about, never
 * repeated under another number, and never told as failed.
 */
export class VendorError extends Error {
  override name = 'VendorError'
  readonly system: LoggedExternalCall['system']
  readonly code: string
  readonly httpStatus?: number
  readonly requestNo?: string
  readonly isRetryable: boolean
  readonly isUndone: boolean
  constructor({ system, code, message, cause, ...fault }: VendorFault) {
    super(message, { cause })
    this.system = system
    this.code = code
    this.httpStatus = fault.httpStatus
    this.requestNo = fault.requestNo
    this.isRetryable = fault.isRetryable
    this.isUndone = fault.isUndone
  }
}

const TIMEOUT_MS = 15_000

export type VendorCall = {
  tenantId: string
  system: LoggedExternalCall['system']
  method: 'GET' | 'POST'
  /** With its query; signatures and tokens in it are left out of the log by their names. */
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  contentType?: string
  timeoutMs?: number
  /** What is answered when all goes well; JSON unless said. */
  answers?: keyof typeof RESPONSE_BYTES_MAX
  /** As the row of the credentials says. */
  mayBeInside?: boolean
  /** What the log shows as the request, without what was encrypted or names people. */
  shown?: unknown
  /** What the log shows of the answer; nothing unless said, for it may name people. */
  read?: (reply: ExternalResponse) => { bizCode?: string; response?: unknown }
}

/**
 * Asks a vendor and writes both sides into the request log. Answers whatever it said, whatever the status; no answer is
 * a `VendorError` that says whether anything can have been understood.
 */
export async function callVendor(services: Services, call: VendorCall): Promise<ExternalResponse> {
  const { tenantId, system, method, url, shown, read, timeoutMs = TIMEOUT_MS, ...ask } = call
  try {
    return await callAndLogExternal(
      services,
      { tenantId, system, method, url, request: shown },
      () => requestExternal({ method, url, timeoutMs, ...ask }),
      (reply) => ({ httpStatus: reply.status, ...read?.(reply) }),
    )
  } catch (cause) {
    const message = `${system} did not answer: ${classifyExternalFailure(cause)}`
    throw new VendorError({
      system,
      code: 'no_answer',
      message,
      isRetryable: true,
      isUndone: isUnsentRequestError(cause),
      cause,
    })
  }
}

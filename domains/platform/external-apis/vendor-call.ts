import { callAndLogExternal, type LoggedExternalCall } from '#domains/platform/logs/api.ts'
import { classifyExternalFailure, isUnsentRequestError } from '#kit/server/request/egress.ts'
import {
  requestExternal,
  type RESPONSE_BYTES_MAX,
  type ExternalResponse,
} from '#kit/server/request/external-request.ts'
import { OutboundCallError } from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'

type VendorFault = {
  system: LoggedExternalCall['system']
  /** The vendor's own code, or `no_answer`. */
  code: string
  message: string
  httpStatus?: number
  /** The vendor's request id, for its support. */
  requestNo?: string
  /** Whether a retry with the same idempotency key may succeed. */
  isRetryable: boolean
  /** Whether the call certainly had no effect: it was refused or never sent. Otherwise its outcome is unknown. */
  isUndone: boolean
  cause?: unknown
}

/**
 * Failure of a vendor call. While `isUndone` is false its outcome is unknown: query it; do not repeat it under another
 * idempotency key or report it as failed.
 */
export class VendorError extends OutboundCallError {
  override name = 'VendorError'
  readonly system: LoggedExternalCall['system']
  readonly code: string
  readonly httpStatus?: number
  readonly requestNo?: string
  constructor({ system, code, message, ...fault }: VendorFault) {
    super(message, fault)
    this.system = system
    this.code = code
    this.httpStatus = fault.httpStatus
    this.requestNo = fault.requestNo
  }
}

const TIMEOUT_MS = 15_000

export type VendorCall = {
  tenantId: string
  system: LoggedExternalCall['system']
  method: 'GET' | 'POST'
  /** With its query; the log leaves out signatures and tokens in it, by their parameter names. */
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
  contentType?: string
  timeoutMs?: number
  /** Expected kind of answer, which limits its size; JSON by default. */
  answers?: keyof typeof RESPONSE_BYTES_MAX
  /** Whether `url` may be in a private network, as stored with the credentials. */
  mayBeInside?: boolean
  /** The request as the log shows it, without secrets and personal data. */
  shown?: unknown
  /** The part of the answer the log shows; none by default, as it may hold personal data. */
  read?: (reply: ExternalResponse) => { bizCode?: string; response?: unknown }
}

/**
 * Calls a vendor and logs both sides. Returns the answer whatever its status. Without an answer throws a `VendorError`
 * whose `isUndone` tells whether the request can have reached the vendor.
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

import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'
import { RESPONSE_BYTES_MAX, openExternalStream, readResponseBody } from '#kit/server/request/external-request.ts'
import { isOwnChannel } from './payables.ts'

/**
 * Result of a refund request. Unclear results (no answer, a server error) are thrown and retried with the same number.
 */
export type ChannelRefundResult =
  | { state: 'done'; channelRefundId: string }
  /** `isUsedUp`: a retry needs another number. */
  | { state: 'refused'; reason: string; isUsedUp?: boolean }
  /** Accepted but not finished: query it under the same number. */
  | {
      state: 'pending'
      note: string
      /** The money cannot return to where it came from; a person must choose another account. */
      isAbnormal?: boolean
    }

export type ChannelRefundRequest = {
  channel: string
  transactionNo: string | null
  outNo: string
  amount: number
  signal?: AbortSignal
}

/** Sends refunds out. `outNo` is the idempotency key: a repeated request pays once. */
export type PaymentPort = {
  refund: (ask: ChannelRefundRequest) => Promise<ChannelRefundResult>
  /** Whether the port can refund a channel; without this function all channels. */
  takes?: (channel: string) => boolean
}

const TIMEOUT_MS = 10_000

/**
 * Creates the payment port. Cash and balance are done at once: handed over in the shop, or booked by us. Other channels
 * are called over HTTP (PAYMENT_CHANNEL_URL, in the demo a simulator).
 */
export function createPaymentPort(addressOf: () => string | undefined): PaymentPort {
  return {
    takes: (channel) => isOwnChannel(channel) || addressOf() !== undefined,
    refund: async (ask) => {
      if (isOwnChannel(ask.channel)) return { state: 'done', channelRefundId: `${ask.channel}-${ask.outNo}` }
      const address = addressOf()
      if (!address)
        return {
          state: 'refused',
          reason: `支付渠道“${ask.channel}”未配置 / payment channel "${ask.channel}" is not configured`,
        }
      const { status, state, id, reason } = await requestRefund(address, ask)
      if (status === 200 && state === 'done' && id) return { state: 'done', channelRefundId: id }
      if (status === 422 && state === 'refused') return { state: 'refused', reason: reason ?? 'refused' }
      throw new Error(`payment channel ${ask.channel} answered ${status}`)
    },
  }
}

type Answered = { status: number; state?: string; id?: string; reason?: string }

/** Sends the request and parses the answer; throws when it is too long, not JSON, or too late. */
async function requestRefund(address: string, ask: ChannelRefundRequest): Promise<Answered> {
  const response = await openExternalStream({
    url: `${address}/v1/refunds`,
    method: 'POST',
    contentType: 'application/json',
    headers: { 'idempotency-key': ask.outNo },
    body: JSON.stringify({
      channel: ask.channel,
      transactionNo: ask.transactionNo ?? '',
      refundNo: ask.outNo,
      amount: ask.amount,
    }),
    // Allowed, as the operator of the server sets the address.
    mayBeInside: true,
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(ask.signal ? [ask.signal] : [])]),
  })
  const body = await readResponseBody(response, RESPONSE_BYTES_MAX.json)
  return { ...parseUntrustedJson(body.toString('utf8')), status: response.statusCode ?? 0 }
}

import { parseUntrustedJson } from '#kit/server/outside-json.ts'
import { RESPONSE_BYTES_MAX, openExternalStream, readBody } from '#kit/server/request/external-request.ts'
import { isOwnChannel } from './payables.ts'

/**
 * What a payment channel said. Anything unclear (no answer, an error of the channel's) is thrown and asked again with
 * the same number.
 */
export type ChannelRefundResult =
  | { state: 'done'; channelRefundId: string }
  /** `isUsedUp`: tried again it needs another number. */
  | { state: 'refused'; reason: string; isUsedUp?: boolean }
  /** Taken, and not yet done: it is asked about under the same number. */
  | {
      state: 'pending'
      note: string
      /** It cannot arrive where the money came from: a person says where it goes instead. */
      isAbnormal?: boolean
    }

export type ChannelRefundRequest = {
  channel: string
  transactionNo: string | null
  outNo: string
  amount: number
  signal?: AbortSignal
}

/** The way out for money. `outNo` is the idempotency key: asked twice, a channel pays once. */
export type PaymentPort = {
  refund: (ask: ChannelRefundRequest) => Promise<ChannelRefundResult>
  /** Whether anybody can be asked for money of a channel; of a port that does not say so, for all. */
  takes?: (channel: string) => boolean
}

const TIMEOUT_MS = 10_000

/**
 * Cash is handed over in the shop and balance is booked in our own transaction: both are done at once. Every other
 * channel is asked over HTTP at the address given (PAYMENT_CHANNEL_URL, in the demo story a simulator on loopback).
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

/** Asks the channel and reads what it answers; throws where that is too long, no JSON, or too late. */
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
    // Whoever starts the server names the channel.
    mayBeInside: true,
    signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(ask.signal ? [ask.signal] : [])]),
  })
  const body = await readBody(response, RESPONSE_BYTES_MAX.json)
  return { ...parseUntrustedJson(body.toString('utf8')), status: response.statusCode ?? 0 }
}

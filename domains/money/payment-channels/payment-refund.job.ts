import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  callRowsOf,
  defineOutboundCall,
  type OutboundAnswer,
  type OutboundContext,
  type PreparedCall,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { resolvePaymentPort } from './channels.ts'
import type { ChannelRefundResult } from './payment.client.ts'
import { refundNoAfter } from './next-refund-no.ts'
import { PAYMENT_REFUND_STATE, paymentRefund } from './payment-refund.resource.ts'
import type { PaymentRefund } from './payment-refund.server.ts'
import { PAYMENT_REFUND_QUEUE, enqueuePaymentRefund } from './refund-later.ts'
import { chooseRefundProvider, DEFAULT_PROVIDER, sendRefund } from './refund-providers.ts'

const NO_REFUND_PROVIDER = defineSystemText({
  zh: '这个收款方式没有接通退款：请财务退还给顾客，然后在这里确认',
  en: 'Refunds are not available for this payment method. Ask accounting to refund the customer, then confirm here.',
})

type RefundProviderWork = { provider: string }

/** Chooses the provider once and stores it before the call, as only that provider knows what became of the refund. */
async function prepare(
  db: Db,
  row: PaymentRefund,
  services: Services,
): Promise<PreparedCall<PaymentRefund, RefundProviderWork>> {
  const part = { channel: row.channel!, payableId: row.payableId!, transactionNo: row.transactionNo }
  const provider = row.way ?? (await chooseRefundProvider(services, db, part))
  const isByHand = provider === DEFAULT_PROVIDER && resolvePaymentPort(services).takes?.(row.channel!) === false
  return isByHand
    ? { answer: { outcome: 'failed', patch: { state: PAYMENT_REFUND_STATE.byHand, note: NO_REFUND_PROVIDER } } }
    : { work: { provider }, patch: { way: provider } }
}

function requestFromProvider({
  services,
  row,
  work: { provider },
  signal,
}: OutboundContext<PaymentRefund, RefundProviderWork>): Promise<ChannelRefundResult> {
  const { tenantId, channel, transactionNo, amount, refundNo } = row
  const request = () =>
    sendRefund(services, provider, {
      tenantId,
      channel: channel!,
      transactionNo,
      outNo: refundNo!,
      amount: amount!,
      payableId: row.payableId!,
      total: row.paid!,
      reason: row.reason ?? '',
      // The provider asks first what became of a number it may know.
      isAgain: row.attempts! > 1,
      signal,
    })
  if (provider !== DEFAULT_PROVIDER) return request()
  const call = {
    tenantId,
    system: 'payment',
    method: 'POST',
    url: `${channel}/refunds`,
    request: { channel, transactionNo, outNo: refundNo, amount },
  } as const
  return callAndLogExternal(services, call, request, (answer) => ({ bizCode: answer.state, response: answer }))
}

async function requestRefund(
  context: OutboundContext<PaymentRefund, RefundProviderWork>,
): Promise<OutboundAnswer<PaymentRefund>> {
  const answer = await requestFromProvider(context)
  if (answer.state === 'done') return { outcome: 'done', patch: { numberThere: answer.channelRefundId } }
  if (answer.state === 'pending') return { outcome: 'accepted', patch: { note: answer.note.slice(0, 500) } }
  const anew = answer.isUsedUp ? { refundNo: refundNoAfter(context.row.refundNo!), attempts: 0 } : {}
  return { outcome: 'failed', patch: { note: answer.reason.slice(0, 500), ...anew } }
}

/** Refunds of recharges and fees. */
export const paymentRefundCall = defineOutboundCall<PaymentRefund, RefundProviderWork>({
  queue: PAYMENT_REFUND_QUEUE,
  sweep: {
    queue: 'payment.refund.sweep',
    cron: '*/5 * * * *',
    crossTenantReason: 'refunds of recharges and fees that stopped on their way',
  },
  rows: callRowsOf(paymentRefund, 'state'),
  fields: {
    state: 'state',
    reason: 'note',
    attempts: 'attempts',
    nextTime: 'askTime',
    doneTime: 'doneTime',
    theirNo: 'numberThere',
  },
  states: {
    queued: PAYMENT_REFUND_STATE.asked,
    sent: PAYMENT_REFUND_STATE.sent,
    unsent: PAYMENT_REFUND_STATE.sent,
    done: PAYMENT_REFUND_STATE.done,
    failed: PAYMENT_REFUND_STATE.failed,
  },
  prepare,
  send: requestRefund,
  isRepeatable: () => true,
  keyOf: ({ refundNo }) => refundNo,
  explain: () => ({}),
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
})

/** Notification of a platform: queries the refund at once. */
export async function checkPaymentRefundNow(db: Db, refundNo: string): Promise<void> {
  const [row] = await db.find(paymentRefund, sql`r.refund_no = ${refundNo} and r.state = ${PAYMENT_REFUND_STATE.sent}`)
  if (!row) return
  await db.update(paymentRefund, row.id, { askTime: null })
  await enqueuePaymentRefund(db, row.id)
}

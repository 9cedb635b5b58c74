import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
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

/** Seconds until the next status query, by the number of queries so far. */
const ASK_AFTER_S = [60, 300, 900, 3600]

/** Lease in ms, so that two jobs never send or query one refund at once; expires if a job dies. */
const TURN_MS = 40_000

/**
 * Marks a refund as sent and stores its provider before the call, so that after a crash it is queried first. Undefined
 * when there is nothing to do now.
 */
const markSent = (services: Services, tenantId: string, id: string): Promise<PaymentRefund | undefined> =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(paymentRefund, id, 'forUpdate')
    if (!row || (row.state !== PAYMENT_REFUND_STATE.asked && row.state !== PAYMENT_REFUND_STATE.sent)) return undefined
    const now = services.now()
    if (row.askTime && parseShanghaiTime(row.askTime) > now) {
      await enqueuePaymentRefund(db, id, parseShanghaiTime(row.askTime))
      return undefined
    }
    const part = { channel: row.channel!, payableId: row.payableId!, transactionNo: row.transactionNo }
    const provider = row.way ?? (await chooseRefundProvider(services, db, part))
    if (provider === DEFAULT_PROVIDER && resolvePaymentPort(services).takes?.(row.channel!) === false) {
      publishRowsChanged({ db }, paymentRefund, [
        await db.update(paymentRefund, id, { state: PAYMENT_REFUND_STATE.byHand, note: NO_REFUND_PROVIDER }),
      ])
      return undefined
    }
    const turn = {
      way: provider,
      attempts: (row.attempts ?? 0) + 1,
      askTime: formatShanghaiTime(new Date(now.getTime() + TURN_MS)),
    }
    return db.update(paymentRefund, id, { ...turn, state: PAYMENT_REFUND_STATE.sent })
  })

function callRefundProvider(services: Services, row: PaymentRefund, signal: AbortSignal): Promise<ChannelRefundResult> {
  const { tenantId, channel, transactionNo, amount, refundNo, way } = row
  const send = () =>
    sendRefund(services, way!, {
      tenantId,
      channel: channel!,
      transactionNo,
      outNo: refundNo!,
      amount: amount!,
      payableId: row.payableId!,
      total: row.paid!,
      reason: row.reason ?? '',
      isAgain: row.attempts! > 1,
      signal,
    })
  if (way !== DEFAULT_PROVIDER) return send()
  const request = { channel, transactionNo, outNo: refundNo, amount }
  const call = { tenantId, system: 'payment', method: 'POST', url: `${channel}/refunds`, request } as const
  return callAndLogExternal(services, call, send, (answer) => ({ bizCode: answer.state, response: answer }))
}

/** Applies the platform's answer; ignores one for a number the refund no longer has. */
async function applyRefundAnswer(
  services: Services,
  db: Db,
  was: PaymentRefund,
  answer: ChannelRefundResult,
): Promise<void> {
  const row = await db.get(paymentRefund, was.id, 'forUpdate')
  if (row?.state !== PAYMENT_REFUND_STATE.sent || row.refundNo !== was.refundNo) return
  const now = services.now()
  const write = async (patch: Parameters<typeof db.update<typeof paymentRefund>>[2]) =>
    publishRowsChanged({ db }, paymentRefund, [await db.update(paymentRefund, row.id, patch)])
  if (answer.state === 'done')
    return write({
      state: PAYMENT_REFUND_STATE.done,
      numberThere: answer.channelRefundId,
      note: null,
      askTime: null,
      doneTime: formatShanghaiTime(now),
    })
  if (answer.state === 'refused')
    return write({
      state: PAYMENT_REFUND_STATE.failed,
      note: answer.reason.slice(0, 500),
      askTime: null,
      ...(answer.isUsedUp ? { refundNo: refundNoAfter(row.refundNo!), attempts: 0 } : {}),
    })
  const seconds = ASK_AFTER_S[(row.attempts ?? 1) - 1] ?? ASK_AFTER_S.at(-1)!
  const at = new Date(now.getTime() + seconds * 1000)
  await write({ note: answer.note.slice(0, 500), askTime: formatShanghaiTime(at) })
  await enqueuePaymentRefund(db, row.id, at)
}

/** Refunds recharges and fees and queries the refund until it has ended. Every step can be repeated. */
export const sendPaymentRefundJob = defineModuleJob<{ id: string }>({
  queue: PAYMENT_REFUND_QUEUE,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ id }, { tenantId, services, signal }) => {
    const row = await markSent(services, tenantId, id)
    if (!row) return
    let answer: ChannelRefundResult
    try {
      answer = await callRefundProvider(services, row, signal)
    } catch (error) {
      // The result is unknown; the next run queries first.
      await services.unit({ tenantId }, (db) => db.update(paymentRefund, id, { askTime: null }))
      throw error
    }
    await services.unit({ tenantId }, (db) => applyRefundAnswer(services, db, row, answer))
  },
})

/** Queues unfinished refunds again whose job was lost. */
export const requeuePaymentRefundsJob = defineModuleJob({
  queue: 'payment.refund.sweep',
  cron: '*/5 * * * *',
  run: async (_payload, { services }) => {
    const stuck = await services.unit(
      { crossTenantReason: 'refunds of recharges and fees that stopped on their way' },
      (db) =>
        db.query<{ id: string; tenantId: string }>(
          sql`select id, tenant_id from payment_refund where state in (${PAYMENT_REFUND_STATE.asked},
            ${PAYMENT_REFUND_STATE.sent})
          and update_time < now() - interval '5 minutes' and coalesce(ask_time, '-infinity') < now() limit 500`,
        ),
    )
    for (const { id, tenantId } of stuck) await services.unit({ tenantId }, (db) => enqueuePaymentRefund(db, id))
  },
})

/** Notification of a platform: queries the refund at once. */
export async function checkPaymentRefundNow(db: Db, refundNo: string): Promise<void> {
  const [row] = await db.find(paymentRefund, sql`r.refund_no = ${refundNo} and r.state = ${PAYMENT_REFUND_STATE.sent}`)
  if (!row) return
  await db.update(paymentRefund, row.id, { askTime: null })
  await db.enqueue(PAYMENT_REFUND_QUEUE, { id: row.id }, { key: `${row.id}/heard` })
}

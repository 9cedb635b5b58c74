import { loggedRequest } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { paymentsOf } from './channels.ts'
import type { ChannelAnswer } from './payment.client.ts'
import { nextRefundNo } from './next-refund-no.ts'
import { BACK_STATE, paymentRefund } from './payment-refund.resource.ts'
import type { PaymentRefund } from './payment-refund.server.ts'
import { REFUND_QUEUE, refundLater } from './refund-later.ts'
import { chooseRefundProvider, DEFAULT_PROVIDER, sendRefund } from './refund-providers.ts'

const NOBODY = systemWords({
  zh: '这个收款方式没有接通退款：请财务退还给顾客，然后在这里确认',
  en: 'Refunds are not available for this payment method. Ask accounting to refund the customer, then confirm here.',
})

/** After how many seconds it is asked about again, by how often it was. */
const ASK_AFTER_S = [60, 300, 900, 3600]

/** Two jobs never send or ask at once: who died over it lets go after so long. */
const TURN_MS = 40_000

/** Says that it is sent before it is, and by which way: whoever finds it so after a crash asks first. */
const markSent = (services: Services, tenantId: string, id: string): Promise<PaymentRefund | undefined> =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(paymentRefund, id, 'forUpdate')
    if (!row || (row.state !== BACK_STATE.asked && row.state !== BACK_STATE.sent)) return undefined
    const now = services.now()
    if (row.askTime && fromShanghai(row.askTime) > now) {
      await refundLater(db, id, fromShanghai(row.askTime))
      return undefined
    }
    const part = { channel: row.channel!, payableId: row.payableId!, transactionNo: row.transactionNo }
    const way = row.way ?? (await chooseRefundProvider(services, db, part))
    if (way === DEFAULT_PROVIDER && paymentsOf(services).takes?.(row.channel!) === false) {
      publishChanged({ db }, paymentRefund, [
        await db.update(paymentRefund, id, { state: BACK_STATE.byHand, note: NOBODY }),
      ])
      return undefined
    }
    const turn = { way, attempts: (row.attempts ?? 0) + 1, askTime: shanghaiText(new Date(now.getTime() + TURN_MS)) }
    return db.update(paymentRefund, id, { ...turn, state: BACK_STATE.sent })
  })

function ask(services: Services, row: PaymentRefund, signal: AbortSignal): Promise<ChannelAnswer> {
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
  return loggedRequest(services, call, send, (answer) => ({ bizCode: answer.state, response: answer }))
}

/** What a platform said; of a number the row has no more it says nothing. */
async function note(services: Services, db: Db, was: PaymentRefund, answer: ChannelAnswer): Promise<void> {
  const row = await db.get(paymentRefund, was.id, 'forUpdate')
  if (row?.state !== BACK_STATE.sent || row.refundNo !== was.refundNo) return
  const now = services.now()
  const write = async (patch: Parameters<typeof db.update<typeof paymentRefund>>[2]) =>
    publishChanged({ db }, paymentRefund, [await db.update(paymentRefund, row.id, patch)])
  if (answer.state === 'done')
    return write({
      state: BACK_STATE.done,
      numberThere: answer.channelRefundId,
      note: null,
      askTime: null,
      doneTime: shanghaiText(now),
    })
  if (answer.state === 'refused')
    return write({
      state: BACK_STATE.failed,
      note: answer.reason.slice(0, 500),
      askTime: null,
      ...(answer.isUsedUp ? { refundNo: nextRefundNo(row.refundNo!), attempts: 0 } : {}),
    })
  const seconds = ASK_AFTER_S[(row.attempts ?? 1) - 1] ?? ASK_AFTER_S.at(-1)!
  const at = new Date(now.getTime() + seconds * 1000)
  await write({ note: answer.note.slice(0, 500), askTime: shanghaiText(at) })
  await refundLater(db, row.id, at)
}

/** Sends money of recharges and fees back and asks about it until it is over. Every step bears repetition. */
export const paymentRefundJob = defineModuleJob<{ id: string }>({
  queue: REFUND_QUEUE,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ id }, { tenantId, services, signal }) => {
    const row = await markSent(services, tenantId, id)
    if (!row) return
    let answer: ChannelAnswer
    try {
      answer = await ask(services, row, signal)
    } catch (error) {
      // Nobody knows what became of it: the next try asks first.
      await services.unit({ tenantId }, (db) => db.update(paymentRefund, id, { askTime: null }))
      throw error
    }
    await services.unit({ tenantId }, (db) => note(services, db, row, answer))
  },
})

/** Finds money on its way back that no job carries any more. */
export const paymentRefundSweepJob = defineModuleJob({
  queue: 'payment.refund.sweep',
  cron: '*/5 * * * *',
  run: async (_payload, { services }) => {
    const stuck = await services.unit(
      { crossTenantReason: 'refunds of recharges and fees that stopped on their way' },
      (db) =>
        db.query<{ id: string; tenantId: string }>(
          sql`select id, tenant_id from payment_refund where state in (${BACK_STATE.asked}, ${BACK_STATE.sent})
          and update_time < now() - interval '5 minutes' and coalesce(ask_time, '-infinity') < now() limit 500`,
        ),
    )
    for (const { id, tenantId } of stuck) await services.unit({ tenantId }, (db) => refundLater(db, id))
  },
})

/** A platform says that a refund has moved: it is asked about now. */
export async function hearPaymentRefund(db: Db, refundNo: string): Promise<void> {
  const [row] = await db.find(paymentRefund, sql`r.refund_no = ${refundNo} and r.state = ${BACK_STATE.sent}`)
  if (!row) return
  await db.update(paymentRefund, row.id, { askTime: null })
  await db.enqueue(REFUND_QUEUE, { id: row.id }, { key: `${row.id}/heard` })
}

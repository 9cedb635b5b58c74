import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { serve } from '#kit/server/module/module.ts'
import { translateSystemTextField, defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { ExternalPayableRefund, PaymentToRefund } from './payables.ts'
import { PAYMENT_REFUND_STATE, paymentRefund } from './payment-refund.resource.ts'
import { enqueuePaymentRefund } from './refund-later.ts'

export type PaymentRefund = RowOf<typeof paymentRefund>

const CASH = defineSystemText({
  zh: '收的是现金：请门店把钱退给顾客，然后在这里确认',
  en: 'It was paid in cash. Refund the customer in the store, then confirm here.',
})
const NO_NUMBER = defineSystemText({
  zh: '没有支付流水号，不能原路退回：请财务退还给顾客，然后在这里确认',
  en:
    'There is no transaction ID, so it cannot be refunded to the original method. Ask accounting to ' +
    'refund the customer, then confirm here.',
})

// Text the migration wrote for refunds booked before this list existed.
defineSystemText({ zh: '升级前登记的退款', en: 'Refunded before the upgrade' })

/** Note on who must pay a refund out by hand; undefined when a platform can do it. */
const whoPays = ({ channel, transactionNo }: PaymentToRefund) =>
  channel === 'cash' ? CASH : transactionNo ? undefined : NO_NUMBER

/**
 * Writes the refund of something that is not an order, in the transaction of its booking. Balance is refunded at once,
 * cash and payments without a number by hand, all others by a job.
 */
export async function createPaymentRefund(db: Db, back: PaymentToRefund): Promise<PaymentRefund> {
  const id = newId()
  const note = whoPays(back)
  const isBooked = back.channel === 'balance'
  const state = isBooked ? PAYMENT_REFUND_STATE.done : note ? PAYMENT_REFUND_STATE.byHand : PAYMENT_REFUND_STATE.asked
  const row = await db.insert(paymentRefund, {
    ...back,
    id,
    refundNo: `RB${id}`,
    state,
    note: isBooked ? null : (note ?? null),
    attempts: 0,
    doneTime: isBooked ? (await db.one<{ at: string }>(sql`select ${db.timestampSql} as at`))!.at : null,
  })
  if (state === PAYMENT_REFUND_STATE.asked) await enqueuePaymentRefund(db, id)
  publishRowsChanged({ db }, paymentRefund, [row])
  return row
}

/** Whether a refund reported by the platform is known, by either number. */
export const isKnownPaymentRefund = async (
  db: Db,
  { refundNo, numberThere }: ExternalPayableRefund,
): Promise<boolean> =>
  (await db.one(sql`select 1 from payment_refund where tenant_id = ${db.tenantId}
    and (refund_no = ${refundNo} or number_there = ${numberThere})`)) !== undefined

/** Records a refund that was made at the platform. */
export async function recordExternalPaymentRefund(
  db: Db,
  back: PaymentToRefund,
  { refundNo, numberThere }: ExternalPayableRefund,
  now: Date,
): Promise<PaymentRefund> {
  const done = { state: PAYMENT_REFUND_STATE.done, doneTime: formatShanghaiTime(now), attempts: 0 }
  const row = await db.insert(paymentRefund, { ...back, ...done, refundNo, numberThere, note: null })
  publishRowsChanged({ db }, paymentRefund, [row])
  return row
}

export const paymentRefundServer = serve(paymentRefund, {
  without: ['submit'],
  beforeSave: (_draft, was) => rejectManualCreate(paymentRefund, was),
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'note', lang),
  actions: {
    retry: async (row, _none, call) => {
      publishRowsChanged(call, paymentRefund, [
        await call.db.update(paymentRefund, row.id, { state: PAYMENT_REFUND_STATE.asked, askTime: null }),
      ])
      await enqueuePaymentRefund(call.db, row.id)
      return { id: row.id }
    },
    handOver: async (row, { remark }, call) => {
      const handed = {
        state: PAYMENT_REFUND_STATE.handed,
        note: remark,
        doneUser: call.caller.userId,
        doneTime: formatShanghaiTime(call.services.now()),
      }
      publishRowsChanged(call, paymentRefund, [await call.db.update(paymentRefund, row.id, handed)])
      return { id: row.id }
    },
  },
})

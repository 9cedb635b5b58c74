import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { serve } from '#kit/server/module.ts'
import { presentSystemWords, systemWords } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import type { BackThere, PaidBackOf } from './payables.ts'
import { BACK_STATE, paymentRefund } from './payment-refund.resource.ts'
import { refundLater } from './refund-later.ts'

export type PaymentRefund = RowOf<typeof paymentRefund>

const CASH = systemWords({
  zh: '收的是现金：请门店把钱退给顾客，然后在这里确认',
  en: 'It was paid in cash. Refund the customer in the store, then confirm here.',
})
const NO_NUMBER = systemWords({
  zh: '没有支付流水号，不能原路退回：请财务退还给顾客，然后在这里确认',
  en:
    'There is no transaction ID, so it cannot be refunded to the original method. Ask accounting to ' +
    'refund the customer, then confirm here.',
})

// What the migration wrote of refunds that were booked before this list was kept.
systemWords({ zh: '升级前登记的退款', en: 'Refunded before the upgrade' })

/** Who pays it out, where no platform can be asked to. */
const whoPays = ({ channel, transactionNo }: PaidBackOf) =>
  channel === 'cash' ? CASH : transactionNo ? undefined : NO_NUMBER

/**
 * Writes that money of something that is no order goes back, in the transaction of its booking: by the way it came, to
 * the balance at once, or by hand, with who has to pay it out.
 */
export async function giveBackPaid(db: Db, back: PaidBackOf): Promise<PaymentRefund> {
  const id = newId()
  const note = whoPays(back)
  const isBooked = back.channel === 'balance'
  const state = isBooked ? BACK_STATE.done : note ? BACK_STATE.byHand : BACK_STATE.asked
  const row = await db.insert(paymentRefund, {
    ...back,
    id,
    refundNo: `RB${id}`,
    state,
    note: isBooked ? null : (note ?? null),
    attempts: 0,
    doneTime: isBooked ? (await db.one<{ at: string }>(sql`select ${db.timestampSql} as at`))!.at : null,
  })
  if (state === BACK_STATE.asked) await refundLater(db, id)
  publishChanged({ db }, paymentRefund, [row])
  return row
}

/** Whether a refund the platform speaks of is one of these, by either number. */
export const isKnownBack = async (db: Db, { refundNo, numberThere }: BackThere): Promise<boolean> =>
  (await db.one(sql`select 1 from payment_refund where tenant_id = ${db.tenantId}
    and (refund_no = ${refundNo} or number_there = ${numberThere})`)) !== undefined

/** Writes that money went back at the platform already. */
export async function keepBackThere(
  db: Db,
  back: PaidBackOf,
  { refundNo, numberThere }: BackThere,
  now: Date,
): Promise<PaymentRefund> {
  const done = { state: BACK_STATE.done, doneTime: shanghaiText(now), attempts: 0 }
  const row = await db.insert(paymentRefund, { ...back, ...done, refundNo, numberThere, note: null })
  publishChanged({ db }, paymentRefund, [row])
  return row
}

export const paymentRefundServer = serve(paymentRefund, {
  without: ['submit'],
  beforeSave: (_draft, was) => rejectManualCreate(paymentRefund, was),
  present: (wire, _rows, { lang }) => presentSystemWords(wire, 'note', lang),
  actions: {
    retry: async (row, _none, call) => {
      publishChanged(call, paymentRefund, [
        await call.db.update(paymentRefund, row.id, { state: BACK_STATE.asked, askTime: null }),
      ])
      await refundLater(call.db, row.id)
      return { id: row.id }
    },
    handOver: async (row, { remark }, call) => {
      const handed = {
        state: BACK_STATE.handed,
        note: remark,
        doneUser: call.caller.userId,
        doneTime: shanghaiText(call.services.now()),
      }
      publishChanged(call, paymentRefund, [await call.db.update(paymentRefund, row.id, handed)])
      return { id: row.id }
    },
  },
})

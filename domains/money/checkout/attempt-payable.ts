import { definePayable } from '#domains/money/payment-channels/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { UNMATCHED_REFUND_STATE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'

const attempt = {
  tenantId: sql`a.tenant_id`,
  id: sql`a.id`,
  no: sql`a.pay_no`,
  shopId: sql`a.shop_id`,
  merchantId: sql`null::bigint`,
  subMchid: sql`a.sub_mchid`,
  payTime: sql`a.paid_time`,
  transactionNo: sql`a.transaction_no`,
  paymentNo: sql`a.transaction_no`,
  channel: sql`'wechat'::text`,
  amount: sql`a.amount`,
  fee: sql`null::bigint`,
}
const when = sql`a.back_state is not null`

/**
 * Registers payments that no order accepted and that are refunded automatically, so that bills and reconciliation count
 * both the payment and its refund.
 */
definePayable({
  name: payAttempt.name,
  numbers: { ...attempt, from: sql`pay_attempt a`, when },
  payments: {
    from: sql`pay_attempt a`,
    when,
    columns: { ...attempt, paymentId: sql`a.id`, createTime: sql`a.create_time`, heardTime: sql`a.create_time` },
  },
  refunds: {
    from: sql`pay_attempt a`,
    when,
    columns: {
      ...attempt,
      partId: sql`a.id`,
      refundNo: sql`a.back_no`,
      numberThere: sql`null::text`,
      isDone: sql`(a.back_state = ${UNMATCHED_REFUND_STATE.done})`,
      isUnderWay: sql`(a.back_state in (${UNMATCHED_REFUND_STATE.asked}, ${UNMATCHED_REFUND_STATE.sent}))`,
      askedTime: sql`a.paid_time`,
      doneTime: sql`a.back_time`,
      backBefore: sql`0::bigint`,
    },
  },
})

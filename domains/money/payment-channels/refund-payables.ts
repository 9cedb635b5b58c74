import { sql } from '#kit/server/database/db.ts'
import { definePayable } from './payables.ts'
import { PAYMENT_REFUND_STATE, paymentRefund } from './payment-refund.resource.ts'

/** SQL expression for the cents of the same payment refunded before the refund `p`. */
const backBefore = sql`(select coalesce(sum(x.amount), 0)::bigint from payment_refund x
      where x.tenant_id = p.tenant_id and x.payable_id = p.payable_id and x.state = ${PAYMENT_REFUND_STATE.done}
      and (x.done_time, x.id) < (p.done_time, p.id))`

/** Registers the refunds of recharges and fees; their payments are registered by their own modules. */
definePayable({
  name: paymentRefund.name,
  refunds: {
    from: sql`payment_refund p`,
    columns: {
      tenantId: sql`p.tenant_id`,
      id: sql`p.payable_id::bigint`,
      no: sql`p.payable_no`,
      shopId: sql`p.shop_id`,
      merchantId: sql`null::bigint`,
      subMchid: sql`null::text`,
      payTime: sql`p.pay_time`,
      transactionNo: sql`p.transaction_no`,
      paymentNo: sql`p.transaction_no`,
      partId: sql`p.id`,
      refundNo: sql`p.refund_no`,
      numberThere: sql`p.number_there`,
      // Refunds handed over in cash did not leave the platform account.
      channel: sql`case p.state when ${PAYMENT_REFUND_STATE.handed} then 'cash' else p.channel end`,
      amount: sql`p.amount`,
      fee: sql`null::bigint`,
      isDone: sql`(p.state in (${PAYMENT_REFUND_STATE.done}, ${PAYMENT_REFUND_STATE.handed}))`,
      isUnderWay: sql`(p.state in (${PAYMENT_REFUND_STATE.asked}, ${PAYMENT_REFUND_STATE.sent}))`,
      askedTime: sql`p.create_time`,
      doneTime: sql`p.done_time`,
      backBefore,
    },
  },
})

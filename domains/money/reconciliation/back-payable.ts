import { definePayable } from '#domains/money/payment-channels/api.ts'
import { sql } from '#kit/server/database/db.ts'

const back = {
  tenantId: sql`b.tenant_id`,
  id: sql`b.id`,
  no: sql`b.order_no`,
  shopId: sql`null::bigint`,
  merchantId: sql`b.merchant_id`,
  subMchid: sql`b.sub_mchid`,
  payTime: sql`b.paid_time`,
  transactionNo: sql`b.transaction_no`,
  paymentNo: sql`b.transaction_no`,
  channel: sql`'wechat'::text`,
  amount: sql`b.paid`,
}

/** Without failed returns: that money is still at WeChat Pay, and its number may pay for something yet. */
const when = sql`b.state <> 'failed'`

/**
 * Registers payments that belong to nothing here and were returned by reconciliation, so that both the payment and its
 * return are counted.
 */
definePayable({
  name: 'tallyBack',
  numbers: { ...back, from: sql`tally_back b`, when },
  payments: {
    from: sql`tally_back b`,
    when,
    columns: {
      ...back,
      fee: sql`b.paid_fee`,
      paymentId: sql`b.id`,
      createTime: sql`b.create_time`,
      heardTime: sql`b.create_time`,
    },
  },
  refunds: {
    from: sql`tally_back b`,
    when,
    columns: {
      ...back,
      fee: sql`(-b.paid_fee)`,
      partId: sql`b.id`,
      refundNo: sql`b.out_no`,
      numberThere: sql`b.refund_there`,
      isDone: sql`(b.state = 'done')`,
      isUnderWay: sql`(b.state in ('asked', 'sent'))`,
      askedTime: sql`b.create_time`,
      doneTime: sql`b.done_time`,
      backBefore: sql`0::bigint`,
    },
  },
})

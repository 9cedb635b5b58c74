import { definePayable } from '#domains/money/payment-channels/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { lockCustomerOfRow } from './accounts.ts'
import { MEMBER_PAYMENT_STATE } from './dictionaries.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { refundAnnualFee } from './annual-fee.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { refundRecharge } from './recharge.ts'

const paid = {
  tenantId: sql`r.tenant_id`,
  id: sql`r.id`,
  shopId: sql`r.shop_id`,
  merchantId: sql`null::bigint`,
  subMchid: sql`null::text`,
  payTime: sql`r.pay_time`,
  transactionNo: sql`r.transaction_no`,
  paymentNo: sql`r.transaction_no`,
  paymentId: sql`r.id`,
  fee: sql`null::bigint`,
  channel: sql`r.pay_type`,
  createTime: sql`r.create_time`,
  heardTime: sql`r.create_time`,
}
const number = {
  tenantId: sql`r.tenant_id`,
  transactionNo: sql`r.transaction_no`,
  channel: sql`r.pay_type`,
}
const when = sql`r.pay_status <> ${MEMBER_PAYMENT_STATE.waiting}`

/** Locks the customer, then the row, in the order of all account changes. */
const lockFor = (resource: typeof rechargeLog | typeof annualFeeLog) => async (db: Db, id: string) => {
  await lockCustomerOfRow(resource)(id, { db })
  await db.get(resource as typeof rechargeLog, id, 'forUpdate')
}

/** Recharges as a payable: paying credits the customer's balance, refunding takes it off again. */
definePayable({
  name: rechargeLog.name,
  numbers: { ...number, from: sql`recharge_log r`, no: sql`r.recharge_no` },
  payments: { from: sql`recharge_log r`, when, columns: { ...paid, no: sql`r.recharge_no`, amount: sql`r.amount` } },
  back: {
    lock: lockFor(rechargeLog),
    book: async (db, id, ask, send) => refundRecharge(db, (await db.get(rechargeLog, id, 'forUpdate'))!, ask, send),
  },
})

/** Annual fees as a payable: paying gives membership time, which ends when the whole fee is refunded. */
definePayable({
  name: annualFeeLog.name,
  numbers: { ...number, from: sql`annual_fee_log r`, no: sql`r.fee_no` },
  // Terms without a fee are not payments.
  payments: {
    from: sql`annual_fee_log r`,
    when: sql`r.pay_status <> ${MEMBER_PAYMENT_STATE.waiting} and r.fee > 0`,
    columns: { ...paid, no: sql`r.fee_no`, amount: sql`r.fee` },
  },
  back: {
    lock: lockFor(annualFeeLog),
    book: async (db, id, ask, send, now) =>
      refundAnnualFee(
        db,
        (await db.get(annualFeeLog, id, 'forUpdate'))!,
        { ...ask, at: formatShanghaiTime(now) },
        send,
      ),
  },
})

import { formatYuan } from '#kit/fields/money/cents.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { addCustomerToShop } from './booking-shop.ts'
import { changeCustomerAccount, lockCustomer } from './accounts.ts'
import {
  lockTransactionNo,
  isSamePayment,
  requireUnusedTransactionNo,
  type PayableRefundRequest,
  type SendPayableRefund,
} from '#domains/money/payment-channels/api.ts'
import { annualFeeConf } from './annual-fee-conf.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { MEMBER_PAYMENT_STATE } from './dictionaries.ts'
import type { PaymentRefundRow } from './recharge.ts'
import { grantMembership, revokeUnusedFeeTerm } from './membership-terms.ts'

export type BuyMembershipRequest = {
  /** The caller's own number of this purchase: the same one is booked once. */
  feeNo: string
  wxUserId: string
  confId: string
  payType: string
  transactionNo?: string | null
  shopId?: string | null
  reason?: string | null
  /** 'yyyy-MM-dd HH:mm:ss', Shanghai time. */
  at: string
}

/**
 * Sells a membership: takes the fee (from the balance, or paid otherwise), gives the time, and writes the record. A
 * repeated `feeNo` returns the first record.
 */
export async function buyMembership(
  db: Db,
  ask: BuyMembershipRequest,
): Promise<{ row: RowOf<typeof annualFeeLog>; repeated: boolean }> {
  await db.advisoryLock(`fee/${ask.feeNo}`)
  await lockTransactionNo(db, ask.payType, ask.transactionNo)
  const [known] = await db.find(annualFeeLog, sql`r.fee_no = ${ask.feeNo}`)
  const { id: wxUserId } = await lockCustomer(db, ask.wxUserId)
  if (known) {
    const isSame =
      known.confId === ask.confId &&
      isSamePayment(known, ask) &&
      (await lockCustomer(db, known.wxUserId!)).id === wxUserId
    if (!isSame) throw new Refused('fee_differs', { feeNo: ask.feeNo })
    return { row: known, repeated: true }
  }

  await requireUnusedTransactionNo(db, ask.payType, ask.transactionNo)
  const conf = await db.get(annualFeeConf, ask.confId)
  if (!conf?.enabled) throw invalidFieldRefusal({ fields: annualFeeLog.actions.buy.input }, 'confId', 'not_found')
  const id = newId()
  if (ask.payType === 'balance' && conf.fee)
    await changeCustomerAccount(db, 'balance', {
      wxUserId,
      change: -conf.fee,
      type: 'consume',
      refType: 'annualFee',
      refId: id,
      shopId: ask.shopId,
    })

  const term = await grantMembership(db, {
    wxUserId,
    level: conf.level,
    months: conf.months,
    source: 'fee',
    shopId: ask.shopId,
    at: ask.at,
  })
  const row = await db.insert(annualFeeLog, {
    id,
    feeNo: ask.feeNo,
    wxUserId,
    confId: conf.id,
    level: conf.level,
    fee: conf.fee,
    months: conf.months,
    ...term,
    payType: ask.payType,
    payStatus: MEMBER_PAYMENT_STATE.paid,
    payTime: ask.at,
    transactionNo: ask.transactionNo ?? null,
    shopId: ask.shopId ?? null,
    reason: ask.reason ?? null,
  })
  if (row.shopId) await addCustomerToShop(db, wxUserId, row.shopId)
  publishRowsChanged({ db }, annualFeeLog, [row])
  return { row, repeated: false }
}

type Fee = RowOf<typeof annualFeeLog>

/** Refuses to refund more than is left of a fee. Returns the cents refunded before. The caller has locked `row`. */
export function requireFeeRefundable(row: Fee, ask: PayableRefundRequest): number {
  const before = row.refundAmount ?? 0
  if (ask.refundedBefore !== undefined && ask.refundedBefore !== null && ask.refundedBefore !== before)
    throw new Refused('changed_meanwhile')
  const left = row.fee! - before
  if (ask.amount > left) throw new Refused('fee_refund_too_much', { left: formatYuan(left) }, { field: 'amount' })
  return before
}

/**
 * Refunds a fee, whole or in part, the way it was paid (to the balance: at once). A whole refund also takes back the
 * time that has not run yet. The caller has locked the customer, then `row`.
 */
export async function refundAnnualFee(
  db: Db,
  row: Fee,
  ask: PayableRefundRequest & { at: string },
  send: SendPayableRefund,
): Promise<{ row: Fee; back: PaymentRefundRow }> {
  const before = requireFeeRefundable(row, ask)
  const { id: wxUserId } = await lockCustomer(db, row.wxUserId!)
  const isWhole = before + ask.amount === row.fee
  const refund = { refundAmount: before + ask.amount, refundReason: ask.reason }
  const to = isWhole ? 'refunded' : 'partly'
  const done = await requireTransition({ db }, annualFeeLog, row.id, 'refund', refund, { to })
  if (isWhole) await revokeUnusedFeeTerm(db, { ...row, wxUserId }, ask.at)
  if (row.payType === 'balance')
    await changeCustomerAccount(db, 'balance', {
      wxUserId,
      change: ask.amount,
      type: 'refund',
      refType: 'annualFeeRefund',
      refId: newId(),
      shopId: row.shopId,
      remark: `${row.feeNo!} ${ask.reason}`.slice(0, 200),
    })
  publishRowsChanged({ db }, annualFeeLog, [done])
  const back = await send({
    payable: annualFeeLog.name,
    payableId: row.id,
    payableNo: row.feeNo!,
    shopId: row.shopId,
    channel: row.payType!,
    transactionNo: row.transactionNo,
    payTime: row.payTime!,
    paid: row.fee!,
    amount: ask.amount,
    reason: ask.reason,
  })
  return { row: done, back }
}

import { yuan } from '#kit/fields/money/cents.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { invalidField } from '#kit/server/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { becomesCustomerOf } from './booking-shop.ts'
import { changeAccount, lockCustomer } from './accounts.ts'
import {
  holdNumber,
  isSamePayment,
  requireUnused,
  type BackAsk,
  type SendBack,
} from '#domains/money/payment-channels/api.ts'
import { annualFeeConf } from './annual-fee-conf.resource.ts'
import { annualFeeLog } from './annual-fee-log.resource.ts'
import { PAID } from './dictionaries.ts'
import type { PaidBack } from './recharge.ts'
import { grantMembership, takeBackTerm } from './membership-terms.ts'

export type FeeAsk = {
  /** The caller's own number of this purchase: the same one is booked once. */
  feeNo: string
  wxUserId: string
  confId: string
  payType: string
  transactionNo?: string | null
  shopId?: string | null
  reason?: string | null
  /** Shanghai clock. */
  at: string
}

/**
 * Sells a membership: the fee (from the balance, or paid otherwise), the term it gives, and its record, once for its
 * number.
 */
export async function buyMembership(
  db: Db,
  ask: FeeAsk,
): Promise<{ row: RowOf<typeof annualFeeLog>; repeated: boolean }> {
  await db.advisoryLock(`fee/${ask.feeNo}`)
  await holdNumber(db, ask.payType, ask.transactionNo)
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
  await requireUnused(db, ask.payType, ask.transactionNo)
  const conf = await db.get(annualFeeConf, ask.confId)
  if (!conf?.enabled) throw invalidField({ fields: annualFeeLog.actions.buy.input }, 'confId', 'not_found')
  const id = newId()
  if (ask.payType === 'balance' && conf.fee)
    await changeAccount(db, 'balance', {
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
    payStatus: PAID.paid,
    payTime: ask.at,
    transactionNo: ask.transactionNo ?? null,
    shopId: ask.shopId ?? null,
    reason: ask.reason ?? null,
  })
  if (row.shopId) await becomesCustomerOf(db, wxUserId, row.shopId)
  publishChanged({ db }, annualFeeLog, [row])
  return { row, repeated: false }
}

type Fee = RowOf<typeof annualFeeLog>

/** What of a fee went back before, where so much more of it may; `row` is locked. */
export function requireFeeLeft(row: Fee, ask: BackAsk): number {
  const before = row.refundAmount ?? 0
  if (ask.refundedBefore !== undefined && ask.refundedBefore !== null && ask.refundedBefore !== before)
    throw new Refused('changed_meanwhile')
  const left = row.fee! - before
  if (ask.amount > left) throw new Refused('fee_refund_too_much', { left: yuan(left) }, { field: 'amount' })
  return before
}

/**
 * Pays back a fee, whole or in part, by the way it was paid: to the balance at once. The time it gave and that has not
 * run goes with the whole of it. `row` is locked, its customer before it.
 */
export async function refundFee(
  db: Db,
  row: Fee,
  ask: BackAsk & { at: string },
  send: SendBack,
): Promise<{ row: Fee; back: PaidBack }> {
  const before = requireFeeLeft(row, ask)
  const { id: wxUserId } = await lockCustomer(db, row.wxUserId!)
  const isWhole = before + ask.amount === row.fee
  const done = await db.update(annualFeeLog, row.id, {
    refundAmount: before + ask.amount,
    refundReason: ask.reason,
    payStatus: isWhole ? PAID.refunded : PAID.partly,
  })
  if (isWhole) await takeBackTerm(db, { ...row, wxUserId }, ask.at)
  if (row.payType === 'balance')
    await changeAccount(db, 'balance', {
      wxUserId,
      change: ask.amount,
      type: 'refund',
      refType: 'annualFeeRefund',
      refId: newId(),
      shopId: row.shopId,
      remark: `${row.feeNo!} ${ask.reason}`.slice(0, 200),
    })
  publishChanged({ db }, annualFeeLog, [done])
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

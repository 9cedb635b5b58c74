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
import type { paymentRefund } from '#domains/money/payment-channels/index.ts'
import { MEMBER_PAYMENT_STATE } from './dictionaries.ts'
import { rechargeConf } from './recharge-conf.resource.ts'
import { rechargeLog } from './recharge-log.resource.ts'
import { couponGiver } from './ticket-gifts.ts'

export type RechargeRequest = {
  /** The caller's own number of this recharge: the same one is booked once. */
  rechargeNo: string
  wxUserId: string
  confId?: string | null
  amount?: number | null
  payType: string
  transactionNo?: string | null
  shopId?: string | null
  reason?: string | null
  /** 'yyyy-MM-dd HH:mm:ss', Shanghai time. */
  at: string
}

type Recharge = RowOf<typeof rechargeLog>
export type PaymentRefundRow = RowOf<typeof paymentRefund>
/**
 * Books a recharge that has been paid: money, and money, points and ticket given on top, once for its number also when
 * asked twice at the same time. The same number for anything else is refused.
 */
export async function bookRecharge(db: Db, ask: RechargeRequest): Promise<{ row: Recharge; repeated: boolean }> {
  await db.advisoryLock(`recharge/${ask.rechargeNo}`)
  await lockTransactionNo(db, ask.payType, ask.transactionNo)
  const [known] = await db.find(rechargeLog, sql`r.recharge_no = ${ask.rechargeNo}`)
  const { id: wxUserId } = await lockCustomer(db, ask.wxUserId)
  if (known) {
    if (!(await isSameRecharge(db, known, ask, wxUserId)))
      throw new Refused('recharge_differs', { rechargeNo: ask.rechargeNo })
    return { row: known, repeated: true }
  }
  await requireUnusedTransactionNo(db, ask.payType, ask.transactionNo)
  const conf = ask.confId ? await offerFor(db, ask.confId, wxUserId, ask.amount ?? null) : undefined
  const amount = conf?.amount ?? ask.amount
  if (!amount) throw invalidFieldRefusal({ fields: rechargeLog.actions.recharge.input }, 'amount', 'required')
  const row = await db.insert(rechargeLog, {
    wxUserId,
    amount,
    ...paidBy(ask),
    ...giftsOf(conf),
    refundAmount: 0,
    refundGiftAmount: 0,
    refundGiftIntegral: 0,
  })
  await creditRecharge(db, row, { wxUserId, amount, at: ask.at })
  if (row.shopId) await addCustomerToShop(db, wxUserId, row.shopId)
  publishRowsChanged({ db }, rechargeLog, [row])
  return { row, repeated: false }
}

/** Returns whether a repeated request is the same recharge as the one booked under its number. */
const isSameRecharge = async (db: Db, known: Recharge, ask: RechargeRequest, wxUserId: string): Promise<boolean> =>
  (await lockCustomer(db, known.wxUserId!)).id === wxUserId &&
  (known.confId ?? null) === (ask.confId ?? null) &&
  (!ask.amount || known.amount === ask.amount) &&
  isSamePayment(known, ask)

/** Columns of a recharge that say how it was paid. */
const paidBy = ({ rechargeNo, shopId, payType, transactionNo, at, reason }: RechargeRequest) => ({
  rechargeNo,
  shopId: shopId ?? null,
  payType,
  payStatus: MEMBER_PAYMENT_STATE.paid,
  payTime: at,
  transactionNo: transactionNo ?? null,
  reason: reason ?? null,
})

/** Columns of a recharge that say what its offer gives on top; without an offer nothing. */
const giftsOf = (offer: Offer | undefined) => ({
  confId: offer?.id ?? null,
  giftAmount: offer?.giftAmount ?? 0,
  giftIntegral: offer?.giftIntegral ?? 0,
  giftTicketId: offer?.giftTicketId ?? null,
})
type Offer = Awaited<ReturnType<typeof offerFor>>

/** Puts what was paid, and what is given on top of it, on the customer's accounts. */
async function creditRecharge(
  db: Db,
  row: Recharge,
  { wxUserId, amount, at }: { wxUserId: string; amount: number; at: string },
): Promise<void> {
  const { id: refId, shopId, giftAmount, giftIntegral, giftTicketId } = row
  const book = { wxUserId, refType: 'recharge', refId, shopId } as const
  await changeCustomerAccount(db, 'balance', { ...book, change: amount, type: 'recharge' })
  if (giftAmount) await changeCustomerAccount(db, 'balance', { ...book, change: giftAmount, type: 'gift' })
  if (giftIntegral) await changeCustomerAccount(db, 'integral', { ...book, change: giftIntegral, type: 'gift' })
  if (giftTicketId) await couponGiver.give(db, { ticketId: giftTicketId, wxUserId, refType: 'recharge', refId, at })
}

/** The offer, if it may be taken; the customer is locked, so that two recharges do not both pass the limit. */
async function offerFor(db: Db, confId: string, wxUserId: string, amount: number | null) {
  const conf = await db.get(rechargeConf, confId)
  if (!conf?.enabled) throw invalidFieldRefusal({ fields: rechargeLog.actions.recharge.input }, 'confId', 'not_found')
  if (amount && amount !== conf.amount)
    throw new Refused('recharge_amount_differs', { name: conf.name, amount: formatYuan(conf.amount) })
  if (conf.perUser) {
    const { n } = (await db.one<{ n: number }>(
      sql`select count(*)::int as n from recharge_log where tenant_id = ${db.tenantId} and wx_user_id = ${wxUserId}
        and conf_id = ${confId}`,
    ))!
    if (n >= conf.perUser) throw new Refused('recharge_too_often', { name: conf.name, times: conf.perUser })
  }
  return conf
}

/**
 * Locks the customer and returns what a refund of this amount takes back of the gifts. Refuses too much and a balance
 * already spent. The caller has locked `row`.
 */
export async function planRechargeRefund(db: Db, row: Recharge, ask: PayableRefundRequest) {
  const before = row.refundAmount ?? 0
  if (ask.refundedBefore !== undefined && ask.refundedBefore !== null && ask.refundedBefore !== before)
    throw new Refused('changed_meanwhile')
  const whole = row.amount!
  const left = whole - before
  if (ask.amount > left) throw new Refused('recharge_refund_too_much', { left: formatYuan(left) }, { field: 'amount' })
  const refunded = before + ask.amount
  const share = (gift: number | null, was: number | null) =>
    Number((2n * BigInt(gift ?? 0) * BigInt(refunded) + BigInt(whole)) / (2n * BigInt(whole))) - (was ?? 0)
  const holder = await lockCustomer(db, row.wxUserId!)
  const gift = share(row.giftAmount, row.refundGiftAmount)
  const wantedPoints = share(row.giftIntegral, row.refundGiftIntegral)
  if (holder.balance < ask.amount + gift)
    throw new Refused('recharge_spent', { balance: formatYuan(holder.balance), needed: formatYuan(ask.amount + gift) })
  return { holder, refunded, gift, wantedPoints }
}

/**
 * Refunds a recharge, whole or in part, from the customer's balance. Gifts go back in the same proportion, rounded so
 * that the parts add up: of a money gift the full share must still be there, of points what is left is taken, and an
 * unused ticket goes back with the whole. `send` refunds the payment, by its provider or by hand. The caller has locked
 * `row`.
 */
export async function refundRecharge(
  db: Db,
  row: Recharge,
  ask: PayableRefundRequest,
  send: SendPayableRefund,
): Promise<{ row: Recharge; back: PaymentRefundRow }> {
  const { holder, refunded, gift, wantedPoints } = await planRechargeRefund(db, row, ask)
  const points = Math.min(wantedPoints, holder.integral)
  // Each refund of a recharge is a booking of its own.
  const book = {
    wxUserId: holder.id,
    refType: 'rechargeRefund',
    refId: newId(),
    shopId: row.shopId,
    remark: `${row.rechargeNo!} ${ask.reason}`.slice(0, 200),
  } as const
  await changeCustomerAccount(db, 'balance', { ...book, change: -ask.amount, type: 'refund' })
  if (gift) await changeCustomerAccount(db, 'balance', { ...book, change: -gift, type: 'takeBack' })
  if (points) await changeCustomerAccount(db, 'integral', { ...book, change: -points, type: 'takeBack' })
  if (refunded === row.amount && row.giftTicketId)
    await couponGiver.takeBack(db, {
      ticketId: row.giftTicketId,
      wxUserId: holder.id,
      refType: 'recharge',
      refId: row.id,
    })
  const refund = {
    refundAmount: refunded,
    refundGiftAmount: (row.refundGiftAmount ?? 0) + gift,
    // Points that were spent count as taken back: the next part does not ask for them again.
    refundGiftIntegral: (row.refundGiftIntegral ?? 0) + wantedPoints,
    refundReason: ask.reason,
  }
  const to = refunded === row.amount ? 'refunded' : 'partly'
  const done = await requireTransition({ db }, rechargeLog, row.id, 'refund', refund, { to })
  return { row: done, back: await send({ ...paymentOf(row), amount: ask.amount, reason: ask.reason }) }
}

/** How a recharge was paid; its refund goes the same way. */
const paymentOf = ({ id, rechargeNo, shopId, payType, transactionNo, payTime, amount }: Recharge) => ({
  payable: rechargeLog.name,
  payableId: id,
  payableNo: rechargeNo!,
  shopId,
  channel: payType!,
  transactionNo,
  payTime: payTime!,
  paid: amount!,
})

import { payOrder } from '#domains/sales/orders/api.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { requireUnusedTransactionNo } from '#domains/money/payment-channels/api.ts'
import type { Transaction } from '#domains/money/wechat-pay/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition, transition } from '#kit/server/resource/transition.ts'
import { enqueueUnmatchedRefund, enqueueStatusCheck } from './enqueue-attempt.ts'
import { cancelAttempt, lockOpenAttempts, type PaymentAttempt } from './create-attempt.ts'
import { UNMATCHED_REFUND_STATE, PAYMENT_ATTEMPT_STATE, WECHAT_PAY_MODE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'

export const PAYMENT_ATTEMPT_NOTES = {
  paidTwice: defineSystemText({
    zh: '订单已由另一笔付款付清，这一笔自动退款',
    en: 'The order was paid by another payment. This one is refunded automatically.',
  }),
  paidLate: defineSystemText({
    zh: '付款到达时订单已取消，这一笔自动退款',
    en: 'The order was already canceled when the payment arrived. It is refunded automatically.',
  }),
  otherAmount: defineSystemText({
    zh: '付款金额与订单不符，这一笔自动退款',
    en: 'The payment does not match the order amount. It is refunded automatically.',
  }),
  neverThere: defineSystemText({
    zh: '请求没有到达微信支付，顾客没有付款，可以重新收款',
    en: 'The request did not reach WeChat Pay and the customer did not pay. You can collect again.',
  }),
  elsewhere: defineSystemText({
    zh: '这笔付款已记在别处（另一张订单、充值或已退回），请核对',
    en: 'This payment is recorded elsewhere (another order, a top-up or a refund). Check it.',
  }),
  customerFailed: defineSystemText({
    zh: '顾客支付失败，可以重新收款',
    en: 'The payment failed. You can collect again.',
  }),
  password: defineSystemText({ zh: '顾客正在输入密码', en: 'The customer is entering the password' }),
}

/**
 * Time of the next status query: after 5 seconds for a code at a register, where somebody waits; else after 15 seconds,
 * or 60 once the payment is two minutes old.
 */
const nextCheckAtOf = ({ way, askedTime }: PaymentAttempt, now: Date): Date => {
  const age = now.getTime() - new Date(`${askedTime!.replace(' ', 'T')}+08:00`).getTime()
  const seconds = way === WECHAT_PAY_MODE.codepay ? 5 : age < 120_000 ? 15 : 60
  return new Date(now.getTime() + seconds * 1000)
}

/**
 * Schedules the next status query of an unresolved payment. With a `note` it also becomes `paying`, unless it is being
 * closed.
 */
export async function scheduleStatusCheck(db: Db, services: Services, id: string, note: string | null): Promise<void> {
  const row = await db.get(payAttempt, id, 'forUpdate')
  if (
    !row ||
    !(
      row.state === PAYMENT_ATTEMPT_STATE.sent ||
      row.state === PAYMENT_ATTEMPT_STATE.paying ||
      row.state === PAYMENT_ATTEMPT_STATE.closing
    )
  )
    return
  const at = nextCheckAtOf(row, services.now())
  const askTime = formatShanghaiTime(at)
  if (row.state === PAYMENT_ATTEMPT_STATE.closing || note === null)
    publishRowsChanged({ db }, payAttempt, [await db.update(payAttempt, id, { askTime })])
  else await transition(db, payAttempt, id, 'follow', { askTime, note })
  await enqueueStatusCheck(db, id, at)
}

/** Why an order does not accept a payment; undefined when it does. */
function mismatchReason({ status, payAmount }: { status: number | null; payAmount: number | null }, total: number) {
  if (status === ORDER_STATE.cancelled) return PAYMENT_ATTEMPT_NOTES.paidLate
  if (status !== ORDER_STATE.toPay) return PAYMENT_ATTEMPT_NOTES.paidTwice
  return total === payAmount ? undefined : PAYMENT_ATTEMPT_NOTES.otherAmount
}

/**
 * Handles a successful payment: marks the order paid once, or refunds the money once and notes the reason. Locks the
 * order before its payments, as `findOrCreatePaymentAttempt` does.
 */
async function applyPaid(db: Db, services: Services, id: string, transaction: Transaction): Promise<void> {
  const known = (await db.get(payAttempt, id))!
  const order = (await db.get(shoppingOrder, known.orderId!, 'forUpdate'))!
  const row = (await db.get(payAttempt, id, 'forUpdate'))!
  if (row.state === PAYMENT_ATTEMPT_STATE.paid) return
  const now = services.now()
  const transactionNo = transaction.transaction_id!
  const paidTime = formatShanghaiTime(transaction.success_time ? new Date(transaction.success_time) : now)
  const total = transaction.amount?.total ?? row.amount!
  const isItsOwn = order.transactionNo === transactionNo
  const why = isItsOwn ? undefined : mismatchReason(order, total)
  const paid = {
    transactionNo,
    paidTime,
    askTime: null,
    amount: total,
    note: why ?? null,
  }
  if (why) {
    // Refuses when a sale, a recharge or a reconciliation already uses the number: then nothing is refunded.
    await requireUnusedTransactionNo(db, 'wechat', transactionNo)
    const back = { backNo: `B${row.payNo}`, backState: UNMATCHED_REFUND_STATE.asked }
    await requireTransition({ db }, payAttempt, id, 'pay', { ...paid, ...back })
    return enqueueUnmatchedRefund(db, id)
  }
  await requireTransition({ db }, payAttempt, id, 'pay', paid)
  if (isItsOwn) return
  await payOrder(db, order.id, { payType: 'wechat', payTime: paidTime, transactionNo }, now)
  for (const other of await lockOpenAttempts(db, order.id))
    if (other.state !== PAYMENT_ATTEMPT_STATE.closing) await cancelAttempt(db, other)
}

/** Applies WeChat Pay's state of a payment to its row and its order. Repeated and late messages change nothing more. */
export async function applyTransaction(
  services: Services,
  tenantId: string,
  id: string,
  transaction: Transaction,
): Promise<void> {
  try {
    await takeIn(services, tenantId, id, transaction)
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'transaction_used') throw error
    // The number paid for something else meanwhile, or is refunded already: no automatic refund.
    const paid = {
      transactionNo: transaction.transaction_id!,
      askTime: null,
      note: PAYMENT_ATTEMPT_NOTES.elsewhere,
    }
    await services.unit({ tenantId }, (db) => transition(db, payAttempt, id, 'pay', paid))
  }
}

const takeIn = (services: Services, tenantId: string, id: string, transaction: Transaction): Promise<void> =>
  services.unit({ tenantId }, async (db) => {
    switch (transaction.trade_state) {
      case 'SUCCESS':
      case 'REFUND':
        return applyPaid(db, services, id, transaction)
      case 'USERPAYING':
        return scheduleStatusCheck(db, services, id, PAYMENT_ATTEMPT_NOTES.password)
      case 'NOTPAY':
        return scheduleStatusCheck(db, services, id, '')
      case 'PAYERROR':
        return void (await transition(db, payAttempt, id, 'refuse', {
          note: PAYMENT_ATTEMPT_NOTES.customerFailed,
          askTime: null,
        }))
      case 'CLOSED':
      case 'REVOKED':
        return void (await transition(db, payAttempt, id, 'finishClosing', { note: null, askTime: null }))
    }
  })

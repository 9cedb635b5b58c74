import type { MoneyMoveResult } from '#domains/money/payment-channels/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { requestMoneyMove, type RefundRedirectTarget } from '#domains/money/payment-channels/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { REFUND_STATE, REFUND_REDIRECT_TARGET } from './dictionaries.ts'
import { enqueueRefund, publishRefund, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

export const REFUND_REDIRECT_MOVE = 'redirect'

const SUBMITTED = defineSystemText({
  zh: '已向微信支付提交改退，还没确认到账',
  en: 'Submitted to WeChat Pay and awaiting confirmation.',
})

type Target = { target: string; bankType: string | null; bankAccount: string | null; realName: string | null }

/** The complete new target: the customer's other card (bank, number, name), or the merchant's account. */
function targetOf({ target, bankType, bankAccount, realName }: Target): RefundRedirectTarget {
  if (target === REFUND_REDIRECT_TARGET.merchant) return { type: 'MERCHANT_BANK_CARD' }
  return { type: 'USER_BANK_CARD', bankType: bankType!, bankAccount: bankAccount!, realName: realName! }
}

/**
 * Requests that a refund goes to another account because the customer's card is closed. Above a limit a second person
 * must approve.
 */
export const requestRefundRedirect = async (
  refund: Refund,
  given: Target,
  call: Call,
): Promise<MoneyMoveResult | void> =>
  requestMoneyMove(call, {
    kind: REFUND_REDIRECT_MOVE,
    subjectKey: refund.id,
    subjectNo: refund.refundNo!,
    orderId: refund.orderId,
    shopId: refund.shopId,
    amount: refund.amount!,
    ask: targetOf(given),
  })

/** Writes where a refund that cannot arrive is sent, sealed, and has the job that sends refunds ask for it. */
export async function executeRefundRedirect(
  { db, services }: Pick<Call, 'db' | 'services'>,
  refundId: string,
  to: RefundRedirectTarget,
): Promise<MoneyMoveResult> {
  const refund = await db.get(refunds, refundId, 'forUpdate')
  if (!refund || refund.status !== REFUND_STATE.processing || !refund.isAbnormal)
    throw new Refused('refund_not_abnormal', { refundNo: refund?.refundNo ?? '' })
  const sealed = secretCipherOf(services).seal(JSON.stringify(to))
  await db.run(sql`update refund_payment set redirect_to = ${sealed}, ask_time = null, is_abnormal = false
    where tenant_id = ${db.tenantId} and refund_id = ${refundId} and state = 'sent' and is_abnormal`)
  publishRefund(db, await db.update(refunds, refundId, { isAbnormal: false, channelNote: SUBMITTED }))
  await enqueueRefund(db, refundId)
  return { id: refundId }
}

/** Whether a part of a refund cannot arrive; shown with the refund. */
export const hasAbnormalRefundPart = async (db: Db, refundId: string): Promise<boolean> =>
  (await db.one(sql`select 1 from refund_payment where tenant_id = ${db.tenantId} and refund_id = ${refundId}
    and state = 'sent' and is_abnormal`)) !== undefined

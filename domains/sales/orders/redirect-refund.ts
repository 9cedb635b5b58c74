import { secretCipherOf } from '#domains/platform/files/api.ts'
import { requestMoneyMove, type RefundRedirectTarget } from '#domains/money/payment-channels/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { Call } from '#kit/server/module.ts'
import { defineSystemText } from '#kit/server/system-words.ts'
import { REFUND_STATE, REFUND_REDIRECT_TARGET } from './dictionaries.ts'
import { enqueueRefundCheck, publishRefund, type Refund } from './refund.ts'
import { refunds } from './refunds.resource.ts'

export const REFUND_REDIRECT_MOVE = 'redirect'

const ASKED = defineSystemText({
  zh: '已向微信支付提交改退，还没确认到账',
  en: 'Submitted to WeChat Pay and awaiting confirmation.',
})

type Target = { target: string; bankType: string | null; bankAccount: string | null; realName: string | null }

/** Where it is to go, whole: to the customer's other card with its bank, number and name, or to the merchant. */
function targetOf({ target, bankType, bankAccount, realName }: Target): RefundRedirectTarget {
  if (target === REFUND_REDIRECT_TARGET.merchant) return { type: 'MERCHANT_BANK_CARD' }
  return { type: 'USER_BANK_CARD', bankType: bankType!, bankAccount: bankAccount!, realName: realName! }
}

/** The customer's card is closed: a person says where the refund goes, alone or with a second one, by its amount. */
export const requestRefundRedirect = async (refund: Refund, given: Target, call: Call): Promise<unknown> =>
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
): Promise<unknown> {
  const refund = await db.get(refunds, refundId, 'forUpdate')
  if (!refund || refund.status !== REFUND_STATE.processing || !refund.isAbnormal)
    throw new Refused('refund_not_abnormal', { refundNo: refund?.refundNo ?? '' })
  const sealed = secretCipherOf(services).seal(JSON.stringify(to))
  await db.run(sql`update refund_payment set redirect_to = ${sealed}, ask_time = null, is_abnormal = false
    where tenant_id = ${db.tenantId} and refund_id = ${refundId} and state = 'sent' and is_abnormal`)
  publishRefund(db, await db.update(refunds, refundId, { isAbnormal: false, channelNote: ASKED }))
  await enqueueRefundCheck(db, refundId, services.now())
  return { id: refundId }
}

/** What of a refund's parts is abnormal now stands on the refund, where people see it. */
export const hasAbnormalRefundPart = async (db: Db, refundId: string): Promise<boolean> =>
  (await db.one(sql`select 1 from refund_payment where tenant_id = ${db.tenantId} and refund_id = ${refundId}
    and state = 'sent' and is_abnormal`)) !== undefined

import { VendorError } from '#domains/platform/external-apis/api.ts'
import { refundNoAfter } from '#domains/money/payment-channels/api.ts'
import type { RefundState, WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  callRowsOf,
  defineOutboundCall,
  type OutboundAnswer,
  type OutboundContext,
  type PreparedCall,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { enqueueUnmatchedRefund, UNMATCHED_REFUND_QUEUE } from './enqueue-attempt.ts'
import type { PaymentAttempt } from './create-attempt.ts'
import { UNMATCHED_REFUND_STATE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { findPaymentAccount } from './send.ts'

const WORDS = {
  processing: defineSystemText({
    zh: '已向微信支付提交退款，还没确认到账',
    en: 'Submitted to WeChat Pay and awaiting confirmation.',
  }),
  abnormal: defineSystemText({
    zh: '顾客的银行卡已注销或冻结，请在微信支付商户平台改退到其他账户，结果会自动更新',
    en:
      'The bank card of the customer is closed or frozen. Refund to another account in the WeChat Pay ' +
      'merchant platform. The result is updated automatically.',
  }),
  closed: defineSystemText({
    zh: '微信支付已关闭这笔退回，可以重新退回',
    en: 'WeChat Pay closed this refund. You can retry it.',
  }),
}
/** Milliseconds until a refund is tried again while the account it was paid with is not available. */
const ACCOUNT_AGAIN_MS = 300_000

type Refund = OutboundContext<PaymentAttempt, WechatPay>

async function prepare(
  db: Db,
  row: PaymentAttempt,
  services: Services,
): Promise<PreparedCall<PaymentAttempt, WechatPay>> {
  const account = await findPaymentAccount(db, services, row)
  return account ? { work: account.pay } : { runAt: new Date(services.now().getTime() + ACCOUNT_AGAIN_MS) }
}

function answerOfState({ backNo }: PaymentAttempt, { status }: RefundState): OutboundAnswer<PaymentAttempt> {
  if (status === 'SUCCESS') return { outcome: 'done' }
  // The number is used up, so a retry takes another.
  if (status === 'CLOSED')
    return { outcome: 'failed', patch: { backNote: WORDS.closed, backNo: refundNoAfter(backNo!) } }
  return { outcome: 'accepted', patch: { backNote: status === 'ABNORMAL' ? WORDS.abnormal : WORDS.processing } }
}

async function requestRefund({ row, work: pay }: Refund): Promise<OutboundAnswer<PaymentAttempt>> {
  const { subMchid, transactionNo, backNo, note, amount } = row
  const state = await pay.refund({
    sub_mchid: subMchid!,
    transaction_id: transactionNo!,
    out_refund_no: backNo!,
    reason: note ?? undefined,
    amount: { refund: amount!, total: amount!, currency: 'CNY' },
  })
  return answerOfState(row, state)
}

async function findRefund({ row, work: pay }: Refund): Promise<OutboundAnswer<PaymentAttempt> | undefined> {
  try {
    return answerOfState(row, await pay.refunded(row.subMchid!, row.backNo!))
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/** Refunds of payments that no order accepted. */
export const unmatchedRefundCall = defineOutboundCall<PaymentAttempt, WechatPay>({
  queue: UNMATCHED_REFUND_QUEUE,
  sweep: {
    queue: 'pay.back.sweep',
    cron: '25 * * * *',
    crossTenantReason: 'refunds of payments no order took, of all tenants, that stopped on their way',
  },
  rows: callRowsOf(payAttempt, 'backState'),
  fields: { state: 'backState', reason: 'backNote', doneTime: 'backTime' },
  states: {
    queued: UNMATCHED_REFUND_STATE.asked,
    sent: UNMATCHED_REFUND_STATE.sent,
    done: UNMATCHED_REFUND_STATE.done,
    failed: UNMATCHED_REFUND_STATE.failed,
  },
  prepare,
  send: requestRefund,
  find: findRefund,
  keyOf: ({ backNo }) => backNo,
  checkAfterS: [60],
  explain: (error, end) =>
    end === 'refused' && error instanceof VendorError
      ? { backNote: `${error.message} (${error.code})`.slice(0, 500) }
      : {},
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
})

/** Webhook of WeChat Pay: queries the refund at once. */
export async function checkUnmatchedRefundNow(db: Db, outNo: string): Promise<void> {
  const [row] = await db.find(payAttempt, sql`r.back_no = ${outNo} and r.back_state = ${UNMATCHED_REFUND_STATE.sent}`)
  if (row) await enqueueUnmatchedRefund(db, row.id)
}

import { VendorError } from '#domains/platform/external-apis/api.ts'
import { refundNoAfter } from '#domains/money/payment-channels/api.ts'
import type { RefundState, WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { enqueueUnmatchedRefund, UNMATCHED_REFUND_QUEUE } from './enqueue-attempt.ts'
import type { PaymentAttempt } from './create-attempt.ts'
import { UNMATCHED_REFUND_STATE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { loadPaymentAccount } from './send.ts'

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
const ASK_AFTER_S = 60

/**
 * Marks the refund as sent before the call, so that after a crash it is queried first. `isAgain` if it was sent before.
 */
const markSent = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(payAttempt, id, 'forUpdate')
    if (!row || (row.backState !== UNMATCHED_REFUND_STATE.asked && row.backState !== UNMATCHED_REFUND_STATE.sent))
      return undefined
    const isAgain = row.backState === UNMATCHED_REFUND_STATE.sent
    if (!isAgain)
      publishRowsChanged({ db }, payAttempt, [
        await db.update(payAttempt, id, { backState: UNMATCHED_REFUND_STATE.sent }),
      ])
    return { row, isAgain }
  })

async function queryUnmatchedRefund(
  pay: WechatPay,
  { subMchid, backNo }: PaymentAttempt,
): Promise<RefundState | undefined> {
  try {
    return await pay.refunded(subMchid!, backNo!)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

async function applyRefundStatus(
  db: Db,
  services: Services,
  row: PaymentAttempt,
  status: RefundState['status'],
): Promise<void> {
  const now = await db.get(payAttempt, row.id, 'forUpdate')
  if (now?.backState !== UNMATCHED_REFUND_STATE.sent || now.backNo !== row.backNo) return
  const to = {
    SUCCESS: { backState: UNMATCHED_REFUND_STATE.done, backNote: null, backTime: formatShanghaiTime(services.now()) },
    CLOSED: { backState: UNMATCHED_REFUND_STATE.failed, backNote: WORDS.closed, backNo: refundNoAfter(row.backNo!) },
    PROCESSING: { backNote: WORDS.processing },
    ABNORMAL: { backNote: WORDS.abnormal },
  }[status]
  publishRowsChanged({ db }, payAttempt, [await db.update(payAttempt, row.id, to)])
  const later = new Date(services.now().getTime() + ASK_AFTER_S * 1000)
  if (!('backState' in to)) await enqueueUnmatchedRefund(db, row.id, later)
}

/** Refunds a payment no order accepted: sends it once under its own number, then queries it until it has ended. */
export const sendUnmatchedRefundJob = defineModuleJob<{ id: string }>({
  queue: UNMATCHED_REFUND_QUEUE,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const held = await markSent(services, tenantId, id)
    if (!held) return
    const { row, isAgain } = held
    const account = await loadPaymentAccount(services, row)
    if (!account) throw new Error('the account this payment was taken with is away')
    const { pay } = account
    try {
      const { status } =
        (isAgain ? await queryUnmatchedRefund(pay, row) : undefined) ??
        (await pay.refund({
          sub_mchid: row.subMchid!,
          transaction_id: row.transactionNo!,
          out_refund_no: row.backNo!,
          reason: row.note ?? undefined,
          amount: { refund: row.amount!, total: row.amount!, currency: 'CNY' },
        }))
      await services.unit({ tenantId }, (db) => applyRefundStatus(db, services, row, status))
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
      const backNote = `${error.message} (${error.code})`.slice(0, 500)
      await services.unit({ tenantId }, async (db) => {
        // If another run has recorded the result meanwhile, that stays.
        const now = await db.get(payAttempt, id, 'forUpdate')
        if (now?.backState !== UNMATCHED_REFUND_STATE.sent || now.backNo !== row.backNo) return
        const failed = await db.update(payAttempt, id, { backState: UNMATCHED_REFUND_STATE.failed, backNote })
        publishRowsChanged({ db }, payAttempt, [failed])
      })
    }
  },
})

/** Webhook of WeChat Pay: queries the refund at once. */
export async function checkUnmatchedRefundNow(db: Db, outNo: string): Promise<void> {
  const [row] = await db.find(payAttempt, sql`r.back_no = ${outNo} and r.back_state = ${UNMATCHED_REFUND_STATE.sent}`)
  if (row) await db.enqueue(UNMATCHED_REFUND_QUEUE, { id: row.id }, { key: `${row.id}/heard` })
}

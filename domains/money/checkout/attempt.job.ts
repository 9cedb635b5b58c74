import { VendorError, type WebhookHandler } from '#domains/platform/external-apis/api.ts'
import type { Transaction, WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { defineRequeueJob } from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { paymentAttemptQueue, enqueueStatusCheck, enqueueStatusCheckNow } from './enqueue-attempt.ts'
import type { PaymentAttempt } from './create-attempt.ts'
import {
  PAYMENT_ATTEMPT_STATE,
  UNRESOLVED_PAYMENT_STATES,
  WECHAT_PAY_MODE,
  type PaymentAttemptState,
} from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { loadPaymentAccount, sendAttempt } from './send.ts'
import { scheduleStatusCheck, PAYMENT_ATTEMPT_NOTES, applyTransaction } from './attempt-transitions.ts'

/** Time for the customer to enter the password, in ms; afterwards the payment is reversed. */
const PASSWORD_MS = 45_000
/** Longer than a request takes, in ms: a payment WeChat Pay does not know by then never arrived. */
const REQUEST_LOST_MS = 30_000

const isOpen = ({ state }: PaymentAttempt) => UNRESOLVED_PAYMENT_STATES.includes(state as PaymentAttemptState)
const ageOf = ({ askedTime }: PaymentAttempt, now: Date) => now.getTime() - parseShanghaiTime(askedTime!).getTime()

/** Whether the payment must be ended unless it has been paid: it is being closed, or its time is up. */
function isOver(row: PaymentAttempt, now: Date): boolean {
  if (row.state === PAYMENT_ATTEMPT_STATE.closing) return true
  if (row.way === WECHAT_PAY_MODE.codepay) return ageOf(row, now) > PASSWORD_MS
  return row.deadline !== null && parseShanghaiTime(row.deadline) < now
}

/** Queries the payment at WeChat Pay; undefined when its number is unknown there. */
async function queryTransaction(pay: WechatPay, { subMchid, payNo }: PaymentAttempt): Promise<Transaction | undefined> {
  try {
    return await pay.paid(subMchid!, payNo!)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/**
 * Handles a payment WeChat Pay does not know: sends it again under the same number, or ends it when it is too late. A
 * code is not sent again, as it is not stored.
 */
async function handleUnknownPayment(services: Services, row: PaymentAttempt): Promise<void> {
  const { tenantId, id } = row
  const now = services.now()
  const isLate = ageOf(row, now) > REQUEST_LOST_MS
  if (row.way !== WECHAT_PAY_MODE.codepay && !isOver(row, now)) await sendAttempt(services, row)
  await services.unit({ tenantId }, async (db) => {
    if (isLate && isOver(row, now))
      return void (await transition(db, payAttempt, id, 'finishClosing', { askTime: null }))
    if (isLate && row.way === WECHAT_PAY_MODE.codepay)
      return void (await transition(db, payAttempt, id, 'refuse', {
        note: PAYMENT_ATTEMPT_NOTES.neverThere,
        askTime: null,
      }))
    return scheduleStatusCheck(db, services, id, null)
  })
}

/** Closes or reverses the payment at WeChat Pay, then queries it, as it may have been paid in that moment. */
async function end(services: Services, pay: WechatPay, row: PaymentAttempt): Promise<void> {
  const { tenantId, id, way, subMchid, payNo } = row
  await services.unit({ tenantId }, (db) => transition(db, payAttempt, id, 'expire'))
  try {
    await (way === WECHAT_PAY_MODE.codepay ? pay.reverse(subMchid!, payNo!) : pay.close(subMchid!, payNo!))
  } catch (error) {
    // It was paid meanwhile or already closed: the query below decides.
    if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
  }
  const transaction = await queryTransaction(pay, row)
  if (transaction) await applyTransaction(services, tenantId, id, transaction)
}

/** Lease in ms, longer than one run takes, so that two jobs never handle the payment at once. */
const TURN_MS = 40_000

/** Claims the payment for this run. Undefined when it is paid or not due yet; then a job is queued for its due time. */
async function takeTurn(db: Db, id: string, now: Date): Promise<PaymentAttempt | undefined> {
  const row = await db.get(payAttempt, id, 'forUpdate')
  if (!row || row.state === PAYMENT_ATTEMPT_STATE.paid) return undefined
  if (row.askTime && parseShanghaiTime(row.askTime) > now) {
    await enqueueStatusCheck(db, id, parseShanghaiTime(row.askTime))
    return undefined
  }
  if (isOpen(row)) await db.update(payAttempt, id, { askTime: formatShanghaiTime(new Date(now.getTime() + TURN_MS)) })
  return row
}

/** Queries an unresolved payment, ends it when its time is up, and applies a late success. */
export const checkPaymentAttemptJob = defineModuleJob({
  queue: paymentAttemptQueue,
  concurrency: 8,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(5 * 2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const row = await services.unit({ tenantId }, (db) => takeTurn(db, id, services.now()))
    if (!row) return
    const held = await loadPaymentAccount(services, row)
    if (!held) {
      if (isOpen(row)) await services.unit({ tenantId }, (db) => scheduleStatusCheck(db, services, id, null))
      return
    }
    const transaction = await queryTransaction(held.pay, row)
    const isUnpaid = transaction?.trade_state === 'NOTPAY' || transaction?.trade_state === 'USERPAYING'
    if (!transaction) {
      if (isOpen(row)) await handleUnknownPayment(services, row)
    } else if (isUnpaid && isOpen(row) && isOver(row, services.now())) await end(services, held.pay, row)
    else await applyTransaction(services, tenantId, id, transaction)
  },
})

/** Queues unresolved payments again that have no job. */
export const requeuePaymentAttemptsJob = defineRequeueJob({
  queue: paymentAttemptQueue.name,
  openSql: () =>
    sql`select id, tenant_id from pay_attempt where state = any(${[...UNRESOLVED_PAYMENT_STATES]}::text[])`,
  sweep: {
    queue: 'pay.attempt.sweep',
    cron: '* * * * *',
    crossTenantReason: 'payments of all tenants that nobody asks about any more',
  },
})

/** Webhook of WeChat Pay: queries the payment at once, even one that had ended. */
export const handleWechatPaymentEvent: WebhookHandler =
  async ({ subject }) =>
  async (db) => {
    const [row] = await db.find(payAttempt, sql`r.pay_no = ${subject}`)
    if (row && row.state !== PAYMENT_ATTEMPT_STATE.paid) await enqueueStatusCheckNow(db, row.id)
  }

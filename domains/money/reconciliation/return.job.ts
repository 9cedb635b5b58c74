import { VendorError } from '#domains/platform/external-apis/api.ts'
import { refundNoAfter } from '#domains/money/payment-channels/api.ts'
import { findWechatAccount, createWechatPay, type RefundState, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { enqueueComparison } from './compare.job.ts'
import { STATEMENT_DIFFERENCE_STATE } from './dictionaries.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'

const QUEUE = 'tally.back'
const ATTEMPTS_MAX = 100
const REASON = '重复或无订单的付款，原路退回'
const ASK_AFTER_S = [60, 300, 900, 3600]

const WAITS = defineSystemText({
  zh: '已提交微信支付退款，还没确认',
  en: 'Refund submitted to WeChat Pay and awaiting confirmation',
})
const ARRIVED = defineSystemText({ zh: '微信支付确认已退款', en: 'WeChat Pay confirmed the refund' })

type Back = {
  id: string
  differenceId: string
  subMchid: string
  transactionNo: string
  outNo: string
  paid: number
  attempts: number
  state: string
}

const CLOSED = defineSystemText({
  zh: '微信支付已关闭这笔退款，可以再次处理',
  en: 'WeChat Pay closed this refund. You can resolve it again.',
})

export const enqueueMoneyReturn = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(
    QUEUE,
    { id },
    { key: runAt ? `${id}/${runAt.getTime()}` : id, maxAttempts: ATTEMPTS_MAX, ...(runAt && { runAt }) },
  )

/** Marks a return as sent before the call, so that after a crash it is queried first. */
const markSent = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const back = await db.one<Back>(
      sql`select b.id, b.difference_id, coalesce(b.sub_mchid, m.sub_mchid) as sub_mchid, b.transaction_no,
        b.out_no, b.paid, b.attempts, b.state
        from tally_back b join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id
        where b.tenant_id = ${tenantId} and b.id = ${id} and b.state in ('asked', 'sent') for update of b`,
    )
    const account = await findWechatAccount(services, db)
    if (!back || !account || !back.subMchid) return undefined
    await db.run(sql`update tally_back set state = 'sent', attempts = attempts + 1 where tenant_id = ${tenantId}
      and id = ${id}`)
    return { back, account }
  })

async function queryMoneyReturn(pay: WechatPay, { subMchid, outNo, state }: Back): Promise<RefundState | undefined> {
  if (state === 'asked') return undefined
  try {
    return await pay.refunded(subMchid, outNo)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

const sendReturn = (pay: WechatPay, { subMchid, transactionNo, outNo, paid }: Back): Promise<RefundState> =>
  pay.refund({
    sub_mchid: subMchid,
    transaction_id: transactionNo,
    out_refund_no: outNo,
    reason: REASON,
    amount: { refund: paid, total: paid, currency: 'CNY' },
  })

/**
 * Locks the difference, then its return, in the same order as resolving it. Undefined if the return's number has
 * changed.
 */
async function lockBack(db: Db, { id, differenceId, outNo }: Back) {
  const difference = await db.get(reconciliationDifference, differenceId, 'forUpdate')
  const now = await db.one<{ state: string; refundThere: string | null }>(
    sql`select state, refund_there from tally_back where tenant_id = ${db.tenantId} and id = ${id}
      and out_no = ${outNo} for update`,
  )
  return difference && now && { difference, ...now }
}

/** Applies WeChat Pay's state of a return; it takes precedence over a refusal recorded meanwhile. */
async function applyReturnState(
  services: Services,
  db: Db,
  back: Back,
  { status, refund_id }: RefundState,
): Promise<void> {
  const held = await lockBack(db, back)
  if (!held || held.state === 'done') return
  if (status === 'CLOSED') return openAgain(db, back, CLOSED, refundNoAfter(back.outNo))
  const now = services.now()
  const isDone = status === 'SUCCESS'
  await db.run(sql`update tally_back set state = ${isDone ? 'done' : 'sent'}, refund_there = ${refund_id},
    done_time = ${isDone ? now : null}, last_error = null where tenant_id = ${db.tenantId} and id = ${back.id}`)
  const { id, dayId, state } = held.difference
  const patch = { remark: isDone ? ARRIVED : WAITS }
  if (state === STATEMENT_DIFFERENCE_STATE.open) await transition(db, reconciliationDifference, id, 'request', patch)
  else await db.update(reconciliationDifference, id, patch)
  if (isDone) return enqueueComparison(services, db, dayId!, false)
  const seconds = ASK_AFTER_S[back.attempts] ?? ASK_AFTER_S.at(-1)!
  return enqueueMoneyReturn(db, back.id, new Date(now.getTime() + seconds * 1000))
}

/** Records a refusal, unless another run has been accepted, which shows in WeChat Pay's own number. */
async function refuse(db: Db, back: Back, why: string): Promise<void> {
  const held = await lockBack(db, back)
  if (held?.state === 'sent' && !held.refundThere) await openAgain(db, back, why, back.outNo)
}

/** Marks the return as failed and reopens the difference with the platform's message. The row stays for a retry. */
async function openAgain(db: Db, { id, differenceId }: Back, why: string, outNo: string): Promise<void> {
  await db.run(sql`update tally_back set state = 'failed', out_no = ${outNo}, refund_there = null,
    last_error = ${why.slice(0, 300)} where tenant_id = ${db.tenantId} and id = ${id}`)
  await transition(db, reconciliationDifference, differenceId, 'reopen', { remark: why.slice(0, 300) })
}

/** Returns money that belongs to nothing here the way it came, and queries it until it has arrived. Can be repeated. */
export const sendMoneyReturnJob = defineModuleJob<{ id: string }>({
  queue: QUEUE,
  concurrency: 2,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const held = await markSent(services, tenantId, id)
    if (!held) return
    const { back, account } = held
    const pay = createWechatPay(services, account)
    const within = (work: (db: Db) => Promise<void>) => services.unit({ tenantId }, work)
    try {
      const state = (await queryMoneyReturn(pay, back)) ?? (await sendReturn(pay, back))
      await within((db) => applyReturnState(services, db, back, state))
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
      await within((db) => refuse(db, back, `${error.message} (${error.code})`))
    }
  },
})

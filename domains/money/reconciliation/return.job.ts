import { VendorError } from '#domains/platform/external-apis/api.ts'
import { refundNoAfter } from '#domains/money/payment-channels/api.ts'
import { findWechatAccount, createWechatPay, type RefundState, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  assignmentsSql,
  defineOutboundCall,
  enqueuerOfRows,
  type CallRows,
  type OutboundAnswer,
  type OutboundContext,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { enqueueComparison } from './compare.job.ts'
import { STATEMENT_DIFFERENCE_STATE } from './dictionaries.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'

const QUEUE = 'tally.back'
const REASON = '重复或无订单的付款，原路退回'
const ERROR_MAX = 300

const WAITS = defineSystemText({
  zh: '已提交微信支付退款，还没确认',
  en: 'Refund submitted to WeChat Pay and awaiting confirmation',
})
const ARRIVED = defineSystemText({ zh: '微信支付确认已退款', en: 'WeChat Pay confirmed the refund' })

const CLOSED = defineSystemText({
  zh: '微信支付已关闭这笔退款，可以再次处理',
  en: 'WeChat Pay closed this refund. You can resolve it again.',
})

/** A return with the state and the remark of the difference it resolves, which are written together. */
type MoneyReturn = {
  id: string
  differenceId: string
  subMchid: string | null
  transactionNo: string
  outNo: string
  paid: number
  attempts: number
  state: string
  refundThere: string | null
  lastError: string | null
  doneTime: string | null
  dayId: string | null
  differenceState: string
  remark: string | null
}
type ReturnCall = OutboundContext<MoneyReturn, WechatPay>

/** Queues sending a return, or asking what became of it, with the commit. */
export const enqueueMoneyReturn = enqueuerOfRows(QUEUE)

const moneyReturnRows: CallRows<MoneyReturn> = {
  name: 'tally_back',
  /** Locks the difference, then its return, in the same order as resolving it. */
  async lock(db, id) {
    const known = await db.one<{ differenceId: string }>(
      sql`select difference_id from tally_back where tenant_id = ${db.tenantId} and id = ${id}`,
    )
    const difference = known && (await db.get(reconciliationDifference, known.differenceId, 'forUpdate'))
    if (!difference) return undefined
    const back = await db.one<Omit<MoneyReturn, 'dayId' | 'differenceState' | 'remark'>>(
      sql`select b.id, b.difference_id, coalesce(b.sub_mchid, m.sub_mchid) as sub_mchid, b.transaction_no, b.out_no,
        b.paid, b.attempts, b.state, b.refund_there, b.last_error, b.done_time
        from tally_back b join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id
        where b.tenant_id = ${db.tenantId} and b.id = ${id} and b.difference_id = ${difference.id} for update of b`,
    )
    const { dayId, state: differenceState, remark } = difference
    return back && { ...back, dayId, differenceState: differenceState!, remark }
  },
  async update(db, row, patch) {
    const { differenceState, remark, ...own } = patch
    await db.run(sql`update tally_back set ${assignmentsSql(own)} where tenant_id = ${db.tenantId} and id = ${row.id}`)
    const more = remark === undefined ? {} : { remark }
    if (differenceState !== undefined) {
      const move = differenceState === STATEMENT_DIFFERENCE_STATE.open ? 'reopen' : 'request'
      await transition(db, reconciliationDifference, row.differenceId, move, more)
    } else if (remark !== undefined) await db.update(reconciliationDifference, row.differenceId, more)
    return { ...row, ...patch }
  },
  inStatesSql: (states) => sql`select id, tenant_id from tally_back where state = any(${[...states]}::text[])`,
}

/** Finds the account; without it, or the number that has the money, the return waits. */
async function prepare(
  db: Db,
  { subMchid }: MoneyReturn,
  services: Services,
): Promise<{ work: WechatPay } | undefined> {
  const account = await findWechatAccount(services, db)
  return account && subMchid ? { work: createWechatPay(services, account) } : undefined
}

/** What a refusal leaves: the difference is open again with the platform's message, and the row stays for a retry. */
const openAgain = (why: string): Partial<MoneyReturn> => ({
  lastError: why.slice(0, ERROR_MAX),
  refundThere: null,
  differenceState: STATEMENT_DIFFERENCE_STATE.open,
  remark: why.slice(0, ERROR_MAX),
})

function answerOfState(row: MoneyReturn, { status, refund_id }: RefundState): OutboundAnswer<MoneyReturn> {
  if (status === 'CLOSED')
    return { outcome: 'failed', patch: { ...openAgain(CLOSED), outNo: refundNoAfter(row.outNo) } }
  const isOpen = row.differenceState === STATEMENT_DIFFERENCE_STATE.open
  const patch = {
    refundThere: refund_id,
    lastError: null,
    ...(isOpen && { differenceState: STATEMENT_DIFFERENCE_STATE.asked }),
  }
  return status === 'SUCCESS'
    ? { outcome: 'done', patch: { ...patch, remark: ARRIVED } }
    : { outcome: 'accepted', patch: { ...patch, remark: WAITS } }
}

async function requestReturn({ row, work: pay }: ReturnCall): Promise<OutboundAnswer<MoneyReturn>> {
  const state = await pay.refund({
    sub_mchid: row.subMchid!,
    transaction_id: row.transactionNo,
    out_refund_no: row.outNo,
    reason: REASON,
    amount: { refund: row.paid, total: row.paid, currency: 'CNY' },
  })
  return answerOfState(row, state)
}

async function findReturn({ row, work: pay }: ReturnCall): Promise<OutboundAnswer<MoneyReturn> | undefined> {
  try {
    return answerOfState(row, await pay.refunded(row.subMchid!, row.outNo))
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/** Returns of money that belongs to nothing here, the way it came. */
export const moneyReturnCall = defineOutboundCall<MoneyReturn, WechatPay>({
  queue: QUEUE,
  sweep: {
    queue: 'tally.back.sweep',
    cron: '*/10 * * * *',
    crossTenantReason: 'returns of money without an order, of all tenants, that stopped on their way',
  },
  rows: moneyReturnRows,
  fields: { state: 'state', reason: 'lastError', attempts: 'attempts', doneTime: 'doneTime', theirNo: 'refundThere' },
  states: { queued: 'asked', sent: 'sent', done: 'done', failed: 'failed' },
  prepare,
  send: requestReturn,
  find: findReturn,
  keyOf: ({ outNo }) => outNo,
  explain: (error, end) =>
    end === 'refused' && error instanceof VendorError ? openAgain(`${error.message} (${error.code})`) : {},
  ended: async (db, { dayId }, services, { outcome }) => {
    if (outcome === 'done') await enqueueComparison(services, db, dayId!, false)
  },
  concurrency: 2,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
})

import { VendorError } from '#domains/platform/external-apis/api.ts'
import { emitRefundNotification } from '#domains/money/payment-channels/api.ts'
import {
  redact,
  findWechatAccount,
  createWechatPay,
  type ReturnState,
  type ShareState,
  type WechatPay,
} from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  callRowsOf,
  defineOutboundCall,
  OutboundCallError,
  type OutboundAnswer,
  type OutboundContext,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { PROFIT_SHARE_MOVE_KIND, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { parseShares } from './receivers.ts'
import { shareLog } from './share-log.resource.ts'
import { SHARE_MOVE_QUEUE } from './enqueue-share.ts'
import type { ShareRow } from './share-return.ts'
import { findCollectingMerchant } from './wechat-refund.ts'

/** Message prefix when a share comes too early, within a minute of the payment or before settlement: retried later. */
const TOO_EARLY = '订单处理中'
/** Message prefix when nothing is frozen any more: released automatically after a month, or by hand. */
const LET_GO = '订单已完结分账'

/** Progress of a move: whether it has finished, and the cents that arrived. */
type ShareProgress = { isOver: boolean; arrived: number; failReason: string | null; results: unknown }

const ofShare = ({ state, receivers = [] }: ShareState): ShareProgress => {
  const failed = receivers.filter(({ result }) => result === 'CLOSED')
  return {
    isOver: state === 'FINISHED',
    arrived: receivers.filter(({ result }) => result === 'SUCCESS').reduce((sum, one) => sum + one.amount, 0),
    failReason: failed.map(({ account, fail_reason }) => `${account}: ${fail_reason ?? 'CLOSED'}`).join(', ') || null,
    results: receivers.map(({ account, amount, result, fail_reason }) => ({ account, amount, result, fail_reason })),
  }
}
const ofReturn =
  (amount: number) =>
  ({ result, fail_reason }: ReturnState): ShareProgress => ({
    isOver: result !== 'PROCESSING',
    arrived: result === 'SUCCESS' ? amount : 0,
    failReason: result === 'FAILED' ? (fail_reason ?? 'FAILED') : null,
    results: null,
  })

/** How each kind of move is sent and queried. */
const asks: Record<
  keyof typeof PROFIT_SHARE_MOVE_KIND,
  { send: (pay: WechatPay, row: ShareRow, subMchid: string) => Promise<ShareProgress>; look: typeof queryShare }
> = {
  share: {
    look: queryShare,
    send: async (pay, row, subMchid) =>
      ofShare(
        await pay.share({
          sub_mchid: subMchid,
          transaction_id: row.transactionNo!,
          out_order_no: row.outOrderNo!,
          receivers: parseShares(row.receivers).map(({ type, account, name, amount, description }) => ({
            type,
            account,
            name: redact(name),
            amount,
            description: description || row.description,
          })),
          unfreeze_unsplit: false,
        }),
      ),
  },
  unfreeze: {
    look: queryShare,
    send: async (pay, row, subMchid) =>
      ofShare(
        await pay.unfreeze({
          sub_mchid: subMchid,
          transaction_id: row.transactionNo!,
          out_order_no: row.outOrderNo!,
          description: row.description,
        }),
      ),
  },
  return: {
    look: async (pay, row, subMchid) =>
      ofReturn(row.amount!)(await pay.returned(subMchid, row.outOrderNo!, row.ofShareNo!)),
    send: async (pay, row, subMchid) =>
      ofReturn(row.amount!)(
        await pay.returnShare({
          sub_mchid: subMchid,
          out_order_no: row.ofShareNo!,
          out_return_no: row.outOrderNo!,
          return_mchid: parseShares(row.receivers)[0]!.account,
          amount: row.amount!,
          description: row.description,
        }),
      ),
  },
}

async function queryShare(pay: WechatPay, row: ShareRow, subMchid: string): Promise<ShareProgress> {
  return ofShare(await pay.shared(subMchid, row.outOrderNo!, row.transactionNo!))
}

const NOTHING_LEFT: ShareProgress = { isOver: true, arrived: 0, failReason: null, results: null }

const kindOf = (row: ShareRow) => (row.kind ?? PROFIT_SHARE_MOVE_KIND.share) as keyof typeof PROFIT_SHARE_MOVE_KIND

type ShareWork = { pay: WechatPay; subMchid: string }
type ShareMove = OutboundContext<ShareRow, ShareWork>

/** Finds the account and the number that collected the order; without them the move waits. */
async function prepare(db: Db, row: ShareRow, services: Services): Promise<{ work: ShareWork } | undefined> {
  const account = await findWechatAccount(services, db)
  const { subMchid } = await findCollectingMerchant(db, row.orderId, row.transactionNo)
  if (!account || !subMchid || !row.transactionNo) return undefined
  return { work: { pay: createWechatPay(services, account), subMchid } }
}

/** What the progress of a move means for its row. Money that arrived in part counts as done. */
function answerOfProgress({ services, row }: ShareMove, progress: ShareProgress): OutboundAnswer<ShareRow> {
  if (!progress.isOver) return { outcome: 'accepted' }
  const isUnfreeze = kindOf(row) === PROFIT_SHARE_MOVE_KIND.unfreeze
  const arrived = isUnfreeze ? 0 : progress.arrived
  return {
    outcome: isUnfreeze || arrived > 0 ? 'done' : 'failed',
    patch: {
      finishAmount: arrived,
      finishTime: formatShanghaiTime(services.now()),
      failReason: progress.failReason?.slice(0, 500) ?? null,
      results: progress.results,
    },
  }
}

async function sendMove(move: ShareMove): Promise<OutboundAnswer<ShareRow>> {
  const { row, work } = move
  try {
    return answerOfProgress(move, await asks[kindOf(row)].send(work.pay, row, work.subMchid))
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (kindOf(row) === PROFIT_SHARE_MOVE_KIND.unfreeze && error.message.startsWith(LET_GO))
      return answerOfProgress(move, NOTHING_LEFT)
    if (!error.message.startsWith(TOO_EARLY)) throw error
    throw new OutboundCallError(error.message, { isUndone: true, isRetryable: true, cause: error })
  }
}

/** Queries a move by its number; undefined when it never arrived. */
async function findMove(move: ShareMove): Promise<OutboundAnswer<ShareRow> | undefined> {
  const { row, work } = move
  try {
    return answerOfProgress(move, await asks[kindOf(row)].look(work.pay, row, work.subMchid))
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/** Shares, unfreezes and returns. */
export const shareMoveCall = defineOutboundCall<ShareRow, ShareWork>({
  queue: SHARE_MOVE_QUEUE,
  sweep: {
    queue: 'share.sweep',
    cron: '*/10 * * * *',
    crossTenantReason: 'shares of all tenants that stopped on their way',
  },
  rows: callRowsOf(shareLog, 'status'),
  fields: { state: 'status', reason: 'failReason', sentTime: 'sentTime' },
  states: {
    queued: PROFIT_SHARE_STATE.waiting,
    sent: PROFIT_SHARE_STATE.processing,
    done: PROFIT_SHARE_STATE.finished,
    failed: PROFIT_SHARE_STATE.failed,
  },
  prepare,
  send: sendMove,
  find: findMove,
  checkAfterS: [60, 120, 300, 600, 1800],
  explain: (error, end) =>
    end === 'refused' && error instanceof VendorError
      ? { failReason: `${error.message} (${error.code})`.slice(0, 500) }
      : {},
  ended: async (db, row, services, { outcome }) => {
    if (outcome === 'done') await applyShareEffects(db, row)
    await wakeRefunds(db, services, row)
  },
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
})

/** Applies a finished move to other rows: a return reduces its share, an unfreeze ends failed shares. */
async function applyShareEffects(db: Db, row: ShareRow): Promise<void> {
  const [kind, arrived] = [kindOf(row), row.finishAmount ?? 0]
  if (kind === PROFIT_SHARE_MOVE_KIND.return && arrived) {
    const [share] = await db.find(shareLog, sql`r.out_order_no = ${row.ofShareNo}`, sql`for update`)
    if (share) await db.update(shareLog, share.id, { finishAmount: (share.finishAmount ?? 0) - arrived })
  }
  if (kind === PROFIT_SHARE_MOVE_KIND.unfreeze)
    await db.run(sql`update share_log set status = ${PROFIT_SHARE_STATE.unfrozen}, version = version + 1,
      update_time = now()
      where tenant_id = ${db.tenantId} and order_id = ${row.orderId} and status = ${PROFIT_SHARE_STATE.failed}
      and coalesce(kind, 'share') = 'share'`)
}

/** Checks the order's sent refunds again, as each may wait for this move. */
async function wakeRefunds(db: Db, services: Services, { orderId }: ShareRow): Promise<void> {
  const waiting = await db.query<{ outNo: string }>(
    sql`select out_no from refund_payment where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and state = 'sent' order by id`,
  )
  for (const { outNo } of waiting) await emitRefundNotification(services, db, outNo)
}

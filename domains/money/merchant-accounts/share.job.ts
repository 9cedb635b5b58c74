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
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { PROFIT_SHARE_MOVE_KIND, PROFIT_SHARE_STATE } from './dictionaries.ts'
import { parseShares } from './receivers.ts'
import { shareLog } from './share-log.resource.ts'
import { SHARE_MOVE_QUEUE, enqueueShare } from './enqueue-share.ts'
import type { ShareRow } from './share-return.ts'
import { findCollectingMerchant } from './wechat-refund.ts'

/** Seconds after sending at which the state is queried. */
const ASK_AFTER_S = [60, 120, 300, 600, 1800]
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

/** Queries a move that was sent before; undefined when it never arrived. */
async function lookAgain(pay: WechatPay, row: ShareRow, subMchid: string): Promise<ShareProgress | undefined> {
  try {
    return await asks[kindOf(row)].look(pay, row, subMchid)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

const NOTHING_LEFT: ShareProgress = { isOver: true, arrived: 0, failReason: null, results: null }

const kindOf = (row: ShareRow) => (row.kind ?? PROFIT_SHARE_MOVE_KIND.share) as keyof typeof PROFIT_SHARE_MOVE_KIND

/** Marks the move as processing before the call, so that a refund at the same time no longer treats it as waiting. */
const markSent = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(shareLog, id, 'forUpdate')
    if (!row || (row.status !== PROFIT_SHARE_STATE.waiting && row.status !== PROFIT_SHARE_STATE.processing))
      return undefined
    const account = await findWechatAccount(services, db)
    const taker = await findCollectingMerchant(db, row.orderId, row.transactionNo)
    const { subMchid } = taker
    if (!account || !subMchid || !row.transactionNo) return undefined
    const isAgain = row.status === PROFIT_SHARE_STATE.processing
    if (!isAgain) {
      const sent = { status: PROFIT_SHARE_STATE.processing, sentTime: formatShanghaiTime(services.now()) }
      publishRowsChanged({ db }, shareLog, [await db.update(shareLog, id, sent)])
    }
    return { row, account, subMchid, isAgain }
  })

/**
 * Applies a finished move to other rows: a return reduces its share, an unfreeze ends failed shares; refunds that
 * waited are checked again.
 */
async function applyShareEffects(db: Db, services: Services, row: ShareRow, arrived: number): Promise<void> {
  const kind = kindOf(row)
  if (kind === PROFIT_SHARE_MOVE_KIND.return && arrived) {
    const [share] = await db.find(shareLog, sql`r.out_order_no = ${row.ofShareNo}`, sql`for update`)
    if (share) await db.update(shareLog, share.id, { finishAmount: (share.finishAmount ?? 0) - arrived })
  }
  if (kind === PROFIT_SHARE_MOVE_KIND.unfreeze)
    await db.run(sql`update share_log set status = ${PROFIT_SHARE_STATE.unfrozen}, version = version + 1,
      update_time = now()
      where tenant_id = ${db.tenantId} and order_id = ${row.orderId} and status = ${PROFIT_SHARE_STATE.failed}
      and coalesce(kind, 'share') = 'share'`)
  await wakeRefunds(db, services, row)
}

/** Checks the order's sent refunds again, as each may wait for this move. */
async function wakeRefunds(db: Db, services: Services, { orderId }: ShareRow): Promise<void> {
  const waiting = await db.query<{ outNo: string }>(
    sql`select out_no from refund_payment where tenant_id = ${db.tenantId} and order_id = ${orderId}
      and state = 'sent' order by id`,
  )
  for (const { outNo } of waiting) await emitRefundNotification(services, db, outNo)
}

async function completeShare(db: Db, services: Services, id: string, course: ShareProgress): Promise<void> {
  const row = await db.get(shareLog, id, 'forUpdate')
  if (!row || row.status !== PROFIT_SHARE_STATE.processing) return
  const now = services.now()
  if (!course.isOver) {
    const sent = row.sentTime ? new Date(`${row.sentTime.replace(' ', 'T')}+08:00`).getTime() : now.getTime()
    const seconds = ASK_AFTER_S.find((one) => now.getTime() < sent + one * 1000) ?? ASK_AFTER_S.at(-1)!
    return enqueueShare(db, id, new Date(now.getTime() + seconds * 1000))
  }
  const isLetGo = kindOf(row) === PROFIT_SHARE_MOVE_KIND.unfreeze
  const arrived = isLetGo ? 0 : course.arrived
  const isDone = isLetGo || arrived > 0
  const over = await db.update(shareLog, id, {
    status: isDone ? PROFIT_SHARE_STATE.finished : PROFIT_SHARE_STATE.failed,
    finishAmount: arrived,
    finishTime: formatShanghaiTime(now),
    failReason: course.failReason?.slice(0, 500) ?? null,
    results: course.results,
  })
  await applyShareEffects(db, services, over, arrived)
  publishRowsChanged({ db }, shareLog, [over])
}

async function refuse(db: Db, services: Services, id: string, { message, code }: VendorError): Promise<void> {
  const row = await db.get(shareLog, id, 'forUpdate')
  if (row?.status !== PROFIT_SHARE_STATE.processing) return
  const to = { status: PROFIT_SHARE_STATE.failed, failReason: `${message} (${code})`.slice(0, 500) }
  const over = await db.update(shareLog, id, to)
  await wakeRefunds(db, services, over)
  publishRowsChanged({ db }, shareLog, [over])
}

/** Sends a share, an unfreeze or a return and queries it until it has finished. Every step can be repeated. */
export const sendShareMoveJob = defineModuleJob<{ id: string }>({
  queue: SHARE_MOVE_QUEUE,
  concurrency: 4,
  timeoutSeconds: 60,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const held = await markSent(services, tenantId, id)
    if (!held) return
    const { row, account, subMchid, isAgain } = held
    const pay = createWechatPay(services, account)
    try {
      const course =
        (isAgain ? await lookAgain(pay, row, subMchid) : undefined) ??
        (await asks[kindOf(row)].send(pay, row, subMchid))
      await services.unit({ tenantId }, (db) => completeShare(db, services, id, course))
    } catch (error) {
      if (
        error instanceof VendorError &&
        kindOf(row) === PROFIT_SHARE_MOVE_KIND.unfreeze &&
        error.message.startsWith(LET_GO)
      )
        return void (await services.unit({ tenantId }, (db) => completeShare(db, services, id, NOTHING_LEFT)))
      const isFinal = error instanceof VendorError && error.isUndone && !error.isRetryable
      if (!isFinal || error.message.startsWith(TOO_EARLY)) throw error
      await services.unit({ tenantId }, (db) => refuse(db, services, id, error))
    }
  },
})

/** Queues moves again that are overdue because their job was lost, and those that waited for an account. */
export const requeueShareMovesJob = defineModuleJob({
  queue: 'share.sweep',
  cron: '*/10 * * * *',
  run: async (_payload, { services }) => {
    const stuck = await services.unit({ crossTenantReason: 'shares of all tenants that stopped on their way' }, (db) =>
      db.query<{ id: string; tenantId: string }>(
        sql`select s.id, s.tenant_id from share_log s join pay_account a on a.tenant_id = s.tenant_id and a.enabled
          and a.is_deleted = 0 where s.status in (${PROFIT_SHARE_STATE.waiting}, ${PROFIT_SHARE_STATE.processing})
          and s.update_time < now() - interval '40 minutes' group by s.tenant_id, s.id limit 500`,
      ),
    )
    for (const { id, tenantId } of stuck) await services.unit({ tenantId }, (db) => enqueueShare(db, id))
  },
})

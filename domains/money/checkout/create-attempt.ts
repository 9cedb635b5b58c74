import { createHash } from 'node:crypto'
import { findWechatMerchant } from '#domains/money/merchant-accounts/api.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { formatShanghaiTime } from '#kit/server/time.ts'
import { enqueueStatusCheck, enqueueStatusCheckNow } from './enqueue-attempt.ts'
import {
  PAYMENT_ATTEMPT_STATE,
  UNRESOLVED_PAYMENT_STATES,
  WECHAT_PAY_MODE,
  type WechatPayMode,
} from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'

export type PaymentAttempt = RowOf<typeof payAttempt>

/** What is asked: by the code a customer shows (`code`), or of the customer with an `openid` in the mini program. */
export type PaymentInput = { orderId: string; way: WechatPayMode; code?: string; openid?: string }

/** A payment as it was begun, and whether it is to be sent now. */
export type CreatedAttempt = { attempt: PaymentAttempt; isNew: boolean }

/** Long enough for the first answer; who asks about it sooner would find it under way. */
const FIRST_CHECK_S = { codepay: 5, native: 20, jsapi: 20 } satisfies Record<WechatPayMode, number>

const digestOf = (code: string | undefined): string | null =>
  code ? createHash('sha256').update(code).digest('hex') : null

/** Rows of an order whose end nobody knows yet, the last first, locked. */
export const lockOpenAttempts = (db: Db, orderId: string): Promise<PaymentAttempt[]> =>
  db.find(
    payAttempt,
    sql`r.order_id = ${orderId} and r.state = any(${[...UNRESOLVED_PAYMENT_STATES]}::text[])`,
    sql`order by r.id desc for update`,
  )

/** Ends a payment that is under way: written now, done by the job, and what was paid by then counts. */
export async function cancelAttempt(db: Db, now: Date, { id }: Pick<PaymentAttempt, 'id'>): Promise<void> {
  const row = await db.update(payAttempt, id, { state: PAYMENT_ATTEMPT_STATE.closing })
  await enqueueStatusCheckNow(db, id, now)
  publishRowsChanged({ db }, payAttempt, [row])
}

const isSame = (row: PaymentAttempt, { way, code, openid }: PaymentInput): boolean =>
  row.way === way && row.codeDigest === digestOf(code) && row.payerOpenid === (openid ?? null)

/** The payment an order was asked for by this code, however it ended: a code is good for one. */
const byCode = async (db: Db, orderId: string, { way, code }: PaymentInput): Promise<PaymentAttempt | undefined> =>
  way === WECHAT_PAY_MODE.codepay
    ? (await db.find(payAttempt, sql`r.order_id = ${orderId} and r.code_digest = ${digestOf(code)}`, latest))[0]
    : undefined

const latest = sql`order by r.id desc limit 1`

/** A register that asks for what is over already hears how it ended; anybody else, that there is nothing to pay. */
async function overOf(db: Db, orderId: string, { way }: PaymentInput): Promise<PaymentAttempt | undefined> {
  if (way !== WECHAT_PAY_MODE.codepay) return undefined
  const [row] = await db.find(payAttempt, sql`r.order_id = ${orderId}`, latest)
  return row
}

/**
 * Writes that money is asked of a customer, before it is: the row, and the job that asks about it whatever becomes of
 * this process. The same ask again is the same row. Refuses an order that is not to be paid (`order_not_open`; a
 * register is answered what ended it), a shop that cannot take WeChat Pay, and a second try while a code's result is
 * not known.
 *
 * @returns The row, and whether it is to be sent now.
 */
export async function createAttempt(db: Db, services: Services, ask: PaymentInput): Promise<CreatedAttempt> {
  const order = await db.get(shoppingOrder, ask.orderId, 'forUpdate')
  if (!order) throw new Refused('not_found', { label: shoppingOrder.label })
  const open = await lockOpenAttempts(db, order.id)
  const same =
    open.find((row) => row.state !== PAYMENT_ATTEMPT_STATE.closing && isSame(row, ask)) ??
    (await byCode(db, order.id, ask)) ??
    (order.status === ORDER_STATE.toPay ? undefined : await overOf(db, order.id, ask))
  if (same) return { attempt: same, isNew: false }
  if (order.status !== ORDER_STATE.toPay) throw new Refused('order_not_open', { orderNo: order.orderNo! })
  if (open.some(({ way }) => way === WECHAT_PAY_MODE.codepay))
    throw new Refused('pay_under_way', { orderNo: order.orderNo! })
  if (!order.payAmount) throw new Refused('pay_nothing', { orderNo: order.orderNo! })
  const merchant = await findWechatMerchant(db, order.id)
  if (!merchant || !(await findWechatAccount(services, db))) throw new Refused('pay_not_taken')
  // Who shows a code at the register does not scan the one on the screen any more.
  if (ask.way === WECHAT_PAY_MODE.codepay)
    for (const row of open)
      if (row.state !== PAYMENT_ATTEMPT_STATE.closing) await cancelAttempt(db, services.now(), row)
  const now = services.now()
  const id = newId()
  const attempt = await db.insert(payAttempt, {
    id,
    payNo: `P${id}`,
    orderId: order.id,
    shopId: order.shopId,
    way: ask.way,
    state: PAYMENT_ATTEMPT_STATE.sent,
    amount: order.payAmount,
    askedTime: formatShanghaiTime(now),
    deadline: order.payDeadline,
    subMchid: merchant.subMchid,
    // What may be shared later has to be said with the ask: it stays frozen until then.
    isShared: merchant.isShared,
    payerOpenid: ask.openid ?? null,
    codeDigest: digestOf(ask.code),
    askTime: formatShanghaiTime(new Date(now.getTime() + FIRST_CHECK_S[ask.way] * 1000)),
  })
  await enqueueStatusCheck(db, id, new Date(now.getTime() + FIRST_CHECK_S[ask.way] * 1000))
  publishRowsChanged({ db }, payAttempt, [attempt])
  return { attempt, isNew: true }
}

import { createHash } from 'node:crypto'
import { findWechatMerchant } from '#domains/money/merchant-accounts/api.ts'
import { ORDER_STATE, shoppingOrder } from '#domains/sales/orders/index.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { enqueueStatusCheck, enqueueStatusCheckNow } from './enqueue-attempt.ts'
import {
  PAYMENT_ATTEMPT_STATE,
  UNRESOLVED_PAYMENT_STATES,
  WECHAT_PAY_MODE,
  type WechatPayMode,
} from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'

export type PaymentAttempt = RowOf<typeof payAttempt>

/** A requested payment: with the code the customer shows (`code`), or in the mini program with an `openid`. */
export type PaymentInput = { orderId: string; way: WechatPayMode; code?: string; openid?: string }

/** The payment attempt, and whether it is new and must be sent now. */
export type CreatedAttempt = { attempt: PaymentAttempt; isNew: boolean }

/** Seconds until the first status query: long enough for the answer to the request itself. */
const FIRST_CHECK_S = { codepay: 5, native: 20, jsapi: 20 } satisfies Record<WechatPayMode, number>

const digestOf = (code: string | undefined): string | null =>
  code ? createHash('sha256').update(code).digest('hex') : null

/** Locks the unresolved payment attempts of an order and returns them, latest first. */
export const lockOpenAttempts = (db: Db, orderId: string): Promise<PaymentAttempt[]> =>
  db.find(
    payAttempt,
    sql`r.order_id = ${orderId} and r.state = any(${[...UNRESOLVED_PAYMENT_STATES]}::text[])`,
    sql`order by r.id desc for update`,
  )

/** Marks a payment as being closed; the job closes it at WeChat Pay. If it was paid meanwhile, the payment counts. */
export async function cancelAttempt(db: Db, { id }: Pick<PaymentAttempt, 'id'>): Promise<void> {
  await requireTransition({ db }, payAttempt, id, 'close')
  await enqueueStatusCheckNow(db, id)
}

const isSame = (row: PaymentAttempt, { way, code, openid }: PaymentInput): boolean =>
  row.way === way && row.codeDigest === digestOf(code) && row.payerOpenid === (openid ?? null)

/** The attempt that used this code, in whatever state: a code can pay only once. */
const byCode = async (db: Db, orderId: string, { way, code }: PaymentInput): Promise<PaymentAttempt | undefined> =>
  way === WECHAT_PAY_MODE.codepay
    ? (await db.find(payAttempt, sql`r.order_id = ${orderId} and r.code_digest = ${digestOf(code)}`, latest))[0]
    : undefined

const latest = sql`order by r.id desc limit 1`

/**
 * The last attempt of an order that is no longer unpaid, for a register to show the result; undefined for other
 * callers.
 */
async function overOf(db: Db, orderId: string, { way }: PaymentInput): Promise<PaymentAttempt | undefined> {
  if (way !== WECHAT_PAY_MODE.codepay) return undefined
  const [row] = await db.find(payAttempt, sql`r.order_id = ${orderId}`, latest)
  return row
}

/**
 * Writes a payment attempt before it is sent, with a job that queries it even if this process dies. The same request
 * returns the same attempt. Refuses an order that is not to be paid (`order_not_open`; a register gets the last attempt
 * instead), a shop without WeChat Pay, and a second try while the result of a code is unknown.
 *
 * @returns The attempt, and whether it must be sent now.
 */
export async function findOrCreatePaymentAttempt(
  db: Db,
  services: Services,
  ask: PaymentInput,
): Promise<CreatedAttempt> {
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
  // A customer who shows a code at the register no longer scans the code on the screen, so that attempt is closed.
  if (ask.way === WECHAT_PAY_MODE.codepay)
    for (const row of open) if (row.state !== PAYMENT_ATTEMPT_STATE.closing) await cancelAttempt(db, row)
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
    // Profit sharing must be announced with the payment: WeChat Pay freezes the money until it is shared or released.
    isShared: merchant.isShared,
    payerOpenid: ask.openid ?? null,
    codeDigest: digestOf(ask.code),
    askTime: formatShanghaiTime(new Date(now.getTime() + FIRST_CHECK_S[ask.way] * 1000)),
  })
  await enqueueStatusCheck(db, id, new Date(now.getTime() + FIRST_CHECK_S[ask.way] * 1000))
  publishRowsChanged({ db }, payAttempt, [attempt])
  return { attempt, isNew: true }
}

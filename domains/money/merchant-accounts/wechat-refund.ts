import { VendorError, type WebhookHandler } from '#domains/platform/external-apis/api.ts'
import {
  paymentsWhereSql,
  emitRefundNotification,
  type ChannelRefundResult,
  type RefundRedirectTarget,
  type RefundProvider,
} from '#domains/money/payment-channels/api.ts'
import {
  redact,
  findWechatAccount,
  createWechatPay,
  type RefundState,
  type WechatAccount,
  type WechatPay,
} from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { defineSystemText } from '#kit/server/system-words.ts'
import { unfreezeOrderMoneyOnce, prepareWechatRefund } from './share-return.ts'
import { merchantAtPaymentSql } from './merchant-terms.ts'

const NOTES = {
  PROCESSING: defineSystemText({
    zh: '已提交微信支付，还没确认到账',
    en: 'Submitted to WeChat Pay and awaiting confirmation',
  }),
  ABNORMAL: defineSystemText({
    zh: '退款异常：顾客的银行卡已注销或冻结，请改退到其他账户，结果会自动更新',
    en:
      'Refund exception: the bank card of the customer is closed or frozen. Refund to another account. ' +
      'The result is updated automatically.',
  }),
}
const CLOSED = defineSystemText({
  zh: '微信支付已关闭这笔退款，可以重试',
  en: 'WeChat Pay closed this refund. You can retry it.',
})
const AWAY = defineSystemText({
  zh: '收这笔款的微信支付账号或商户号现在不可用，可用后自动退款',
  en:
    'The WeChat Pay account or merchant ID that received this payment is unavailable. The refund is ' +
    'made once it is available.',
})
const REASON_MAX = 80
/** Neither what is frozen with the order nor what the merchant has pays it. */
const NOT_ENOUGH = 'NOT_ENOUGH'

type Merchant = {
  subMchid: string
  /** Others get a part of its orders: what is paid stays frozen until it was shared or let go. */
  isShared: boolean
}

/** The merchant of an order's shop at WeChat Pay; undefined where it has no number there. Of who is yet to pay. */
export const findWechatMerchant = (db: Db, orderId: string): Promise<Merchant | undefined> =>
  db.one<Merchant>(sql`select m.sub_mchid,
    jsonb_typeof(m.receivers) = 'array' and jsonb_array_length(m.receivers) > 0 as is_shared from shopping_order o
    join basic_shop_info b on b.id = o.shop_id and b.tenant_id = o.tenant_id
    join merchant_info m on m.id = b.merchant_id and m.tenant_id = b.tenant_id and m.is_deleted = 0
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId} and m.sub_mchid is not null`)

type Taker = {
  /** Whose number took the money; null where nobody has one. */
  subMchid: string | null
  /** We asked for it ourselves: it lies nowhere but there, whoever has the shop by now. */
  isOurs: boolean
  /** All it may be: of the term it was paid in, of that merchant now, and where no shop says whose, of everybody. */
  may: string[]
}

const MAY_BE_MAX = 20

/** By which number at WeChat Pay a payment of something was taken, which is where it goes back from. */
export async function findCollectingMerchant(db: Db, payableId: string, transactionNo: string | null): Promise<Taker> {
  const attempt = await db.one<{ subMchid: string }>(sql`select sub_mchid from pay_attempt
    where tenant_id = ${db.tenantId} and order_id = ${payableId} and transaction_no = ${transactionNo}
    and sub_mchid is not null order by id limit 1`)
  if (attempt) return { subMchid: attempt.subMchid, isOurs: true, may: [attempt.subMchid] }
  const found = await db.one<{ then: string | null; now: string | null; isOwned: boolean }>(sql`
    select whose.sub_mchid as then, m.sub_mchid as now, whose.merchant_id is not null as is_owned
    from (${paymentsWhereSql(sql`${db.tenantId}`, ({ id }) => sql`${id} = ${payableId}`)}) o ${merchantAtPaymentSql}
    left join merchant_info m on m.tenant_id = o.tenant_id and m.id = whose.merchant_id
    order by o.payment_no is not distinct from ${transactionNo} desc limit 1`)
  const may = found?.isOwned ? [found.then, found.now] : await allNumbers(db)
  const known = [...new Set(may.filter((no) => no !== null))]
  return { subMchid: known[0] ?? null, isOurs: false, may: known }
}

const allNumbers = async (db: Db): Promise<string[]> =>
  (
    await db.query<{ no: string }>(sql`select sub_mchid as no from merchant_info
      where tenant_id = ${db.tenantId} and sub_mchid is not null
      union select sub_mchid from merchant_term where tenant_id = ${db.tenantId} and sub_mchid is not null
      order by 1 limit ${MAY_BE_MAX}`)
  ).map(({ no }) => no)

type RefundAccount = { account: WechatAccount; may: string[] }

type WechatRefundRequest = { tenantId: string; payableId: string; transactionNo: string | null; outNo: string }

/** An account and a number as a way names them. */
const byOf = (account: string, subMchid: string | null) => [account, subMchid ?? ''].join('/')

/**
 * With which account and number a payment goes back: those it was first sent with. Undefined while they are away: it
 * waits for them. What began without an account keeps the one it finds.
 */
async function hold(services: Services, ask: WechatRefundRequest, by = ''): Promise<RefundAccount | undefined> {
  const { tenantId, payableId, transactionNo } = ask
  const [accountNo, sentTo] = by.split('/', 2)
  return services.unit({ tenantId }, async (db) => {
    const account = await findWechatAccount(services, db, accountNo || undefined)
    const may = sentTo ? [sentTo] : (await findCollectingMerchant(db, payableId, transactionNo)).may
    return account && may.length ? { account, may } : undefined
  })
}

/** Which of the numbers it may be knows the payment: a number may have been mistyped, or changed, when it was paid. */
async function numberOf(pay: WechatPay, may: readonly string[], transactionNo: string): Promise<string> {
  if (may.length === 1) return may[0]!
  for (const subMchid of may) {
    try {
      await pay.transaction(subMchid, transactionNo)
      return subMchid
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
    }
  }
  return may[0]!
}

/** Keeps the number a refund is sent by, in the row that sends it. */
async function keepWay(db: Db, outNo: string, by: string): Promise<void> {
  const way = `wechat/${by}`
  await db.run(sql`update refund_payment set way = ${way} where tenant_id = ${db.tenantId} and out_no = ${outNo}`)
  await db.run(sql`update payment_refund set way = ${way} where tenant_id = ${db.tenantId} and refund_no = ${outNo}`)
}

/** What became of a refund that was sent before; undefined when it never arrived. */
async function askAgain(pay: WechatPay, subMchid: string, outNo: string): Promise<RefundState | undefined> {
  try {
    return await pay.refunded(subMchid, outNo)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/**
 * An abnormal refund goes where a person said: asked only of one that is still abnormal, so that it is asked once. A
 * card WeChat Pay does not take leaves it abnormal, with its words.
 */
async function sendElsewhere(
  pay: WechatPay,
  subMchid: string,
  { outNo, refund_id }: { outNo: string; refund_id: string },
  to: RefundRedirectTarget,
): Promise<ChannelRefundResult> {
  const card =
    to.type === 'USER_BANK_CARD'
      ? { bank_type: to.bankType, bank_account: redact(to.bankAccount), real_name: redact(to.realName) }
      : {}
  try {
    await pay.refundAbnormal(refund_id, { sub_mchid: subMchid, out_refund_no: outNo, type: to.type, ...card })
    return { state: 'pending', note: NOTES.PROCESSING }
  } catch (error) {
    if (!isFinal(error)) throw error
    return { state: 'pending', note: `${error.message} (${error.code})`, isAbnormal: true }
  }
}

/** WeChat Pay has not done it, and will not when asked the same. */
const isFinal = (error: unknown): error is VendorError =>
  error instanceof VendorError && error.isUndone && !error.isRetryable

/**
 * Refunds of payments over WeChat Pay: of those we asked for ourselves always, of others for tenants with an account
 * there and merchants with a number.
 */
export const wechatRefundProvider: RefundProvider = {
  takes: async (services, db, { payableId, transactionNo }) => {
    if (!transactionNo) return undefined
    const { subMchid, isOurs, may } = await findCollectingMerchant(db, payableId, transactionNo)
    const account = subMchid ? await findWechatAccount(services, db) : undefined
    return account || isOurs ? byOf(account?.id ?? '', may.length > 1 ? null : subMchid) : undefined
  },
  refund: async (services, ask) => {
    const { tenantId, transactionNo, outNo, isAgain, by } = ask
    const held = await hold(services, ask, by)
    if (!held) return { state: 'pending', note: AWAY }
    const { account, may } = held
    const pay = createWechatPay(services, account)
    try {
      const subMchid = await numberOf(pay, may, transactionNo!)
      const sentBy = byOf(account.id, subMchid)
      // Kept before it is sent: what became of it is asked by the same number.
      if (sentBy !== by) await services.unit({ tenantId }, (db) => keepWay(db, outNo, sentBy))
      const sender = { services, pay, account, subMchid }
      const before = isAgain ? await askAgain(pay, subMchid, outNo) : undefined
      if (before) return await answerOf(sender, ask, before)
      // What was asked is asked about, also when nobody may ask for anything with this account any more.
      if (!account.isInUse) return { state: 'pending', note: AWAY }
      return await sendFirst(sender, ask)
    } catch (error) {
      if (!isFinal(error)) throw error
      return refusedBy(error)
    }
  },
}

type RefundRequest = Parameters<RefundProvider['refund']>[1]
type Sender = { services: Services; pay: WechatPay; account: WechatAccount; subMchid: string }

const refusedBy = (error: VendorError): ChannelRefundResult => ({
  state: 'refused',
  reason: `${error.message} (${error.code})`,
})

/** Asks for a refund WeChat Pay does not know, once what was shared and frozen of its order lets it go. */
async function sendFirst({ services, ...sender }: Sender, ask: RefundRequest): Promise<ChannelRefundResult> {
  const { tenantId, payableId, transactionNo, outNo, amount, total, reason } = ask
  const { pay, account, subMchid } = sender
  const refund = { tenantId, orderId: payableId, transactionNo: transactionNo!, outNo, amount }
  const ready = await prepareWechatRefund(services, pay, refund)
  if (ready.state !== 'ready') return ready
  let sent: RefundState
  try {
    sent = await pay.refund({
      sub_mchid: subMchid,
      transaction_id: transactionNo!,
      out_refund_no: outNo,
      reason: reason.slice(0, REASON_MAX),
      amount: { refund: amount, total, currency: 'CNY' },
    })
  } catch (error) {
    if (!isFinal(error)) throw error
    const letting = error.code === NOT_ENOUGH ? await unfreezeOrderMoneyOnce(services, refund) : undefined
    if (letting) return letting
    // Nothing of it is there: tried again it goes by the number that is right then, if this one was mistyped.
    await services.unit({ tenantId }, (db) => keepWay(db, outNo, byOf(account.id, null)))
    return refusedBy(error)
  }
  return answerOf(sender, ask, sent)
}

/** How a refund stands at WeChat Pay; an abnormal one is sent where a person said. */
async function answerOf(
  { pay, account, subMchid }: Omit<Sender, 'services'>,
  { outNo, redirect }: RefundRequest,
  { status, refund_id }: RefundState,
): Promise<ChannelRefundResult> {
  if (status === 'SUCCESS') return { state: 'done', channelRefundId: refund_id }
  if (status === 'CLOSED') return { state: 'refused', reason: CLOSED, isUsedUp: true }
  if (status === 'ABNORMAL' && redirect && account.isInUse)
    return sendElsewhere(pay, subMchid, { outNo, refund_id }, redirect)
  return { state: 'pending', note: NOTES[status], isAbnormal: status === 'ABNORMAL' }
}

/** WeChat Pay says that a refund has moved: whoever sent it asks about it now. */
export const handleWechatRefundEvent: WebhookHandler =
  async ({ subject }, { services }) =>
  async (db) =>
    emitRefundNotification(services, db, subject)

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
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
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
/** WeChat Pay's error code when neither the order's frozen money nor the merchant's balance covers a refund. */
const NOT_ENOUGH = 'NOT_ENOUGH'

type Merchant = {
  subMchid: string
  /** The merchant shares profits: a payment stays frozen until it is shared or released. */
  isShared: boolean
}

/**
 * Returns the merchant that will receive an order's payment, for new payments; undefined without a WeChat Pay number.
 */
export const findWechatMerchant = (db: Db, orderId: string): Promise<Merchant | undefined> =>
  db.one<Merchant>(sql`select m.sub_mchid,
    jsonb_typeof(m.receivers) = 'array' and jsonb_array_length(m.receivers) > 0 as is_shared from shopping_order o
    join basic_shop_info b on b.id = o.shop_id and b.tenant_id = o.tenant_id
    join merchant_info m on m.id = b.merchant_id and m.tenant_id = b.tenant_id and m.is_deleted = 0
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId} and m.sub_mchid is not null`)

type Taker = {
  /** Number that received the money; null if the merchant has none. */
  subMchid: string | null
  /** We sent the payment ourselves, so the money is certainly there, whoever has the shop now. */
  isOurs: boolean
  /**
   * All numbers that may have received it: that of the term, the merchant's present one, or without a merchant all
   * numbers.
   */
  may: string[]
}

const MAY_BE_MAX = 20

/** Returns the WeChat Pay number that received a payment; a refund must come from the same number. */
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

/** Joins account id and sub-merchant number to the provider key of a refund; an empty number is found later. */
const byOf = (account: string, subMchid: string | null) => [account, subMchid ?? ''].join('/')

/**
 * Returns the account and the possible numbers to refund a payment: those it was first sent with (`by`), else the
 * present ones. Undefined when they are not available; then the refund waits.
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

/**
 * Returns the number that knows the payment, as a number may have been mistyped or changed. The first one if none does.
 */
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

/** Stores the number a refund is sent by in its row. */
async function storeProvider(db: Db, outNo: string, by: string): Promise<void> {
  const provider = `wechat/${by}`
  await db.run(sql`update refund_payment set way = ${provider} where tenant_id = ${db.tenantId} and out_no = ${outNo}`)
  await db.run(
    sql`update payment_refund set way = ${provider} where tenant_id = ${db.tenantId} and refund_no = ${outNo}`,
  )
}

/** Queries a refund that was sent before; undefined when it never arrived. */
async function queryRefund(pay: WechatPay, subMchid: string, outNo: string): Promise<RefundState | undefined> {
  try {
    return await pay.refunded(subMchid, outNo)
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

/**
 * Redirects an abnormal refund to the account a person chose. Called only while it is abnormal, so that it is sent
 * once. If WeChat Pay refuses the card, the refund stays abnormal, with the message.
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

/** Whether WeChat Pay has not done a request and a retry would not help. */
const isFinal = (error: unknown): error is VendorError =>
  error instanceof VendorError && error.isUndone && !error.isRetryable

/**
 * Refunds of WeChat Pay payments: always of those we sent ourselves; of others if tenant and merchant have WeChat Pay
 * accounts.
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
      // Stored before sending, so that the result is queried by the same number.
      if (sentBy !== by) await services.unit({ tenantId }, (db) => storeProvider(db, outNo, sentBy))
      const sender = { services, pay, account, subMchid }
      const before = isAgain ? await queryRefund(pay, subMchid, outNo) : undefined
      if (before) return await answerOf(sender, ask, before)
      // A refund that was sent is queried even with a disabled account; a new one waits.
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

/** Sends a refund WeChat Pay does not know yet, after shares have been returned and frozen money released. */
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
    // The refund does not exist there. The number is cleared, so that a retry determines it again if it was mistyped.
    await services.unit({ tenantId }, (db) => storeProvider(db, outNo, byOf(account.id, null)))
    return refusedBy(error)
  }
  return answerOf(sender, ask, sent)
}

/** Converts WeChat Pay's state of a refund to a result; redirects an abnormal one if a person chose an account. */
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

/** Webhook of WeChat Pay: notifies the module that sent the refund, which then queries it. */
export const handleWechatRefundEvent: WebhookHandler =
  async ({ subject }, { services }) =>
  async (db) =>
    emitRefundNotification(services, db, subject)

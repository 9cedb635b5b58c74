import { VendorError, type EventHandler } from '#domains/integrations/doors.ts'
import { tellRefundHeard, type ChannelAnswer, type RedirectTo, type RefundWay } from '#domains/payments/doors.ts'
import {
  hidden,
  wechatAccount,
  wechatPay,
  type RefundState,
  type WechatAccount,
  type WechatPay,
} from '#domains/wechatpay/doors.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { systemWords } from '#kit/server/system-words.ts'
import { readyToRefund } from './share-return.ts'

const NOTES = {
  PROCESSING: systemWords({
    zh: '已向微信支付提出，尚未确认到账',
    en: 'Asked of WeChat Pay; that it arrived is not confirmed yet',
  }),
  ABNORMAL: systemWords({
    zh: '退款异常：顾客的银行卡已注销或冻结，请改退到其他账户，结果会自动更新',
    en: "The customer's card is closed or frozen: send it elsewhere; the result is heard by itself",
  }),
}
const CLOSED = systemWords({
  zh: '微信支付已关闭这笔退款，可以重试',
  en: 'WeChat Pay has closed this refund; it may be sent again',
})
const REASON_MAX = 80

type Merchant = {
  subMchid: string
  /** Others get a part of its orders: what is paid stays frozen until it was shared or let go. */
  isShared: boolean
}

/** The merchant of an order's shop at WeChat Pay; undefined where it has no number there. */
export const wechatMerchantOf = (db: Db, orderId: string): Promise<Merchant | undefined> =>
  db.one<Merchant>(sql`select m.sub_mchid,
    jsonb_typeof(m.receivers) = 'array' and jsonb_array_length(m.receivers) > 0 as is_shared from shopping_order o
    join basic_shop_info b on b.id = o.shop_id and b.tenant_id = o.tenant_id
    join merchant_info m on m.id = b.merchant_id and m.tenant_id = b.tenant_id and m.is_deleted = 0
    where o.tenant_id = ${db.tenantId} and o.id = ${orderId} and m.sub_mchid is not null`)

type Held = { account: WechatAccount; subMchid: string; total: number }

const AWAY = 'the account this refund was sent with is away'

type Asked = { tenantId: string; orderId: string; paymentId: string; by?: string }

/** With which account an order is refunded: the one it was first sent with. Gone meanwhile, it waits for it. */
async function hold(services: Services, { tenantId, orderId, paymentId, by }: Asked): Promise<Held> {
  return services.unit({ tenantId }, async (db) => {
    const [account, merchant] = [await wechatAccount(services, db, by), await wechatMerchantOf(db, orderId)]
    const payment = await db.one<{ amount: number }>(
      sql`select amount from order_payment where tenant_id = ${tenantId} and id = ${paymentId}`,
    )
    if (!account || !merchant || !payment) throw new Error(AWAY)
    return { account, subMchid: merchant.subMchid, total: payment.amount }
  })
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
  to: RedirectTo,
): Promise<ChannelAnswer> {
  const card =
    to.type === 'USER_BANK_CARD'
      ? { bank_type: to.bankType, bank_account: hidden(to.bankAccount), real_name: hidden(to.realName) }
      : {}
  try {
    await pay.refundAbnormal(refund_id, { sub_mchid: subMchid, out_refund_no: outNo, type: to.type, ...card })
    return { state: 'pending', note: NOTES.PROCESSING }
  } catch (error) {
    if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
    return { state: 'pending', note: `${error.message} (${error.code})`, isAbnormal: true }
  }
}

/** Refunds of payments over WeChat Pay, for tenants with an account there and merchants with a number. */
export const wechatRefunds: RefundWay = {
  takes: async (services, db, { orderId, transactionNo }) =>
    transactionNo && (await wechatMerchantOf(db, orderId)) ? (await wechatAccount(services, db))?.id : undefined,
  refund: async (
    services,
    { tenantId, orderId, paymentId, transactionNo, outNo, amount, reason, isAgain, redirect, by },
  ) => {
    const { account, subMchid, total } = await hold(services, { tenantId, orderId, paymentId, by })
    const pay = wechatPay(services, account)
    try {
      const before = isAgain ? await askAgain(pay, subMchid, outNo) : undefined
      // What was asked is asked about, also when nobody may ask for anything with this account any more.
      if (!before && !account.isInUse) throw new Error(AWAY)
      if (!before) {
        const ready = await readyToRefund(services, pay, {
          tenantId,
          orderId,
          transactionNo: transactionNo!,
          outNo,
          amount,
        })
        if (ready.state !== 'ready') return ready
      }
      const { status, refund_id } =
        before ??
        (await pay.refund({
          sub_mchid: subMchid,
          transaction_id: transactionNo!,
          out_refund_no: outNo,
          reason: reason.slice(0, REASON_MAX),
          amount: { refund: amount, total, currency: 'CNY' },
        }))
      if (status === 'SUCCESS') return { state: 'done', channelRefundId: refund_id }
      if (status === 'CLOSED') return { state: 'refused', reason: CLOSED, isUsedUp: true }
      if (status === 'ABNORMAL' && redirect && account.isInUse)
        return await sendElsewhere(pay, subMchid, { outNo, refund_id }, redirect)
      return { state: 'pending', note: NOTES[status], isAbnormal: status === 'ABNORMAL' }
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
      return { state: 'refused', reason: `${error.message} (${error.code})` }
    }
  },
}

/** WeChat Pay says that a refund has moved: whoever sent it asks about it now. */
export const hearWechatRefund: EventHandler =
  async ({ subject }, { services }) =>
  async (db) =>
    tellRefundHeard(services, db, subject)

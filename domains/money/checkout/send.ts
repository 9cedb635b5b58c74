import { VendorError } from '#domains/platform/external-apis/api.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { findWechatAccount, createWechatPay, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { transition } from '#kit/server/resource/transition.ts'
import type { PaymentAttempt } from './create-attempt.ts'
import { WECHAT_PAY_MODE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { applyTransaction } from './attempt-transitions.ts'

const DESCRIPTION_BYTES = 127

/** Cuts a text to the bytes WeChat Pay accepts, without splitting a character. */
function fitting(text: string): string {
  const kept = [...text]
  while (Buffer.byteLength(kept.join('')) > DESCRIPTION_BYTES) kept.pop()
  return kept.join('')
}

type AccountContext = { pay: WechatPay; description: string; deviceNo: string }

/** Finds what is needed to send or query a payment; undefined when the tenant has no WeChat Pay account or no order. */
export async function findPaymentAccount(
  db: Db,
  services: Services,
  attempt: PaymentAttempt,
): Promise<AccountContext | undefined> {
  const [account, order] = [await findWechatAccount(services, db), await db.get(shoppingOrder, attempt.orderId!)]
  if (!account || !order) return undefined
  return {
    pay: createWechatPay(services, account),
    description: fitting(order.summary || order.orderNo!),
    deviceNo: order.cashRegisterId ?? '',
  }
}

export const loadPaymentAccount = (services: Services, attempt: PaymentAttempt): Promise<AccountContext | undefined> =>
  services.unit({ tenantId: attempt.tenantId }, (db) => findPaymentAccount(db, services, attempt))

async function requestWechatPayment(
  { pay, description, deviceNo }: AccountContext,
  attempt: PaymentAttempt,
  code?: string,
): Promise<PrepayResult> {
  const payment = {
    sub_mchid: attempt.subMchid!,
    description,
    out_trade_no: attempt.payNo!,
    amount: { total: attempt.amount!, currency: 'CNY' as const },
    settle_info: { profit_sharing: attempt.isShared ?? false },
  }
  if (attempt.way === WECHAT_PAY_MODE.codepay) {
    const scene_info = { device_id: deviceNo, store_info: { out_id: attempt.shopId! } }
    return { transaction: await pay.payByCode({ ...payment, payer: { auth_code: code! }, scene_info }) }
  }
  const time_expire = attempt.deadline ? `${attempt.deadline.replace(' ', 'T')}+08:00` : undefined
  const payer = attempt.payerOpenid ? { payer: { sp_openid: attempt.payerOpenid } } : {}
  const prepay = await pay.pay(attempt.way as 'native' | 'jsapi', { ...payment, ...payer, time_expire })
  return { codeUrl: prepay.code_url as string | undefined, prepayNo: prepay.prepay_id as string | undefined }
}
type PrepayResult = { transaction?: Parameters<typeof applyTransaction>[3]; codeUrl?: string; prepayNo?: string }

/**
 * Sends a payment attempt to WeChat Pay. If it is refused, the row says so; without an answer it stays `sent`, and the
 * job queries it.
 */
export async function sendAttempt(services: Services, attempt: PaymentAttempt, code?: string): Promise<void> {
  const { tenantId, id } = attempt
  const held = await loadPaymentAccount(services, attempt)
  if (!held) return
  try {
    const { transaction, codeUrl, prepayNo } = await requestWechatPayment(held, attempt, code)
    if (transaction) return await applyTransaction(services, tenantId, id, transaction)
    await services.unit({ tenantId }, (db) =>
      transition(db, payAttempt, id, 'prepare', {
        codeUrl: codeUrl ?? null,
        prepayNo: prepayNo ?? null,
      }),
    )
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    if (!error.isUndone || error.isRetryable) return
    const note = `${error.message} (${error.code})`.slice(0, 500)
    await services.unit({ tenantId }, (db) =>
      transition(db, payAttempt, id, 'refuse', { note, askTime: null }, { from: ['sent'] }),
    )
  }
}

/** Reads the attempt again. */
export const reloadAttempt = async (services: Services, { tenantId, id }: PaymentAttempt): Promise<PaymentAttempt> =>
  (await services.unit({ tenantId }, (db) => db.get(payAttempt, id)))!

import type { CallWechatPay, Redacted } from './wechat-pay.client.ts'

const part = (name: string) => encodeURIComponent(name)
const PARTNER = '/v3/pay/partner/transactions'
const SHARING = '/v3/profitsharing'
const REFUNDS = '/v3/refund/domestic/refunds'

type TradeState = 'SUCCESS' | 'REFUND' | 'NOTPAY' | 'CLOSED' | 'REVOKED' | 'USERPAYING' | 'PAYERROR'

export type Transaction = {
  out_trade_no: string
  transaction_id?: string
  trade_state: TradeState
  trade_state_desc?: string
  success_time?: string
  amount?: { total: number; payer_total?: number }
}

type Payment = {
  sub_mchid: string
  sub_appid?: string
  description: string
  out_trade_no: string
  amount: { total: number; currency: 'CNY' }
  time_expire?: string
  attach?: string
  payer?: { sp_openid?: string; sub_openid?: string; auth_code?: string }
  scene_info?: object
  settle_info?: { profit_sharing: boolean }
}

export type RefundState = {
  refund_id: string
  out_refund_no: string
  status: 'PROCESSING' | 'SUCCESS' | 'CLOSED' | 'ABNORMAL'
  user_received_account?: string
  success_time?: string
}

type Receiver = {
  type: 'MERCHANT_ID' | 'PERSONAL_OPENID' | 'PERSONAL_SUB_OPENID'
  account: string
  name?: Redacted
}

export type ShareState = {
  order_id: string
  out_order_no: string
  transaction_id: string
  state: 'PROCESSING' | 'FINISHED'
  receivers?: {
    type: string
    account: string
    amount: number
    result: 'PENDING' | 'SUCCESS' | 'CLOSED'
    fail_reason?: string
    detail_id?: string
    finish_time?: string
  }[]
}

export type ReturnState = {
  out_return_no: string
  return_id: string
  result: 'PROCESSING' | 'SUCCESS' | 'FAILED'
  fail_reason?: string
}

type Provider = { mchid: string; appid: string; notifyUrl: string }

/** Calls for payments of customers to a sub-merchant, and for refunds. */
export const createPaymentCalls = (ask: CallWechatPay, { mchid, appid, notifyUrl }: Provider) => {
  const ours = { sp_appid: appid, sp_mchid: mchid }
  const query = (subMchid: string) => `?sp_mchid=${mchid}&sub_mchid=${part(subMchid)}`

  return {
    pay: (mode: 'jsapi' | 'native' | 'h5' | 'app', payment: Payment) =>
      ask({ method: 'POST', path: `${PARTNER}/${mode}`, body: { ...ours, notify_url: notifyUrl, ...payment } }),
    /** Pays by the code a customer shows. Answers the result at once, or USERPAYING, which must be queried. */
    payByCode: (payment: Payment) =>
      ask({ method: 'POST', path: `${PARTNER}/codepay`, body: { ...ours, ...payment } }) as Promise<Transaction>,
    reverse: (subMchid: string, outTradeNo: string) =>
      ask({
        method: 'POST',
        path: `${PARTNER}/out-trade-no/${part(outTradeNo)}/reverse`,
        body: { sp_mchid: mchid, sub_mchid: subMchid },
      }),
    paid: (subMchid: string, outTradeNo: string) =>
      ask({
        method: 'GET',
        path: `${PARTNER}/out-trade-no/${part(outTradeNo)}${query(subMchid)}`,
      }) as Promise<Transaction>,
    transaction: (subMchid: string, transactionNo: string) =>
      ask({ method: 'GET', path: `${PARTNER}/id/${part(transactionNo)}${query(subMchid)}` }) as Promise<Transaction>,
    close: (subMchid: string, outTradeNo: string) =>
      ask({
        method: 'POST',
        path: `${PARTNER}/out-trade-no/${part(outTradeNo)}/close`,
        body: { sp_mchid: mchid, sub_mchid: subMchid },
      }),
    /** Requests with the same number and content are one refund, however often they are sent. */
    refund: (refund: {
      sub_mchid: string
      transaction_id: string
      out_refund_no: string
      reason?: string
      amount: { refund: number; total: number; currency: 'CNY' }
    }) => ask({ method: 'POST', path: REFUNDS, body: { ...refund, notify_url: notifyUrl } }) as Promise<RefundState>,
    refunded: (subMchid: string, outRefundNo: string) =>
      ask({
        method: 'GET',
        path: `${REFUNDS}/${part(outRefundNo)}?sub_mchid=${part(subMchid)}`,
      }) as Promise<RefundState>,
    /** Sends a refund to another bank card, when the customer's is closed. */
    refundAbnormal: (
      refundNo: string,
      to: {
        sub_mchid: string
        out_refund_no: string
        type: 'USER_BANK_CARD' | 'MERCHANT_BANK_CARD'
        bank_type?: string
        bank_account?: Redacted
        real_name?: Redacted
      },
    ) => ask({ method: 'POST', path: `${REFUNDS}/${part(refundNo)}/apply-abnormal-refund`, body: to }),
  }
}

/** Calls for profit sharing. */
export const createSharingCalls = (ask: CallWechatPay, { appid }: Provider) => ({
  addReceiver: (
    subMchid: string,
    receiver: Receiver & { relation_type: string; custom_relation?: string; sub_appid?: string },
  ) => ask({ method: 'POST', path: `${SHARING}/receivers/add`, body: { sub_mchid: subMchid, appid, ...receiver } }),
  removeReceiver: (subMchid: string, { type, account }: Receiver) =>
    ask({ method: 'POST', path: `${SHARING}/receivers/delete`, body: { sub_mchid: subMchid, appid, type, account } }),
  share: (share: {
    sub_mchid: string
    transaction_id: string
    out_order_no: string
    receivers: (Receiver & { amount: number; description: string })[]
    unfreeze_unsplit: boolean
  }) => ask({ method: 'POST', path: `${SHARING}/orders`, body: { appid, ...share } }) as Promise<ShareState>,
  shared: (subMchid: string, outOrderNo: string, transactionNo: string) =>
    ask({
      method: 'GET',
      path:
        `${SHARING}/orders/${part(outOrderNo)}?sub_mchid=${part(subMchid)}` + `&transaction_id=${part(transactionNo)}`,
    }) as Promise<ShareState>,
  /** Releases the frozen rest. Needs a number of its own: under the share's number nothing would be done. */
  unfreeze: (ask_: { sub_mchid: string; transaction_id: string; out_order_no: string; description: string }) =>
    ask({ method: 'POST', path: `${SHARING}/orders/unfreeze`, body: ask_ }) as Promise<ShareState>,
  returnShare: (back: {
    sub_mchid: string
    out_order_no: string
    out_return_no: string
    return_mchid: string
    amount: number
    description: string
  }) => ask({ method: 'POST', path: `${SHARING}/return-orders`, body: back }) as Promise<ReturnState>,
  returned: (subMchid: string, outReturnNo: string, outOrderNo: string) =>
    ask({
      method: 'GET',
      path:
        `${SHARING}/return-orders/${part(outReturnNo)}?sub_mchid=${part(subMchid)}` +
        `&out_order_no=${part(outOrderNo)}`,
    }) as Promise<ReturnState>,
  unsplit: async (transactionNo: string) =>
    Number(
      (await ask({ method: 'GET', path: `${SHARING}/transactions/${part(transactionNo)}/amounts` })).unsplit_amount,
    ),
  /** Maximum share in parts of 10,000. */
  maxRatio: async (subMchid: string) =>
    Number((await ask({ method: 'GET', path: `${SHARING}/merchant-configs/${part(subMchid)}` })).max_ratio),
})

import { defineDict } from '#kit/resource/index.ts'

/**
 * States of a payment attempt: sent → paying → paid / refused / closed; `closing` while it is being ended. `sent` means
 * requested without an answer: the result is unknown.
 */
export const PAYMENT_ATTEMPT_STATE = {
  sent: 'sent',
  paying: 'paying',
  closing: 'closing',
  paid: 'paid',
  refused: 'refused',
  closed: 'closed',
} as const
export type PaymentAttemptState = keyof typeof PAYMENT_ATTEMPT_STATE
/** States in which the result of a payment is still unknown. */
export const UNRESOLVED_PAYMENT_STATES: readonly PaymentAttemptState[] = [
  PAYMENT_ATTEMPT_STATE.sent,
  PAYMENT_ATTEMPT_STATE.paying,
  PAYMENT_ATTEMPT_STATE.closing,
]

/** How a customer pays: shows a code, scans a code, or pays inside the mini program. */
export const WECHAT_PAY_MODE = { codepay: 'codepay', native: 'native', jsapi: 'jsapi' } as const
export type WechatPayMode = keyof typeof WECHAT_PAY_MODE

/** States of the refund of a payment no order accepted: asked → sent → done / failed. */
export const UNMATCHED_REFUND_STATE = { asked: 'asked', sent: 'sent', done: 'done', failed: 'failed' } as const

export const checkoutDictionaries = [
  defineDict({
    code: 'pay_state',
    label: { zh: '收款状态', en: 'Payment request status' },
    entries: [
      { key: PAYMENT_ATTEMPT_STATE.sent, zh: '已提交，未确认', en: 'Awaiting confirmation', colour: 'processing' },
      { key: PAYMENT_ATTEMPT_STATE.paying, zh: '待顾客付款', en: 'Awaiting payment', colour: 'processing' },
      { key: PAYMENT_ATTEMPT_STATE.closing, zh: '关闭中', en: 'Canceling', colour: 'warning' },
      { key: PAYMENT_ATTEMPT_STATE.paid, zh: '已付款', en: 'Paid', colour: 'success' },
      { key: PAYMENT_ATTEMPT_STATE.refused, zh: '未成功', en: 'Failed', colour: 'error' },
      { key: PAYMENT_ATTEMPT_STATE.closed, zh: '已关闭', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_way',
    label: { zh: '收款方式', en: 'Payment method' },
    entries: [
      { key: WECHAT_PAY_MODE.codepay, zh: '付款码', en: 'Payment code' },
      { key: WECHAT_PAY_MODE.native, zh: '扫码支付', en: 'QR code payment' },
      { key: WECHAT_PAY_MODE.jsapi, zh: '小程序', en: 'Mini program' },
    ],
  }),
  defineDict({
    code: 'pay_back_state',
    label: { zh: '退回状态', en: 'Overpayment refund status' },
    entries: [
      { key: UNMATCHED_REFUND_STATE.asked, zh: '待退回', en: 'Refund pending', colour: 'warning' },
      { key: UNMATCHED_REFUND_STATE.sent, zh: '退回中', en: 'Refunding', colour: 'processing' },
      { key: UNMATCHED_REFUND_STATE.done, zh: '已退回', en: 'Refunded', colour: 'success' },
      { key: UNMATCHED_REFUND_STATE.failed, zh: '退回失败', en: 'Refund failed', colour: 'error' },
    ],
  }),
]

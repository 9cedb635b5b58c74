import { defineDict } from '#kit/resource/index.ts'

/**
 * States of a payment asked for: sent → paying → paid / refused / closed; closing while it is being ended. `sent` is
 * asked and not confirmed: nobody knows yet.
 */
export const PAY = {
  sent: 'sent',
  paying: 'paying',
  closing: 'closing',
  paid: 'paid',
  refused: 'refused',
  closed: 'closed',
} as const
export type PayState = keyof typeof PAY
/** Nobody can say yet how these end. */
export const PAY_OPEN: readonly PayState[] = [PAY.sent, PAY.paying, PAY.closing]

/** How a customer pays: by the code they show, by one they scan, inside the mini program. */
export const WAY = { codepay: 'codepay', native: 'native', jsapi: 'jsapi' } as const
export type PayWay = keyof typeof WAY

/** Money no order took, on its way back: asked → sent → done / failed. */
export const BACK = { asked: 'asked', sent: 'sent', done: 'done', failed: 'failed' } as const

export const checkoutDictionaries = [
  defineDict({
    code: 'pay_state',
    label: { zh: '收款状态', en: 'Payment request status' },
    entries: [
      { key: PAY.sent, zh: '已提交，未确认', en: 'Awaiting confirmation', colour: 'processing' },
      { key: PAY.paying, zh: '待顾客付款', en: 'Awaiting payment', colour: 'processing' },
      { key: PAY.closing, zh: '关闭中', en: 'Canceling', colour: 'warning' },
      { key: PAY.paid, zh: '已付款', en: 'Paid', colour: 'success' },
      { key: PAY.refused, zh: '未成功', en: 'Failed', colour: 'error' },
      { key: PAY.closed, zh: '已关闭', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_way',
    label: { zh: '收款方式', en: 'Payment method' },
    entries: [
      { key: WAY.codepay, zh: '付款码', en: 'Payment code' },
      { key: WAY.native, zh: '扫码支付', en: 'QR code payment' },
      { key: WAY.jsapi, zh: '小程序', en: 'Mini program' },
    ],
  }),
  defineDict({
    code: 'pay_back_state',
    label: { zh: '退回状态', en: 'Overpayment refund status' },
    entries: [
      { key: BACK.asked, zh: '待退回', en: 'Refund pending', colour: 'warning' },
      { key: BACK.sent, zh: '退回中', en: 'Refunding', colour: 'processing' },
      { key: BACK.done, zh: '已退回', en: 'Refunded', colour: 'success' },
      { key: BACK.failed, zh: '退回失败', en: 'Refund failed', colour: 'error' },
    ],
  }),
]

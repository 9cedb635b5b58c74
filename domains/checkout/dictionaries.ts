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
    label: { zh: '收款状态', en: 'State of a payment' },
    entries: [
      { key: PAY.sent, zh: '已提出，未确认', en: 'Asked, not confirmed', colour: 'processing' },
      { key: PAY.paying, zh: '待顾客付款', en: 'Waits for the customer', colour: 'processing' },
      { key: PAY.closing, zh: '关闭中', en: 'Being ended', colour: 'warning' },
      { key: PAY.paid, zh: '已付款', en: 'Paid', colour: 'success' },
      { key: PAY.refused, zh: '未成功', en: 'Refused', colour: 'error' },
      { key: PAY.closed, zh: '已关闭', en: 'Ended unpaid', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'pay_way',
    label: { zh: '收款方式', en: 'Way of paying' },
    entries: [
      { key: WAY.codepay, zh: '付款码', en: 'Payment code' },
      { key: WAY.native, zh: '扫码支付', en: 'Code to scan' },
      { key: WAY.jsapi, zh: '小程序', en: 'Mini program' },
    ],
  }),
  defineDict({
    code: 'pay_back_state',
    label: { zh: '退回状态', en: 'Given back' },
    entries: [
      { key: BACK.asked, zh: '待退回', en: 'To give back', colour: 'warning' },
      { key: BACK.sent, zh: '退回中', en: 'Being given back', colour: 'processing' },
      { key: BACK.done, zh: '已退回', en: 'Given back', colour: 'success' },
      { key: BACK.failed, zh: '退回失败', en: 'Not given back', colour: 'error' },
    ],
  }),
]

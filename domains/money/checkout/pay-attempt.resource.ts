import { moneyMoveSchema } from '#domains/money/payment-channels/index.ts'
import { orderIdField } from '#domains/sales/orders/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { UNMATCHED_REFUND_STATE, PAYMENT_ATTEMPT_STATE } from './dictionaries.ts'

/**
 * A payment attempt over WeChat Pay, known there by its number: sent once, then queried. An order may have several; one
 * pays it, and any further payment is refunded.
 */
export const payAttempt = defineResource({
  name: 'payAttempt',
  path: '/api/pay/payAttempt',
  label: { zh: '收款单', en: 'Payment request' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/payAttempt', icon: 'wallet', sort: 25 },
  title: 'payNo',
  remove: false,
  fields: {
    payNo: f.text({ label: { zh: '收款单号', en: 'Request no.' }, max: 32, form: 'read', search: 'eq', width: 200 }),
    orderId: orderIdField({ form: 'read' }),
    shopId: shopIdField({ form: 'read', width: 140 }),
    way: f.dict('pay_way', { label: { zh: '方式', en: 'Method' }, form: 'read', search: 'eq', width: 100 }),
    state: f.dict('pay_state', { label: { zh: '状态', en: 'Status' }, form: 'read', search: 'eq', width: 130 }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, form: 'read', search: 'range', width: 100 }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    askedTime: f.datetime({ label: { zh: '提出时间', en: 'Requested' }, form: 'read', search: 'range', width: 160 }),
    deadline: f.datetime({ label: { zh: '付款截止', en: 'Payment due' }, form: 'read', width: 160 }),
    paidTime: f.datetime({ label: { zh: '付款时间', en: 'Paid' }, form: 'read', width: 160 }),
    note: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, form: 'read', width: 240 }),
    backState: f.dict('pay_back_state', {
      label: { zh: '多付退回', en: 'Overpayment refund' },
      form: 'read',
      search: 'eq',
      width: 120,
    }),
    backNo: f.text({ label: { zh: '退回单号', en: 'Refund no.' }, max: 64, form: 'read', search: 'eq' }),
    backNote: f.text({ label: { zh: '退回说明', en: 'Refund message' }, max: 500, form: 'read' }),
    backTime: f.datetime({ label: { zh: '退回时间', en: 'Refunded' }, form: 'read', width: 160 }),
    isShared: f.boolean({
      label: { zh: '可分账', en: 'Profit sharing' },
      form: 'read',
      default: false,
      help: {
        zh: '款项先冻结，分账或解冻后才归商户',
        en: 'The money is frozen first and goes to the merchant after sharing or release',
      },
    }),
    subMchid: f.text({ label: { zh: '特约商户号', en: 'Sub-merchant ID' }, max: 32, form: 'read' }),
    codeUrl: f.text({ label: { zh: '付款二维码', en: 'Payment QR code' }, max: 500, form: 'hidden', secret: true }),
    prepayNo: f.text({ label: { zh: '预支付号', en: 'Prepay ID' }, max: 64, form: 'hidden', secret: true }),
    payerOpenid: f.text({ label: { zh: '付款人', en: 'Payer' }, max: 64, form: 'hidden', secret: true }),
    codeDigest: f.text({
      label: { zh: '付款码摘要', en: 'Payment code digest' },
      max: 64,
      form: 'hidden',
      secret: true,
    }),
    askTime: f.datetime({ label: { zh: '下次查询', en: 'Next check' }, form: 'hidden', secret: true }),
  },
  list: {
    columns: [
      'payNo',
      'way',
      'amount',
      'state',
      'backState',
      'orderId',
      'shopId',
      'note',
      'transactionNo',
      'askedTime',
      'paidTime',
    ],
    time: 'askedTime',
    sort: '-createTime',
  },
  row: { title: 'way', sub: ['shopId', '…payNo'] },
  buttons: { add: false, edit: false, delete: false, import: false },
  unique: [['payNo'], ['backNo']],
  indexes: [['orderId'], ['state', 'askTime'], ['transactionNo'], ['shopId', 'paidTime']],
  permissions: { ask: { zh: '收款', en: 'Collect payment' } },
  states: defineStates({
    field: 'state',
    values: PAYMENT_ATTEMPT_STATE,
    initial: ['sent'],
    moves: {
      prepare: { from: ['sent'], to: 'paying' },
      follow: { from: ['sent', 'paying'], to: 'paying' },
      close: { from: ['sent', 'paying'], to: 'closing' },
      // Before each call that ends it, so also when it was to be ended before.
      expire: { from: ['sent', 'paying', 'closing'], to: 'closing' },
      refuse: { from: ['sent', 'paying', 'closing'], to: 'refused' },
      finishClosing: { from: ['sent', 'paying', 'closing'], to: 'closed' },
      // Money that arrives late counts whatever was known before.
      pay: { from: ['sent', 'paying', 'closing', 'refused', 'closed'], to: 'paid' },
    },
  }),
  actions: {
    look: {
      on: 'row',
      label: { zh: '查询结果', en: 'Check status' },
      done: { zh: '已向微信支付查询', en: 'Checking with WeChat Pay' },
      enabled: {
        state: { in: [PAYMENT_ATTEMPT_STATE.sent, PAYMENT_ATTEMPT_STATE.paying, PAYMENT_ATTEMPT_STATE.closing] },
      },
      icon: 'sync',
    },
    close: {
      on: 'row',
      label: { zh: '关闭收款', en: 'Cancel payment request' },
      confirm: {
        zh: '取消收款 {amount}？顾客已经付了的仍算付款',
        en: 'Cancel the payment request for {amount}? If the customer has already paid, the payment stands.',
      },
      icon: 'close-circle',
      danger: true,
    },
    giveBackAgain: {
      on: 'row',
      label: { zh: '重新退款', en: 'Retry refund' },
      answer: moneyMoveSchema,
      confirm: { zh: '再次退款 {amount}？', en: 'Retry the refund of {amount}?' },
      enabled: { backState: { eq: UNMATCHED_REFUND_STATE.failed } },
      icon: 'redo',
    },
  },
})

import { defineDict, defineResource, f, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

/**
 * States of a refund: asked → sent → done / failed; `byHand` when no platform can refund it, until somebody confirms
 * that the money was handed over.
 */
export const PAYMENT_REFUND_STATE = {
  asked: 'asked',
  sent: 'sent',
  done: 'done',
  failed: 'failed',
  byHand: 'byHand',
  handed: 'handed',
} as const

export const paymentRefundDictionaries = [
  defineDict({
    code: 'payment_refund_state',
    label: { zh: '退款进度', en: 'Refund progress' },
    entries: [
      { key: PAYMENT_REFUND_STATE.asked, zh: '已提出', en: 'Submitted', colour: 'processing' },
      { key: PAYMENT_REFUND_STATE.sent, zh: '退款中', en: 'Refunding', colour: 'processing' },
      { key: PAYMENT_REFUND_STATE.done, zh: '已原路退回', en: 'Refunded to original method', colour: 'success' },
      { key: PAYMENT_REFUND_STATE.failed, zh: '退款失败', en: 'Failed', colour: 'error' },
      { key: PAYMENT_REFUND_STATE.byHand, zh: '待人工退还', en: 'Manual refund required', colour: 'warning' },
      { key: PAYMENT_REFUND_STATE.handed, zh: '已人工退还', en: 'Refunded manually', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'payable',
    label: { zh: '付款事项', en: 'Payment for' },
    entries: [
      { key: 'shoppingOrder', zh: '订单', en: 'Order' },
      { key: 'rechargeLog', zh: '充值', en: 'Top-up' },
      { key: 'annualFeeLog', zh: '会员年费', en: 'Membership fee' },
      { key: 'payAttempt', zh: '多付退回', en: 'Overpayment refund' },
      { key: 'tallyBack', zh: '无主款退回', en: 'Unclaimed payment refund' },
    ],
  }),
]

const what = { zh: '退给谁', en: 'Refund to' }
const course = { zh: '进度', en: 'Progress' }

/**
 * Refund of a recharge or fee. Written with its booking and sent by a job under a number that pays only once, then
 * queried until it has arrived.
 */
export const paymentRefund = defineResource({
  name: 'paymentRefund',
  path: '/api/pay/paymentRefund',
  label: { zh: '充值年费退款', en: 'Top-up and membership refund' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/paymentRefund', icon: 'rollback', sort: 33 },
  title: 'refundNo',
  remove: false,
  fields: {
    refundNo: f.text({
      label: { zh: '退款单号', en: 'Refund no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    payable: f.dict('payable', {
      label: { zh: '事项', en: 'Payment for' },
      form: 'read',
      search: 'eq',
      group: what,
      width: 110,
    }),
    payableNo: f.text({
      label: { zh: '原单号', en: 'Original no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Store' },
      labelKey: 'shopName',
      form: 'read',
      search: 'eq',
      group: what,
      width: 140,
    }),
    amount: f.money({
      label: { zh: '退款金额', en: 'Refund amount' },
      form: 'read',
      search: 'range',
      group: what,
      width: 110,
    }),
    channel: f.dict('member_pay_type', {
      label: { zh: '收款方式', en: 'Payment method' },
      form: 'read',
      search: 'eq',
      group: what,
      width: 100,
    }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    paid: f.money({ label: { zh: '原付金额', en: 'Original amount' }, form: 'read', group: what, width: 110 }),
    payTime: f.datetime({ label: { zh: '付款时间', en: 'Paid' }, form: 'read', group: what, width: 160 }),
    reason: f.text({ label: { zh: '退款原因', en: 'Refund reason' }, max: 200, form: 'read', group: what, width: 160 }),
    state: f.dict('payment_refund_state', {
      label: { zh: '进度', en: 'Progress' },
      form: 'read',
      search: 'eq',
      group: course,
      width: 130,
    }),
    note: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, form: 'read', group: course, width: 240 }),
    numberThere: f.text({
      label: { zh: '平台退款号', en: 'Platform refund ID' },
      max: 128,
      form: 'read',
      group: course,
    }),
    doneTime: f.datetime({ label: { zh: '退回时间', en: 'Refunded' }, form: 'read', group: course, width: 160 }),
    doneUser: f.ref('user', {
      label: { zh: '退还人', en: 'Refunded by' },
      labelKey: 'doneUserName',
      form: 'read',
      group: course,
      width: 110,
    }),
    payableId: f.text({ label: { zh: '原单', en: 'Original record' }, max: 32, form: 'hidden', secret: true }),
    way: f.text({ label: { zh: '退款渠道', en: 'Refund channel' }, max: 100, form: 'hidden', secret: true }),
    attempts: f.number({ label: { zh: '次数', en: 'Occurrences' }, default: 0, form: 'hidden', secret: true }),
    askTime: f.datetime({ label: { zh: '下次查询', en: 'Next check' }, form: 'hidden', secret: true }),
  },
  list: {
    columns: [
      'refundNo',
      'payable',
      'state',
      'amount',
      'channel',
      'payableNo',
      'shopId',
      'note',
      'reason',
      'createTime',
      'doneTime',
      'doneUser',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'payable', sub: ['shopId', 'reason', '…refundNo'] },
  buttons: { add: false, edit: false, delete: false, import: false },
  unique: [['refundNo']],
  indexes: [['payableId'], ['state', 'createTime', 'id'], ['shopId', 'doneTime'], ['transactionNo']],
  actions: {
    retry: {
      on: 'row',
      label: { zh: '重新退款', en: 'Retry refund' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: { zh: '再次原路退回 {amount}？', en: 'Retry the refund of {amount} to the original payment method?' },
      enabled: { state: { eq: PAYMENT_REFUND_STATE.failed } },
      icon: 'redo',
    },
    handOver: {
      on: 'row',
      label: { zh: '已人工退还', en: 'Refunded manually' },
      confirm: {
        zh: '确认已把 {amount} 退还给顾客？确认后不再经平台退款',
        en: 'Confirm that {amount} was refunded to the customer? The platform no longer refunds it after that.',
      },
      enabled: { state: { in: [PAYMENT_REFUND_STATE.byHand, PAYMENT_REFUND_STATE.failed] } },
      icon: 'check-circle',
      input: {
        remark: f.text({
          label: { zh: '怎么退的', en: 'Refund method' },
          required: true,
          max: 200,
          help: {
            zh: '如：收银机现金、银行转账及流水号',
            en: 'For example, cash at the register or a bank transfer with its number',
          },
        }),
      },
      answer: objectSchema({ id: rowIdSchema }),
    },
  },
})

import { defineDict, defineResource, f } from '#kit/resource/index.ts'

/**
 * How far money is on its way back: asked → sent → done / failed; by hand where no platform gives it back, until
 * somebody says that they handed it over.
 */
export const BACK_STATE = {
  asked: 'asked',
  sent: 'sent',
  done: 'done',
  failed: 'failed',
  byHand: 'byHand',
  handed: 'handed',
} as const

export const refundDictionaries = [
  defineDict({
    code: 'payment_refund_state',
    label: { zh: '退款进度', en: 'Refund progress' },
    entries: [
      { key: BACK_STATE.asked, zh: '已提出', en: 'Asked', colour: 'processing' },
      { key: BACK_STATE.sent, zh: '退款中', en: 'On its way', colour: 'processing' },
      { key: BACK_STATE.done, zh: '已原路退回', en: 'Refunded', colour: 'success' },
      { key: BACK_STATE.failed, zh: '退款失败', en: 'Failed', colour: 'error' },
      { key: BACK_STATE.byHand, zh: '待人工退还', en: 'To pay out', colour: 'warning' },
      { key: BACK_STATE.handed, zh: '已人工退还', en: 'Paid out', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'payable',
    label: { zh: '付款事项', en: 'What was paid for' },
    entries: [
      { key: 'shoppingOrder', zh: '订单', en: 'Order' },
      { key: 'rechargeLog', zh: '充值', en: 'Recharge' },
      { key: 'annualFeeLog', zh: '会员年费', en: 'Annual fee' },
      { key: 'payAttempt', zh: '多付退回', en: 'Overpayment returned' },
      { key: 'tallyBack', zh: '无主款退回', en: 'Unclaimed payment returned' },
    ],
  }),
]

const what = { zh: '退给谁', en: 'What goes back' }
const course = { zh: '进度', en: 'Progress' }

/**
 * Money of a recharge or a fee on its way back to who paid it. It is written with the booking, sent by a job under a
 * number that pays once, and asked about until it has arrived.
 */
export const paymentRefund = defineResource({
  name: 'paymentRefund',
  path: '/api/pay/paymentRefund',
  label: { zh: '充值年费退款', en: 'Refund of a recharge or fee' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/paymentRefund', icon: 'rollback', sort: 33 },
  title: 'refundNo',
  remove: false,
  fields: {
    refundNo: f.text({
      label: { zh: '退款单号', en: 'Refund number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    payable: f.dict('payable', {
      label: { zh: '事项', en: 'Paid for' },
      form: 'read',
      search: 'eq',
      group: what,
      width: 110,
    }),
    payableNo: f.text({
      label: { zh: '原单号', en: 'Original number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Shop' },
      labelKey: 'shopName',
      form: 'read',
      search: 'eq',
      group: what,
      width: 140,
    }),
    amount: f.money({
      label: { zh: '退款金额', en: 'Amount' },
      form: 'read',
      search: 'range',
      group: what,
      width: 110,
    }),
    channel: f.dict('member_pay_type', {
      label: { zh: '收款方式', en: 'Paid by' },
      form: 'read',
      search: 'eq',
      group: what,
      width: 100,
    }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: what,
      width: 200,
    }),
    paid: f.money({ label: { zh: '原付金额', en: 'Paid' }, form: 'read', group: what, width: 110 }),
    payTime: f.datetime({ label: { zh: '付款时间', en: 'Paid at' }, form: 'read', group: what, width: 160 }),
    reason: f.text({ label: { zh: '退款原因', en: 'Reason' }, max: 200, form: 'read', group: what, width: 160 }),
    state: f.dict('payment_refund_state', {
      label: { zh: '进度', en: 'State' },
      form: 'read',
      search: 'eq',
      group: course,
      width: 130,
    }),
    note: f.text({ label: { zh: '说明', en: 'Note' }, max: 500, form: 'read', group: course, width: 240 }),
    numberThere: f.text({
      label: { zh: '平台退款号', en: 'Platform refund number' },
      max: 128,
      form: 'read',
      group: course,
    }),
    doneTime: f.datetime({ label: { zh: '退回时间', en: 'Refunded at' }, form: 'read', group: course, width: 160 }),
    doneUser: f.ref('user', {
      label: { zh: '退还人', en: 'Paid out by' },
      labelKey: 'doneUserName',
      form: 'read',
      group: course,
      width: 110,
    }),
    payableId: f.text({ label: { zh: '原单', en: 'Its row' }, max: 32, form: 'hidden', secret: true }),
    way: f.text({ label: { zh: '退款渠道', en: 'Way' }, max: 100, form: 'hidden', secret: true }),
    attempts: f.number({ label: { zh: '次数', en: 'Times' }, default: 0, form: 'hidden', secret: true }),
    askTime: f.datetime({ label: { zh: '下次查询', en: 'Asked about at' }, form: 'hidden', secret: true }),
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
  buttons: { add: false, edit: false, delete: false, import: false },
  unique: [['refundNo']],
  indexes: [['payableId'], ['state', 'createTime', 'id'], ['shopId', 'doneTime'], ['transactionNo']],
  actions: {
    retry: {
      on: 'row',
      label: { zh: '重新退款', en: 'Send again' },
      confirm: { zh: '再次原路退回 {amount}？', en: 'Send {amount} back again?' },
      enabled: { state: { eq: BACK_STATE.failed } },
      icon: 'redo',
    },
    handOver: {
      on: 'row',
      label: { zh: '已人工退还', en: 'Paid out' },
      confirm: {
        zh: '确认已把 {amount} 退还给顾客？确认后不再经平台退款',
        en: 'Was {amount} paid out to the customer? The platform no longer refunds it then.',
      },
      enabled: { state: { in: [BACK_STATE.byHand, BACK_STATE.failed] } },
      icon: 'check-circle',
      input: {
        remark: f.text({
          label: { zh: '怎么退的', en: 'Method' },
          required: true,
          max: 200,
          help: {
            zh: '如：收银台现金、银行转账及流水号',
            en: 'For example: cash at the till, a transfer and its number',
          },
        }),
      },
    },
  },
})

import { orderId } from '#domains/orders/index.ts'
import { shopId } from '#domains/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { BACK, PAY } from './dictionaries.ts'

/**
 * Money asked of a customer over WeChat Pay. Its number is what WeChat Pay knows it by: asked for once, then asked
 * about. An order may have several; one pays it, and what is paid beside it goes back.
 */
export const payAttempt = defineResource({
  name: 'payAttempt',
  path: '/api/pay/payAttempt',
  label: { zh: '收款单', en: 'Payment asked for' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/payAttempt', icon: 'wallet', sort: 25 },
  title: 'payNo',
  remove: false,
  fields: {
    payNo: f.text({ label: { zh: '收款单号', en: 'Number' }, max: 32, form: 'read', search: 'eq', width: 200 }),
    orderId: orderId({ form: 'read' }),
    shopId: shopId({ form: 'read', width: 140 }),
    way: f.dict('pay_way', { label: { zh: '方式', en: 'Way' }, form: 'read', search: 'eq', width: 100 }),
    state: f.dict('pay_state', { label: { zh: '状态', en: 'State' }, form: 'read', search: 'eq', width: 130 }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, form: 'read', search: 'range', width: 100 }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction number' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    askedTime: f.datetime({ label: { zh: '提出时间', en: 'Asked at' }, form: 'read', search: 'range', width: 160 }),
    deadline: f.datetime({ label: { zh: '付款截止', en: 'To be paid by' }, form: 'read', width: 160 }),
    paidTime: f.datetime({ label: { zh: '付款时间', en: 'Paid at' }, form: 'read', width: 160 }),
    note: f.text({ label: { zh: '说明', en: 'Note' }, max: 500, form: 'read', width: 240 }),
    backState: f.dict('pay_back_state', {
      label: { zh: '多付退回', en: 'Given back' },
      form: 'read',
      search: 'eq',
      width: 120,
    }),
    backNo: f.text({ label: { zh: '退回单号', en: 'Number of what goes back' }, max: 64, form: 'read', search: 'eq' }),
    backNote: f.text({ label: { zh: '退回说明', en: 'How it goes back' }, max: 500, form: 'read' }),
    backTime: f.datetime({ label: { zh: '退回时间', en: 'Back at' }, form: 'read', width: 160 }),
    isShared: f.boolean({
      label: { zh: '可分账', en: 'May be shared' },
      form: 'read',
      default: false,
      help: { zh: '款项先冻结，分账或解冻后才归商户', en: 'The money is frozen until it was shared or let go' },
    }),
    subMchid: f.text({ label: { zh: '特约商户号', en: 'Sub-merchant' }, max: 32, form: 'read' }),
    codeUrl: f.text({ label: { zh: '付款二维码', en: 'Code to scan' }, max: 500, form: 'hidden', secret: true }),
    prepayNo: f.text({ label: { zh: '预支付号', en: 'Prepayment' }, max: 64, form: 'hidden', secret: true }),
    payerOpenid: f.text({ label: { zh: '付款人', en: 'Payer' }, max: 64, form: 'hidden', secret: true }),
    codeDigest: f.text({ label: { zh: '付款码摘要', en: 'Digest' }, max: 64, form: 'hidden', secret: true }),
    askTime: f.datetime({ label: { zh: '下次查询', en: 'Asked about at' }, form: 'hidden', secret: true }),
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
  buttons: { add: false, edit: false, delete: false, import: false },
  unique: [['payNo'], ['backNo']],
  indexes: [['orderId'], ['state', 'askTime'], ['transactionNo'], ['shopId', 'paidTime']],
  permissions: { ask: { zh: '收款', en: 'Ask for money' } },
  actions: {
    look: {
      on: 'row',
      label: { zh: '查询结果', en: 'Ask how it stands' },
      done: { zh: '已向微信支付查询', en: 'WeChat Pay is asked' },
      enabled: { state: { in: [PAY.sent, PAY.paying, PAY.closing] } },
      icon: 'sync',
    },
    close: {
      on: 'row',
      label: { zh: '关闭收款', en: 'End it' },
      confirm: {
        zh: '关闭收款 {amount}？顾客这时已经付了的，以付款为准',
        en: 'End the payment of {amount}? What the customer has paid by then counts',
      },
      enabled: { state: { in: [PAY.sent, PAY.paying] } },
      icon: 'close-circle',
      danger: true,
    },
    giveBackAgain: {
      on: 'row',
      label: { zh: '重新退回', en: 'Give back again' },
      confirm: { zh: '再次退回 {amount}？', en: 'Give {amount} back again?' },
      enabled: { backState: { eq: BACK.failed } },
      icon: 'redo',
    },
  },
})

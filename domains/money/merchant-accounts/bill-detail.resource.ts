import { shopIdField } from '#domains/shops/shops/index.ts'
import { merchantIdField } from './merchant-info.resource.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/**
 * A line of a bill: a payment or refund with the statement's amounts, or profit shares of the period whose payment is
 * in an earlier bill.
 */
export const billDetail = defineResource({
  name: 'billDetail',
  path: '/api/merchant/billDetail',
  label: { zh: '账单明细', en: 'Settlement bill line' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  table: 'merchant_bill_detail',
  menu: { under: 'merchant', path: '/merchant/billDetail', icon: 'unordered-list', sort: 30 },
  title: 'orderNo',
  fields: {
    billId: f.ref('bill', {
      label: { zh: '账单', en: 'Settlement bill' },
      labelKey: 'billNo',
      form: 'read',
      search: 'eq',
      width: 180,
    }),
    merchantId: merchantIdField({ form: 'read' }),
    shopId: shopIdField({ form: 'read', width: 140 }),
    kind: f.dict('bill_line_kind', { label: { zh: '收支', en: 'Type' }, form: 'read', search: 'eq', width: 80 }),
    time: f.datetime({ label: { zh: '时间', en: 'Time' }, required: true, form: 'read', search: 'range', width: 160 }),
    orderNo: f.text({ label: { zh: '订单号', en: 'Order no.' }, max: 64, form: 'read', search: 'eq', width: 200 }),
    refundNo: f.text({
      label: { zh: '退款单号', en: 'Refund no.' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    channel: f.dict('pay_type', {
      label: { zh: '支付方式', en: 'Payment method' },
      form: 'read',
      search: 'eq',
      width: 100,
    }),
    amount: f.money({ label: { zh: '收款', en: 'Received' }, form: 'read', default: '0.00', width: 100 }),
    refund: f.money({ label: { zh: '退款', en: 'Refund' }, form: 'read', default: '0.00', width: 100 }),
    fee: f.money({ label: { zh: '手续费', en: 'Fee' }, form: 'read', default: '0.00', width: 90 }),
    share: f.money({
      sortable: false,
      label: { zh: '分账', en: 'Profit share' },
      form: 'read',
      default: '0.00',
      width: 90,
    }),
    channelAmount: f.money({
      sortable: false,
      label: { zh: '平台金额', en: 'Platform amount' },
      form: 'read',
      width: 100,
    }),
    channelFee: f.money({
      sortable: false,
      label: { zh: '平台手续费', en: 'Platform fee' },
      form: 'read',
      width: 100,
    }),
    payable: f.text({ sortable: false, label: { zh: '为何而付', en: 'Paid for' }, max: 32, form: 'hidden' }),
    checkResult: f.dict('bill_check', {
      label: { zh: '核对结果', en: 'Result' },
      form: 'read',
      search: 'eq',
      width: 110,
    }),
  },
  list: {
    columns: [
      'time',
      'kind',
      'orderNo',
      'checkResult',
      'transactionNo',
      'shopId',
      'channel',
      'amount',
      'refund',
      'fee',
      'share',
      'channelAmount',
      'channelFee',
    ],
    sort: '-time',
  },
  row: { title: 'kind', sub: ['shopId', 'channel', '…orderNo'], state: 'checkResult' },
  indexes: [
    ['billId', 'checkResult', 'time', 'id'],
    ['billId', 'time', 'id'],
    ['time', 'id'],
    ['orderNo'],
    ['transactionNo'],
  ],
})

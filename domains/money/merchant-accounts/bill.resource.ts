import { merchantIdField } from './merchant-info.resource.ts'
import {
  defineResource,
  defineStates,
  f,
  objectSchema,
  integerSchema,
  arraySchema,
  textSchema,
} from '#kit/resource/index.ts'
import { BILL_STATE } from './dictionaries.ts'

const facts = { zh: '账单', en: 'Settlement bill' }
const figures = { zh: '金额', en: 'Amounts' }
const course = { zh: '核对', en: 'Reconciliation' }

/**
 * Bill of a merchant for a day or month: income, deductions and net amount. Made by the system from payments and
 * refunds.
 */
export const bill = defineResource({
  name: 'bill',
  path: '/api/merchant/bill',
  label: { zh: '账单', en: 'Settlement bill' },
  tenancy: 'tenant',
  writer: 'system',
  table: 'merchant_bill',
  menu: { under: 'merchant', path: '/merchant/bill', icon: 'account-book', sort: 20 },
  title: 'billNo',
  fields: {
    billNo: f.text({
      label: { zh: '账单号', en: 'Bill no.' },
      max: 40,
      form: 'read',
      search: 'like',
      group: facts,
      width: 165,
    }),
    merchantId: merchantIdField({ onRemoval: 'refuse', form: 'read', group: facts, width: 170 }),
    billType: f.dict('bill_type', {
      label: { zh: '周期', en: 'Interval' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 90,
    }),
    periodStart: f.date({
      label: { zh: '账期开始', en: 'Period start' },
      form: 'read',
      search: 'range',
      group: facts,
      width: 110,
    }),
    periodEnd: f.date({ label: { zh: '账期结束', en: 'Period end' }, form: 'read', group: facts, width: 110 }),
    status: f.dict('bill_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      group: facts,
      width: 100,
    }),
    orderCount: f.number({
      label: { zh: '订单数', en: 'Orders' },
      form: 'read',
      default: 0,
      group: figures,
      width: 80,
    }),
    orderAmount: f.money({
      label: { zh: '订单实付', en: 'Order payments' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 110,
      help: { zh: '等于平台收款加不经平台的收款', en: 'Equals platform receipts plus receipts outside the platform' },
    }),
    income: f.money({
      label: { zh: '平台收款', en: 'Platform receipts' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 110,
    }),
    offlineAmount: f.money({
      label: { zh: '不经平台', en: 'Outside platform' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 110,
      help: { zh: '现金、余额、银行卡、外卖平台等', en: 'Cash, balance, bank card, delivery platforms' },
    }),
    refundCount: f.number({
      label: { zh: '退款笔数', en: 'Refunds' },
      form: 'read',
      default: 0,
      group: figures,
      width: 90,
    }),
    refund: f.money({
      label: { zh: '平台退款', en: 'Platform refunds' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 110,
    }),
    offlineRefund: f.money({
      label: { zh: '不经平台退款', en: 'Refunds outside platform' },
      form: 'read',
      default: '0.00',
      group: figures,
    }),
    fee: f.money({ label: { zh: '手续费', en: 'Fee' }, form: 'read', default: '0.00', group: figures, width: 90 }),
    shareOut: f.money({
      label: { zh: '分账支出', en: 'Profit shares' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 100,
    }),
    net: f.money({
      label: { zh: '应结净额', en: 'Net payable' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 110,
      help: { zh: '平台收款 − 退款 − 手续费 − 分账', en: 'Platform receipts − refunds − fees − profit shares' },
    }),
    differences: f.number({
      label: { zh: '差异', en: 'Discrepancies' },
      form: 'read',
      default: 0,
      group: course,
      width: 115,
    }),
    statementTime: f.datetime({
      label: { zh: '对账单导入时间', en: 'Statement imported' },
      form: 'read',
      group: course,
    }),
    statementProblem: f.text({
      label: { zh: '对账单未取到', en: 'Statement not available' },
      max: 500,
      form: 'read',
      group: course,
    }),
    checkUser: f.ref('user', {
      label: { zh: '核对人', en: 'Verified by' },
      labelKey: 'checkUserName',
      form: 'read',
      group: course,
    }),
    checkTime: f.datetime({ label: { zh: '核对时间', en: 'Verified' }, form: 'read', group: course }),
    checkRemark: f.text({
      label: { zh: '处理意见', en: 'Resolution' },
      max: 500,
      form: 'read',
      group: course,
    }),
    payTime: f.datetime({ label: { zh: '付款时间', en: 'Paid' }, form: 'read', group: course }),
    payNo: f.text({ label: { zh: '付款凭证号', en: 'Payment reference' }, max: 64, form: 'read', group: course }),
  },
  documents: {
    merchantBill: {
      label: { zh: '商户账单', en: 'Settlement bill' },
      facts: ['merchantId', 'billType', 'periodStart', 'periodEnd', 'status', 'checkUser', 'checkTime', 'checkRemark'],
      lines: {
        of: 'billDetail',
        by: 'billId',
        sort: 'time',
        columns: ['time', 'kind', 'orderNo', 'channel', 'amount', 'refund', 'fee', 'share'],
        sums: { amount: 'orderAmount', refund: '', fee: 'fee', share: 'shareOut' },
      },
      totals: ['orderAmount', 'offlineAmount', 'income', 'refund', 'offlineRefund', 'fee', 'shareOut', 'net'],
      signs: [
        { zh: '制单', en: 'Prepared by' },
        { zh: '核对', en: 'Verified by' },
        { zh: '商户确认', en: 'Merchant confirmation' },
      ],
    },
    merchantSettlement: {
      label: { zh: '商户结算单', en: 'Settlement note' },
      facts: ['merchantId', 'billType', 'periodStart', 'periodEnd', 'checkUser', 'checkTime', 'payTime', 'payNo'],
      totals: [
        'orderCount',
        'orderAmount',
        'offlineAmount',
        'income',
        'refundCount',
        'refund',
        'offlineRefund',
        'fee',
        'shareOut',
        'net',
      ],
      signs: [
        { zh: '制单', en: 'Prepared by' },
        { zh: '审核', en: 'Approved by' },
        { zh: '商户确认', en: 'Merchant confirmation' },
      ],
      enabled: { status: { in: [1, 2] } },
    },
  },
  list: {
    columns: [
      'billNo',
      'merchantId',
      'status',
      'periodStart',
      'income',
      'net',
      'differences',
      'refund',
      'fee',
      'shareOut',
      'orderCount',
      'orderAmount',
    ],
    sort: '-periodStart',
  },
  row: { sub: ['…billNo'], amount: 'net', group: false },
  unique: [['billNo'], ['merchantId', 'billType', 'periodStart']],
  indexes: [
    ['periodStart', 'id'],
    ['status', 'periodStart'],
  ],
  permissions: { statement: { zh: '导入对账单', en: 'Import statement' } },
  states: defineStates({
    field: 'status',
    values: BILL_STATE,
    initial: ['generated'],
    moves: {
      check: { from: ['generated', 'disputed'], to: 'checked' },
      dispute: { from: ['generated', 'checked'], to: 'disputed' },
      pay: { from: ['checked'], to: 'paid' },
    },
  }),
  actions: {
    generate: {
      on: 'toolbar',
      label: { zh: '生成账单', en: 'Generate bills' },
      icon: 'calculator',
      done: {
        zh: '已生成 {count} 张账单；已核对的、没有收退款的不重做；重做的要再导入一次对账单',
        en:
          '{count} {count|bill|bills} generated. Verified bills and periods without activity are skipped. ' +
          'Import the statement again for regenerated bills.',
      },
      input: {
        tenantId: f.text({
          label: { zh: '租户', en: 'Tenant' },
          max: 12,
          pattern: '^\\d+$',
          patternWords: { zh: '{label}编号只含数字', en: 'The ID of {label} can contain only digits' },
          help: {
            zh: '平台管理员代租户生成时必选',
            en: 'Required when a platform administrator generates bills for a tenant',
          },
        }),
        billType: f.dict('bill_type', { label: { zh: '周期', en: 'Interval' }, required: true, default: 'day' }),
        day: f.date({
          label: { zh: '日期', en: 'Date' },
          required: true,
          help: { zh: '月账单填当月任意一天', en: 'For a monthly bill, enter any day of the month' },
        }),
        merchantId: f.ref('merchantInfo', {
          label: { zh: '商户', en: 'Merchant' },
          help: { zh: '不选则全部商户', en: 'Leave blank for all merchants' },
        }),
      },
      answer: objectSchema({ count: integerSchema, ids: arraySchema(textSchema) }),
    },
    check: {
      on: 'row',
      label: { zh: '核对', en: 'Reconciliation' },
      icon: 'check',
      input: { checkRemark: f.text({ label: { zh: '处理意见', en: 'Resolution' }, max: 500 }) },
    },
    dispute: {
      on: 'row',
      label: { zh: '提出争议', en: 'Dispute' },
      icon: 'exclamation-circle',
      danger: true,
      input: { checkRemark: f.text({ label: { zh: '争议原因', en: 'Dispute reason' }, required: true, max: 500 }) },
    },
    pay: {
      on: 'row',
      label: { zh: '登记付款', en: 'Record payment' },
      icon: 'pay-circle',
      confirm: { zh: '登记已向 {merchantName} 付款 {net}？', en: 'Record a payment of {net} to {merchantName}?' },
      input: { payNo: f.text({ label: { zh: '付款凭证号', en: 'Payment reference' }, required: true, max: 64 }) },
    },
  },
})

import { defineResource, f } from '#kit/resource/index.ts'

const facts = { zh: '账单', en: 'Bill' }
const figures = { zh: '金额', en: 'Amounts' }
const course = { zh: '核对', en: 'Check' }

/** What a merchant took and what is left of it, by day or month. Made by the system from orders and refunds. */
export const bill = defineResource({
  name: 'bill',
  path: '/api/merchant/bill',
  label: { zh: '账单', en: 'Bill' },
  tenancy: 'tenant',
  writer: 'system',
  table: 'merchant_bill',
  menu: { under: 'merchant', path: '/merchant/bill', icon: 'account-book', sort: 20 },
  title: 'billNo',
  fields: {
    billNo: f.text({ label: { zh: '账单号', en: 'Bill number' }, max: 40, form: 'read', search: 'like', group: facts, width: 165 }),
    merchantId: f.ref('merchantInfo', { label: { zh: '商户', en: 'Merchant' }, labelKey: 'merchantName', form: 'read', search: 'eq', group: facts, width: 170 }),
    billType: f.dict('bill_type', { label: { zh: '周期', en: 'Period' }, form: 'read', search: 'eq', group: facts, width: 90 }),
    periodStart: f.date({ label: { zh: '开始', en: 'From' }, form: 'read', search: 'range', group: facts, width: 110 }),
    periodEnd: f.date({ label: { zh: '结束', en: 'To' }, form: 'read', group: facts, width: 110 }),
    status: f.dict('bill_status', { label: { zh: '状态', en: 'State' }, numeric: true, form: 'read', search: 'eq', group: facts, width: 100 }),
    orderCount: f.number({ label: { zh: '订单数', en: 'Orders' }, form: 'read', default: 0, group: figures, width: 80 }),
    orderAmount: f.money({ label: { zh: '订单实付', en: 'Paid by orders' }, form: 'read', default: '0.00', group: figures, width: 110, help: { zh: '等于平台收款加不经平台的收款', en: 'Taken over the platform and beside it, together' } }),
    income: f.money({ label: { zh: '平台收款', en: 'Taken online' }, form: 'read', default: '0.00', group: figures, width: 110 }),
    offlineAmount: f.money({ label: { zh: '不经平台', en: 'Beside it' }, form: 'read', default: '0.00', group: figures, width: 110, help: { zh: '现金、余额、银行卡', en: 'Cash, balance, bank card' } }),
    refundCount: f.number({ label: { zh: '退款笔数', en: 'Refunds' }, form: 'read', default: 0, group: figures, width: 90 }),
    refund: f.money({ label: { zh: '平台退款', en: 'Refunded' }, form: 'read', default: '0.00', group: figures, width: 110 }),
    offlineRefund: f.money({ label: { zh: '不经平台退款', en: 'Refunded beside it' }, form: 'read', default: '0.00', group: figures }),
    fee: f.money({ label: { zh: '手续费', en: 'Fee' }, form: 'read', default: '0.00', group: figures, width: 90 }),
    shareOut: f.money({ label: { zh: '分账支出', en: 'Shared out' }, form: 'read', default: '0.00', group: figures, width: 100 }),
    net: f.money({ label: { zh: '应结净额', en: 'Net' }, form: 'read', default: '0.00', group: figures, width: 110, help: { zh: '平台收款 − 退款 − 手续费 − 分账', en: 'Taken less refunds, fee and shares' } }),
    differences: f.number({ label: { zh: '差异', en: 'Differences' }, form: 'read', default: 0, group: course, width: 115 }),
    statementTime: f.datetime({ label: { zh: '对账单导入时间', en: 'Statement read' }, form: 'read', group: course }),
    checkUser: f.ref('user', { label: { zh: '核对人', en: 'Checked by' }, labelKey: 'checkUserName', form: 'read', group: course }),
    checkTime: f.datetime({ label: { zh: '核对时间', en: 'Checked' }, form: 'read', group: course }),
    checkRemark: f.text({ label: { zh: '处理意见', en: 'What is done about it' }, max: 500, form: 'read', group: course }),
    payTime: f.datetime({ label: { zh: '付款时间', en: 'Paid' }, form: 'read', group: course }),
    payNo: f.text({ label: { zh: '付款凭证号', en: 'Proof of payment' }, max: 64, form: 'read', group: course }),
  },
  list: { columns: ['billNo', 'merchantId', 'status', 'periodStart', 'income', 'net', 'differences', 'refund', 'fee', 'shareOut', 'orderCount', 'orderAmount'], sort: '-periodStart' },
  unique: [['billNo'], ['merchantId', 'billType', 'periodStart']],
  indexes: [['periodStart', 'id'], ['status', 'periodStart']],
  permissions: { statement: { zh: '导入对账单', en: 'Read a statement' } },
  actions: {
    generate: {
      on: 'toolbar',
      label: { zh: '生成账单', en: 'Make bills' },
      icon: 'calculator',
      done: { zh: '已生成 {count} 张账单；已核对的、没有收退款的不重做；重做的要再导入一次对账单', en: '{count} bills made; none where all is checked or nothing happened; those made anew need their statement again' },
      input: {
        tenantId: f.text({ label: { zh: '租户', en: 'Tenant' }, max: 12, pattern: '^\\d+$', help: { zh: '平台管理员代租户生成时必选', en: "Whose bills: for the platform's people alone" } }),
        billType: f.dict('bill_type', { label: { zh: '周期', en: 'Period' }, required: true, default: 'day' }),
        day: f.date({ label: { zh: '日期', en: 'Day' }, required: true, help: { zh: '月账单填当月任意一天', en: 'For a month, any day of it' } }),
        merchantId: f.ref('merchantInfo', { label: { zh: '商户', en: 'Merchant' }, help: { zh: '不选则全部商户', en: 'Left empty, all of them' } }),
      },
    },
    check: {
      on: 'row',
      label: { zh: '核对', en: 'Check' },
      icon: 'check',
      enabled: { status: { in: [0, 3] } },
      input: { checkRemark: f.text({ label: { zh: '处理意见', en: 'What is done about it' }, max: 500 }) },
    },
    dispute: {
      on: 'row',
      label: { zh: '提出争议', en: 'Dispute' },
      icon: 'exclamation-circle',
      danger: true,
      enabled: { status: { in: [0, 1] } },
      input: { checkRemark: f.text({ label: { zh: '争议原因', en: 'Why' }, required: true, max: 500 }) },
    },
    pay: {
      on: 'row',
      label: { zh: '登记付款', en: 'Mark as paid' },
      icon: 'pay-circle',
      enabled: { status: { eq: 1 } },
      confirm: { zh: '登记已向 {merchantName} 付款 {net}？', en: 'Record a payment of {net} to {merchantName}?' },
      input: { payNo: f.text({ label: { zh: '付款凭证号', en: 'Proof of payment' }, required: true, max: 64 }) },
    },
  },
})

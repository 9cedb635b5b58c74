import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, f, longRemarkField } from '#kit/resource/index.ts'

export const visitDictionaries = [
  defineDict({
    code: 'visit_result',
    label: { zh: '到店结果', en: 'Visit result' },
    entries: [
      { key: 'bought', zh: '已购买', en: 'Bought', colour: 'success' },
      { key: 'refunded', zh: '已退款', en: 'Refunded', colour: 'warning' },
      { key: 'left', zh: '未购买', en: 'Left without buying', colour: 'default' },
      { key: 'unpaid', zh: '未付款离店', en: 'Walkout', colour: 'error' },
      { key: 'suspicious', zh: '可疑', en: 'Suspicious', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'visit_record',
    label: { zh: '到店动作', en: 'Visit action' },
    entries: [
      { key: 'scanned', zh: '扫码', en: 'Scanned', colour: 'default' },
      { key: 'opened', zh: '开门', en: 'Door opened', colour: 'default' },
      { key: 'entered', zh: '进店', en: 'Entered', colour: 'processing' },
      { key: 'picked', zh: '拿取', en: 'Picked', colour: 'default' },
      { key: 'returned', zh: '放回', en: 'Put back', colour: 'default' },
      { key: 'paid', zh: '付款', en: 'Paid', colour: 'success' },
      { key: 'left', zh: '离店', en: 'Left', colour: 'processing' },
    ],
  }),
]

/** One person's visit of a shop, as its devices saw it. The result follows from its records and orders. */
export const customerVisitLog = defineResource({
  name: 'customerVisitLog',
  path: '/api/shop/customerVisitLog',
  label: { zh: '到店记录', en: 'Visit' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'device',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/customerVisitLog', icon: 'user-switch', sort: 30 },
  title: 'enterTime',
  fields: {
    shopId: shopIdField(),
    wxUserId: f.ref('wxUser', {
      label: { zh: '顾客', en: 'Customer' },
      labelKey: 'wxUserName',
      search: 'eq',
      width: 130,
    }),
    enterTime: f.datetime({ label: { zh: '进店时间', en: 'Entry time' }, required: true, search: 'range', width: 160 }),
    leaveTime: f.datetime({ label: { zh: '离店时间', en: 'Exit time' }, width: 160 }),
    entryMode: f.dict('entry_mode', { label: { zh: '进店方式', en: 'Entry method' }, search: 'eq', width: 100 }),
    result: f.dict('visit_result', { label: { zh: '结果', en: 'Result' }, search: 'in', width: 120 }),
    paidAmount: f.money({ label: { zh: '付款金额', en: 'Paid' }, width: 100 }),
    orderIds: f.refs('shoppingOrder', { label: { zh: '订单', en: 'Orders' }, labelKey: 'orderNos', width: 200 }),
    snapshot: f.picture({ label: { zh: '抓拍', en: 'Snapshot' }, mask: 'face', width: 80 }),
    videoUrl: f.url({ label: { zh: '录像', en: 'Recording' } }),
    remark: longRemarkField(),
  },
  measures: {
    visits: { label: { zh: '到店次数', en: 'Visits' } },
    bought: {
      label: { zh: '购买次数', en: 'Visits with purchase' },
      where: { result_in: 'bought,refunded' },
    },
    paid: { label: { zh: '付款金额', en: 'Paid' }, sum: 'paidAmount' },
    unpaid: { label: { zh: '未付款离店', en: 'Walkout' }, where: { result_in: 'unpaid' } },
  },
  list: {
    columns: ['enterTime', 'wxUserId', 'shopId', 'result', 'paidAmount', 'entryMode', 'leaveTime', 'snapshot'],
    sort: '-enterTime',
  },
  row: { title: 'wxUserId', sub: ['shopId', 'entryMode'] },
  indexes: [
    ['wxUserId', 'enterTime'],
    ['result', 'enterTime'],
  ],
})

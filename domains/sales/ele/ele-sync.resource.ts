import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { eleShopIdField } from './ele-shop-info.resource.ts'

export const ELE_COMPARISON_STATE = { running: 1, done: 2, failed: 3 } as const

export const eleSyncDictionaries = [
  defineDict({
    code: 'ele_pull_state',
    label: { zh: '饿了么同步进度', en: 'Ele.me sync status' },
    entries: [
      { key: `${ELE_COMPARISON_STATE.running}`, zh: '进行中', en: 'In progress', colour: 'processing' },
      { key: `${ELE_COMPARISON_STATE.done}`, zh: '完成', en: 'Completed', colour: 'success' },
      { key: `${ELE_COMPARISON_STATE.failed}`, zh: '失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ele_pull_step',
    label: { zh: '饿了么同步步骤', en: 'Ele.me sync step' },
    entries: [
      { key: 'shop', zh: '门店', en: 'Store' },
      { key: 'shelves', zh: '分类', en: 'Categories' },
      { key: 'goods', zh: '商品', en: 'Products' },
      { key: 'orders', zh: '订单', en: 'Orders' },
    ],
  }),
]

const count = (zh: string, en: string) =>
  f.number({ label: { zh, en }, min: 0, default: 0, form: 'hidden', width: 100 })

/** Progress of the comparison of a shop with Ele: one row per shop, reset by each comparison. */
export const eleSync = defineResource({
  name: 'eleSync',
  path: '/api/ele/eleSync',
  label: { zh: '饿了么同步记录', en: 'Ele.me sync log' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleSync', icon: 'sync', sort: 90 },
  title: 'step',
  fields: {
    eleShopId: eleShopIdField({ form: 'hidden' }),
    shopId: shopIdField({ form: 'hidden' }),
    state: f.dict('ele_pull_state', {
      label: { zh: '进度', en: 'Progress' },
      numeric: true,
      form: 'hidden',
      search: 'eq',
      width: 100,
    }),
    step: f.dict('ele_pull_step', { label: { zh: '步骤', en: 'Step' }, form: 'hidden', width: 90 }),
    total: count('总数', 'Total'),
    done: count('已处理', 'Processed'),
    different: count('不一致', 'Out of sync'),
    unknown: count('本地没有', 'Not in our records'),
    beginTime: f.datetime({ label: { zh: '开始', en: 'Start' }, form: 'hidden', search: 'range', width: 160 }),
    finishTime: f.datetime({ label: { zh: '结束', en: 'End' }, form: 'hidden', width: 160 }),
    message: f.text({ label: { zh: '说明', en: 'Message' }, max: 500, form: 'hidden', width: 220 }),
    bookmark: f.text({ label: { zh: '位置', en: 'Position' }, max: 100, form: 'hidden', secret: true, detail: false }),
  },
  list: {
    columns: [
      'eleShopId',
      'shopId',
      'state',
      'step',
      'total',
      'done',
      'different',
      'unknown',
      'beginTime',
      'finishTime',
      'message',
    ],
    sort: '-beginTime',
  },
  row: { title: ['step', 'eleShopId'], sub: ['shopId', 'message'] },
  unique: [['eleShopId']],
})

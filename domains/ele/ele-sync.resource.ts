import { shopId } from '#domains/shops/index.ts'
import { defineDict, defineResource, f } from '#kit/resource/index.ts'
import { eleShopId } from './ele-shop-info.resource.ts'

export const PULL = { running: 1, done: 2, failed: 3 } as const

export const eleSyncDictionaries = [
  defineDict({
    code: 'ele_pull_state',
    label: { zh: '饿了么同步进度', en: 'State of an alignment with Ele' },
    entries: [
      { key: `${PULL.running}`, zh: '进行中', en: 'Under way', colour: 'processing' },
      { key: `${PULL.done}`, zh: '完成', en: 'Done', colour: 'success' },
      { key: `${PULL.failed}`, zh: '失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ele_pull_step',
    label: { zh: '饿了么同步步骤', en: 'Step of an alignment with Ele' },
    entries: [
      { key: 'shop', zh: '门店', en: 'Shop' },
      { key: 'shelves', zh: '分类', en: 'Types' },
      { key: 'goods', zh: '商品', en: 'Goods' },
      { key: 'orders', zh: '订单', en: 'Orders' },
    ],
  }),
]

const count = (zh: string, en: string) =>
  f.number({ label: { zh, en }, min: 0, default: 0, form: 'hidden', width: 100 })

/** How far a shop is compared with what the platform has of it: one row a shop, which each comparison begins anew. */
export const eleSync = defineResource({
  name: 'eleSync',
  path: '/api/ele/eleSync',
  label: { zh: '饿了么同步记录', en: 'Alignment with Ele' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleSync', icon: 'sync', sort: 90 },
  title: 'step',
  fields: {
    eleShopId: eleShopId({ form: 'hidden' }),
    shopId: shopId({ form: 'hidden' }),
    state: f.dict('ele_pull_state', {
      label: { zh: '进度', en: 'State' },
      numeric: true,
      form: 'hidden',
      search: 'eq',
      width: 100,
    }),
    step: f.dict('ele_pull_step', { label: { zh: '步骤', en: 'Step' }, form: 'hidden', width: 90 }),
    total: count('总数', 'Found there'),
    done: count('已处理', 'Looked at'),
    different: count('不一致', 'Different'),
    unknown: count('本地没有', 'Not here'),
    beginTime: f.datetime({ label: { zh: '开始', en: 'Begun' }, form: 'hidden', search: 'range', width: 160 }),
    finishTime: f.datetime({ label: { zh: '结束', en: 'Finished' }, form: 'hidden', width: 160 }),
    message: f.text({ label: { zh: '说明', en: 'Note' }, max: 500, form: 'hidden', width: 220 }),
    bookmark: f.text({ label: { zh: '位置', en: 'Place' }, max: 100, form: 'hidden', secret: true, detail: false }),
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
  unique: [['eleShopId']],
})

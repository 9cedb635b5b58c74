import { goodIdField, upcField } from '#domains/catalogue/products/index.ts'
import { defineResource, f, defineRetentionParam } from '#kit/resource/index.ts'

/** Log of price tags: bindings, unbindings, updates sent, and their results. */
export const priceTagLog = defineResource({
  name: 'priceTagLog',
  path: '/api/shop/priceTagLog',
  label: { zh: '价签日志', en: 'ESL update log' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  retentionDays: 1,
  partitioned: 'month',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/priceTagLog', icon: 'file-text', sort: 62 },
  title: 'tagId',
  fields: {
    tagId: f.text({ label: { zh: '价签编号', en: 'Tag no.' }, max: 32, search: 'like', width: 140 }),
    action: f.dict('price_tag_action', { label: { zh: '动作', en: 'Action' }, search: 'eq', width: 90 }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Store' },
      labelKey: 'shopName',
      search: 'eq',
      width: 150,
    }),
    goodId: goodIdField(),
    upc: upcField(),
    oldPrice: f.money({ label: { zh: '原价格', en: 'Old price' }, width: 100 }),
    newPrice: f.money({ label: { zh: '新价格', en: 'New price' }, width: 100 }),
    template: f.dict('price_tag_template', { label: { zh: '模板', en: 'Template' }, width: 100 }),
    commandId: f.text({ label: { zh: '指令编号', en: 'Command ID' }, max: 64, search: 'eq', width: 150 }),
    contentHash: f.text({ label: { zh: '内容指纹', en: 'Content hash' }, max: 32, width: 140 }),
    content: f.json({ label: { zh: '显示内容', en: 'Content' } }),
    result: f.dict('price_tag_result', { label: { zh: '结果', en: 'Result' }, search: 'eq', width: 90 }),
    resultMessage: f.text({ label: { zh: '结果说明', en: 'Message' }, max: 200, width: 180 }),
    costMs: f.number({ label: { zh: '耗时', en: 'Duration' }, unit: { zh: '毫秒', en: 'ms' }, width: 90 }),
    operator: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'operatorName', width: 110 }),
  },
  list: {
    columns: [
      'tagId',
      'action',
      'goodId',
      'oldPrice',
      'newPrice',
      'result',
      'costMs',
      'shopId',
      'createTime',
      'operator',
      'resultMessage',
      'template',
    ],
  },
  row: { sub: ['shopId', 'operator'], amount: ['oldPrice', 'newPrice'], state: 'result' },
  indexes: [
    ['tagId', 'createTime'],
    ['goodId', 'createTime'],
  ],
})

/** Setting for how many days the log of price tags is kept. */
export const TAG_LOG_RETENTION_PARAM = defineRetentionParam('priceTagLogDays', 180, {
  zh: '价签日志保留天数',
  en: 'ESL update log retention (days)',
})

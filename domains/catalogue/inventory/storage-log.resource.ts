import { goodIdField, upcField } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField } from '#kit/resource/index.ts'

/** The stock ledger: one row for each batch a movement changes, numbered without gaps for each product. */
export const storageLog = defineResource({
  name: 'storageLog',
  path: '/api/shop/storageLog',
  label: { zh: '库存流水', en: 'Stock movements' },
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  appendOnly: true,
  partitioned: 'quarter',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/storageLog', icon: 'profile', sort: 40 },
  title: 'upc',
  fields: {
    shopId: shopIdField(),
    goodId: goodIdField(),
    upc: upcField(),
    type: f.dict('stock_type', { label: { zh: '类型', en: 'Type' }, search: 'eq', width: 100 }),
    change: f.number({ label: { zh: '变动', en: 'Change' }, width: 80 }),
    before: f.number({ sortable: false, label: { zh: '变动前', en: 'Before' }, width: 80 }),
    after: f.number({ sortable: false, label: { zh: '变动后', en: 'After' }, width: 80 }),
    batchId: f.ref('storageBatch', { label: { zh: '批次', en: 'Batch' }, labelKey: 'batchNo', width: 140 }),
    seq: f.number({ label: { zh: '流水序号', en: 'Movement no.' } }),
    refType: f.dict('stock_ref', { label: { zh: '来源', en: 'Source' }, width: 100 }),
    refId: f.ref('', {
      by: 'refType',
      resourceByValue: {
        order: 'shoppingOrder',
        refund: 'refunds',
        batch: 'storageBatch',
        goods: 'goodInfo',
        supplierOrder: 'supplierOrder',
        return: 'returnLog',
        transfer: 'stockTransfer',
        stocktake: 'stocktake',
      },
      label: { zh: '来源编号', en: 'Source ID' },
      search: 'eq',
      width: 170,
    }),
    operator: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'operatorName', width: 110 }),
    remark: remarkField(),
  },
  measures: {
    change: {
      label: { zh: '库存变动', en: 'Stock change' },
      help: { zh: '入为正，出为负', en: 'Positive for incoming, negative for outgoing' },
      sum: 'change',
    },
    moves: { label: { zh: '流水笔数', en: 'Movements' } },
  },
  list: {
    columns: [
      'shopId',
      'goodId',
      'upc',
      'type',
      'change',
      'before',
      'after',
      'batchId',
      'refType',
      'operator',
      'createTime',
    ],
    sort: '-createTime',
  },
  unique: [['goodId', 'seq']],
  indexes: [['refId'], ['batchId']],
})

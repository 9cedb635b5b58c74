import { goodIdField } from '#domains/catalogue/products/index.ts'
import { wxUserIdField } from '#domains/sales/customers/index.ts'
import { orderIdField } from '#domains/sales/orders/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, objectSchema } from '#kit/resource/index.ts'

const facts = { zh: '损耗', en: 'Shrinkage record', many: 'Shrinkage' }
const evidence = { zh: '依据', en: 'Evidence' }

/**
 * A loss of a shop with its probable cause and the rows it was derived from. Recomputed from these rows; it keeps its
 * row while it is found again and is deleted otherwise.
 */
export const shopLoss = defineResource({
  name: 'shopLoss',
  path: '/api/shop/shopLoss',
  label: { zh: '损耗', en: 'Shrinkage record', many: 'Shrinkage' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'guard', path: '/guard/shopLoss', icon: 'fund', sort: 50 },
  title: 'why',
  fields: {
    day: f.date({ label: { zh: '日期', en: 'Date' }, search: 'range', group: facts, width: 110 }),
    kind: f.dict('loss_kind', { label: { zh: '类型', en: 'Type' }, search: 'in', group: facts, width: 150 }),
    shopId: shopIdField({ group: facts }),
    amount: f.money({
      label: { zh: '损耗（商品按进价）', en: 'Shrinkage (products at cost)' },
      default: '0.00',
      group: facts,
      width: 130,
      help: { zh: '没有填进价的商品不计金额', en: 'Products without a cost are not included in the amount' },
    }),
    basis: f.dict('loss_basis', {
      label: { zh: '金额依据', en: 'Amount basis' },
      search: 'in',
      group: facts,
      width: 110,
    }),
    why: f.text({ label: { zh: '怎么没的', en: 'Cause' }, max: 300, group: facts, width: 300 }),
    whyEn: f.text({ label: { zh: '英文说明', en: 'Description (English)' }, max: 300, form: 'hidden', detail: false }),
    certainty: f.dict('loss_certainty', {
      label: { zh: '把握', en: 'Confidence' },
      search: 'eq',
      group: facts,
      width: 90,
    }),
    goodId: goodIdField({ group: facts }),
    quantity: f.number({ label: { zh: '件数', en: 'Pieces' }, group: facts, width: 80 }),
    visitId: f.ref('customerVisitLog', {
      label: { zh: '到店记录', en: 'Visit' },
      labelKey: 'visitTime',
      search: 'eq',
      group: evidence,
      width: 160,
    }),
    orderId: orderIdField({ group: evidence }),
    refundId: f.ref('refunds', {
      label: { zh: '退款', en: 'Refund' },
      labelKey: 'refundNo',
      search: 'eq',
      group: evidence,
      width: 190,
    }),
    stocktakeId: f.ref('stocktake', {
      label: { zh: '盘点单', en: 'Inventory count' },
      labelKey: 'countNo',
      search: 'eq',
      group: evidence,
      width: 160,
    }),
    batchId: f.ref('storageBatch', {
      label: { zh: '批次', en: 'Batch' },
      labelKey: 'batchNo',
      search: 'eq',
      group: evidence,
      width: 150,
    }),
    storageLogId: f.ref('storageLog', {
      label: { zh: '库存流水', en: 'Stock movement' },
      labelKey: 'storageLogUpc',
      group: evidence,
    }),
    wxUserId: wxUserIdField({ group: evidence }),
    // Identifies the loss, so that it keeps its row when found again.
    mark: f.text({ label: { zh: '标识', en: 'Fingerprint' }, max: 100, form: 'hidden', detail: false, secret: true }),
  },
  list: {
    columns: [
      'day',
      'kind',
      'amount',
      'basis',
      'shopId',
      'why',
      'certainty',
      'goodId',
      'quantity',
      'visitId',
      'refundId',
      'stocktakeId',
    ],
    sort: '-day',
  },
  unique: [['mark']],
  indexes: [
    ['kind', 'day'],
    ['shopId', 'day'],
  ],
  actions: {
    recompute: {
      on: 'toolbar',
      label: { zh: '重新计算', en: 'Recalculate' },
      answer: objectSchema({}),
      icon: 'sync',
      done: { zh: '已开始，完成后这里会更新', en: 'Started. This page updates when it is done.' },
    },
  },
})

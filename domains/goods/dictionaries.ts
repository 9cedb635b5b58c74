import { defineDict } from '#kit/resource/index.ts'

/** Why stock moved. */
export const stockTypes = ['in', 'sale', 'refund', 'return', 'loss', 'stocktake', 'transfer', 'correct'] as const
export type StockType = (typeof stockTypes)[number]

/** What a movement of stock goes back to; the id beside it is that of such a row. */
export const stockRefs = ['order', 'refund', 'batch', 'goods', 'supplierOrder', 'return', 'transfer', 'stocktake'] as const
export type StockRef = (typeof stockRefs)[number]

export const goodsDictionaries = [
  defineDict({
    code: 'stock_type',
    label: { zh: '库存变动类型', en: 'Kind of stock movement' },
    entries: [
      { key: 'in', zh: '入库', en: 'Received', colour: 'success' },
      { key: 'sale', zh: '销售', en: 'Sold', colour: 'processing' },
      { key: 'refund', zh: '退款退回', en: 'Refunded', colour: 'warning' },
      { key: 'return', zh: '退货', en: 'Returned', colour: 'warning' },
      { key: 'loss', zh: '报损', en: 'Lost', colour: 'error' },
      { key: 'stocktake', zh: '盘点', en: 'Stocktake', colour: 'default' },
      { key: 'transfer', zh: '调拨', en: 'Transferred', colour: 'default' },
      { key: 'correct', zh: '更正', en: 'Corrected', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'stock_ref',
    label: { zh: '库存变动来源', en: 'Source of a stock movement' },
    entries: [
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'refund', zh: '退款', en: 'Refund' },
      { key: 'batch', zh: '入库批次', en: 'Stock batch' },
      { key: 'goods', zh: '手工', en: 'By hand' },
      { key: 'supplierOrder', zh: '采购单', en: 'Supplier order' },
      { key: 'return', zh: '退货单', en: 'Return' },
      { key: 'transfer', zh: '调拨单', en: 'Transfer' },
      { key: 'stocktake', zh: '盘点单', en: 'Stocktake' },
    ],
  }),
]

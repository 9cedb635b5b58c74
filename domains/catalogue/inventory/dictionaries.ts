import { defineDict } from '#kit/resource/index.ts'

/** Reasons for a stock movement. */
export const stockMovementTypes = [
  'in',
  'sale',
  'refund',
  'return',
  'loss',
  'stocktake',
  'transfer',
  'correct',
] as const
export type StockMovementType = (typeof stockMovementTypes)[number]

/** Kinds of rows that cause a stock movement; `ref_type` of a movement, whose `ref_id` is the id of that row. */
export const stockMovementSources = [
  'order',
  'refund',
  'batch',
  'goods',
  'supplierOrder',
  'return',
  'transfer',
  'stocktake',
] as const
export type StockMovementSource = (typeof stockMovementSources)[number]

export const stockDictionaries = [
  defineDict({
    code: 'stock_type',
    label: { zh: '库存变动类型', en: 'Stock movement type' },
    entries: [
      { key: 'in', zh: '入库', en: 'Received', colour: 'success' },
      { key: 'sale', zh: '销售', en: 'Sold', colour: 'processing' },
      { key: 'refund', zh: '退款退回', en: 'Refund return', colour: 'warning' },
      { key: 'return', zh: '退货', en: 'Return', colour: 'warning' },
      { key: 'loss', zh: '报损', en: 'Written off', colour: 'error' },
      { key: 'stocktake', zh: '盘点', en: 'Count', colour: 'default' },
      { key: 'transfer', zh: '调拨', en: 'Transferred', colour: 'default' },
      { key: 'correct', zh: '更正', en: 'Adjusted', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'stock_ref',
    label: { zh: '库存变动来源', en: 'Stock movement source' },
    entries: [
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'refund', zh: '退款', en: 'Refund' },
      { key: 'batch', zh: '入库批次', en: 'Stock batch' },
      { key: 'goods', zh: '手工', en: 'Manual' },
      { key: 'supplierOrder', zh: '采购单', en: 'Purchase order' },
      { key: 'return', zh: '退货单', en: 'Return' },
      { key: 'transfer', zh: '调拨单', en: 'Stock transfer' },
      { key: 'stocktake', zh: '盘点单', en: 'Inventory count' },
    ],
  }),
  defineDict({
    code: 'stock_correct_reason',
    label: { zh: '更正原因', en: 'Adjustment reason' },
    entries: [
      { key: 'receipt', zh: '入库数量录错', en: 'Data entry error' },
      { key: 'mixup', zh: '与其他商品串货', en: 'Mixed up with another product' },
      { key: 'found', zh: '找到遗漏商品', en: 'Missing product found' },
      { key: 'use', zh: '门店自用', en: 'Used by store' },
      { key: 'other', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'return_direction',
    label: { zh: '退货方向', en: 'Return direction' },
    entries: [
      { key: 'supplier', zh: '退给供应商', en: 'To the supplier', colour: 'warning' },
      { key: 'customer', zh: '顾客退回', en: 'From a customer', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'return_reason',
    label: { zh: '退货原因', en: 'Return reason' },
    entries: [
      { key: 'expiring', zh: '临期', en: 'Expiring soon' },
      { key: 'damaged', zh: '破损', en: 'Damaged' },
      { key: 'quality', zh: '质量问题', en: 'Quality' },
      { key: 'wrong', zh: '错发错买', en: 'Wrong product' },
      { key: 'unsold', zh: '滞销', en: 'Slow-moving' },
      { key: 'recall', zh: '厂家召回', en: 'Recalled' },
      { key: 'other', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'return_status',
    label: { zh: '退货状态', en: 'Return status' },
    entries: [
      { key: '1', zh: '已退货', en: 'Returned', colour: 'success' },
      { key: '9', zh: '已撤销', en: 'Undone', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'stock_transfer_status',
    label: { zh: '调拨状态', en: 'Stock transfer status' },
    entries: [
      { key: '0', zh: '待发出', en: 'To be shipped', colour: 'default' },
      { key: '1', zh: '在途', en: 'In transit', colour: 'processing' },
      { key: '2', zh: '已收货', en: 'Received', colour: 'success' },
      { key: '8', zh: '已撤回', en: 'Recalled', colour: 'warning' },
      { key: '9', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'stock_transfer_remainder',
    label: { zh: '调拨差异处理', en: 'Transfer discrepancy handling' },
    entries: [
      { key: 'lost', zh: '途中遗失', en: 'Lost in transit', colour: 'error' },
      { key: 'unsent', zh: '未发出，退回', en: 'Not shipped, returned to stock', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'stocktake_status',
    label: { zh: '盘点状态', en: 'Inventory count status' },
    entries: [
      { key: '0', zh: '盘点中', en: 'Counting', colour: 'processing' },
      { key: '1', zh: '已过账', en: 'Posted', colour: 'success' },
      { key: '9', zh: '已作废', en: 'Voided', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'stocktake_scope',
    label: { zh: '盘点范围', en: 'Count scope' },
    entries: [
      { key: 'all', zh: '全店', en: 'Whole store' },
      { key: 'type', zh: '按分类', en: 'By category' },
      { key: 'shelf', zh: '按货架', en: 'By shelf' },
    ],
  }),
  defineDict({
    code: 'stocktake_rule',
    label: { zh: '多人盘点规则', en: 'Multiple counters rule' },
    entries: [
      { key: 'add', zh: '相加', en: 'Add up' },
      { key: 'last', zh: '最后为准', en: 'Last count wins' },
    ],
  }),
  defineDict({
    code: 'stocktake_mode',
    label: { zh: '点数方式', en: 'Count method' },
    entries: [
      { key: 'set', zh: '我数到的总数', en: 'Total I counted' },
      { key: 'add', zh: '再加上', en: 'Add to count' },
    ],
  }),
  defineDict({
    code: 'stocktake_uncounted',
    label: { zh: '未盘商品处理', en: 'Uncounted products' },
    entries: [
      { key: 'keep', zh: '库存不变', en: 'Keep stock' },
      { key: 'zero', zh: '视为没有', en: 'Treat as zero' },
    ],
  }),
]

/** Return reasons after which the pieces cannot be sold again: they are not put back into stock. */
export const UNSELLABLE_RETURN_REASONS: readonly string[] = ['damaged', 'quality', 'recall']
export const RETURN_STATE = { done: 1, undone: 9 } as const
export const TRANSFER_STATE = { draft: 0, onTheWay: 1, received: 2, recalled: 8, cancelled: 9 } as const
export const STOCKTAKE_STATE = { counting: 0, posted: 1, cancelled: 9 } as const

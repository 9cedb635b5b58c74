import { defineDict } from '#kit/resource/index.ts'

/**
 * States of a purchase order: placed → confirmed → shipped → received → settled; cancelled only before it is shipped.
 */
export const SUPPLIER_ORDER_STATE = {
  placed: 0,
  confirmed: 1,
  shipped: 2,
  received: 3,
  settled: 4,
  cancelled: 9,
} as const

export const supplierDictionaries = [
  defineDict({
    code: 'supplier_status',
    label: { zh: '供应商状态', en: 'Supplier status' },
    entries: [
      { key: '1', zh: '合作中', en: 'Active', colour: 'success' },
      { key: '0', zh: '已停用', en: 'Inactive', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'supplier_order_status',
    label: { zh: '采购单状态', en: 'Purchase order status' },
    entries: [
      { key: '0', zh: '待确认', en: 'Awaiting confirmation', colour: 'warning' },
      { key: '1', zh: '已确认', en: 'Confirmed', colour: 'processing' },
      { key: '2', zh: '配送中', en: 'Shipped', colour: 'processing' },
      { key: '3', zh: '已收货', en: 'Received', colour: 'success' },
      { key: '4', zh: '已结算', en: 'Paid', colour: 'success' },
      { key: '9', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
]

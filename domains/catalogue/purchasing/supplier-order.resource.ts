import { SUPPLIER_ORDER_STATE } from './dictionaries.ts'
import { supplierIdField } from './supplier-info.resource.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f, remarkField } from '#kit/resource/index.ts'

const facts = { zh: '采购单', en: 'Order' }
const amounts = { zh: '金额', en: 'Amounts' }
const progress = { zh: '进度', en: 'Progress' }

/** A purchase order of one shop with one supplier. Its amounts are computed from its lines. */
export const supplierOrder = defineResource({
  name: 'supplierOrder',
  path: '/api/supplier/supplierOrder',
  label: { zh: '采购单', en: 'Purchase order' },
  tenancy: 'tenant',
  ownFields: false,
  scope: { shop: 'shopId' },
  menu: { under: 'supplier', path: '/supplier/supplierOrder', icon: 'snippets', sort: 20 },
  title: 'orderNo',
  remove: false,
  fields: {
    orderNo: f.text({
      label: { zh: '采购单号', en: 'Purchase order no.' },
      max: 40,
      form: 'hidden',
      search: 'like',
      group: facts,
      width: 200,
    }),
    shopId: shopIdField({ onRemoval: 'refuse', required: true, form: 'add', group: facts }),
    supplierId: supplierIdField({ onRemoval: 'refuse', required: true, form: 'add', group: facts }),
    status: f.dict('supplier_order_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'hidden',
      default: 0,
      search: 'eq',
      group: facts,
      width: 100,
    }),
    kinds: f.number({ label: { zh: '品种', en: 'Products' }, form: 'hidden', default: 0, group: facts, width: 80 }),
    quantity: f.number({
      label: { zh: '订货数量', en: 'Ordered' },
      form: 'hidden',
      default: 0,
      group: facts,
      width: 90,
    }),
    receivedQuantity: f.number({
      label: { zh: '已收数量', en: 'Received' },
      form: 'hidden',
      default: 0,
      group: progress,
      width: 105,
    }),
    amount: f.money({
      label: { zh: '订货金额', en: 'Ordered amount' },
      form: 'hidden',
      default: '0.00',
      search: 'range',
      group: amounts,
      width: 110,
    }),
    receivedAmount: f.money({
      label: { zh: '收货金额', en: 'Received amount' },
      form: 'hidden',
      default: '0.00',
      group: amounts,
      width: 110,
    }),
    returnedAmount: f.money({
      label: { zh: '已退货金额', en: 'Returned amount' },
      computed: true,
      form: 'hidden',
      group: amounts,
      width: 110,
    }),
    freight: f.money({
      label: { zh: '运费', en: 'Delivery fee' },
      max: 9_999_999,
      default: '0.00',
      group: amounts,
      width: 90,
    }),
    settledAmount: f.money({
      label: { zh: '结算金额', en: 'Paid amount' },
      form: 'hidden',
      group: amounts,
      width: 110,
    }),
    settleRemark: f.text({
      label: { zh: '结算说明', en: 'Payment note' },
      max: 200,
      form: 'hidden',
      group: amounts,
    }),
    expectDate: f.date({ label: { zh: '预计到货', en: 'Expected' }, search: 'range', group: progress, width: 110 }),
    confirmTime: f.datetime({ label: { zh: '确认时间', en: 'Confirmed' }, form: 'hidden', group: progress }),
    shipTime: f.datetime({ label: { zh: '发货时间', en: 'Shipped' }, form: 'hidden', group: progress }),
    deliveryNo: f.text({
      label: { zh: '送货单号', en: 'Delivery note no.' },
      max: 40,
      form: 'hidden',
      group: progress,
    }),
    receiveTime: f.datetime({ label: { zh: '收齐时间', en: 'Fully received' }, form: 'hidden', group: progress }),
    settleTime: f.datetime({ label: { zh: '结算时间', en: 'Paid' }, form: 'hidden', group: progress }),
    dueDate: f.date({
      label: { zh: '应付日期', en: 'Due date' },
      form: 'hidden',
      search: 'range',
      group: progress,
      width: 110,
    }),
    isShort: f.boolean({
      label: { zh: '少货结单', en: 'Closed short' },
      form: 'hidden',
      default: false,
      group: progress,
    }),
    cancelReason: f.text({
      label: { zh: '取消原因', en: 'Cancellation reason' },
      max: 200,
      form: 'hidden',
      group: progress,
    }),
    remark: remarkField({ max: 500 }),
  },
  measures: {
    orders: { label: { zh: '采购单数', en: 'Purchase orders' } },
    amount: { label: { zh: '订货金额', en: 'Ordered amount' }, sum: 'amount', where: { status_in: '0,1,2,3,4' } },
    received: { label: { zh: '收货金额', en: 'Received amount' }, sum: 'receivedAmount' },
    settled: { label: { zh: '结算金额', en: 'Paid amount' }, sum: 'settledAmount' },
  },
  documents: {
    purchaseOrder: {
      label: { zh: '采购单', en: 'Purchase order' },
      facts: ['supplierId', 'shopId', 'status', 'expectDate', 'createTime', 'remark'],
      lines: {
        of: 'supplierOrderDetail',
        by: 'orderId',
        sort: 'sort',
        columns: ['upc', 'name', 'spec', 'unit', 'price', 'quantity', 'amount'],
        sums: { quantity: 'quantity', amount: 'amount' },
      },
      totals: ['amount', 'freight'],
      signs: [
        { zh: '采购人', en: 'Ordered by' },
        { zh: '供应商确认', en: 'Supplier confirmation' },
      ],
    },
    purchaseSettlement: {
      label: { zh: '采购结算单', en: 'Purchase settlement' },
      facts: ['supplierId', 'shopId', 'deliveryNo', 'receiveTime', 'dueDate', 'settleTime', 'settleRemark'],
      lines: {
        of: 'supplierOrderDetail',
        by: 'orderId',
        sort: 'sort',
        columns: ['upc', 'name', 'unit', 'price', 'quantity', 'receivedQuantity', 'receivedAmount'],
        sums: { quantity: 'quantity', receivedQuantity: 'receivedQuantity', receivedAmount: 'receivedAmount' },
      },
      totals: ['receivedAmount', 'returnedAmount', 'freight', 'settledAmount'],
      signs: [
        { zh: '制单', en: 'Prepared by' },
        { zh: '审核', en: 'Approved by' },
        { zh: '供应商', en: 'Supplier' },
      ],
      enabled: { status: { in: [3, 4] } },
    },
  },
  list: {
    columns: [
      'orderNo',
      'shopId',
      'supplierId',
      'status',
      'kinds',
      'quantity',
      'receivedQuantity',
      'amount',
      'freight',
      'expectDate',
      'dueDate',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { sub: ['shopId', '…orderNo'], late: 'expectDate', act: 'receive' },
  buttons: { add: false },
  permissions: { add: { zh: '下单', en: 'Place order' } },
  unique: [['orderNo']],
  indexes: [
    ['shopId', 'status'],
    ['supplierId', 'status'],
    ['status', 'expectDate'],
  ],
  states: defineStates({
    field: 'status',
    values: SUPPLIER_ORDER_STATE,
    initial: ['placed'],
    moves: {
      confirm: { from: ['placed'], to: 'confirmed' },
      ship: { from: ['confirmed'], to: 'shipped' },
      receive: { from: ['confirmed', 'shipped'], to: ['shipped', 'received'] },
      receiveScanned: {
        from: ['placed', 'confirmed', 'shipped'],
        to: ['shipped', 'received'],
        label: { zh: '扫码收货', en: 'Receive by scanning' },
      },
      settle: { from: ['received'], to: 'settled' },
      cancel: { from: ['placed', 'confirmed'], to: 'cancelled' },
    },
  }),
  actions: {
    confirm: {
      on: 'row',
      label: { zh: '确认', en: 'Approve' },
      icon: 'check',
      input: {
        expectDate: f.date({ label: { zh: '预计到货', en: 'Expected' } }),
        freight: f.money({ label: { zh: '运费', en: 'Delivery fee' }, max: 9_999_999 }),
      },
    },
    ship: {
      on: 'row',
      label: { zh: '发货', en: 'Ship' },
      icon: 'truck',
      input: { deliveryNo: f.text({ label: { zh: '送货单号', en: 'Delivery note no.' }, max: 40 }) },
    },
    receive: {
      on: 'row',
      label: { zh: '收货', en: 'Receive' },
      icon: 'inbox',
      input: {
        lines: f.json({
          label: { zh: '收到的商品', en: 'Products received' },
          help: {
            zh: '[{detailId, quantity, was, expiryDate?}]，was 为之前已收数量',
            en: '[{detailId, quantity, was, expiryDate?}] where was is the quantity received before',
          },
        }),
        isLast: f.boolean({ label: { zh: '不再有后续到货', en: 'No further deliveries' }, default: false }),
      },
    },
    settle: {
      on: 'row',
      label: { zh: '结算', en: 'Settle' },
      icon: 'pay-circle',
      input: {
        settledAmount: f.money({ label: { zh: '实付金额', en: 'Amount paid' }, required: true }),
        settleRemark: f.text({ label: { zh: '差额说明', en: 'Difference reason' }, max: 200 }),
      },
    },
    cancel: {
      on: 'row',
      label: { zh: '取消', en: 'Cancel' },
      icon: 'close-circle',
      danger: true,
      confirm: { zh: '取消采购单 {orderNo}?', en: 'Cancel purchase order {orderNo}?' },
      input: {
        cancelReason: f.text({ label: { zh: '取消原因', en: 'Cancellation reason' }, required: true, max: 200 }),
      },
    },
  },
})

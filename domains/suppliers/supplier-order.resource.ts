import { defineResource, f } from '#kit/resource/index.ts'

const facts = { zh: '采购单', en: 'Order' }
const amounts = { zh: '金额', en: 'Amounts' }
const way = { zh: '进度', en: 'Progress' }

/** An order of one shop to one supplier. Its amounts follow from its lines. */
export const supplierOrder = defineResource({
  name: 'supplierOrder',
  path: '/api/supplier/supplierOrder',
  label: { zh: '采购单', en: 'Purchase order' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'supplier', path: '/supplier/supplierOrder', icon: 'snippets', sort: 20 },
  title: 'orderNo',
  remove: false,
  fields: {
    orderNo: f.text({ label: { zh: '采购单号', en: 'Order number' }, max: 40, form: 'hidden', search: 'like', group: facts, width: 200 }),
    shopId: f.ref('basicShopInfo', { label: { zh: '门店', en: 'Shop' }, labelKey: 'shopName', required: true, form: 'add', search: 'eq', group: facts, width: 150 }),
    supplierId: f.ref('supplierInfo', { label: { zh: '供应商', en: 'Supplier' }, labelKey: 'supplierName', required: true, form: 'add', search: 'eq', group: facts, width: 160 }),
    status: f.dict('supplier_order_status', { label: { zh: '状态', en: 'State' }, numeric: true, form: 'hidden', default: 0, search: 'eq', group: facts, width: 100 }),
    kinds: f.number({ label: { zh: '品种', en: 'Kinds' }, form: 'hidden', default: 0, group: facts, width: 80 }),
    quantity: f.number({ label: { zh: '订货数量', en: 'Ordered' }, form: 'hidden', default: 0, group: facts, width: 90 }),
    receivedQuantity: f.number({ label: { zh: '已收数量', en: 'Received' }, form: 'hidden', default: 0, group: way, width: 105 }),
    amount: f.money({ label: { zh: '订货金额', en: 'Ordered for' }, form: 'hidden', default: '0.00', search: 'range', group: amounts, width: 110 }),
    receivedAmount: f.money({ label: { zh: '收货金额', en: 'Received for' }, form: 'hidden', default: '0.00', group: amounts, width: 110 }),
    freight: f.money({ label: { zh: '运费', en: 'Freight' }, max: 9_999_999, default: '0.00', group: amounts, width: 90 }),
    settledAmount: f.money({ label: { zh: '结算金额', en: 'Paid' }, form: 'hidden', group: amounts, width: 110 }),
    settleRemark: f.text({ label: { zh: '结算说明', en: 'About the payment' }, max: 200, form: 'hidden', group: amounts }),
    expectDate: f.date({ label: { zh: '预计到货', en: 'Expected' }, search: 'range', group: way, width: 110 }),
    confirmTime: f.datetime({ label: { zh: '确认时间', en: 'Confirmed' }, form: 'hidden', group: way }),
    shipTime: f.datetime({ label: { zh: '发货时间', en: 'Shipped' }, form: 'hidden', group: way }),
    deliveryNo: f.text({ label: { zh: '送货单号', en: 'Delivery number' }, max: 40, form: 'hidden', group: way }),
    receiveTime: f.datetime({ label: { zh: '收齐时间', en: 'All received' }, form: 'hidden', group: way }),
    settleTime: f.datetime({ label: { zh: '结算时间', en: 'Settled' }, form: 'hidden', group: way }),
    dueDate: f.date({ label: { zh: '应付日期', en: 'Payment due' }, form: 'hidden', search: 'range', group: way, width: 110 }),
    isShort: f.boolean({ label: { zh: '少货结单', en: 'Closed short' }, form: 'hidden', default: false, group: way }),
    cancelReason: f.text({ label: { zh: '取消原因', en: 'Why cancelled' }, max: 200, form: 'hidden', group: way }),
    remark: f.text({ label: { zh: '备注', en: 'Remark' }, max: 500 }),
  },
  list: {
    columns: ['orderNo', 'shopId', 'supplierId', 'status', 'kinds', 'quantity', 'receivedQuantity', 'amount', 'freight', 'expectDate', 'dueDate', 'createTime'],
    sort: '-createTime',
  },
  buttons: { add: false },
  permissions: { add: { zh: '下单', en: 'Place orders' } },
  unique: [['orderNo']],
  indexes: [['shopId', 'status'], ['supplierId', 'status'], ['status', 'expectDate']],
  actions: {
    confirm: {
      on: 'row',
      label: { zh: '确认', en: 'Confirm' },
      icon: 'check',
      enabled: { status: { eq: 0 } },
      input: {
        expectDate: f.date({ label: { zh: '预计到货', en: 'Expected' } }),
        freight: f.money({ label: { zh: '运费', en: 'Freight' }, max: 9_999_999 }),
      },
    },
    ship: {
      on: 'row',
      label: { zh: '发货', en: 'Ship' },
      icon: 'truck',
      enabled: { status: { eq: 1 } },
      input: { deliveryNo: f.text({ label: { zh: '送货单号', en: 'Delivery number' }, max: 40 }) },
    },
    receive: {
      on: 'row',
      label: { zh: '收货', en: 'Receive' },
      icon: 'inbox',
      enabled: { status: { in: [1, 2] } },
      input: {
        lines: f.json({ label: { zh: '收到的商品', en: 'What has come' }, help: { zh: '[{detailId, quantity, was, expiryDate?}]，was 为之前已收数量', en: '[{detailId, quantity, was, expiryDate?}], was being what had come before' } }),
        isLast: f.boolean({ label: { zh: '不再有后续到货', en: 'Nothing more will come' }, default: false }),
      },
    },
    settle: {
      on: 'row',
      label: { zh: '结算', en: 'Settle' },
      icon: 'pay-circle',
      enabled: { status: { eq: 3 } },
      input: {
        settledAmount: f.money({ label: { zh: '实付金额', en: 'Paid' }, required: true, max: 999_999_999 }),
        settleRemark: f.text({ label: { zh: '差额说明', en: 'Why it differs' }, max: 200 }),
      },
    },
    cancel: {
      on: 'row',
      label: { zh: '取消', en: 'Cancel' },
      icon: 'close-circle',
      danger: true,
      confirm: { zh: '取消采购单 {orderNo}?', en: 'Cancel purchase order {orderNo}?' },
      enabled: { status: { in: [0, 1] } },
      input: { cancelReason: f.text({ label: { zh: '取消原因', en: 'Why cancelled' }, required: true, max: 200 }) },
    },
  },
})

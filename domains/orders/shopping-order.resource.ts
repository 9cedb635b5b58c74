import { wxUserId } from '#domains/members/index.ts'
import { shopId } from '#domains/shops/index.ts'
import { defineResource, f, longRemark, fragment } from '#kit/resource/index.ts'
import { SOLD } from './dictionaries.ts'

const facts = { zh: '订单', en: 'Order' }
const amounts = { zh: '金额', en: 'Amounts' }
const payment = { zh: '支付', en: 'Payment' }

/** Orders that were paid, whatever came after. */
const sold = { status_in: SOLD.join(','), payTime_notnull: 'true' }

/** An order. Customers and registers write it; the office reads it and keeps a remark. */
export const shoppingOrder = defineResource({
  name: 'shoppingOrder',
  path: '/api/shop/shoppingOrder',
  label: { zh: '订单', en: 'Order' },
  tenancy: 'tenant',
  big: true,
  writer: 'customer',
  scope: { shop: 'shopId' },
  menu: { under: 'order', path: '/order/shoppingOrder', icon: 'file-text', sort: 10 },
  title: 'orderNo',
  fields: {
    orderNo: f.text({
      label: { zh: '订单号', en: 'Order number' },
      max: 40,
      form: 'read',
      search: 'part',
      lead: 'SO',
      group: facts,
      width: 194,
    }),
    shopId: shopId({ onRemoval: 'refuse', form: 'read', group: facts }),
    wxUserId: wxUserId({ form: 'read', group: facts }),
    status: f.dict('order_status', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      form: 'read',
      search: 'eq',
      group: facts,
      width: 100,
    }),
    source: f.dict('order_source', {
      label: { zh: '来源', en: 'Source' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 90,
    }),
    type: f.dict('order_type', {
      label: { zh: '类型', en: 'Type' },
      form: 'read',
      search: 'eq',
      group: facts,
      width: 80,
    }),
    flags: f.dicts('order_flag', {
      label: { zh: '提示', en: 'Notes' },
      form: 'read',
      search: 'in',
      group: facts,
      width: 130,
    }),
    quantity: f.number({ label: { zh: '件数', en: 'Items' }, form: 'read', group: facts, width: 70 }),
    summary: f.text({ label: { zh: '商品摘要', en: 'Goods' }, max: 200, form: 'read', group: facts, width: 220 }),
    goodsAmount: f.money({ label: { zh: '商品金额', en: 'Goods amount' }, form: 'read', group: amounts, width: 100 }),
    discountAmount: f.money({
      label: { zh: '优惠金额', en: 'Discount' },
      form: 'read',
      default: '0.00',
      group: amounts,
      width: 100,
    }),
    ticketAmount: f.money({
      label: { zh: '优惠券抵扣', en: 'Tickets' },
      form: 'read',
      default: '0.00',
      group: amounts,
    }),
    vipAmount: f.money({
      label: { zh: '会员优惠', en: 'Member discount' },
      form: 'read',
      default: '0.00',
      group: amounts,
    }),
    integralAmount: f.money({
      label: { zh: '积分抵扣', en: 'Paid with points' },
      form: 'read',
      default: '0.00',
      group: amounts,
    }),
    freight: f.money({ label: { zh: '运费', en: 'Freight' }, form: 'read', default: '0.00', group: amounts }),
    payAmount: f.money({
      label: { zh: '实付金额', en: 'Paid' },
      form: 'read',
      search: 'range',
      group: amounts,
      width: 116,
    }),
    balanceAmount: f.money({
      label: { zh: '余额支付', en: 'Paid from balance' },
      form: 'read',
      default: '0.00',
      group: payment,
    }),
    refundAmount: f.money({
      label: { zh: '已退金额', en: 'Refunded' },
      form: 'read',
      default: '0.00',
      group: amounts,
      width: 100,
    }),
    costAmount: f.money({ label: { zh: '成本', en: 'Cost' }, form: 'read', default: '0.00', group: amounts }),
    payType: f.dict('pay_type', {
      label: { zh: '支付方式', en: 'Payment' },
      form: 'read',
      search: 'eq',
      group: payment,
      width: 100,
    }),
    payTime: f.datetime({
      label: { zh: '支付时间', en: 'Paid at' },
      form: 'read',
      search: 'range',
      group: payment,
      width: 160,
    }),
    transactionNo: f.text({
      label: { zh: '支付流水号', en: 'Transaction number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: payment,
    }),
    cashRegisterId: f.ref('cashRegister', {
      onRemoval: 'refuse',
      label: { zh: '收银机', en: 'Register' },
      labelKey: 'cashRegisterName',
      form: 'read',
      search: 'eq',
      group: facts,
      width: 120,
    }),
    saleNo: f.text({
      label: { zh: '收银流水号', en: 'Register sale number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: facts,
    }),
    visitId: f.ref('customerVisitLog', {
      label: { zh: '到店记录', en: 'Visit' },
      labelKey: 'visitTime',
      form: 'read',
      search: 'eq',
      group: facts,
    }),
    payDeadline: f.datetime({ label: { zh: '支付截止', en: 'To be paid by' }, form: 'read', group: payment }),
    pickupCode: f.text({
      label: { zh: '取货码', en: 'Pick-up code' },
      max: 8,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
    quoteId: f.ref('', { label: { zh: '报价', en: 'Quote' }, form: 'hidden', detail: false, secret: true }),
    deliverTo: f.json({ label: { zh: '收货信息', en: 'Goes to' }, form: 'hidden', detail: false, secret: true }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Finished at' }, form: 'read', group: facts }),
    cancelReason: f.text({ label: { zh: '取消原因', en: 'Why cancelled' }, max: 200, form: 'read', group: facts }),
    remark: longRemark(),
  },
  measures: {
    sales: {
      label: { zh: '销售额', en: 'Sales' },
      help: { zh: '已支付订单的实付金额，含后来退款的', en: 'What paid orders took, those refunded later included' },
      sum: 'payAmount',
      where: sold,
    },
    orders: { label: { zh: '订单数', en: 'Orders' }, help: { zh: '已支付的订单', en: 'Paid orders' }, where: sold },
    average: {
      label: { zh: '客单价', en: 'Per order' },
      help: { zh: '每个已支付订单的平均实付', en: 'What a paid order took on average' },
      average: 'payAmount',
      where: sold,
    },
    items: { label: { zh: '销售件数', en: 'Pieces' }, sum: 'quantity', where: sold },
    cost: { label: { zh: '成本', en: 'Cost' }, sum: 'costAmount', where: sold },
    profit: {
      label: { zh: '毛利', en: 'Gross profit' },
      help: { zh: '实付减成本，未扣退款', en: 'Paid less cost, before refunds' },
      sum: 'payAmount',
      less: ['costAmount'],
      where: sold,
    },
    discount: {
      label: { zh: '优惠', en: 'Discounts' },
      help: { zh: '优惠、优惠券、会员价和积分抵扣合计', en: 'Discounts, tickets, member prices and points together' },
      sum: 'discountAmount',
      plus: ['ticketAmount', 'vipAmount', 'integralAmount'],
      where: sold,
    },
    refunded: { label: { zh: '已退金额', en: 'Refunded' }, sum: 'refundAmount', where: sold },
    all: {
      label: { zh: '下单数', en: 'Orders placed' },
      help: { zh: '含未支付和已取消的', en: 'Unpaid and cancelled ones included' },
    },
  },
  documents: {
    salesOrder: {
      label: { zh: '销售单', en: 'Sales order' },
      facts: ['shopId', 'wxUserId', 'status', 'type', 'payType', 'payTime', 'remark'],
      lines: {
        of: 'shoppingOrderDetail',
        by: 'orderId',
        sort: 'sort',
        columns: ['upc', 'name', 'spec', 'price', 'quantity', 'discount', 'amount'],
        sums: { quantity: 'quantity', discount: '', amount: '' },
      },
      totals: [
        'goodsAmount',
        'discountAmount',
        'ticketAmount',
        'vipAmount',
        'integralAmount',
        'freight',
        'payAmount',
        'refundAmount',
      ],
    },
  },
  list: {
    columns: [
      'orderNo',
      'createTime',
      'shopId',
      'status',
      'payAmount',
      'summary',
      'quantity',
      'refundAmount',
      'payType',
      'wxUserId',
      'source',
      'flags',
    ],
    sort: '-createTime',
    path: 'web/boss/list',
  },
  actions: {
    handOver: {
      on: 'row',
      label: { zh: '核销取货', en: 'Hand over' },
      confirm: { zh: '顾客出示取货码后交付 {summary}', en: 'Hand over {summary} against the code the customer shows' },
      icon: 'qrcode',
      enabled: { status: { in: [1, 3] }, type: { eq: 'pickup' }, finishTime: { eq: '' } },
      input: {
        pickupCode: f.text({
          label: { zh: '取货码', en: 'Pick-up code' },
          required: true,
          max: 8,
          digits: true,
          help: { zh: '顾客手机上的 6 位数字', en: "The six digits on the customer's phone" },
        }),
      },
    },
    finish: {
      on: 'row',
      label: { zh: '完成', en: 'Finish' },
      confirm: {
        zh: '不核对取货码，直接完成订单 {orderNo}？',
        en: 'Finish order {orderNo} without a pick-up code?',
      },
      icon: 'check-circle',
      enabled: { status: { in: [1, 3] }, type: { ne: 'delivery' }, finishTime: { eq: '' } },
    },
    printReceipt: {
      on: 'row',
      label: { zh: '打印小票', en: 'Print the receipt' },
      icon: 'printer',
      bulk: true,
      enabled: { status: { ne: 0 } },
      input: {
        printerId: f.ref('printerInfo', {
          label: { zh: '打印机', en: 'Printer' },
          help: { zh: '不选则用门店的小票打印机', en: "Left empty, the shop's printer for receipts" },
        }),
      },
    },
    cancel: {
      on: 'row',
      label: { zh: '取消', en: 'Cancel' },
      confirm: {
        zh: '取消订单 {orderNo}？已支付的将全额退款',
        en: 'Cancel order {orderNo}? What was paid goes back in full',
      },
      icon: 'close-circle',
      danger: true,
      enabled: { status: { in: [0, 1, 3] }, finishTime: { eq: '' } },
      input: {
        cancelReason: f.text({
          label: { zh: '取消原因', en: 'Why cancelled' },
          required: true,
          max: 200,
          usual: [
            { zh: '顾客不要了', en: 'Customer changed their mind' },
            { zh: '缺货', en: 'Out of stock' },
            { zh: '重复下单', en: 'Ordered twice' },
          ],
        }),
      },
    },
  },
  remove: false,
  partitioned: 'quarter',
  buttons: { edit: true },
  unique: [['orderNo'], ['cashRegisterId', 'saleNo']],
  indexes: [
    ['shopId', 'status', 'createTime', 'id'],
    ['shopId', 'payTime'],
    ['payTime'],
    ['wxUserId', 'createTime'],
    ['cashRegisterId', 'createTime'],
    ['transactionNo'],
  ],
})

/** The order of a row. */
export const orderId = fragment.ref(shoppingOrder.name, {
  label: shoppingOrder.label,
  labelKey: 'orderNo',
  search: 'eq',
  width: 200,
})

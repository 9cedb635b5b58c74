import { shopId } from '#domains/shops/index.ts'
import { meituanShopId } from './meituan-shop-info.resource.ts'
import { syncFields } from '#domains/thirdparty/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const facts = { zh: '订单', en: 'Order' }
const money = { zh: '金额', en: 'Amounts' }
const times = { zh: '时间', en: 'Times' }

/** An order as Meituan delivered it; it becomes one of our orders once. Only the platform writes it. */
export const meituanOrder = defineResource({
  name: 'meituanOrder',
  path: '/api/meituan/meituanOrder',
  label: { zh: '美团订单', en: 'Order at Meituan' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanOrder', icon: 'file-text', sort: 40 },
  title: 'platformOrderId',
  fields: {
    platformOrderId: f.text({
      label: { zh: '平台订单号', en: 'Order number there' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: facts,
      width: 190,
    }),
    daySeq: f.number({
      label: { zh: '当日序号', en: 'No. of the day' },
      min: 0,
      form: 'read',
      group: facts,
      width: 90,
    }),
    meituanShopId: meituanShopId({ onRemoval: 'refuse', form: 'read', group: facts, width: 170 }),
    shopId: shopId({ form: 'read', group: facts }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '我们的订单', en: 'Our order' },
      labelKey: 'orderNo',
      form: 'read',
      search: 'eq',
      group: facts,
      width: 190,
    }),
    status: f.dict('meituan_order_status', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      form: 'read',
      search: 'eq',
      group: facts,
      width: 110,
    }),
    totalFee: f.money({ label: { zh: '订单总额', en: 'Total' }, form: 'read', group: money, width: 100 }),
    userFee: f.money({ label: { zh: '顾客实付', en: 'Paid by the customer' }, form: 'read', group: money, width: 110 }),
    shopFee: f.money({ label: { zh: '商户应收', en: "The shop's part" }, form: 'read', group: money, width: 100 }),
    sendFee: f.money({ label: { zh: '配送费', en: 'Delivery fee' }, form: 'read', group: money }),
    packageFee: f.money({ label: { zh: '打包费', en: 'Packing fee' }, form: 'read', group: money }),
    discountFee: f.money({ label: { zh: '优惠', en: 'Discount' }, form: 'read', group: money, width: 90 }),
    serviceFee: f.money({ label: { zh: '平台服务费', en: 'Service fee' }, form: 'read', group: money, width: 100 }),
    orderTime: f.datetime({
      label: { zh: '下单时间', en: 'Ordered' },
      form: 'read',
      search: 'range',
      group: times,
      width: 160,
    }),
    confirmTime: f.datetime({ label: { zh: '接单时间', en: 'Confirmed' }, form: 'read', group: times }),
    sendTime: f.datetime({ label: { zh: '期望送达', en: 'Wanted at' }, form: 'read', group: times }),
    finishedTime: f.datetime({ label: { zh: '完成时间', en: 'Done' }, form: 'read', group: times }),
    cancelTime: f.datetime({ label: { zh: '取消时间', en: 'Cancelled' }, form: 'read', group: times }),
    cancelReason: f.text({ label: { zh: '取消原因', en: 'Why cancelled' }, max: 200, form: 'read', group: times }),
    riderName: f.text({ label: { zh: '骑手', en: 'Rider' }, max: 50, form: 'read', group: times }),
    riderPhone: f.phone({ label: { zh: '骑手电话', en: "Rider's phone" }, form: 'read', mask: 'phone', group: times }),
    recipientName: f.text({ label: { zh: '收货人', en: 'Receiver' }, max: 50, form: 'read', group: facts }),
    recipientPhone: f.phone({
      label: { zh: '收货电话', en: "Receiver's phone" },
      form: 'read',
      mask: 'phone',
      group: facts,
    }),
    recipientAddress: f.text({ label: { zh: '收货地址', en: 'Address' }, max: 300, form: 'read', group: facts }),
    customerRemark: f.text({
      label: { zh: '顾客备注', en: "Customer's remark" },
      max: 500,
      form: 'read',
      group: facts,
    }),
    ...syncFields,
    raw: f.json({ label: { zh: '平台原文', en: 'As it came' }, form: 'hidden', heavy: true }),
  },
  list: {
    columns: [
      'platformOrderId',
      'daySeq',
      'meituanShopId',
      'status',
      'shopId',
      'orderId',
      'userFee',
      'shopFee',
      'serviceFee',
      'orderTime',
    ],
    sort: '-orderTime',
  },
  uniqueEverywhere: [['platformOrderId']],
  indexes: [['shopId', 'orderTime', 'id'], ['orderTime', 'id'], ['status', 'orderTime'], ['orderId']],
})

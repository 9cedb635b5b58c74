import { shopId } from '#domains/shops/index.ts'
import { eleShopId } from './ele-shop-info.resource.ts'
import { syncFields } from '#domains/thirdparty/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const facts = { zh: '订单', en: 'Order' }
const money = { zh: '金额', en: 'Amounts' }
const times = { zh: '时间', en: 'Times' }

/** An order as Ele delivered it; it becomes one of our orders once. Only the platform writes it. */
export const eleOrder = defineResource({
  name: 'eleOrder',
  path: '/api/ele/eleOrder',
  label: { zh: '饿了么订单', en: 'Order at Ele' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleOrder', icon: 'file-text', sort: 40 },
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
    orderIndex: f.number({
      label: { zh: '当日序号', en: 'No. of the day' },
      min: 0,
      form: 'read',
      group: facts,
      width: 90,
    }),
    eleShopId: eleShopId({ onRemoval: 'refuse', form: 'read', group: facts, width: 170 }),
    shopId: shopId({ form: 'read', group: facts }),
    orderId: f.ref('shoppingOrder', {
      label: { zh: '我们的订单', en: 'Our order' },
      labelKey: 'orderNo',
      form: 'read',
      search: 'eq',
      group: facts,
      width: 190,
    }),
    status: f.dict('ele_order_status', {
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
    commission: f.money({ label: { zh: '佣金', en: 'Commission' }, form: 'read', group: money, width: 90 }),
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
      'orderIndex',
      'eleShopId',
      'status',
      'shopId',
      'orderId',
      'userFee',
      'shopFee',
      'commission',
      'orderTime',
    ],
    sort: '-orderTime',
  },
  uniqueEverywhere: [['platformOrderId']],
  indexes: [['shopId', 'orderTime', 'id'], ['orderTime', 'id'], ['status', 'orderTime'], ['orderId']],
})

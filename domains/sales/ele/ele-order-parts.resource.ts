import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { localGoodIdField, platformSkuIdField, lineRefundAction } from '#domains/sales/delivery-platforms/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const order = () =>
  f.ref('eleOrder', {
    label: { zh: '饿了么订单', en: 'Ele.me order' },
    labelKey: 'platformOrderId',
    form: 'read',
    search: 'eq',
    width: 190,
  })
const shop = () => shopIdField({ form: 'read' })

/** A line of an order at Ele. */
export const eleOrderDetail = defineResource({
  name: 'eleOrderDetail',
  path: '/api/ele/eleOrderDetail',
  label: { zh: '饿了么订单明细', en: 'Ele.me order line' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleOrderDetail', icon: 'unordered-list', sort: 50 },
  title: 'name',
  fields: {
    eleOrderId: order(),
    shopId: shop(),
    goodId: localGoodIdField({ form: 'read' }),
    platformSkuId: platformSkuIdField({ form: 'read' }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '条码', en: 'Barcode' },
      max: 13,
      form: 'read',
      search: 'likeright',
      width: 140,
    }),
    name: f.text({ label: { zh: '商品名称', en: 'Product name' }, max: 100, form: 'read', search: 'like', width: 200 }),
    bagIndex: f.number({ label: { zh: '袋号', en: 'Bag' }, min: 0, form: 'read', width: 70 }),
    quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, min: 0, form: 'read', width: 80 }),
    price: f.money({ label: { zh: '单价', en: 'Unit price' }, form: 'read', width: 90 }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, form: 'read', width: 100 }),
  },
  list: {
    columns: ['eleOrderId', 'name', 'upc', 'shopId', 'goodId', 'bagIndex', 'quantity', 'price', 'amount'],
    time: false,
    sort: '-createTime',
  },
  actions: { refund: lineRefundAction },
  indexes: [['eleOrderId']],
})

/** A discount of an order at Ele, and who bears it. */
export const eleOrderDiscount = defineResource({
  name: 'eleOrderDiscount',
  path: '/api/ele/eleOrderDiscount',
  label: { zh: '饿了么订单优惠', en: 'Ele.me order discount' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleOrderDiscount', icon: 'percentage', sort: 60 },
  title: 'name',
  fields: {
    eleOrderId: order(),
    shopId: shop(),
    activityId: f.text({
      label: { zh: '活动编号', en: 'Promotion ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      width: 130,
    }),
    type: f.text({ label: { zh: '优惠类型', en: 'Discount type' }, max: 50, form: 'read', width: 100 }),
    name: f.text({
      label: { zh: '优惠名称', en: 'Discount name' },
      max: 100,
      form: 'read',
      search: 'like',
      width: 200,
    }),
    fee: f.money({ label: { zh: '优惠金额', en: 'Discount' }, form: 'read', width: 100 }),
    shopRate: f.money({ label: { zh: '商户承担', en: 'Paid by merchant' }, form: 'read', width: 110 }),
    platformRate: f.money({ label: { zh: '平台承担', en: 'Paid by platform' }, form: 'read', width: 110 }),
    agentRate: f.money({ label: { zh: '代理商承担', en: 'Paid by agent' }, form: 'read', width: 110 }),
  },
  list: {
    columns: ['eleOrderId', 'shopId', 'name', 'type', 'fee', 'shopRate', 'platformRate', 'agentRate'],
    time: false,
    sort: '-createTime',
  },
  indexes: [['eleOrderId']],
})

/** The delivery address of an order at Ele. Its phone numbers are privacy numbers and are masked all the same. */
export const eleDeliveryAddress = defineResource({
  name: 'eleDeliveryAddress',
  path: '/api/ele/eleDeliveryAddress',
  label: { zh: '饿了么收货地址', en: 'Ele.me delivery address' },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleDeliveryAddress', icon: 'environment', sort: 70 },
  title: 'eleOrderId',
  fields: {
    eleOrderId: order(),
    shopId: shop(),
    name: f.text({ label: { zh: '收货人', en: 'Recipient' }, max: 50, mask: 'name', form: 'read', width: 100 }),
    phone: f.phone({ label: { zh: '电话', en: 'Phone' }, form: 'read', mask: 'phone', width: 130 }),
    province: f.text({ label: { zh: '省', en: 'Province' }, max: 50, form: 'read' }),
    city: f.text({ label: { zh: '市', en: 'City' }, max: 50, form: 'read', width: 90 }),
    district: f.text({ label: { zh: '区', en: 'District' }, max: 50, form: 'read', width: 90 }),
    address: f.text({ label: { zh: '地址', en: 'Address' }, max: 300, mask: 'address', form: 'read', width: 240 }),
    longitude: f.number({ label: { zh: '经度', en: 'Longitude' }, decimals: 6, form: 'read' }),
    latitude: f.number({ label: { zh: '纬度', en: 'Latitude' }, decimals: 6, form: 'read' }),
  },
  list: {
    columns: ['eleOrderId', 'shopId', 'name', 'phone', 'city', 'district', 'address'],
    time: false,
    sort: '-createTime',
  },
  row: { title: ['name', 'district'], sub: ['city', 'shopId'] },
  unique: [['eleOrderId']],
})

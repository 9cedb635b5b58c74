import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** A line of a purchase order: agreed price and quantity, and how much has arrived. Written only with its order. */
export const supplierOrderDetail = defineResource({
  name: 'supplierOrderDetail',
  path: '/api/supplier/supplierOrderDetail',
  label: { zh: '采购单明细', en: 'Purchase order line' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'supplier', path: '/supplier/supplierOrderDetail', icon: 'unordered-list', sort: 30 },
  title: 'name',
  titleCode: 'upc',
  fields: {
    orderId: f.ref('supplierOrder', {
      label: { zh: '采购单', en: 'Order' },
      labelKey: 'orderNo',
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    shopId: shopIdField({ form: 'read' }),
    supplierGoodsId: f.ref('supplierGoodsInfo', {
      label: { zh: '供应商商品', en: 'Supplier product', many: 'Supplier catalog' },
      labelKey: 'supplierGoodsName',
      form: 'read',
      width: 160,
    }),
    goodId: f.ref('goodInfo', {
      label: { zh: '门店商品', en: 'Store product' },
      labelKey: 'goodName',
      form: 'read',
      search: 'eq',
      width: 160,
    }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '条码', en: 'Barcode' },
      max: 13,
      form: 'read',
      search: 'likeright',
      width: 140,
    }),
    name: f.text({ label: { zh: '商品名称', en: 'Product name' }, max: 100, form: 'read', search: 'like', width: 200 }),
    spec: f.text({ label: { zh: '规格', en: 'Size' }, max: 50, form: 'read', width: 100 }),
    unit: f.text({ label: { zh: '单位', en: 'Unit' }, max: 10, form: 'read', width: 70 }),
    boxQty: f.number({ label: { zh: '每箱数量', en: 'Units per box' }, min: 0, form: 'read', width: 90 }),
    price: f.money({ label: { zh: '供货价', en: 'Supply price' }, form: 'read', width: 100 }),
    quantity: f.number({ label: { zh: '订货数量', en: 'Ordered' }, min: 0, form: 'read', width: 90 }),
    amount: f.money({ label: { zh: '订货金额', en: 'Ordered amount' }, form: 'read', width: 110 }),
    receivedQuantity: f.number({ label: { zh: '已收数量', en: 'Received' }, form: 'read', default: 0, width: 90 }),
    receivedAmount: f.money({
      label: { zh: '收货金额', en: 'Received amount' },
      form: 'read',
      default: '0.00',
      width: 110,
    }),
    sort: f.number({ label: { zh: '序号', en: 'No.' }, form: 'hidden', default: 0 }),
  },
  list: {
    columns: [
      'orderId',
      'name',
      'upc',
      'shopId',
      'price',
      'quantity',
      'amount',
      'receivedQuantity',
      'receivedAmount',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  indexes: [['orderId', 'sort'], ['goodId']],
})

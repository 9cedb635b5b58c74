import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { localGoodIdField, platformSkuIdField, lineRefundAction } from '#domains/sales/delivery-platforms/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const order = () =>
  f.ref('meituanOrder', {
    label: { zh: '美团订单', en: 'Meituan order' },
    labelKey: 'platformOrderId',
    form: 'read',
    search: 'eq',
    width: 190,
  })
const shop = () => shopIdField({ form: 'read' })

/** A line of an order at Meituan. */
export const meituanOrderDetail = defineResource({
  name: 'meituanOrderDetail',
  path: '/api/meituan/meituanOrderDetail',
  label: { zh: '美团订单明细', en: 'Meituan order line', isName: true },
  tenancy: 'tenant',
  writer: 'platform',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanOrderDetail', icon: 'unordered-list', sort: 50 },
  title: 'name',
  fields: {
    meituanOrderId: order(),
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
    spec: f.text({ label: { zh: '规格', en: 'Size' }, max: 50, form: 'read', width: 90 }),
    quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, min: 0, form: 'read', width: 80 }),
    price: f.money({ label: { zh: '单价', en: 'Unit price' }, form: 'read', width: 90 }),
    amount: f.money({ label: { zh: '金额', en: 'Amount' }, form: 'read', width: 100 }),
  },
  list: {
    columns: ['meituanOrderId', 'name', 'upc', 'shopId', 'goodId', 'spec', 'quantity', 'price', 'amount'],
    time: false,
    sort: '-createTime',
  },
  actions: { refund: lineRefundAction },
  indexes: [['meituanOrderId']],
})

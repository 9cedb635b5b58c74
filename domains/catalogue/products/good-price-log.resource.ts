import { upcField } from './barcodes.resource.ts'
import { goodIdField } from './good-info.resource.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** Price history of products: one row for each change of a price. */
export const goodPriceLog = defineResource({
  name: 'goodPriceLog',
  path: '/api/shop/goodPriceLog',
  label: { zh: '改价记录', en: 'Price change' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  partitioned: 'quarter',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/goodPriceLog', icon: 'line-chart', sort: 45 },
  title: 'upc',
  fields: {
    shopId: shopIdField(),
    goodId: goodIdField(),
    upc: upcField(),
    oldPrice: f.money({ label: { zh: '原售价', en: 'Old sale price' }, width: 100 }),
    newPrice: f.money({ label: { zh: '新售价', en: 'New sale price' }, width: 100 }),
    oldVipPrice: f.money({ label: { zh: '原会员价', en: 'Old member price' }, width: 110 }),
    newVipPrice: f.money({ label: { zh: '新会员价', en: 'New member price' }, width: 110 }),
    oldCostPrice: f.money({ label: { zh: '原进价', en: 'Old cost' }, width: 100 }),
    newCostPrice: f.money({ label: { zh: '新进价', en: 'New cost' }, width: 100 }),
    operator: f.ref('user', { label: { zh: '操作人', en: 'Operator' }, labelKey: 'operatorName', width: 110 }),
  },
  list: {
    columns: [
      'goodId',
      'oldPrice',
      'newPrice',
      'oldVipPrice',
      'newVipPrice',
      'oldCostPrice',
      'newCostPrice',
      'shopId',
      'operator',
      'createTime',
      'upc',
    ],
  },
  row: { sub: ['shopId', 'operator'], amount: ['oldPrice', 'newPrice'] },
  indexes: [['goodId', 'createTime']],
})

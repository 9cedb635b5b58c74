import { periodStateField } from './time-state.ts'
import { goodIdField } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, startTimeField, endTimeField } from '#kit/resource/index.ts'

/** A product's member price for a period. It replaces the permanent member price of the product itself. */
export const vipPrice = defineResource({
  name: 'vipPrice',
  path: '/api/shop/vipPrice',
  label: { zh: '会员价', en: 'Member price' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/vipPrice', icon: 'tag', sort: 30 },
  title: 'goodId',
  fields: {
    shopId: shopIdField({ required: true, form: 'add' }),
    goodId: goodIdField({ onRemoval: 'remove', required: true, form: 'add', width: 200 }),
    price: f.money({ label: { zh: '会员价', en: 'Member price' }, required: true, max: 99_999_999, width: 110 }),
    salePrice: f.money({ label: { zh: '售价', en: 'Sale price' }, computed: true, form: 'hidden', width: 100 }),
    costPrice: f.money({ label: { zh: '进价', en: 'Cost' }, computed: true, form: 'hidden', width: 100 }),
    margin: f.number({
      label: { zh: '毛利率 %', en: 'Margin %' },
      computed: true,
      form: 'hidden',
      decimals: 1,
      width: 100,
    }),
    startTime: startTimeField({ help: { zh: '不填则立即生效', en: 'Leave blank to start immediately' } }),
    endTime: endTimeField({ help: { zh: '不填则长期有效', en: 'Leave blank for no end' } }),
    state: periodStateField(),
    remark: remarkField(),
  },
  list: {
    inline: ['price', 'endTime'],
    bulk: ['endTime'],
    columns: ['goodId', 'shopId', 'price', 'state', 'salePrice', 'costPrice', 'margin', 'startTime', 'endTime'],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['shopId'], amount: ['salePrice', 'price'] },
  indexes: [['goodId', 'startTime']],
})

import { defineResource, f } from '#kit/resource/index.ts'

/** A member price of one goods for a time. It takes the place of the standing member price on the goods itself. */
export const vipPrice = defineResource({
  name: 'vipPrice',
  path: '/api/shop/vipPrice',
  label: { zh: '会员价', en: 'Member price' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'member', path: '/member/vipPrice', icon: 'tag', sort: 30 },
  title: 'goodId',
  fields: {
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Shop' },
      labelKey: 'shopName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 150,
    }),
    goodId: f.ref('goodInfo', {
      onRemoval: 'remove',
      label: { zh: '商品', en: 'Goods' },
      labelKey: 'goodName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 200,
    }),
    price: f.money({ label: { zh: '会员价', en: 'Member price' }, required: true, max: 99_999_999, width: 110 }),
    salePrice: f.money({ label: { zh: '售价', en: 'Price' }, computed: true, form: 'hidden', width: 100 }),
    costPrice: f.money({ label: { zh: '进价', en: 'Cost' }, computed: true, form: 'hidden', width: 100 }),
    margin: f.number({
      label: { zh: '毛利率 %', en: 'Margin %' },
      computed: true,
      form: 'hidden',
      decimals: 1,
      width: 100,
    }),
    startTime: f.datetime({
      label: { zh: '开始时间', en: 'From' },
      width: 160,
      search: 'range',
      help: { zh: '不填则立即生效', en: 'Left empty, at once' },
    }),
    endTime: f.datetime({
      label: { zh: '结束时间', en: 'Until' },
      width: 160,
      search: 'range',
      help: { zh: '不填则长期有效', en: 'Left empty, for good' },
    }),
    state: f.dict('time_state', { label: { zh: '时效', en: 'Standing' }, computed: true, form: 'hidden', width: 90 }),
    remark: f.text({ label: { zh: '备注', en: 'Remark' }, max: 200 }),
  },
  list: {
    inline: ['price', 'endTime'],
    bulk: ['endTime'],
    columns: ['goodId', 'shopId', 'price', 'state', 'salePrice', 'costPrice', 'margin', 'startTime', 'endTime'],
    sort: '-createTime',
  },
  indexes: [['goodId', 'startTime']],
})

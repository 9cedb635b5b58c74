import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, startTimeField, endTimeField } from '#kit/resource/index.ts'

const result = { zh: '结果', en: 'Results' }

/**
 * A campaign's results in one shop, updated with every order it applies to. The rows of all shops add up to the
 * campaign's totals.
 */
export const shopMarkting = defineResource({
  name: 'shopMarkting',
  path: '/api/shop/shopMarkting',
  label: { zh: '活动效果', en: 'Promotion result by store', many: 'Promotion results by store' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'marketing', path: '/marketing/shopMarkting', icon: 'bar-chart', sort: 70 },
  title: 'discountConfId',
  fields: {
    shopId: shopIdField({ form: 'read', width: 160 }),
    discountConfId: f.ref('discountConf', {
      label: { zh: '活动', en: 'Promotion' },
      labelKey: 'discountConfName',
      form: 'read',
      search: 'eq',
      width: 200,
    }),
    status: f.dict('discount_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      search: 'eq',
      width: 90,
    }),
    startTime: startTimeField({ form: 'read' }),
    endTime: endTimeField({ form: 'read' }),
    orders: f.number({ label: { zh: '订单数', en: 'Orders' }, form: 'read', default: 0, group: result, width: 90 }),
    quantity: f.number({
      label: { zh: '优惠件数', en: 'Discounted pieces' },
      form: 'read',
      default: 0,
      group: result,
      width: 90,
    }),
    discountAmount: f.money({
      label: { zh: '优惠金额', en: 'Discount amount' },
      form: 'read',
      default: '0.00',
      group: result,
      width: 110,
    }),
    salesAmount: f.money({
      label: { zh: '订单实付', en: 'Paid on these orders' },
      form: 'read',
      default: '0.00',
      group: result,
      width: 120,
    }),
    costAmount: f.money({
      label: { zh: '订单成本', en: 'Cost of these orders' },
      form: 'read',
      default: '0.00',
      group: result,
      width: 120,
    }),
    margin: f.number({
      label: { zh: '毛利率 %', en: 'Margin %' },
      computed: true,
      form: 'hidden',
      decimals: 1,
      group: result,
      width: 100,
    }),
    lastTime: f.datetime({ label: { zh: '最近使用', en: 'Last used' }, form: 'read', group: result, width: 160 }),
    remark: remarkField({ form: 'read' }),
  },
  list: {
    columns: [
      'discountConfId',
      'shopId',
      'status',
      'orders',
      'quantity',
      'discountAmount',
      'salesAmount',
      'costAmount',
      'margin',
      'startTime',
      'endTime',
      'lastTime',
    ],
    time: false,
    sort: '-createTime',
  },
  row: { amount: 'salesAmount', time: 'startTime' },
  unique: [['discountConfId', 'shopId']],
})

import { shopIdField } from '#domains/shops/shops/index.ts'
import { meituanShopIdField } from './meituan-shop-info.resource.ts'
import { defineResource, f, sortOrderField } from '#kit/resource/index.ts'
import { syncFields } from '#domains/sales/delivery-platforms/index.ts'

/** A product category of a shop at Meituan, and our category behind it. */
export const meituanGoodType = defineResource({
  name: 'meituanGoodType',
  path: '/api/meituan/meituanGoodType',
  label: { zh: '美团分类', en: 'Meituan store category', isName: true },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanGoodType', icon: 'tags', sort: 20 },
  title: 'name',
  fields: {
    meituanShopId: meituanShopIdField({ onRemoval: 'remove', required: true, form: 'add' }),
    shopId: shopIdField({ form: 'hidden' }),
    goodTypeId: f.tree('goodType', {
      onRemoval: 'empty',
      label: { zh: '我们的分类', en: 'Our category' },
      search: 'eq',
      width: 130,
    }),
    name: f.text({ label: { zh: '分类名称', en: 'Name' }, required: true, max: 50, search: 'like', width: 140 }),
    categoryCode: f.text({
      label: { zh: '平台分类编号', en: 'Platform category ID' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      width: 130,
    }),
    parentCategoryId: f.text({ label: { zh: '上级分类编号', en: 'Parent category ID' }, max: 64, form: 'hidden' }),
    rank: sortOrderField({ min: 1, max: 100_000, default: 1 }),
    ...syncFields,
  },
  list: {
    inline: ['rank'],
    columns: [
      'name',
      'meituanShopId',
      'shopId',
      'syncStatus',
      'goodTypeId',
      'categoryCode',
      'rank',
      'syncTime',
      'syncError',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['meituanShopId', 'name']],
})

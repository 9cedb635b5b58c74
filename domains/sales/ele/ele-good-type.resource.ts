import { shopIdField } from '#domains/shops/shops/index.ts'
import { eleShopIdField } from './ele-shop-info.resource.ts'
import { defineResource, f, sortOrderField } from '#kit/resource/index.ts'
import { syncFields } from '#domains/sales/delivery-platforms/index.ts'

/** A product category of a shop at Ele, and our category behind it. */
export const eleGoodType = defineResource({
  name: 'eleGoodType',
  path: '/api/ele/eleGoodType',
  label: { zh: '饿了么分类', en: 'Ele.me category' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleGoodType', icon: 'tags', sort: 20 },
  title: 'name',
  fields: {
    eleShopId: eleShopIdField({ onRemoval: 'remove', required: true, form: 'add' }),
    shopId: shopIdField({ form: 'hidden' }),
    goodTypeId: f.tree('goodType', {
      onRemoval: 'empty',
      label: { zh: '我们的分类', en: 'Our category' },
      search: 'eq',
      width: 130,
    }),
    name: f.text({ label: { zh: '分类名称', en: 'Name' }, required: true, max: 50, search: 'like', width: 140 }),
    platformCategoryId: f.text({
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
      'eleShopId',
      'shopId',
      'syncStatus',
      'goodTypeId',
      'platformCategoryId',
      'rank',
      'syncTime',
      'syncError',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['eleShopId', 'name']],
})

import { defineResource, f } from '#kit/resource/index.ts'
import { syncFields } from '#domains/thirdparty/index.ts'

/** A shelf of a shop at Ele, and the type of ours it stands for. */
export const eleGoodType = defineResource({
  name: 'eleGoodType',
  path: '/api/ele/eleGoodType',
  label: { zh: '饿了么分类', en: 'Type at Ele' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleGoodType', icon: 'tags', sort: 20 },
  title: 'name',
  fields: {
    eleShopId: f.ref('eleShopInfo', {
      onRemoval: 'remove',
      label: { zh: '饿了么门店', en: 'Shop at Ele' },
      labelKey: 'eleShopName',
      required: true,
      form: 'add',
      search: 'eq',
      width: 180,
    }),
    shopId: f.ref('basicShopInfo', {
      label: { zh: '门店', en: 'Shop' },
      labelKey: 'shopName',
      form: 'hidden',
      search: 'eq',
      width: 150,
    }),
    goodTypeId: f.tree('goodType', {
      onRemoval: 'empty',
      label: { zh: '我们的分类', en: 'Our type' },
      search: 'eq',
      width: 130,
    }),
    name: f.text({ label: { zh: '分类名称', en: 'Name' }, required: true, max: 50, search: 'like', width: 140 }),
    platformCategoryId: f.text({
      label: { zh: '平台分类编号', en: 'Number there' },
      max: 64,
      form: 'hidden',
      search: 'eq',
      width: 130,
    }),
    parentCategoryId: f.text({ label: { zh: '上级分类编号', en: 'Number of the one above' }, max: 64, form: 'hidden' }),
    rank: f.number({ label: { zh: '排序', en: 'Sort' }, min: 1, max: 100_000, default: 1, width: 80 }),
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
    sort: '-createTime',
  },
  unique: [['eleShopId', 'name']],
})

import { ALL_SHOPS_LABEL, shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, sortOrderField } from '#kit/resource/index.ts'

/** A product type in a tree; of one shop, or without a shop of the whole tenant. */
export const goodType = defineResource({
  name: 'goodType',
  path: '/api/shop/goodType',
  label: { zh: '商品分类', en: 'Category' },
  tenancy: 'tenant',
  menu: { under: 'goods', path: '/goods/goodType', icon: 'apartment', sort: 20 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '分类名称', en: 'Name' }, required: true, max: 30, search: 'like', width: 180 }),
    shopId: shopIdField({
      emptyLabel: ALL_SHOPS_LABEL,
      requiredOf: 'shop',
      form: 'add',
      width: 160,
      help: { zh: '不选则为全部门店共用', en: 'Leave blank to share with all stores' },
    }),
    parentId: f.tree('goodType', { label: { zh: '上级分类', en: 'Parent category' }, default: '0', width: 140 }),
    icon: f.picture({ label: { zh: '图标', en: 'Icon' } }),
    sort: sortOrderField(),
    ownerPlatformIds: f.tags({
      label: { zh: '平台分类编号', en: 'Platform category IDs' },
      form: 'hidden',
      detail: false,
    }),
    remark: remarkField(),
  },
  list: { inline: ['sort'], columns: ['name', 'shopId', 'parentId', 'icon', 'sort', 'createTime'], sort: 'sort' },
  unique: [['shopId', 'parentId', 'name']],
  indexes: [['shopId', 'parentId'], ['parentId']],
})

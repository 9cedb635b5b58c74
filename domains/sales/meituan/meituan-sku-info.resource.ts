import { formsOf } from '#domains/catalogue/products/index.ts'
import { shopId } from '#domains/shops/shops/index.ts'
import { meituanShopId } from './meituan-shop-info.resource.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import { followsPrice, ourGoodId, platformSkuId, stockThere, syncFields } from '#domains/sales/delivery-platforms/index.ts'

/** Goods of ours as they are sold at Meituan; price and stock there may differ until they are in step. */
export const meituanSkuInfo = defineResource({
  name: 'meituanSkuInfo',
  path: '/api/meituan/meituanSkuInfo',
  label: { zh: '美团商品', en: 'Meituan listing', isName: true },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'meituan', path: '/meituan/meituanSkuInfo', icon: 'product', sort: 30 },
  title: 'name',
  titleCode: 'upc',
  fields: {
    name: f.text({
      label: { zh: '商品名称', en: 'Product name' },
      required: true,
      max: 100,
      search: 'like',
      width: 200,
    }),
    meituanShopId: meituanShopId({ required: true, form: 'add', width: 170 }),
    shopId: shopId({ form: 'hidden' }),
    goodId: ourGoodId({ required: true, form: 'add', width: 170 }),
    upc: f.text({
      forms: formsOf,
      label: { zh: '条码', en: 'Barcode' },
      max: 13,
      form: 'hidden',
      search: 'likeright',
      width: 140,
    }),
    meituanGoodTypeId: f.ref('meituanGoodType', {
      label: { zh: '美团分类', en: 'Meituan store category' },
      labelKey: 'meituanGoodTypeName',
      search: 'eq',
      width: 120,
    }),
    platformSkuId: platformSkuId({ form: 'hidden' }),
    salePrice: f.money({
      label: { zh: '平台售价', en: 'Platform price' },
      required: true,
      min: 1,
      max: 99_999_900,
      width: 100,
    }),
    followsPrice: followsPrice(),
    stock: stockThere(),
    status: f.dict('meituan_sell_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 0,
      required: true,
      search: 'eq',
      width: 90,
    }),
    weight: f.number({ label: { zh: '重量', en: 'Weight' }, min: 0, max: 1_000_000, unit: { zh: '克', en: 'g' } }),
    minOrderCount: f.number({ label: { zh: '起购量', en: 'Minimum quantity' }, min: 1, max: 999, default: 1 }),
    boxNum: f.number({ label: { zh: '打包盒数', en: 'Boxes' }, min: 0, max: 100, default: 0 }),
    boxPrice: f.money({ label: { zh: '打包盒单价', en: 'Unit price per box' }, max: 9900 }),
    tagId: f.text({ label: { zh: '平台类目', en: 'Platform category' }, max: 64, search: 'eq' }),
    attributes: f.json({ label: { zh: '类目属性', en: 'Attributes' } }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, width: 70 }),
    ...syncFields,
  },
  list: {
    inline: ['salePrice'],
    columns: [
      'picture',
      'name',
      'meituanShopId',
      'status',
      'syncStatus',
      'upc',
      'meituanGoodTypeId',
      'salePrice',
      'stock',
      'platformSkuId',
      'syncTime',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['meituanShopId', 'goodId']],
  indexes: [['goodId'], ['platformSkuId']],
})

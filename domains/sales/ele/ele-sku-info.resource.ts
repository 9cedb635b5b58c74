import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { eleShopIdField } from './ele-shop-info.resource.ts'
import { defineResource, f } from '#kit/resource/index.ts'
import {
  followsPriceField,
  localGoodIdField,
  platformSkuIdField,
  platformStockField,
  syncFields,
} from '#domains/sales/delivery-platforms/index.ts'

/** One of our products as sold at Ele. Price and stock there may differ until the row is in sync. */
export const eleSkuInfo = defineResource({
  name: 'eleSkuInfo',
  path: '/api/ele/eleSkuInfo',
  label: { zh: '饿了么商品', en: 'Ele.me listing' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'ele', path: '/ele/eleSkuInfo', icon: 'product', sort: 30 },
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
    eleShopId: eleShopIdField({ required: true, form: 'add', width: 170 }),
    shopId: shopIdField({ form: 'hidden' }),
    goodId: localGoodIdField({ required: true, form: 'add', width: 170 }),
    upc: f.text({
      forms: listBarcodeForms,
      label: { zh: '条码', en: 'Barcode' },
      max: 13,
      form: 'hidden',
      search: 'likeright',
      width: 140,
    }),
    eleGoodTypeId: f.ref('eleGoodType', {
      label: { zh: '饿了么分类', en: 'Ele.me category' },
      labelKey: 'eleGoodTypeName',
      search: 'eq',
      width: 120,
    }),
    platformSkuId: platformSkuIdField({ form: 'hidden' }),
    salePrice: f.money({
      label: { zh: '平台售价', en: 'Platform price' },
      required: true,
      min: 1,
      max: 99_999_900,
      width: 100,
    }),
    followsPrice: followsPriceField(),
    stock: platformStockField(),
    status: f.dict('ele_sku_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 1,
      required: true,
      search: 'eq',
      width: 90,
    }),
    weight: f.number({ label: { zh: '重量', en: 'Weight' }, min: 0, max: 1_000_000, unit: { zh: '克', en: 'g' } }),
    minimum: f.number({ label: { zh: '起购量', en: 'Minimum quantity' }, min: 1, max: 999, default: 1 }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, width: 70 }),
    ...syncFields,
  },
  list: {
    inline: ['salePrice'],
    columns: [
      'picture',
      'name',
      'eleShopId',
      'status',
      'syncStatus',
      'upc',
      'eleGoodTypeId',
      'salePrice',
      'stock',
      'platformSkuId',
      'syncTime',
    ],
    time: false,
    sort: '-createTime',
  },
  unique: [['eleShopId', 'goodId']],
  indexes: [['goodId'], ['platformSkuId']],
})

import { defineResource, f } from '#kit/resource/index.ts'

/** What a supplier sells, at his price, in his boxes. */
export const supplierGoodsInfo = defineResource({
  name: 'supplierGoodsInfo',
  path: '/api/supplier/supplierGoodsInfo',
  label: { zh: '供应商商品', en: "Supplier's goods" },
  tenancy: 'tenant',
  menu: { under: 'supplier', path: '/supplier/supplierGoodsInfo', icon: 'product', sort: 50 },
  title: 'name',
  titleCode: 'upc',
  fields: {
    name: f.text({ label: { zh: '商品名称', en: 'Name' }, required: true, max: 100, search: 'like', width: 200 }),
    supplierId: f.ref('supplierInfo', { label: { zh: '供应商', en: 'Supplier' }, labelKey: 'supplierName', required: true, form: 'add', search: 'eq', width: 160 }),
    upc: f.text({ label: { zh: '条码', en: 'Barcode' }, required: true, max: 13, search: 'likeright', width: 140, pattern: '^[A-Za-z0-9]{2,13}$', patternWords: { zh: '条码是 2 到 13 位数字或字母', en: 'A barcode has 2 to 13 digits or letters' }, sample: 'G1' }),
    picture: f.picture({ label: { zh: '图片', en: 'Picture' }, width: 70 }),
    spec: f.text({ label: { zh: '规格', en: 'Size' }, max: 50, width: 100 }),
    unit: f.text({ label: { zh: '单位', en: 'Unit' }, max: 10, width: 70 }),
    price: f.money({ label: { zh: '供货价', en: 'Price' }, required: true, max: 99_999_999, width: 100, help: { zh: '每个销售单位的价格', en: 'For one piece as it is sold' } }),
    boxQty: f.number({ label: { zh: '每箱数量', en: 'Per box' }, required: true, min: 1, max: 10_000, default: 1, width: 90 }),
    minOrder: f.number({ label: { zh: '起订量', en: 'Smallest order' }, min: 1, max: 1_000_000, default: 1, width: 90 }),
    stock: f.number({ label: { zh: '供应商库存', en: "Supplier's stock" }, min: 0, max: 100_000_000, width: 110, help: { zh: '不填表示不限', en: 'Empty: as much as is wanted' } }),
    shelfDays: f.number({ label: { zh: '保质期', en: 'Shelf life' }, min: 1, max: 3650, unit: { zh: '天', en: 'days' }, width: 90, help: { zh: '建议订货不会超过保质期内能卖掉的量', en: 'No more is suggested than sells within it' } }),
    onSale: f.boolean({ label: { zh: '供货中', en: 'Available' }, default: true, search: 'eq', width: 90 }),
    remark: f.text({ label: { zh: '备注', en: 'Remark' }, max: 200 }),
  },
  list: { inline: ['price', 'boxQty', 'minOrder', 'onSale'], bulk: ['onSale', 'minOrder', 'shelfDays'], columns: ['picture', 'name', 'upc', 'supplierId', 'spec', 'price', 'boxQty', 'minOrder', 'stock', 'shelfDays', 'onSale'], sort: '-createTime' },
  unique: [['supplierId', 'upc']],
  indexes: [['upc']],
})

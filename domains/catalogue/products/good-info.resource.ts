import { findBarcodeFault } from './barcode.ts'
import { upcField } from './barcodes.resource.ts'
import { shopIdField, shopIdsField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  f,
  remarkField,
  reusableField,
  reasonField,
  objectSchema,
  rowIdSchema,
  integerSchema,
  oneOfSchema,
  textSchema,
} from '#kit/resource/index.ts'

const goods = { zh: '商品', en: 'Products' }
const prices = { zh: '价格', en: 'Prices' }
const stock = { zh: '库存与陈列', en: 'Stock & shelf' }

/** A product of one shop. Its stock follows from the ledger and cannot be edited. */
export const goodInfo = defineResource({
  name: 'goodInfo',
  path: '/api/shop/goodInfo',
  label: { zh: '商品', en: 'Products' },
  tenancy: 'tenant',
  indexedList: true,
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/goodInfo', icon: 'shopping', sort: 10 },
  title: 'name',
  titleCode: 'upc',
  fields: {
    name: f.text({
      label: { zh: '商品名称', en: 'Product name' },
      required: true,
      max: 100,
      search: 'like',
      ngramIndex: true,
      group: goods,
      width: 200,
    }),
    shopId: shopIdField({ required: true, form: 'add', group: goods }),
    upc: upcField({
      required: true,
      min: 2,
      rule: findBarcodeFault,
      help: {
        zh: '没有条码的商品填自编码：字母、数字、短横线',
        en: 'For products without a barcode, enter your own code with letters, digits and dashes',
      },
      group: goods,
      sample: 'G1',
    }),
    goodTypeId: f.tree('goodType', { label: { zh: '分类', en: 'Category' }, search: 'eq', group: goods, width: 110 }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' }, group: goods, width: 70 }),
    spec: f.text({ label: { zh: '规格', en: 'Size' }, max: 50, group: goods, width: 100 }),
    brand: f.text({
      label: { zh: '品牌', en: 'Brand' },
      max: 50,
      search: 'like',
      ngramIndex: true,
      group: goods,
      width: 100,
    }),
    unit: f.text({ label: { zh: '单位', en: 'Unit' }, max: 10, group: goods, width: 70 }),
    salePrice: f.money({
      label: { zh: '售价', en: 'Sale price' },
      required: true,
      max: 99_999_999,
      group: prices,
      width: 100,
    }),
    costPrice: f.money({ label: { zh: '进价', en: 'Cost' }, max: 99_999_999, group: prices, width: 100 }),
    vipPrice: f.money({ label: { zh: '会员价', en: 'Member price' }, max: 99_999_999, group: prices, width: 100 }),
    stock: f.number({
      systemUpdated: 'stockSeq',
      label: { zh: '库存', en: 'Stock' },
      form: 'read',
      default: 0,
      group: stock,
      width: 80,
    }),
    stockSeq: f.number({
      systemUpdated: true,
      label: { zh: '库存流水序号', en: 'Movement no.' },
      form: 'hidden',
      detail: false,
      default: 0,
    }),
    lowStock: f.number({
      sortable: false,
      label: { zh: '库存预警', en: 'Low-stock alert' },
      min: 0,
      max: 1_000_000,
      help: { zh: '新商品留空则按门店配置', en: 'Leave blank to use the store settings for new products' },
      group: stock,
      width: 90,
    }),
    shelfNo: f.text({
      label: { zh: '货架号', en: 'Shelf' },
      max: 20,
      search: 'like',
      ngramIndex: true,
      group: stock,
      width: 90,
    }),
    onSale: f.boolean({ label: { zh: '上架', en: 'Listed' }, default: true, search: 'eq', group: stock, width: 80 }),
    sort: f.number({ label: { zh: '排序', en: 'Sort order' }, min: 0, default: 0, group: stock }),
    remark: remarkField(),
  },
  measures: {
    goods: { label: { zh: '商品数', en: 'Products' } },
    stock: { label: { zh: '库存件数', en: 'Pieces in stock' }, sum: 'stock' },
    value: {
      label: { zh: '库存金额', en: 'Stock value' },
      help: { zh: '库存乘进价', en: 'Stock × cost' },
      sum: 'costPrice',
      times: 'stock',
    },
    retail: {
      label: { zh: '库存售价金额', en: 'Stock value at sale price' },
      help: { zh: '库存乘售价', en: 'Stock × sale price' },
      sum: 'salePrice',
      times: 'stock',
    },
  },
  list: {
    columns: [
      'picture',
      'name',
      'upc',
      'shopId',
      'goodTypeId',
      'spec',
      'salePrice',
      'vipPrice',
      'stock',
      'lowStock',
      'onSale',
      'shelfNo',
    ],
    time: false,
    sort: '-createTime',
    inline: ['salePrice', 'vipPrice', 'lowStock', 'shelfNo', 'onSale', 'sort'],
    bulk: ['salePrice', 'vipPrice', 'lowStock', 'shelfNo', 'onSale', 'sort', 'goodTypeId'],
  },
  row: {
    picture: 'picture',
    title: ['name', 'spec'],
    sub: ['shopId', 'shelfNo'],
    state: 'stock',
    warn: { stock: { le: 0 } },
    swipe: ['stocktake'],
  },
  unique: [['shopId', 'upc']],
  indexes: [['goodTypeId'], ['shopId', 'updateTime', 'id'], ['upc']],
  actions: {
    stocktake: {
      on: 'row',
      label: { zh: '盘点', en: 'Count' },
      icon: 'audit',
      input: {
        counted: f.number({
          label: { zh: '实盘数量', en: 'Counted quantity' },
          required: true,
          min: 0,
          max: 1_000_000,
        }),
        remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 200 }),
      },
      answer: objectSchema({ id: rowIdSchema, stock: integerSchema, change: integerSchema }),
    },
    loss: {
      on: 'row',
      label: { zh: '报损', en: 'Write off' },
      icon: 'minus',
      danger: true,
      input: {
        quantity: f.number({ label: { zh: '报损数量', en: 'Quantity' }, required: true, min: 1, max: 1_000_000 }),
        batchId: f.ref('storageBatch', {
          label: { zh: '批次', en: 'Batch' },
          help: { zh: '不选则从最早到期的批次扣减', en: 'Leave blank to deduct from the earliest expiring batch' },
        }),
        remark: reasonField({
          required: true,
          suggestions: [
            { zh: '过期', en: 'Expired' },
            { zh: '破损', en: 'Damaged' },
            { zh: '丢失', en: 'Lost' },
            { zh: '自用', en: 'Used by store' },
          ],
        }),
      },
      answer: objectSchema({ id: rowIdSchema, stock: integerSchema }),
    },
    correct: {
      on: 'row',
      label: { zh: '更正库存', en: 'Adjust stock' },
      icon: 'edit',
      danger: true,
      input: {
        change: f.number({
          label: { zh: '增减数量', en: 'Quantity change' },
          required: true,
          nonZero: true,
          min: -1_000_000,
          max: 1_000_000,
          help: { zh: '少了填负数', en: 'Enter a negative number for less' },
        }),
        reason: f.dict('stock_correct_reason', { label: { zh: '原因', en: 'Reason' }, required: true }),
        batchId: f.ref('storageBatch', {
          label: { zh: '批次', en: 'Batch' },
          help: {
            zh: '不选则减少最早到期的、增加未入批次',
            en: 'Leave blank to deduct from the earliest expiring batch or to add without a batch',
          },
        }),
        remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 150 }),
      },
      answer: objectSchema({ id: rowIdSchema, stock: integerSchema }),
    },
    copyTo: {
      on: 'row',
      bulk: true,
      label: { zh: '复制到门店', en: 'Copy to stores' },
      icon: 'copy',
      can: 'add',
      locks: false,
      order: 'upc',
      done: {
        zh: '新增 {made} 个商品，跳过 {skipped} 个：门店已有这个条码',
        en: '{made} {made|product|products} added, {skipped} skipped because the store already has the barcode',
      },
      input: {
        shopIds: shopIdsField({
          required: true,
          help: {
            zh: '不带库存、货架号；门店已有这个条码的跳过',
            en: 'Without stock and shelf. Stores that have the barcode are skipped.',
          },
        }),
      },
      answer: oneOfSchema(
        objectSchema({ id: rowIdSchema, name: textSchema }),
        objectSchema({ made: integerSchema, skipped: integerSchema }),
      ),
    },
    putOnSale: { on: 'bulk', label: { zh: '上架', en: 'List' }, icon: 'up', can: 'edit' },
    takeOffSale: { on: 'bulk', label: { zh: '下架', en: 'Unlist' }, icon: 'down', can: 'edit' },
    printLabels: {
      on: 'bulk',
      label: { zh: '打印标签', en: 'Print labels' },
      icon: 'printer',
      input: {
        kind: f.dict('good_print_kind', {
          label: { zh: '内容', en: 'Content' },
          required: true,
          default: 'label',
        }),
        printerId: f.ref('printerInfo', {
          label: { zh: '打印机', en: 'Printer' },
          help: { zh: '不选则用各门店的标签打印机', en: 'Leave blank to use the label printer of each store' },
        }),
        copies: f.number({ label: { zh: '每种份数', en: 'Copies per product' }, min: 1, max: 9, default: 1 }),
      },
      answer: objectSchema({ count: integerSchema }),
    },
  },
})

/** Reusable field for the product of a row. */
export const goodIdField = reusableField.ref(goodInfo.name, {
  label: goodInfo.label,
  labelKey: 'goodName',
  search: 'eq',
  width: 180,
})

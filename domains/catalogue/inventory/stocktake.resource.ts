import { shopIdField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  defineStates,
  f,
  remarkField,
  objectSchema,
  rowIdSchema,
  textSchema,
  nullableSchema,
  integerSchema,
  booleanSchema,
} from '#kit/resource/index.ts'
import { STOCKTAKE_STATE } from './dictionaries.ts'

const noCost = { zh: '没有填进价的商品不计金额', en: 'Products without a cost are not included in the amount' }

/**
 * A stocktake of a shop: several people count at once while sales go on; the differences are reviewed and posted once.
 */
export const stocktake = defineResource({
  name: 'stocktake',
  path: '/api/shop/stocktake',
  label: { zh: '盘点单', en: 'Inventory count' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/stocktake', icon: 'audit', sort: 32 },
  title: 'countNo',
  remove: false,
  // A stocktake is a process with steps and cannot be imported from a spreadsheet.
  buttons: { import: false },
  fields: {
    countNo: f.text({
      generated: true,
      label: { zh: '盘点单号', en: 'Count no.' },
      max: 40,
      form: 'hidden',
      search: 'like',
      width: 160,
    }),
    shopId: shopIdField({ required: true, form: 'add', width: 160 }),
    status: f.dict('stocktake_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      width: 100,
    }),
    scope: f.dict('stocktake_scope', {
      label: { zh: '盘点范围', en: 'Count scope' },
      required: true,
      form: 'add',
      default: 'all',
      width: 110,
    }),
    goodTypeId: f.tree('goodType', {
      label: { zh: '分类', en: 'Category' },
      requiredWhen: { scope: { eq: 'type' } },
      form: 'add',
      width: 120,
      help: {
        zh: '按分类盘点时选择，含下级分类',
        en: 'Required when counting by category. Subcategories are included.',
      },
    }),
    shelfNo: f.text({
      label: { zh: '货架号', en: 'Shelf' },
      requiredWhen: { scope: { eq: 'shelf' } },
      max: 20,
      form: 'add',
      width: 100,
      help: {
        zh: '按货架盘点时填写，可只填前几位，如 A',
        en: 'Required when counting by shelf. A prefix is enough, for example, A.',
      },
    }),
    rule: f.dict('stocktake_rule', {
      label: { zh: '多人盘同一商品', en: 'Same product, several counters' },
      required: true,
      form: 'add',
      default: 'add',
      width: 150,
      help: {
        zh: '相加：同一商品放在多处，各数各的；最后为准：后数的代替先数的',
        en: 'Add up: the product is stored in several places. Last count wins: a later count replaces earlier ones.',
      },
    }),
    goods: f.number({
      systemUpdated: true,
      label: { zh: '应盘商品', en: 'Products to count' },
      form: 'read',
      default: 0,
      width: 90,
    }),
    counted: f.number({
      systemUpdated: true,
      label: { zh: '已盘商品', en: 'Products counted' },
      form: 'read',
      default: 0,
      width: 90,
    }),
    differences: f.number({
      systemUpdated: true,
      label: { zh: '差异商品', en: 'Products with discrepancies' },
      form: 'read',
      default: 0,
      width: 90,
    }),
    surplusAmount: f.money({
      systemUpdated: true,
      label: { zh: '盘盈金额（进价）', en: 'Surplus at cost' },
      help: noCost,
      form: 'read',
      default: '0.00',
      width: 130,
    }),
    shortAmount: f.money({
      systemUpdated: true,
      label: { zh: '盘亏金额（进价）', en: 'Shortage at cost' },
      help: noCost,
      form: 'read',
      default: '0.00',
      width: 130,
    }),
    postTime: f.datetime({ label: { zh: '过账时间', en: 'Posted' }, form: 'read', width: 150 }),
    postUser: f.ref('user', {
      label: { zh: '过账人', en: 'Posted by' },
      labelKey: 'postUserName',
      form: 'read',
      width: 100,
    }),
    remark: remarkField(),
  },
  documents: {
    countSheet: {
      label: { zh: '盘点表', en: 'Count sheet' },
      facts: ['shopId', 'scope', 'goodTypeId', 'shelfNo', 'status', 'createTime', 'postTime', 'remark'],
      lines: {
        of: 'stocktakeLine',
        by: 'stocktakeId',
        sort: 'shelfNo',
        columns: ['shelfNo', 'upc', 'goodId', 'expected', 'counted', 'difference', 'amount'],
        sums: { expected: '', counted: '', difference: '', amount: '' },
      },
      totals: ['goods', 'counted', 'differences', 'surplusAmount', 'shortAmount'],
      signs: [
        { zh: '盘点人', en: 'Counted by' },
        { zh: '监盘人', en: 'Witnessed by' },
        { zh: '审核', en: 'Approved by' },
      ],
    },
  },
  list: {
    columns: [
      'countNo',
      'status',
      'shopId',
      'scope',
      'goods',
      'counted',
      'differences',
      'surplusAmount',
      'shortAmount',
      'createTime',
      'createUser',
      'postTime',
    ],
    time: 'createTime',
  },
  row: { title: 'scope', sub: ['shopId', 'createUser', '…countNo'], amount: false, act: 'count' },
  unique: [['countNo']],
  indexes: [['status', 'shopId']],
  states: defineStates({
    field: 'status',
    values: STOCKTAKE_STATE,
    initial: ['counting'],
    moves: {
      post: { from: ['counting'], to: 'posted' },
      cancel: { from: ['counting'], to: 'cancelled' },
    },
  }),
  actions: {
    count: {
      on: 'row',
      label: { zh: '点数', en: 'Count' },
      icon: 'scan',
      input: {
        upc: f.text({ label: { zh: '条码', en: 'Barcode' }, max: 13 }),
        goodId: f.ref('goodInfo', { label: { zh: '商品', en: 'Products' } }),
        quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, required: true, min: -1_000_000, max: 1_000_000 }),
        mode: f.dict('stocktake_mode', { label: { zh: '方式', en: 'Method' }, default: 'set' }),
        requestKey: f.text({
          label: { zh: '请求标识', en: 'Request key' },
          max: 64,
          help: { zh: '同一标识重复提交只记一次', en: 'Requests with the same key count only once' },
        }),
      },
      answer: objectSchema({
        id: rowIdSchema,
        goodId: textSchema,
        name: textSchema,
        counted: nullableSchema(integerSchema),
        expected: nullableSchema(integerSchema),
        difference: nullableSchema(integerSchema),
        isMoved: nullableSchema(booleanSchema),
      }),
      enabled: { status: { eq: 0 } },
    },
    post: {
      on: 'row',
      label: { zh: '过账', en: 'Post' },
      icon: 'check-circle',
      input: {
        uncounted: f.dict('stocktake_uncounted', {
          label: { zh: '没有盘到的商品', en: 'Uncounted products' },
          default: 'keep',
        }),
        remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 200 }),
      },
      answer: objectSchema({ id: rowIdSchema, differences: nullableSchema(integerSchema) }),
    },
    cancel: {
      on: 'row',
      label: { zh: '作废', en: 'Void' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'close-circle',
      danger: true,
      confirm: {
        zh: '作废盘点单 {countNo}？已点的数不会影响库存',
        en: 'Void inventory count {countNo}? Counted quantities do not affect stock.',
      },
    },
  },
})

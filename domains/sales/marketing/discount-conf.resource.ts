import { allShopsIfEmptyFieldOptions, shopIdsField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  defineStates,
  f,
  remarkField,
  startTimeField,
  endTimeField,
  objectSchema,
  rowIdSchema,
  constSchema,
} from '#kit/resource/index.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'

const what = { zh: '优惠', en: 'Offer' }
const where = { zh: '适用范围', en: 'Scope' }
const limits = { zh: '叠加与限制', en: 'Combination & limits' }
const result = { zh: '结果', en: 'Results' }

/** A campaign: what is cheaper, where, when, for whom. Once published it stays as it is until it ends or is stopped. */
export const discountConf = defineResource({
  name: 'discountConf',
  path: '/api/shop/discountConf',
  label: { zh: '优惠活动', en: 'Promotion' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/discountConf', icon: 'thunderbolt', sort: 10 },
  title: 'name',
  fields: {
    name: f.text({
      label: { zh: '活动名称', en: 'Promotion name' },
      required: true,
      max: 50,
      search: 'like',
      group: what,
      width: 200,
    }),
    type: f.dict('discount_type', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      search: 'eq',
      group: what,
      width: 120,
    }),
    rules: f.json({
      label: { zh: '规则', en: 'Rules' },
      required: true,
      max: 4000,
      group: what,
      help: {
        zh:
          '满减 {tiers:[{over,off}],repeat}；打折 {rate,cap}；特价 {price,maxPieces}；第N件 {n,rate,mixed}；组合 {pieces,price} ' +
          '或 {items:[{upc,quantity}],price}；rate 为实付百分比',
        en:
          'fullReduction {tiers:[{over,off}],repeat}, percentage {rate,cap}, fixedPrice {price,maxPieces}, ' +
          'nthPiece {n,rate,mixed}, bundle {pieces,price} or {items:[{upc,quantity}],price}, where rate is ' +
          'the percentage paid',
      },
    }),
    promise: f.text({
      label: { zh: '优惠内容', en: 'Offer' },
      computed: true,
      form: 'hidden',
      detail: false,
      width: 220,
    }),
    shopIds: shopIdsField({ ...allShopsIfEmptyFieldOptions, group: where, width: 160 }),
    goodIds: f.refs('goodInfo', {
      label: { zh: '商品', en: 'Products' },
      labelKey: 'goodNames',
      group: where,
      width: 160,
      help: {
        zh: '按条码在各门店生效；商品与分类都不选则为全部商品',
        en:
          'Applies by barcode in every store. With no products and no categories selected it applies to all ' +
          'products.',
      },
    }),
    goodTypeIds: f.refs('goodType', {
      label: { zh: '商品分类', en: 'Categories' },
      labelKey: 'goodTypeNames',
      group: where,
      width: 140,
      help: { zh: '包含下级分类', en: 'Includes subcategories' },
    }),
    upcs: f.tags({ label: { zh: '条码', en: 'Barcodes' }, form: 'hidden', detail: false, maxCount: 500 }),
    membersOnly: f.boolean({
      label: { zh: '仅限会员', en: 'Members only' },
      default: false,
      group: where,
      search: 'eq',
      width: 90,
    }),
    startTime: startTimeField({ required: true, group: where }),
    endTime: endTimeField({ required: true, group: where }),
    stackable: f.boolean({
      label: { zh: '可与其他活动叠加', en: 'Combine with other promotions' },
      default: false,
      group: limits,
      width: 100,
    }),
    withVip: f.boolean({
      label: { zh: '可与会员价同享', en: 'Combine with member prices' },
      default: true,
      group: limits,
    }),
    withTicket: f.boolean({ label: { zh: '可用优惠券', en: 'Combine with coupons' }, default: true, group: limits }),
    waitsForTags: f.boolean({
      label: { zh: '价签显示后生效', en: 'Start after ESL update' },
      default: false,
      group: limits,
      help: {
        zh: '有价签的商品，等本店价签都已显示本活动才优惠；没有价签的不等',
        en:
          'Products with ESL tags are discounted once all their tags in the store show the promotion. ' +
          'Others start immediately.',
      },
    }),
    priority: f.number({
      label: { zh: '优先级', en: 'Priority' },
      min: 0,
      max: 999,
      default: 10,
      group: limits,
      width: 80,
      help: { zh: '数字大的先算', en: 'Higher numbers apply first' },
    }),
    budget: f.money({
      label: { zh: '预算', en: 'Budget' },
      min: 1,
      max: 99_999_999,
      group: limits,
      width: 110,
      help: {
        zh: '优惠总额达到即不再优惠；不填为不限',
        en: 'No more discounts once the total is reached. Leave blank for no limit.',
      },
    }),
    perUser: f.number({
      label: { zh: '每人限次', en: 'Limit per customer' },
      min: 0,
      max: 999,
      default: 0,
      group: limits,
      width: 90,
      help: {
        zh: '0 为不限；有限次时未识别的顾客不享受',
        en: '0 means no limit. With a limit, unidentified customers are excluded.',
      },
    }),
    status: f.dict('discount_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'eq',
      group: result,
      width: 110,
    }),
    usedAmount: f.money({
      systemUpdated: true,
      label: { zh: '已优惠', en: 'Discounts given' },
      form: 'read',
      default: '0.00',
      group: result,
      width: 110,
    }),
    reservedAmount: f.money({
      systemUpdated: true,
      label: { zh: '报价占用', en: 'Reserved by quotes' },
      form: 'hidden',
      default: '0.00',
      group: result,
    }),
    usedCount: f.number({
      systemUpdated: true,
      label: { zh: '使用次数', en: 'Uses' },
      form: 'read',
      default: 0,
      group: result,
      width: 90,
    }),
    publishTime: f.datetime({ label: { zh: '发布时间', en: 'Published' }, form: 'read', group: result }),
    publishUser: f.ref('user', {
      onRemoval: 'keep',
      label: { zh: '发布人', en: 'Published by' },
      form: 'read',
      group: result,
    }),
    stopTime: f.datetime({ label: { zh: '停止时间', en: 'Stopped' }, form: 'read', group: result }),
    stopReason: f.text({ label: { zh: '停止原因', en: 'Stop reason' }, max: 200, form: 'read', group: result }),
    rehearsal: f.json({
      systemUpdated: true,
      label: { zh: '试算结果', en: 'Simulation result' },
      form: 'hidden',
      detail: false,
      heavy: true,
    }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'name',
      'type',
      'promise',
      'status',
      'startTime',
      'endTime',
      'shopIds',
      'usedAmount',
      'usedCount',
      'budget',
      'priority',
    ],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['promise'], time: 'startTime' },
  states: defineStates({
    field: 'status',
    values: CAMPAIGN_STATE,
    initial: ['draft'],
    moves: {
      public: { from: ['draft'], to: 'published' },
      stop: { from: ['published'], to: 'stopped' },
      end: { from: ['published'], to: 'ended' },
    },
  }),
  actions: {
    public: {
      on: 'row',
      label: { zh: '发布', en: 'Publish' },
      answer: objectSchema({ id: rowIdSchema, status: constSchema(1) }),
      icon: 'rocket',
      confirm: {
        zh: '发布活动“{name}”？发布后内容不能再改，只能停止。',
        en: 'Publish promotion “{name}”? It can no longer be changed, only stopped.',
      },
    },
    stop: {
      on: 'row',
      label: { zh: '停止', en: 'Stop' },
      icon: 'stop',
      danger: true,
      confirm: { zh: '停止活动“{name}”？停止后不能恢复。', en: 'Stop promotion “{name}”? It cannot be resumed.' },
      input: { stopReason: f.text({ label: { zh: '停止原因', en: 'Stop reason' }, required: true, max: 200 }) },
    },
    rehearse: {
      on: 'row',
      label: { zh: '试算', en: 'Simulate' },
      answer: objectSchema({ id: rowIdSchema }),
      icon: 'experiment',
      enabled: { status: { eq: 0 } },
    },
    copy: {
      on: 'row',
      label: { zh: '复制', en: 'Copy' },
      answer: objectSchema({ id: rowIdSchema }),
      icon: 'copy',
      can: 'add',
    },
  },
  indexes: [['status', 'startTime', 'endTime']],
})

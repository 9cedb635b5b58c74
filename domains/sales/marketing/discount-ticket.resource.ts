import { allShopsIfEmptyFieldOptions, shopIdsField } from '#domains/shops/shops/index.ts'
import { defineResource, f, enabledField, remarkField, nameField, IDENTIFIER_FORMAT } from '#kit/resource/index.ts'

const worth = { zh: '面额', en: 'Value' }
const scope = { zh: '使用条件', en: 'Conditions' }
const supply = { zh: '发放', en: 'Issuing' }

/** A kind of ticket: its value and validity. Customers hold the tickets themselves (`customerTicket`). */
export const discountTicket = defineResource({
  name: 'discountTicket',
  path: '/api/shop/discountTicket',
  label: { zh: '优惠券', en: 'Coupon' },
  tenancy: 'tenant',
  menu: { under: 'marketing', path: '/marketing/discountTicket', icon: 'red-envelope', sort: 20 },
  title: 'name',
  titleCode: 'code',
  fields: {
    name: nameField({ required: true, group: worth, width: 180 }),
    code: f.text({
      generated: true,
      label: { zh: '券码', en: 'Coupon code' },
      max: 32,
      ...IDENTIFIER_FORMAT,
      search: 'eq',
      group: worth,
      width: 110,
      help: { zh: '不填自动生成', en: 'Leave blank to generate it automatically' },
    }),
    type: f.dict('ticket_type', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      search: 'eq',
      default: 'amount',
      group: worth,
      width: 100,
    }),
    amount: f.money({
      label: { zh: '抵扣金额', en: 'Discount amount' },
      min: 1,
      max: 9_999_999,
      group: worth,
      width: 100,
      requiredWhen: { type: { ne: 'rate' } },
    }),
    rate: f.percent({
      label: { zh: '折扣率', en: 'Discount rate' },
      min: 1,
      max: 99,
      group: worth,
      width: 90,
      requiredWhen: { type: { eq: 'rate' } },
      help: { zh: '80 即付 80%', en: '80 means 80% is paid' },
    }),
    cap: f.money({ label: { zh: '最多抵扣', en: 'Maximum discount' }, max: 9_999_999, group: worth, width: 100 }),
    promise: f.text({ label: { zh: '优惠内容', en: 'Offer' }, computed: true, form: 'hidden', width: 180 }),
    threshold: f.money({
      label: { zh: '使用门槛', en: 'Minimum spend' },
      max: 9_999_999,
      default: '0.00',
      group: scope,
      width: 100,
      help: { zh: '适用商品优惠后满此金额可用', en: 'Minimum amount of eligible products after discounts' },
    }),
    shopIds: shopIdsField({ ...allShopsIfEmptyFieldOptions, group: scope, width: 150 }),
    goodIds: f.refs('goodInfo', {
      label: { zh: '商品', en: 'Products' },
      labelKey: 'goodNames',
      group: scope,
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
      group: scope,
    }),
    upcs: f.tags({ label: { zh: '条码', en: 'Barcodes' }, form: 'hidden', maxCount: 500 }),
    stackable: f.boolean({
      label: { zh: '可多张同用', en: 'Combine several' },
      default: false,
      group: scope,
      width: 100,
    }),
    validFrom: f.datetime({ label: { zh: '有效期开始', en: 'Valid from' }, group: scope, width: 160 }),
    validTo: f.datetime({
      label: { zh: '有效期结束', en: 'Valid until' },
      isEnd: true,
      requiredWhen: { validDays: { eq: '' } },
      search: 'range',
      group: scope,
      width: 160,
    }),
    validDays: f.number({
      label: { zh: '领取后有效天数', en: 'Valid days after issue' },
      min: 1,
      max: 3650,
      group: scope,
      width: 120,
      help: {
        zh: '与有效期结束至少填一项，以先到者为准',
        en: 'Enter this, “Valid until”, or both. The earlier one applies.',
      },
    }),
    total: f.number({
      label: { zh: '发放总量', en: 'Total quantity' },
      min: 0,
      max: 10_000_000,
      default: 0,
      group: supply,
      width: 90,
      help: { zh: '0 为不限', en: '0 means no limit' },
    }),
    perUser: f.number({
      label: { zh: '每人限领', en: 'Limit per customer' },
      min: 0,
      max: 999,
      default: 1,
      group: supply,
      width: 90,
      help: { zh: '0 为不限', en: '0 means no limit' },
    }),
    received: f.number({
      systemUpdated: true,
      label: { zh: '已领取', en: 'Claimed' },
      form: 'read',
      default: 0,
      group: supply,
      width: 80,
    }),
    used: f.number({
      systemUpdated: true,
      label: { zh: '已使用', en: 'Used' },
      form: 'read',
      default: 0,
      group: supply,
      width: 80,
    }),
    enabled: enabledField({ group: supply }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'name',
      'promise',
      'type',
      'enabled',
      'received',
      'used',
      'total',
      'validTo',
      'validDays',
      'shopIds',
      'code',
    ],
    time: false,
    sort: '-createTime',
  },
  row: { sub: ['promise'], state: 'enabled' },
  unique: [['code']],
  actions: {
    issue: {
      on: 'row',
      label: { zh: '发放', en: 'Issue' },
      icon: 'send',
      confirm: { zh: '把“{name}”（{promise}）发给：', en: 'Issue “{name}” ({promise}) to:' },
      done: {
        zh: '已发放 {issued} 张；{skipped} 人已达限领，没有再发',
        en: '{issued} issued. {skipped} {skipped|customer has|customers have} already reached the limit.',
      },
      enabled: { enabled: { eq: true } },
      input: {
        wxUserIds: f.refs('wxUser', {
          label: { zh: '顾客', en: 'Customers' },
          requiredWhen: { levelId: { eq: '' } },
          help: { zh: '可选多位；与会员等级二选一', en: 'Select one or more, or select a membership tier instead' },
        }),
        levelId: f.ref('vipLevel', {
          label: { zh: '会员等级', en: 'Membership tier' },
          help: { zh: '发给这个等级的全部有效会员', en: 'Issued to all active members of this tier' },
        }),
      },
    },
  },
})

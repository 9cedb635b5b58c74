import { requiredCustomerField, wxUserIdField } from './wx-user.resource.ts'
import { defineResource, f, reasonField, objectSchema, yuanSchema, integerSchema } from '#kit/resource/index.ts'
import { recordedInShopField, shopIdField } from '#domains/shops/shops/index.ts'

const facts = {
  wxUserId: wxUserIdField({ width: 140 }),
  type: f.dict('account_change', { label: { zh: '类型', en: 'Type' }, search: 'eq', width: 150 }),
}
const source = {
  shopId: shopIdField(),
  refType: f.dict('account_ref', { label: { zh: '来源', en: 'Source' }, search: 'eq', width: 100 }),
  refId: f.ref('', {
    by: 'refType',
    resourceByValue: {
      order: 'shoppingOrder',
      refund: 'refunds',
      recharge: 'rechargeLog',
      annualFee: 'annualFeeLog',
      merge: 'wxUser',
    },
    label: { zh: '来源编号', en: 'Source ID' },
    search: 'eq',
    width: 170,
  }),
  remark: f.text({ label: { zh: '说明', en: 'Message' }, max: 200, width: 180 }),
}
const asks = {
  wxUserId: requiredCustomerField,
  shopId: recordedInShopField,
}
const why = {
  reason: reasonField({
    required: true,
    suggestions: [
      { zh: '补偿顾客', en: 'Compensation' },
      { zh: '录错更正', en: 'Error correction' },
      { zh: '活动赠送', en: 'Promotion bonus' },
    ],
  }),
}
const columns = [
  'wxUserId',
  'type',
  'change',
  'before',
  'after',
  'refType',
  'shopId',
  'createUser',
  'remark',
  'createTime',
] as const
const ledger = {
  tenancy: 'tenant',
  indexedList: true,
  writer: 'system',
  appendOnly: true,
  partitioned: 'quarter',
  scope: { shop: 'shopId' },
  title: 'type',
  list: { columns, sort: '-createTime' },
  row: { title: 'wxUserId', sub: ['shopId', 'refType'], amount: '+change' },
  // One row per customer, cause and type: nothing is booked twice.
  unique: [['wxUserId', 'refType', 'refId', 'type']],
  indexes: [['wxUserId', 'createTime', 'id'], ['refId'], ['type', 'createTime']],
} as const

/** The ledger behind `wxUser.balance`: a row per change, never altered. */
export const balanceLog = defineResource({
  name: 'balanceLog',
  path: '/api/shop/balanceLog',
  label: { zh: '余额流水', en: 'Balance transaction', many: 'Balance history' },
  menu: { under: 'member', path: '/member/balanceLog', icon: 'account-book', sort: 70 },
  ...ledger,
  fields: {
    ...facts,
    change: f.money({ label: { zh: '变动', en: 'Change' }, width: 110 }),
    before: f.money({ sortable: false, label: { zh: '变动前', en: 'Before' }, width: 110 }),
    after: f.money({ sortable: false, label: { zh: '变动后', en: 'After' }, width: 110 }),
    ...source,
  },
  actions: {
    adjust: {
      on: 'toolbar',
      label: { zh: '调整余额', en: 'Adjust balance' },
      icon: 'edit',
      input: {
        ...asks,
        change: f.money({
          label: { zh: '增减金额', en: 'Amount change' },
          required: true,
          nonZero: true,
          min: -10_000_000,
          max: 10_000_000,
          help: { zh: '增加为正，扣减为负', en: 'Positive to add, negative to deduct' },
        }),
        ...why,
      },
      answer: objectSchema({ before: yuanSchema, after: yuanSchema }),
    },
  },
})

/** The ledger behind `wxUser.integral` (points): one row per change, never altered. */
export const integralLog = defineResource({
  name: 'integralLog',
  path: '/api/shop/integralLog',
  label: { zh: '积分流水', en: 'Points transaction', many: 'Points history' },
  menu: { under: 'member', path: '/member/integralLog', icon: 'star', sort: 80 },
  ...ledger,
  fields: {
    ...facts,
    change: f.number({ label: { zh: '变动', en: 'Change' }, width: 100 }),
    before: f.number({ sortable: false, label: { zh: '变动前', en: 'Before' }, width: 100 }),
    after: f.number({ sortable: false, label: { zh: '变动后', en: 'After' }, width: 100 }),
    ...source,
  },
  actions: {
    adjust: {
      on: 'toolbar',
      label: { zh: '调整积分', en: 'Adjust points' },
      icon: 'edit',
      input: {
        ...asks,
        change: f.number({
          label: { zh: '增减积分', en: 'Points change' },
          required: true,
          nonZero: true,
          min: -1_000_000,
          max: 1_000_000,
          help: { zh: '增加为正，扣减为负', en: 'Positive to add, negative to deduct' },
        }),
        ...why,
      },
      answer: objectSchema({ before: integerSchema, after: integerSchema }),
    },
  },
})

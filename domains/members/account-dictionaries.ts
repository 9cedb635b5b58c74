import { defineDict } from '#kit/resource/index.ts'

/** Why a customer's account moved. */
const accountTypes = ['recharge', 'gift', 'consume', 'refund', 'adjust', 'earn', 'takeBack', 'expire', 'merge'] as const
export type AccountType = (typeof accountTypes)[number]

/** What a change of an account goes back to; the id beside it is that of such a row, with `merge` the other account. */
const accountRefs = [
  'order',
  'refund',
  'recharge',
  'rechargeRefund',
  'annualFee',
  'annualFeeRefund',
  'adjust',
  'campaign',
  'ticket',
  'join',
  'expiry',
  'merge',
] as const
export type AccountRef = (typeof accountRefs)[number]

/** What is said after a recharge or fee was refunded, from the answer. */
export const paidBackWords = {
  zh: '退款：{howBack}',
  en: 'Refund: {howBack}',
}

export const accountDictionaries = [
  defineDict({
    code: 'customer_gender',
    label: { zh: '顾客性别', en: 'Gender of a customer' },
    entries: [
      { key: '0', zh: '未知', en: 'Unknown' },
      { key: '1', zh: '男', en: 'Male' },
      { key: '2', zh: '女', en: 'Female' },
    ],
  }),
  defineDict({
    code: 'account_change',
    label: { zh: '账户变动类型', en: 'Kind of account change' },
    entries: [
      { key: 'recharge', zh: '充值', en: 'Recharged', colour: 'success' },
      { key: 'gift', zh: '赠送', en: 'Given', colour: 'processing' },
      { key: 'consume', zh: '消费', en: 'Spent', colour: 'default' },
      { key: 'refund', zh: '退款', en: 'Refunded', colour: 'warning' },
      { key: 'adjust', zh: '人工调整', en: 'Adjusted by hand', colour: 'error' },
      { key: 'earn', zh: '消费获得', en: 'Earned', colour: 'success' },
      { key: 'takeBack', zh: '退款收回', en: 'Taken back', colour: 'warning' },
      { key: 'expire', zh: '到期清零', en: 'Expired', colour: 'default' },
      { key: 'merge', zh: '账户合并', en: 'Merged', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'account_ref',
    label: { zh: '账户变动来源', en: 'Source of an account change' },
    entries: [
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'refund', zh: '退款单', en: 'Refund' },
      { key: 'recharge', zh: '充值', en: 'Recharge' },
      { key: 'rechargeRefund', zh: '充值退款', en: 'Recharge refunded' },
      { key: 'annualFee', zh: '会员年费', en: 'Annual fee' },
      { key: 'annualFeeRefund', zh: '年费退款', en: 'Annual fee refunded' },
      { key: 'adjust', zh: '手工', en: 'By hand' },
      { key: 'campaign', zh: '活动', en: 'Campaign' },
      { key: 'ticket', zh: '优惠券', en: 'Ticket' },
      { key: 'join', zh: '注册', en: 'Joining' },
      { key: 'expiry', zh: '到期', en: 'Expiry' },
      { key: 'merge', zh: '账户合并', en: 'Merged account' },
    ],
  }),
]

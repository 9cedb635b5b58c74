import { defineDict } from '#kit/resource/index.ts'

/** Why a customer's account moved. */
const accountTypes = ['recharge', 'gift', 'consume', 'refund', 'adjust', 'earn', 'takeBack', 'expire', 'merge'] as const
export type CustomerAccountChangeType = (typeof accountTypes)[number]

/** What caused a change of an account. `refId` is the id of that row; for `merge` it is the other account. */
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
export type CustomerAccountChangeSource = (typeof accountRefs)[number]

/** Message shown after a recharge or fee was refunded; `{howBack}` is filled from the call's answer. */
export const refundDoneText = {
  zh: '退款：{howBack}',
  en: 'Refund: {howBack}',
}

export const accountDictionaries = [
  defineDict({
    code: 'customer_gender',
    label: { zh: '顾客性别', en: 'Customer gender' },
    entries: [
      { key: '0', zh: '未知', en: 'Unknown' },
      { key: '1', zh: '男', en: 'Male' },
      { key: '2', zh: '女', en: 'Female' },
    ],
  }),
  defineDict({
    code: 'account_change',
    label: { zh: '账户变动类型', en: 'Account transaction type' },
    entries: [
      { key: 'recharge', zh: '充值', en: 'Top-up', colour: 'success' },
      { key: 'gift', zh: '赠送', en: 'Bonus', colour: 'processing' },
      { key: 'consume', zh: '消费', en: 'Purchase', colour: 'default' },
      { key: 'refund', zh: '退款', en: 'Refund', colour: 'warning' },
      { key: 'adjust', zh: '人工调整', en: 'Manual adjustment', colour: 'error' },
      { key: 'earn', zh: '消费获得', en: 'Earned from purchase', colour: 'success' },
      { key: 'takeBack', zh: '退款收回', en: 'Reclaimed by refund', colour: 'warning' },
      { key: 'expire', zh: '到期清零', en: 'Expired', colour: 'default' },
      { key: 'merge', zh: '账户合并', en: 'Account merge', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'account_ref',
    label: { zh: '账户变动来源', en: 'Account transaction source' },
    entries: [
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'refund', zh: '退款单', en: 'Refund' },
      { key: 'recharge', zh: '充值', en: 'Top-up' },
      { key: 'rechargeRefund', zh: '充值退款', en: 'Top-up refund' },
      { key: 'annualFee', zh: '会员年费', en: 'Membership fee' },
      { key: 'annualFeeRefund', zh: '年费退款', en: 'Membership refund' },
      { key: 'adjust', zh: '手工', en: 'Manual' },
      { key: 'campaign', zh: '活动', en: 'Promotion' },
      { key: 'ticket', zh: '优惠券', en: 'Coupon' },
      { key: 'join', zh: '注册', en: 'Registration' },
      { key: 'expiry', zh: '到期', en: 'Expiry' },
      { key: 'merge', zh: '账户合并', en: 'Account merge' },
    ],
  }),
]

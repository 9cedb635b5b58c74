import { defineDict } from '#kit/resource/index.ts'

/** Why a customer's account moved. */
export const accountTypes = [
  'recharge',
  'gift',
  'consume',
  'refund',
  'adjust',
  'earn',
  'takeBack',
  'expire',
  'merge',
] as const
export type AccountType = (typeof accountTypes)[number]

/** What a change of an account goes back to; the id beside it is that of such a row, with `merge` the other account. */
export const accountRefs = [
  'order',
  'refund',
  'recharge',
  'rechargeRefund',
  'annualFee',
  'adjust',
  'campaign',
  'ticket',
  'join',
  'expiry',
  'merge',
] as const
export type AccountRef = (typeof accountRefs)[number]

/** Words of the shop room's states and choices. */
export const shopDictionaries = [
  defineDict({
    code: 'shop_status',
    label: { zh: '门店状态', en: 'Shop state' },
    entries: [
      { key: '0', zh: '筹备中', en: 'Preparing', colour: 'default' },
      { key: '1', zh: '营业中', en: 'Open', colour: 'success' },
      { key: '2', zh: '暂停营业', en: 'Paused', colour: 'warning' },
      { key: '3', zh: '已关店', en: 'Closed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'shop_mode',
    label: { zh: '经营模式', en: 'Shop mode' },
    entries: [
      { key: '1', zh: '24小时无人', en: 'Unattended all day', colour: 'processing' },
      { key: '2', zh: '夜间无人', en: 'Unattended at night', colour: 'processing' },
      { key: '3', zh: '有人值守', en: 'Attended', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'shop_position',
    label: { zh: '门店岗位', en: 'Position in a shop' },
    entries: [
      { key: 'boss', zh: '店主', en: 'Boss' },
      { key: 'clerk', zh: '店员', en: 'Clerk' },
    ],
  }),
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
      { key: 'adjust', zh: '手工', en: 'By hand' },
      { key: 'campaign', zh: '活动', en: 'Campaign' },
      { key: 'ticket', zh: '优惠券', en: 'Ticket' },
      { key: 'join', zh: '注册', en: 'Joining' },
      { key: 'expiry', zh: '到期', en: 'Expiry' },
      { key: 'merge', zh: '账户合并', en: 'Merged account' },
    ],
  }),
]

import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  recharge_differs: {
    zh: '充值单号 {rechargeNo} 已用于另一笔充值',
    en: 'Top-up number {rechargeNo} was already used for another top-up',
    status: 409,
  },
  recharge_amount_differs: {
    zh: '套餐“{name}”的金额是 {amount} 元',
    en: 'Offer “{name}” costs ¥{amount}',
  },
  recharge_too_often: {
    zh: '套餐“{name}”每人限 {times} 次，这位顾客已用完',
    en: 'Offer “{name}” is limited to {times} per customer. This customer has used it up.',
  },
  recharge_not_paid: { zh: '充值 {rechargeNo} 尚未到账', en: 'Top-up {rechargeNo} is not paid yet' },
  recharge_refund_too_much: {
    zh: '这笔充值最多还能退 {left} 元',
    en: 'You can refund up to ¥{left} more of this top-up',
    none: { of: 'left', zh: '这笔充值已全部退款', en: 'This top-up was fully refunded' },
  },
  recharge_spent: {
    zh: '顾客余额只有 {balance} 元，退款要收回本金和赠金共 {needed} 元',
    en: 'The customer balance is only ¥{balance}. The refund reclaims ¥{needed} including the bonus.',
    none: {
      of: 'balance',
      zh: '顾客余额已用完，退款要收回本金和赠金共 {needed} 元',
      en: 'The customer balance is used up. The refund reclaims ¥{needed} including the bonus.',
    },
  },
  fee_differs: {
    zh: '年费单号 {feeNo} 已用于另一笔年费',
    en: 'Payment number {feeNo} was already used for another membership payment',
    status: 409,
  },
  fee_refund_too_much: {
    zh: '这笔年费最多还能退 {left} 元',
    en: 'You can refund up to ¥{left} more of this membership payment',
    none: { of: 'left', zh: '这笔年费已全部退款', en: 'This membership payment was fully refunded' },
  },
  card_runs_already: {
    zh: '这位顾客已有这个等级的会员卡 {cardNo}，有效期至 {until}，请为它续期',
    en: 'This customer already has card {cardNo} of this tier, valid until {until}. Renew it instead.',
  },
  common_to_shops: {
    zh: '这条数据对所有门店生效，只能由管理员修改',
    en: 'This applies to all stores. Only an administrator can change it.',
    status: 403,
  },
  prices_overlap: {
    zh: '这个商品在这段时间已有会员价 {price} 元（{period}）',
    en: 'This product already has a member price of ¥{price} in this period ({period})',
  },
  black_over: { zh: '这条黑名单已经结束', en: 'This blocklist entry has already ended' },
  appeal_open: { zh: '这条黑名单已有待处理的申诉', en: 'This blocklist entry already has a pending appeal' },
  appeal_over: {
    zh: '这条黑名单已经结束，不用申诉',
    en: 'This blocklist entry has ended. There is nothing to appeal.',
  },
  appeal_own_entry: {
    zh: '名单是您录入的，申诉要由另一个人处理',
    en: 'You created this entry. Someone else must decide the appeal.',
  },
  merge_same: { zh: '两个账户是同一个', en: 'Select two different accounts' },
  merge_elsewhere: {
    zh: '“{name}”已并入另一个账户',
    en: '“{name}” was already merged into another account',
  },
  merge_clash: {
    zh: '两个账户的{what}不同，请确认是同一个人',
    en: 'The accounts have different {what}. Confirm that they belong to the same person.',
  },
  balance_short: {
    zh: '顾客余额不足，当前 {balance} 元',
    en: 'Insufficient balance. The customer has ¥{balance}.',
    none: { of: 'balance', zh: '顾客账户没有余额', en: 'The customer account has no balance' },
  },
  integral_short: {
    zh: '顾客积分不足，当前 {integral} 分',
    en: 'Not enough points. The customer has {integral}.',
    none: { of: 'integral', zh: '顾客没有积分', en: 'The customer has no points' },
  },
  integral_full: {
    zh: '顾客积分已有 {held} 分，最多 {max} 分',
    en: 'The customer has {held} {held|point|points}. The maximum is {max}.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

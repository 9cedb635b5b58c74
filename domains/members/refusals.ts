import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  recharge_differs: {
    zh: '充值单号 {rechargeNo} 已用于另一笔充值',
    en: 'Recharge number {rechargeNo} was used for another recharge',
    status: 409,
  },
  recharge_amount_differs: {
    zh: '档位“{name}”的金额是 {amount} 元',
    en: 'The offer "{name}" is {amount} yuan',
  },
  recharge_too_often: {
    zh: '档位“{name}”每人限 {times} 次，这位顾客已用完',
    en: 'The offer "{name}" is limited to {times} per customer, who has used them',
  },
  recharge_not_paid: { zh: '充值 {rechargeNo} 尚未到账', en: 'Recharge {rechargeNo} has not been paid' },
  recharge_refund_too_much: {
    zh: '这笔充值最多还能退 {left} 元',
    en: 'At most {left} yuan of this recharge can still be refunded',
    none: { of: 'left', zh: '这笔充值已全部退款', en: 'All of this recharge has been refunded' },
  },
  recharge_spent: {
    zh: '顾客余额只有 {balance} 元，退款要收回本金和赠金共 {needed} 元',
    en: 'The customer has {balance} yuan left; the refund takes back {needed} with its gift',
    none: {
      of: 'balance',
      zh: '顾客余额已用完，退款要收回本金和赠金共 {needed} 元',
      en: 'The customer has spent all of it; the refund takes back {needed} yuan with its gift',
    },
  },
  fee_differs: {
    zh: '年费单号 {feeNo} 已用于另一笔年费',
    en: 'Fee number {feeNo} was used for another fee',
    status: 409,
  },
  fee_refund_too_much: {
    zh: '这笔年费最多还能退 {left} 元',
    en: 'At most {left} yuan of this fee can still be refunded',
    none: { of: 'left', zh: '这笔年费已全部退款', en: 'All of this fee has been refunded' },
  },
  card_runs_already: {
    zh: '这位顾客已有该等级的会员卡 {cardNo}，有效期至 {until}，请为它续期',
    en: 'The customer holds card {cardNo} of this level until {until}: renew that one',
  },
  common_to_shops: {
    zh: '这条数据对所有门店生效，只能由管理员修改',
    en: 'This holds for all shops: an administrator changes it',
    status: 403,
  },
  prices_overlap: {
    zh: '该商品在这段时间已有会员价 {price} 元（{period}）',
    en: 'The goods have a member price of {price} yuan in this time ({period})',
  },
  black_over: { zh: '这条黑名单已经结束', en: 'This entry is over already' },
  appeal_open: { zh: '这条黑名单已有待处理的申诉', en: 'This entry has an appeal that waits already' },
  appeal_over: { zh: '这条黑名单已经结束，无需申诉', en: 'This entry is over: there is nothing to appeal' },
  appeal_own_entry: {
    zh: '名单是您录入的，申诉须由另一个人处理',
    en: 'You made this entry: somebody else decides its appeal',
  },
  merge_same: { zh: '两个账户是同一个', en: 'The two accounts are one and the same' },
  merge_elsewhere: {
    zh: '“{name}”已并入另一个账户',
    en: '"{name}" has been merged into another account',
  },
  merge_clash: {
    zh: '两个账户的{what}不同，请确认是同一个人',
    en: 'The two accounts differ in {what}: confirm that they are one person',
  },
  balance_short: {
    zh: '顾客余额不足，当前 {balance} 元',
    en: "The customer's balance is too low: {balance} yuan",
    none: { of: 'balance', zh: '顾客账户没有余额', en: 'The customer has nothing on account' },
  },
  integral_short: {
    zh: '顾客积分不足，当前 {integral} 分',
    en: 'The customer has too few points: {integral}',
    none: { of: 'integral', zh: '顾客没有积分', en: 'The customer has no points' },
  },
  integral_full: {
    zh: '顾客积分已有 {held} 分，最多 {max} 分',
    en: 'The customer has {held} {held|point|points}; an account holds at most {max}',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

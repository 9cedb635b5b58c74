import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  refund_not_abnormal: {
    zh: '退款 {refundNo} 一切正常，不用改退',
    en: 'Refund {refundNo} is processing normally and cannot be redirected.',
    status: 409,
  },
  refund_of_cancelled: {
    zh: '订单已取消，这笔全额退款只能同意；想恢复订单，请拒绝退款 {refundNo}',
    en:
      'The order was canceled, so this full refund can only be approved. To restore the order, reject ' +
      'refund {refundNo}.',
    status: 409,
  },
  order_amounts: {
    zh: '订单金额与明细不符: {detail}',
    en: 'The order amounts do not match its lines: {detail}',
  },
  order_not_paid: { zh: '订单当前状态不能退款', en: 'An order in this status cannot be refunded' },
  refund_no_lines: { zh: '请选择要退款的商品', en: 'Select the products to refund' },
  refund_all_or_lines: { zh: '整单退款不能再指定商品', en: 'Refund the whole order or select products, not both' },
  refund_line_unknown: { zh: '退款明细不属于这个订单', en: 'A refund line does not belong to this order' },
  refund_line_bad: {
    zh: '“{name}”的退款数量或金额格式不正确',
    en: 'Check the quantity and amount of “{name}”',
  },
  refund_too_many: {
    zh: '“{name}”最多还可退 {left} 件',
    en: 'You can refund up to {left} more of “{name}”',
    none: {
      of: 'left',
      zh: '“{name}”已全部退款或在退款中',
      en: '“{name}” has been fully refunded or is being refunded',
    },
  },
  refund_too_much: {
    zh: '“{name}”最多还可退 {left} 元',
    en: 'You can refund up to ¥{left} more of “{name}”',
    none: {
      of: 'left',
      zh: '“{name}”的金额已全部退款或在退款中',
      en: 'The amount of “{name}” has been fully refunded or is being refunded',
    },
  },
  refund_over_paid: {
    zh: '退款总额不能超过实付金额，最多还可退 {left} 元',
    en: 'Refunds cannot exceed the amount paid. You can refund up to ¥{left} more.',
    none: {
      of: 'left',
      zh: '订单的金额已全部退款或在退款中',
      en: 'The order has been fully refunded or is being refunded',
    },
  },
  refund_nothing: { zh: '退款金额要大于 0', en: 'The refund amount must be greater than 0' },
  refund_key_reused: {
    zh: '同一请求标识已用于另一笔退款',
    en: 'This request key was already used for another refund',
    status: 409,
  },
  refund_limit_own: {
    zh: '不能修改自己角色的审核额度',
    en: 'You cannot change the approval limit of your own role',
    status: 403,
  },
  refund_over_limit: {
    zh: '超过您的审核额度，单笔最多 {limit} 元',
    en: 'This exceeds your limit of ¥{limit} per refund.',
    none: { of: 'limit', zh: '您没有退款审核额度', en: 'You are not authorized to approve refunds.' },
    status: 403,
  },
  refund_other_person: {
    zh: '第二次审核要由申请人和第一审核人以外的人来做',
    en: 'The second approval must come from someone other than the requester and the first approver.',
    status: 403,
  },
  refund_there: {
    zh: '这笔钱是外卖平台收的，请在饿了么或美团订单里退，退完这里自动记账',
    en:
      'The delivery platform collected this payment. Refund it under Ele.me orders or Meituan orders. ' +
      'It is recorded here automatically.',
    status: 409,
  },
  order_short: {
    zh: '库存不足，订单不能接',
    en: 'There is not enough stock to accept this order.',
    status: 409,
  },
  order_not_open: { zh: '订单 {orderNo} 已不能支付', en: 'Order {orderNo} can no longer be paid', status: 409 },
  order_going_back: {
    zh: '订单正在全额退款，不能继续交付',
    en: 'The whole order is being refunded. It can no longer be handed over.',
    status: 409,
  },
  pickup_code_wrong: { zh: '取货码不正确', en: 'The pickup code is wrong' },
  delivery_on_way: {
    zh: '商品正在配送途中，送达或送不到之后才能取消',
    en: 'The order is out for delivery. Cancel it after it is delivered or fails.',
    status: 409,
  },
  delivery_not_own: {
    zh: '这个订单没有门店自己在送的配送：由平台骑手送，或已经送完',
    en: 'This order has no active store delivery. The platform courier delivers it, or it was already delivered.',
    status: 409,
  },
  delivery_open: { zh: '这个订单已有进行中的配送', en: 'The order is already being delivered', status: 409 },
  delivery_off: {
    zh: '这家门店没有开通配送，请改为自提或到店',
    en: 'This store does not deliver. Choose pickup or in-store instead.',
  },
  delivery_missing: { zh: '配送订单缺少收货信息', en: 'A delivery order needs a recipient and an address' },
  channel_missing: { zh: '支付渠道“{channel}”未配置', en: 'Payment channel “{channel}” is not configured' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

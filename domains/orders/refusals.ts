import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  refund_not_abnormal: {
    zh: '退款 {refundNo} 现在不是异常，不用改退',
    en: 'Refund {refundNo} is on its way as it should: there is nothing to send elsewhere',
    status: 409,
  },
  refund_of_cancelled: {
    zh: '订单已取消，要全额退回，这笔退款只能同意；要撤销取消，请拒绝退款 {refundNo}',
    en: 'The order was cancelled and goes back whole: this can only be approved. To undo that, reject {refundNo}',
    status: 409,
  },
  order_amounts: {
    zh: '订单金额与明细不符: {detail}',
    en: "The order's amounts do not follow from its lines: {detail}",
  },
  order_not_paid: { zh: '订单当前状态不能退款', en: 'An order in this state cannot be refunded' },
  refund_no_lines: { zh: '请选择要退款的商品', en: 'Choose what to refund' },
  refund_all_or_lines: { zh: '整单退款不能再指定商品', en: 'Refund everything or name lines, not both' },
  refund_line_unknown: { zh: '退款明细不属于该订单', en: 'A line does not belong to this order' },
  refund_line_bad: {
    zh: '“{name}”的退款数量或金额格式不正确',
    en: 'Quantity or amount of "{name}" has the wrong format',
  },
  refund_too_many: {
    zh: '“{name}”最多还可退 {left} 件',
    en: 'At most {left} of "{name}" can still be refunded',
    none: {
      of: 'left',
      zh: '“{name}”已全部退款或在退款中',
      en: 'All of "{name}" has been refunded or is being refunded',
    },
  },
  refund_too_much: {
    zh: '“{name}”最多还可退 {left} 元',
    en: 'At most {left} yuan of "{name}" can still be refunded',
    none: {
      of: 'left',
      zh: '“{name}”的金额已全部退款或在退款中',
      en: 'All that was paid for "{name}" has been refunded or is being refunded',
    },
  },
  refund_over_paid: {
    zh: '退款总额不能超过实付金额，最多还可退 {left} 元',
    en: 'Refunds cannot exceed what was paid: {left} yuan are left',
    none: {
      of: 'left',
      zh: '订单的金额已全部退款或在退款中',
      en: 'All that was paid for the order has been refunded or is being refunded',
    },
  },
  refund_nothing: { zh: '退款金额须大于零', en: 'The amount of a refund must be above zero' },
  refund_key_reused: {
    zh: '同一请求标识已用于另一笔退款',
    en: 'This request key was used for another refund',
    status: 409,
  },
  refund_limit_own: {
    zh: '不能修改自己角色的审核额度',
    en: "The limit of a role of one's own is set by somebody else",
    status: 403,
  },
  refund_over_limit: {
    zh: '超过您的审核额度，单笔最多 {limit} 元',
    en: 'This is above your limit of {limit} yuan for one refund',
    none: { of: 'limit', zh: '您没有退款审核额度', en: 'You have no limit to sign refunds with' },
    status: 403,
  },
  refund_other_person: {
    zh: '第二个签字须由申请人和第一审核人以外的人完成',
    en: 'The second signature must come from somebody other than the applicant and the first signer',
    status: 403,
  },
  refund_there: {
    zh: '这笔钱由外卖平台代收，请在饿了么订单或美团订单里退款，退完这里会自动记上',
    en: 'A delivery platform took this money: give it back in the orders of that platform, and it is booked here',
    status: 409,
  },
  order_short: {
    zh: '库存不足，订单不能接',
    en: 'There are too few of the goods for this order',
    status: 409,
  },
  order_not_open: { zh: '订单 {orderNo} 已不能支付', en: 'Order {orderNo} can no longer be paid', status: 409 },
  order_going_back: {
    zh: '订单正在全额退款，不能继续交付',
    en: 'All of the order is being refunded; it cannot be handed over any more',
    status: 409,
  },
  pickup_code_wrong: { zh: '取货码不正确', en: 'The pick-up code is wrong' },
  delivery_on_way: {
    zh: '商品正在配送途中，送达或送不到之后才能取消',
    en: 'The goods are on their way: cancel once they were delivered or failed',
    status: 409,
  },
  delivery_not_own: {
    zh: '这个订单没有门店自己在送的配送：由平台骑手送，或已经送完',
    en: 'The shop is bringing nothing of this order: a rider of the platform does, or it was brought',
    status: 409,
  },
  delivery_open: { zh: '该订单已有进行中的配送', en: 'The order is already being delivered', status: 409 },
  delivery_off: {
    zh: '这家门店没有开通配送，请改为自提或到店',
    en: 'This shop does not deliver: choose pick-up or the shop itself',
  },
  delivery_missing: { zh: '配送订单缺少收货信息', en: 'An order to be delivered needs an address' },
  channel_missing: { zh: '支付渠道“{channel}”未配置', en: 'Payment channel "{channel}" is not configured' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}

import { defineDict } from '#kit/resource/index.ts'

/** States of an order: 0 to pay → 1 paid → 2 finished; 0 → 9 cancelled; 1/2 → 3 partly refunded → 4 refunded. */
export const ORDER_STATE = { toPay: 0, paid: 1, finished: 2, partlyRefunded: 3, refunded: 4, cancelled: 9 } as const

/** States of orders that were paid, whatever happened later; these count as sales. */
export const SOLD_ORDER_STATES = [
  ORDER_STATE.paid,
  ORDER_STATE.finished,
  ORDER_STATE.partlyRefunded,
  ORDER_STATE.refunded,
] as const

/**
 * States of a refund: 0 applied → 1 approved → 2 processing → 3 succeeded / 4 failed (may be sent again); 0 → 5
 * rejected.
 */
export const REFUND_STATE = { applied: 0, approved: 1, processing: 2, succeeded: 3, failed: 4, rejected: 5 } as const

/** Where a refund goes when the customer's card is closed: to another card of theirs, or to the merchant. */
export const REFUND_REDIRECT_TARGET = { customer: 'customer', merchant: 'merchant' } as const

/** States of a delivery: 0 waiting → 1 accepted → 2 picked up → 3 delivered, or 4 failed on the way. */
export const DELIVERY_STATE = { waiting: 0, accepted: 1, pickedUp: 2, delivered: 3, failed: 4 } as const

export const payTypes = ['cash', 'balance', 'wechat', 'alipay', 'card'] as const
/** `platform`: a delivery platform takes the money and settles later; registers never send it. */
export type PayType = (typeof payTypes)[number] | 'platform'
/** Whether a delivery platform took the money; then only the platform can refund it. */
export const isPaidOnPlatform = ({ payType }: { payType?: unknown }): boolean => payType === 'platform'

/** Irregularities of a recorded order that the office should check. */
export const orderIrregularities = [
  'unknownGoods',
  'price',
  'shortStock',
  'late',
  'clock',
  'offSale',
  'quote',
  'payType',
  'delivery',
  'aboveTag',
] as const
export type OrderFlag = (typeof orderIrregularities)[number]

/** Kinds of reductions of a line, in the order they are explained. */
export const orderLineBenefitKinds = ['vipPrice', 'vipDay', 'campaign', 'ticket', 'points'] as const
/** A reduction of a line: its cents, and the row (campaign, ticket …) and name it comes from. */
export type OrderLineBenefit = {
  kind: (typeof orderLineBenefitKinds)[number]
  refId: string | null
  name: string
  amount: number
}

export const orderDictionaries = [
  defineDict({
    code: 'order_status',
    label: { zh: '订单状态', en: 'Order status' },
    entries: [
      { key: '0', zh: '待支付', en: 'Awaiting payment', colour: 'default' },
      { key: '1', zh: '已支付', en: 'Paid', colour: 'processing' },
      { key: '2', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: '3', zh: '部分退款', en: 'Partially refunded', colour: 'warning' },
      { key: '4', zh: '已退款', en: 'Refunded', colour: 'error' },
      { key: '9', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'order_source',
    label: { zh: '订单来源', en: 'Order source' },
    entries: [
      { key: 'register', zh: '收银机', en: 'Register' },
      { key: 'scan', zh: '扫码购', en: 'Scan and go' },
      { key: 'mini', zh: '小程序', en: 'Mini program' },
      { key: 'ele', zh: '饿了么', en: 'Ele.me' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
    ],
  }),
  defineDict({
    code: 'order_type',
    label: { zh: '订单类型', en: 'Order type' },
    entries: [
      { key: 'store', zh: '到店', en: 'In store' },
      { key: 'pickup', zh: '自提', en: 'Pick-up' },
      { key: 'delivery', zh: '配送', en: 'Delivery' },
    ],
  }),
  defineDict({
    code: 'pay_type',
    label: { zh: '支付方式', en: 'Payment method' },
    entries: [
      { key: 'cash', zh: '现金', en: 'Cash' },
      { key: 'balance', zh: '余额', en: 'Balance' },
      { key: 'wechat', zh: '微信支付', en: 'WeChat Pay' },
      { key: 'alipay', zh: '支付宝', en: 'Alipay' },
      { key: 'card', zh: '银行卡', en: 'Bank card' },
      { key: 'platform', zh: '平台已收', en: 'Collected by platform' },
    ],
  }),
  defineDict({
    code: 'order_flag',
    label: { zh: '订单提示', en: 'Order alert' },
    entries: [
      { key: 'unknownGoods', zh: '未知商品', en: 'Unknown product', colour: 'error' },
      { key: 'price', zh: '价格不一致', en: 'Price mismatch', colour: 'warning' },
      { key: 'shortStock', zh: '库存不足', en: 'Insufficient stock', colour: 'warning' },
      { key: 'late', zh: '离线补传', en: 'Uploaded late', colour: 'default' },
      { key: 'clock', zh: '时钟偏差', en: 'Clock drift', colour: 'warning' },
      { key: 'offSale', zh: '已下架商品', en: 'Unlisted product', colour: 'warning' },
      { key: 'quote', zh: '报价已过期', en: 'Quote expired', colour: 'warning' },
      { key: 'payType', zh: '收款方式未开通', en: 'Payment method not enabled', colour: 'warning' },
      { key: 'delivery', zh: '门店未开通配送', en: 'Delivery not enabled', colour: 'warning' },
      { key: 'aboveTag', zh: '高于价签价格', en: 'Above ESL price', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'refund_status',
    label: { zh: '退款状态', en: 'Refund status' },
    entries: [
      { key: '0', zh: '待审核', en: 'Pending approval', colour: 'warning' },
      { key: '1', zh: '已同意', en: 'Approved', colour: 'processing' },
      { key: '2', zh: '退款中', en: 'Processing', colour: 'processing' },
      { key: '3', zh: '退款成功', en: 'Refunded', colour: 'success' },
      { key: '4', zh: '退款失败', en: 'Failed', colour: 'error' },
      { key: '5', zh: '已拒绝', en: 'Rejected', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'refund_type',
    label: { zh: '退款类型', en: 'Refund type' },
    entries: [
      { key: 'full', zh: '全额退款', en: 'Full refund' },
      { key: 'part', zh: '部分退款', en: 'Partial refund' },
    ],
  }),
  defineDict({
    code: 'refund_target',
    label: { zh: '改退到', en: 'Refund destination' },
    entries: [
      { key: REFUND_REDIRECT_TARGET.customer, zh: '顾客的其他银行卡', en: 'Another card of the customer' },
      {
        key: REFUND_REDIRECT_TARGET.merchant,
        zh: '商户的结算账户，再线下退给顾客',
        en: 'Settlement account of the merchant, then refunded offline',
      },
    ],
  }),
  defineDict({
    code: 'delivery_status',
    label: { zh: '配送状态', en: 'Delivery status' },
    entries: [
      { key: '0', zh: '待接单', en: 'Unassigned', colour: 'warning' },
      { key: '1', zh: '待取货', en: 'Awaiting pickup', colour: 'processing' },
      { key: '2', zh: '配送中', en: 'Out for delivery', colour: 'processing' },
      { key: '3', zh: '已送达', en: 'Delivered', colour: 'success' },
      { key: '4', zh: '配送失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'delivery_carrier',
    label: { zh: '配送方', en: 'Carrier' },
    entries: [
      { key: 'self', zh: '门店自送', en: 'Store delivery' },
      { key: 'ele', zh: '饿了么', en: 'Ele.me' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
      { key: 'sf', zh: '顺丰同城', en: 'SF Express' },
    ],
  }),
]

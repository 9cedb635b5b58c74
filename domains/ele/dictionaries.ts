import { defineDict } from '#kit/resource/index.ts'

/** The platform's numbers of goods that are to come back. */
export const RETURN = {
  asked: 1001,
  refused: 1002,
  disputed: 1003,
  agreed: 1004,
  sent: 1005,
  back: 1006,
  missing: 1007,
  closed: 1008,
} as const

/** Words of the platform's own numbers (open-be.ele.me: shop, order and delivery states). */
export const eleDictionaries = [
  defineDict({
    code: 'ele_return_state',
    label: { zh: '饿了么退货状态', en: 'Goods coming back at Ele' },
    entries: [
      { key: `${RETURN.asked}`, zh: '申请退货', en: 'Asked for', colour: 'warning' },
      { key: `${RETURN.refused}`, zh: '已拒绝', en: 'Refused', colour: 'default' },
      { key: `${RETURN.disputed}`, zh: '平台仲裁中', en: 'Before the platform', colour: 'processing' },
      { key: `${RETURN.agreed}`, zh: '已同意，待寄回', en: 'Agreed, to be sent', colour: 'processing' },
      { key: `${RETURN.sent}`, zh: '已寄回，待收货', en: 'On their way back', colour: 'warning' },
      { key: `${RETURN.back}`, zh: '已收货并退款', en: 'Here, and paid back', colour: 'success' },
      { key: `${RETURN.missing}`, zh: '没有收到', en: 'Never arrived', colour: 'error' },
      { key: `${RETURN.closed}`, zh: '已关闭', en: 'Closed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ele_sys_status',
    label: { zh: '饿了么审核状态', en: 'Review at Ele' },
    entries: [
      { key: '0', zh: '未申请', en: 'Not applied', colour: 'default' },
      { key: '1', zh: '新增商户', en: 'New', colour: 'processing' },
      { key: '3', zh: '修改待审核', en: 'Change under review', colour: 'processing' },
      { key: '4', zh: '审核未通过', en: 'Refused', colour: 'error' },
      { key: '6', zh: '正常营业', en: 'Approved', colour: 'success' },
      { key: '7', zh: '新增待审核', en: 'Under review', colour: 'processing' },
      { key: '8', zh: '上线驳回', en: 'Going online refused', colour: 'error' },
      { key: '12', zh: '通过品控', en: 'Quality approved', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'ele_business_status',
    label: { zh: '饿了么营业状态', en: 'Open at Ele' },
    entries: [
      { key: '1', zh: '营业', en: 'Open', colour: 'success' },
      { key: '3', zh: '休息中', en: 'Resting', colour: 'warning' },
      { key: '9', zh: '停止营业', en: 'Closed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ele_order_status',
    label: { zh: '饿了么订单状态', en: 'Ele order' },
    entries: [
      { key: '1', zh: '待确认', en: 'To confirm', colour: 'warning' },
      { key: '5', zh: '已确认', en: 'Confirmed', colour: 'processing' },
      { key: '7', zh: '骑士取餐中', en: 'Rider on the way to the shop', colour: 'processing' },
      { key: '8', zh: '配送中', en: 'On its way', colour: 'processing' },
      { key: '9', zh: '已完成', en: 'Done', colour: 'success' },
      { key: '10', zh: '已取消', en: 'Cancelled', colour: 'default' },
      { key: '15', zh: '已退款', en: 'Refunded', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ele_cancel_reason',
    label: { zh: '饿了么取消原因', en: 'Why an order at Ele is cancelled' },
    entries: [
      { key: '1', zh: '不在配送范围', en: 'Too far away' },
      { key: '2', zh: '门店已打烊', en: 'The shop is closed' },
      { key: '3', zh: '商品已售完', en: 'Sold out' },
      { key: '4', zh: '商品价格变化', en: 'The price has changed' },
      { key: '5', zh: '用户取消', en: 'The customer cancels' },
      { key: '6', zh: '重复订单', en: 'Ordered twice' },
      { key: '7', zh: '门店太忙', en: 'The shop is too busy' },
      { key: '8', zh: '联系不上用户', en: 'The customer cannot be reached' },
      { key: '9', zh: '假订单', en: 'Not a real order' },
      { key: '0', zh: '其他', en: 'Another reason' },
    ],
  }),
  defineDict({
    code: 'ele_sku_status',
    label: { zh: '饿了么商品状态', en: 'Goods at Ele' },
    entries: [
      { key: '1', zh: '上架', en: 'On sale', colour: 'success' },
      { key: '0', zh: '下架', en: 'Off sale', colour: 'default' },
    ],
  }),
]

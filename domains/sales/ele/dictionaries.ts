import { defineDict } from '#kit/resource/index.ts'

/** The platform's codes for the return of goods. */
export const ELE_RETURN_STATE = {
  asked: 1001,
  refused: 1002,
  disputed: 1003,
  agreed: 1004,
  sent: 1005,
  back: 1006,
  missing: 1007,
  closed: 1008,
} as const

/** Dictionaries for the platform's codes (open-be.ele.me: shop, order and delivery states). */
export const eleDictionaries = [
  defineDict({
    code: 'ele_return_state',
    label: { zh: '饿了么退货状态', en: 'Ele.me return status' },
    entries: [
      { key: `${ELE_RETURN_STATE.asked}`, zh: '申请退货', en: 'Requested', colour: 'warning' },
      { key: `${ELE_RETURN_STATE.refused}`, zh: '已拒绝', en: 'Rejected', colour: 'default' },
      { key: `${ELE_RETURN_STATE.disputed}`, zh: '平台仲裁中', en: 'In arbitration', colour: 'processing' },
      {
        key: `${ELE_RETURN_STATE.agreed}`,
        zh: '已同意，待寄回',
        en: 'Approved, awaiting shipment',
        colour: 'processing',
      },
      {
        key: `${ELE_RETURN_STATE.sent}`,
        zh: '已寄回，待收货',
        en: 'Shipped back, awaiting receipt',
        colour: 'warning',
      },
      { key: `${ELE_RETURN_STATE.back}`, zh: '已收货并退款', en: 'Received and refunded', colour: 'success' },
      { key: `${ELE_RETURN_STATE.missing}`, zh: '没有收到', en: 'Not received', colour: 'error' },
      { key: `${ELE_RETURN_STATE.closed}`, zh: '已关闭', en: 'Closed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ele_sys_status',
    label: { zh: '饿了么审核状态', en: 'Ele.me review status' },
    entries: [
      { key: '0', zh: '未申请', en: 'Not submitted', colour: 'default' },
      { key: '1', zh: '新增商户', en: 'New merchant', colour: 'processing' },
      { key: '3', zh: '修改待审核', en: 'Change under review', colour: 'processing' },
      { key: '4', zh: '审核未通过', en: 'Rejected', colour: 'error' },
      { key: '6', zh: '正常营业', en: 'Approved', colour: 'success' },
      { key: '7', zh: '新增待审核', en: 'Under review', colour: 'processing' },
      { key: '8', zh: '上线驳回', en: 'Go-live rejected', colour: 'error' },
      { key: '12', zh: '通过品控', en: 'Quality approved', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'ele_business_status',
    label: { zh: '饿了么营业状态', en: 'Ele.me store status' },
    entries: [
      { key: '1', zh: '营业', en: 'Open', colour: 'success' },
      { key: '3', zh: '休息中', en: 'Paused', colour: 'warning' },
      { key: '9', zh: '停止营业', en: 'Closed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ele_order_status',
    label: { zh: '饿了么订单状态', en: 'Ele.me order status' },
    entries: [
      { key: '1', zh: '待确认', en: 'Awaiting confirmation', colour: 'warning' },
      { key: '5', zh: '已确认', en: 'Confirmed', colour: 'processing' },
      { key: '7', zh: '骑士取餐中', en: 'Courier en route to store', colour: 'processing' },
      { key: '8', zh: '配送中', en: 'Out for delivery', colour: 'processing' },
      { key: '9', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: '10', zh: '已取消', en: 'Canceled', colour: 'default' },
      { key: '15', zh: '已退款', en: 'Refunded', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ele_cancel_reason',
    label: { zh: '饿了么取消原因', en: 'Ele.me cancellation reason' },
    entries: [
      { key: '1', zh: '不在配送范围', en: 'Outside delivery area' },
      { key: '2', zh: '门店已打烊', en: 'Store is closed' },
      { key: '3', zh: '商品已售完', en: 'Sold out' },
      { key: '4', zh: '商品价格变化', en: 'Price changed' },
      { key: '5', zh: '用户取消', en: 'Canceled by customer' },
      { key: '6', zh: '重复订单', en: 'Duplicate order' },
      { key: '7', zh: '门店太忙', en: 'Store too busy' },
      { key: '8', zh: '联系不上用户', en: 'Customer unreachable' },
      { key: '9', zh: '假订单', en: 'Fake order' },
      { key: '0', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'ele_sku_status',
    label: { zh: '饿了么商品状态', en: 'Ele.me listing status' },
    entries: [
      { key: '1', zh: '上架', en: 'Listed', colour: 'success' },
      { key: '0', zh: '下架', en: 'Unlisted', colour: 'default' },
    ],
  }),
]

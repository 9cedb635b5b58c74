import { defineDict } from '#kit/resource/index.ts'

/** States of a batch; 1 to 3 have the platform's numbers. */
export const MEITUAN_TASK_STATE = { asked: 0, running: 1, done: 2, failed: 3, partly: 4, sent: 5, lost: 6 } as const

/** Dictionaries for the platform's codes (states of shops, products and orders). */
export const meituanDictionaries = [
  defineDict({
    code: 'meituan_audit_status',
    label: { zh: '美团入驻状态', en: 'Meituan onboarding status' },
    entries: [
      { key: '0', zh: '待完善', en: 'Incomplete', colour: 'default' },
      { key: '1', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: '2', zh: '已驳回', en: 'Rejected', colour: 'error' },
      { key: '4', zh: '待提审', en: 'Ready to submit', colour: 'warning' },
      { key: '5', zh: '审核通过', en: 'Approved', colour: 'success' },
      { key: '7', zh: '暂不合作', en: 'Declined', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'meituan_online_status',
    label: { zh: '美团上线状态', en: 'Meituan go-live status' },
    entries: [
      { key: '0', zh: '下线', en: 'Offline', colour: 'default' },
      { key: '1', zh: '上线', en: 'Online', colour: 'success' },
      { key: '2', zh: '上单中', en: 'Listing in progress', colour: 'processing' },
      { key: '3', zh: '审核通过可上线', en: 'Ready to go live', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'meituan_open_level',
    label: { zh: '美团营业状态', en: 'Meituan store status' },
    entries: [
      { key: '1', zh: '营业中', en: 'Open', colour: 'success' },
      { key: '3', zh: '休息中', en: 'Paused', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'meituan_order_status',
    label: { zh: '美团订单状态', en: 'Meituan order status' },
    entries: [
      { key: '1', zh: '已提交', en: 'Submitted', colour: 'default' },
      { key: '2', zh: '待接单', en: 'Awaiting acceptance', colour: 'warning' },
      { key: '4', zh: '已接单', en: 'Accepted', colour: 'processing' },
      { key: '6', zh: '已配送', en: 'Dispatched', colour: 'processing' },
      { key: '8', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: '9', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_sell_status',
    label: { zh: '美团商品状态', en: 'Meituan listing status' },
    entries: [
      { key: '0', zh: '上架', en: 'Listed', colour: 'success' },
      { key: '1', zh: '下架', en: 'Unlisted', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_goods_audit',
    label: { zh: '美团商品审核', en: 'Meituan listing review' },
    entries: [
      { key: '0', zh: '无需审核', en: 'No review needed', colour: 'default' },
      { key: '1', zh: '审核中', en: 'Under review', colour: 'processing' },
      { key: '2', zh: '审核通过', en: 'Approved', colour: 'success' },
      { key: '3', zh: '审核驳回', en: 'Rejected', colour: 'error' },
      { key: '4', zh: '审核撤销', en: 'Withdrawn', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_task_status',
    label: { zh: '美团批量任务状态', en: 'Meituan batch job status' },
    entries: [
      { key: `${MEITUAN_TASK_STATE.asked}`, zh: '待提交', en: 'Queued', colour: 'default' },
      {
        key: `${MEITUAN_TASK_STATE.sent}`,
        zh: '已提交，平台未确认',
        en: 'Submitted, awaiting confirmation',
        colour: 'warning',
      },
      { key: `${MEITUAN_TASK_STATE.running}`, zh: '处理中', en: 'Processing', colour: 'processing' },
      { key: `${MEITUAN_TASK_STATE.done}`, zh: '已完成', en: 'Completed', colour: 'success' },
      { key: `${MEITUAN_TASK_STATE.partly}`, zh: '部分失败', en: 'Partially failed', colour: 'warning' },
      { key: `${MEITUAN_TASK_STATE.failed}`, zh: '失败', en: 'Failed', colour: 'error' },
      {
        key: `${MEITUAN_TASK_STATE.lost}`,
        zh: '无结果，改为逐个同步',
        en: 'No result, synced one by one',
        colour: 'default',
      },
    ],
  }),
  defineDict({
    code: 'meituan_task_type',
    label: { zh: '美团批量任务类型', en: 'Meituan batch job type' },
    entries: [
      { key: 'whole', zh: '批量上传商品', en: 'Upload products' },
      { key: 'price', zh: '批量改价', en: 'Update prices' },
      { key: 'stock', zh: '批量改库存', en: 'Update stock' },
      { key: 'onSale', zh: '批量上架', en: 'List products' },
      { key: 'offSale', zh: '批量下架', en: 'Unlist products' },
    ],
  }),
  defineDict({
    code: 'meituan_attr_type',
    label: { zh: '美团属性类型', en: 'Meituan attribute type' },
    entries: [
      { key: '1', zh: '单选', en: 'Single choice' },
      { key: '2', zh: '多选', en: 'Multiple choice' },
      { key: '3', zh: '文本', en: 'Text' },
    ],
  }),
  defineDict({
    code: 'meituan_token_status',
    label: { zh: '美团授权状态', en: 'Meituan authorization status' },
    entries: [
      { key: '1', zh: '有效', en: 'Valid', colour: 'success' },
      { key: '2', zh: '已过期', en: 'Expired', colour: 'error' },
      { key: '0', zh: '已解绑', en: 'Unlinked', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'meituan_cancel_reason',
    label: { zh: '美团取消原因', en: 'Meituan cancellation reason' },
    entries: [
      { key: '2008', zh: '门店太忙', en: 'Store too busy' },
      { key: '2009', zh: '商品已售完', en: 'Sold out' },
      { key: '2010', zh: '地址无法配送', en: 'Address cannot be delivered to' },
      { key: '2011', zh: '门店已打烊', en: 'Store is closed' },
      { key: '2012', zh: '联系不上用户', en: 'Customer unreachable' },
      { key: '2013', zh: '重复订单', en: 'Duplicate order' },
      { key: '2007', zh: '其他', en: 'Other' },
    ],
  }),
]

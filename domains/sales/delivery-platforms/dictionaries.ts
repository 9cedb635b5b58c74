import { defineDict } from '#kit/resource/index.ts'

/** Whether a row is in sync with the platform: not there, waiting, done or failed. */
export const SYNC_STATE = { not: 0, waiting: 1, done: 2, failed: 3 } as const

/** Progress of an action that a platform was asked to perform on an order. */
export const PLATFORM_ACTION_STATE = {
  asked: 'asked',
  sent: 'sent',
  unclear: 'unclear',
  unanswered: 'unanswered',
  done: 'done',
  failed: 'failed',
} as const
/** States the job still retries, because the platform has not confirmed the outcome. */
export const OPEN_ACTION_STATES: readonly string[] = [
  PLATFORM_ACTION_STATE.asked,
  PLATFORM_ACTION_STATE.sent,
  PLATFORM_ACTION_STATE.unclear,
]
/** States in which a user may retry an action at once. */
export const RETRYABLE_ACTION_STATES: readonly string[] = [...OPEN_ACTION_STATES, PLATFORM_ACTION_STATE.unanswered]

/** List filter: actions the platform has not confirmed. */
export const UNCONFIRMED_ACTIONS_FILTER = {
  state: `${PLATFORM_ACTION_STATE.unclear},${PLATFORM_ACTION_STATE.unanswered}`,
}

/** State of a difference between a product here and at a platform. */
export const PLATFORM_DIFFERENCE_STATE = { open: 'open', over: 'over' } as const

export const thirdpartyDictionaries = [
  defineDict({
    code: 'platform_difference_kind',
    label: { zh: '外卖商品差异类型', en: 'Listing discrepancy type' },
    entries: [
      { key: 'price', zh: '价格', en: 'Price' },
      { key: 'stock', zh: '库存', en: 'Stock' },
      { key: 'onSale', zh: '上下架', en: 'Listing status' },
      { key: 'name', zh: '名称', en: 'Name' },
      { key: 'missing', zh: '平台上没有', en: 'Not at platform', colour: 'error' },
      { key: 'unknown', zh: '这里没有', en: 'Not in our records', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'platform_difference_state',
    label: { zh: '外卖商品差异状态', en: 'Listing discrepancy status' },
    entries: [
      { key: PLATFORM_DIFFERENCE_STATE.open, zh: '待消除', en: 'Open', colour: 'warning' },
      { key: PLATFORM_DIFFERENCE_STATE.over, zh: '已消除', en: 'Resolved', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'sync_status',
    label: { zh: '同步状态', en: 'Sync status' },
    entries: [
      { key: '0', zh: '未同步', en: 'Not synced', colour: 'default' },
      { key: '1', zh: '等待同步', en: 'Queued', colour: 'processing' },
      { key: '2', zh: '已同步', en: 'Synced', colour: 'success' },
      { key: '3', zh: '同步失败', en: 'Sync failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'parity_state',
    label: { zh: '外卖商品核对状态', en: 'Listing parity status' },
    entries: [
      { key: 'inStep', zh: '一致', en: 'In sync', colour: 'success' },
      { key: 'waiting', zh: '等待同步', en: 'Queued', colour: 'processing' },
      { key: 'refused', zh: '平台拒绝', en: 'Rejected', colour: 'error' },
      { key: 'incomplete', zh: '资料不全', en: 'Incomplete', colour: 'warning' },
      { key: 'unlisted', zh: '未上架', en: 'Not listed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'third_platform',
    label: { zh: '开放平台', en: 'Open platform' },
    entries: [
      { key: 'ele', zh: '饿了么', en: 'Ele.me' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
      { key: 'wechat', zh: '微信', en: 'WeChat' },
      { key: 'dify', zh: 'AI 工作流', en: 'AI workflows' },
      { key: 'wvp', zh: '视频平台', en: 'Video platform' },
    ],
  }),
  defineDict({
    code: 'third_status',
    label: { zh: '凭证状态', en: 'Credential status' },
    entries: [
      { key: '1', zh: '启用', en: 'Active', colour: 'success' },
      { key: '0', zh: '停用', en: 'Inactive', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'platform_ask_kind',
    label: { zh: '外卖订单操作', en: 'Platform command' },
    entries: [
      { key: 'confirm', zh: '接单', en: 'Accept order' },
      { key: 'cancel', zh: '取消订单', en: 'Cancel order' },
      { key: 'agreeRefund', zh: '同意退款', en: 'Approve refund' },
      { key: 'refundPart', zh: '部分退款', en: 'Partial refund' },
      { key: 'refuseRefund', zh: '拒绝退款', en: 'Reject refund' },
      { key: 'agreeReturn', zh: '同意退货', en: 'Approve return' },
      { key: 'refuseReturn', zh: '拒绝退货', en: 'Reject return' },
      { key: 'packed', zh: '拣货完成', en: 'Mark as packed' },
      { key: 'rider', zh: '告知配送员', en: 'Report courier' },
      { key: 'sendOut', zh: '已送出', en: 'Mark as dispatched' },
      { key: 'arrived', zh: '已送达', en: 'Mark as delivered' },
      { key: 'rideFailed', zh: '没有送到', en: 'Not delivered' },
    ],
  }),
  defineDict({
    code: 'platform_ask_state',
    label: { zh: '外卖订单操作状态', en: 'Platform command status' },
    entries: [
      { key: PLATFORM_ACTION_STATE.asked, zh: '待发送', en: 'Queued', colour: 'default' },
      { key: PLATFORM_ACTION_STATE.sent, zh: '已发送', en: 'Sent', colour: 'processing' },
      {
        key: PLATFORM_ACTION_STATE.unclear,
        zh: '已发送，平台未确认',
        en: 'Sent, awaiting confirmation',
        colour: 'warning',
      },
      { key: PLATFORM_ACTION_STATE.unanswered, zh: '平台始终未确认', en: 'Unconfirmed', colour: 'error' },
      { key: PLATFORM_ACTION_STATE.done, zh: '平台已确认', en: 'Confirmed', colour: 'success' },
      { key: PLATFORM_ACTION_STATE.failed, zh: '平台已拒绝', en: 'Rejected', colour: 'error' },
    ],
  }),
]

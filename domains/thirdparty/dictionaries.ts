import { defineDict } from '#kit/resource/index.ts'

/** Whether a row here and at the platform say the same. */
export const SYNC = { not: 0, waiting: 1, done: 2, failed: 3 } as const

/** How far something is that a platform was asked to do to an order. */
export const ASK = {
  asked: 'asked',
  sent: 'sent',
  unclear: 'unclear',
  unanswered: 'unanswered',
  done: 'done',
  failed: 'failed',
} as const
/** Asked again by the clock until the platform says what became of it. */
export const OPEN_ASKS: readonly string[] = [ASK.asked, ASK.sent, ASK.unclear]
/** What somebody may have asked at once. */
export const UNSETTLED_ASKS: readonly string[] = [...OPEN_ASKS, ASK.unanswered]

/** Filter of what somebody may want to know: what the platform was asked and has not said it did. */
export const UNCONFIRMED = { state: `${ASK.unclear},${ASK.unanswered}` }

/** Whether goods stand otherwise at a platform than here. */
export const DIFFERENCE = { open: 'open', over: 'over' } as const

export const thirdpartyDictionaries = [
  defineDict({
    code: 'platform_difference_kind',
    label: { zh: '平台差异类型', en: 'What differs at a platform' },
    entries: [
      { key: 'price', zh: '价格', en: 'Price' },
      { key: 'stock', zh: '库存', en: 'Stock' },
      { key: 'onSale', zh: '上下架', en: 'On sale' },
      { key: 'name', zh: '名称', en: 'Name' },
      { key: 'missing', zh: '平台上没有', en: 'Not there', colour: 'error' },
      { key: 'unknown', zh: '这里没有', en: 'Not here', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'platform_difference_state',
    label: { zh: '平台差异状态', en: 'State of a difference' },
    entries: [
      { key: DIFFERENCE.open, zh: '待消除', en: 'Open', colour: 'warning' },
      { key: DIFFERENCE.over, zh: '已消除', en: 'Over', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'sync_status',
    label: { zh: '同步状态', en: 'State of synchronisation' },
    entries: [
      { key: '0', zh: '未同步', en: 'Not sent', colour: 'default' },
      { key: '1', zh: '等待同步', en: 'Waiting', colour: 'processing' },
      { key: '2', zh: '已同步', en: 'In step', colour: 'success' },
      { key: '3', zh: '同步失败', en: 'Failed', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'parity_state',
    label: { zh: '平台一致状态', en: 'In step with a platform' },
    entries: [
      { key: 'inStep', zh: '一致', en: 'In step', colour: 'success' },
      { key: 'waiting', zh: '等待同步', en: 'Waiting', colour: 'processing' },
      { key: 'refused', zh: '平台拒绝', en: 'Refused', colour: 'error' },
      { key: 'incomplete', zh: '资料不全', en: 'Incomplete', colour: 'warning' },
      { key: 'unlisted', zh: '未上架', en: 'Not listed', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'third_platform',
    label: { zh: '开放平台', en: 'Outside platform' },
    entries: [
      { key: 'ele', zh: '饿了么', en: 'Ele' },
      { key: 'meituan', zh: '美团', en: 'Meituan' },
      { key: 'wechat', zh: '微信', en: 'WeChat' },
      { key: 'dify', zh: 'AI 工作流', en: 'AI workflows' },
      { key: 'wvp', zh: '视频平台', en: 'Video' },
    ],
  }),
  defineDict({
    code: 'third_status',
    label: { zh: '凭证状态', en: 'State of credentials' },
    entries: [
      { key: '1', zh: '启用', en: 'In use', colour: 'success' },
      { key: '0', zh: '停用', en: 'Off', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'platform_ask_kind',
    label: { zh: '平台订单指令', en: 'What platforms are asked' },
    entries: [
      { key: 'confirm', zh: '接单', en: 'Accept' },
      { key: 'cancel', zh: '取消订单', en: 'Cancel' },
      { key: 'agreeRefund', zh: '同意退款', en: 'Agree to a refund' },
      { key: 'refundPart', zh: '部分退款', en: 'Give back for a part' },
      { key: 'refuseRefund', zh: '拒绝退款', en: 'Refuse a refund' },
      { key: 'agreeReturn', zh: '同意退货', en: 'Agree to a return' },
      { key: 'refuseReturn', zh: '拒绝退货', en: 'Refuse a return' },
      { key: 'packed', zh: '拣货完成', en: 'Packed' },
      { key: 'rider', zh: '告知配送员', en: 'Who brings it' },
      { key: 'sendOut', zh: '已送出', en: 'On its way' },
      { key: 'arrived', zh: '已送达', en: 'Arrived' },
      { key: 'rideFailed', zh: '没有送到', en: 'Not brought' },
    ],
  }),
  defineDict({
    code: 'platform_ask_state',
    label: { zh: '平台指令状态', en: 'State of what was asked' },
    entries: [
      { key: ASK.asked, zh: '待发送', en: 'To be asked', colour: 'default' },
      { key: ASK.sent, zh: '已发送', en: 'Sent', colour: 'processing' },
      { key: ASK.unclear, zh: '已发送，平台未确认', en: 'Asked, not yet confirmed', colour: 'warning' },
      { key: ASK.unanswered, zh: '平台始终未确认', en: 'Never confirmed', colour: 'error' },
      { key: ASK.done, zh: '平台已确认', en: 'Confirmed', colour: 'success' },
      { key: ASK.failed, zh: '平台已拒绝', en: 'Refused', colour: 'error' },
    ],
  }),
]

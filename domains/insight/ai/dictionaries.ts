import { defineDict } from '#kit/resource/index.ts'

/** States of a run; all but queued, running and stopping are final. */
export const AI_RUN_STATE = {
  queued: 'queued',
  running: 'running',
  stopping: 'stopping',
  succeeded: 'succeeded',
  partial: 'partial',
  failed: 'failed',
  stopped: 'stopped',
  unknown: 'unknown',
} as const

/** Kinds of findings; any other kind from a model becomes `other`. */
export const aiFindingTypes = [
  'empty_shelf',
  'low_stock',
  'misplaced',
  'person_loitering',
  'fight',
  'smoke',
  'door_open',
  'dirty',
  'other',
] as const

export const aiDictionaries = [
  defineDict({
    code: 'ai_target',
    label: { zh: 'AI 任务对象', en: 'AI task target' },
    entries: [
      { key: 'camera', zh: '摄像头', en: 'Camera' },
      { key: 'shelf', zh: '货架', en: 'Shelf' },
      { key: 'order', zh: '订单', en: 'Order' },
      { key: 'visit', zh: '到店', en: 'Visit' },
      { key: 'report', zh: '报表', en: 'Report' },
    ],
  }),
  defineDict({
    code: 'ai_run_status',
    label: { zh: 'AI 运行状态', en: 'AI run status' },
    entries: [
      { key: AI_RUN_STATE.queued, zh: '排队', en: 'Queued', colour: 'default' },
      { key: AI_RUN_STATE.running, zh: '运行中', en: 'Running', colour: 'processing' },
      { key: AI_RUN_STATE.stopping, zh: '停止中', en: 'Stopping', colour: 'processing' },
      { key: AI_RUN_STATE.succeeded, zh: '成功', en: 'Succeeded', colour: 'success' },
      { key: AI_RUN_STATE.partial, zh: '结果不完整', en: 'Incomplete result', colour: 'warning' },
      { key: AI_RUN_STATE.failed, zh: '失败', en: 'Failed', colour: 'error' },
      { key: AI_RUN_STATE.stopped, zh: '已停止', en: 'Stopped', colour: 'warning' },
      { key: AI_RUN_STATE.unknown, zh: '结果未知', en: 'Unknown result', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'ai_cause',
    label: { zh: 'AI 运行原因', en: 'AI run trigger' },
    entries: [
      { key: 'hand', zh: '手动', en: 'Manual' },
      { key: 'clock', zh: '定时', en: 'Scheduled' },
      { key: 'event', zh: '事件', en: 'Event' },
    ],
  }),
  defineDict({
    code: 'ai_outcome',
    label: { zh: 'AI 发现的处理', en: 'AI detection handling' },
    entries: [
      { key: 'none', zh: '只记录', en: 'Record only' },
      { key: 'event', zh: '门店事件', en: 'Store event' },
      { key: 'work', zh: '工单', en: 'Work order' },
    ],
  }),
  defineDict({
    code: 'ai_level',
    label: { zh: 'AI 结论', en: 'AI conclusion' },
    entries: [
      { key: 'ok', zh: '正常', en: 'Normal', colour: 'success' },
      { key: 'warn', zh: '需关注', en: 'Needs attention', colour: 'warning' },
      { key: 'alarm', zh: '告警', en: 'Alert', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'ai_finding',
    label: { zh: 'AI 发现类型', en: 'AI detection type' },
    entries: [
      { key: 'empty_shelf', zh: '货架空缺', en: 'Empty shelf', colour: 'warning' },
      { key: 'low_stock', zh: '存量偏少', en: 'Low stock', colour: 'processing' },
      { key: 'misplaced', zh: '错放商品', en: 'Misplaced product', colour: 'processing' },
      { key: 'person_loitering', zh: '人员逗留', en: 'Loitering', colour: 'warning' },
      { key: 'fight', zh: '冲突', en: 'Conflict', colour: 'error' },
      { key: 'smoke', zh: '烟雾', en: 'Smoke', colour: 'error' },
      { key: 'door_open', zh: '门未关', en: 'Door open', colour: 'warning' },
      { key: 'dirty', zh: '脏乱', en: 'Dirty or messy', colour: 'default' },
      { key: 'other', zh: '其他', en: 'Other', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'ai_verdict',
    label: { zh: '人工判定', en: 'AI detection review' },
    entries: [
      { key: 'open', zh: '待判定', en: 'Not reviewed', colour: 'default' },
      { key: 'right', zh: '正确', en: 'Confirmed', colour: 'success' },
      { key: 'wrong', zh: '误报', en: 'False alarm', colour: 'error' },
    ],
  }),
]

import { defineDict } from '#kit/resource/index.ts'

/** States of a rollout: a draft runs, may be paused, and is stopped by somebody or itself, or done. */
export const ROLLOUT_STATE = {
  draft: 'draft',
  running: 'running',
  paused: 'paused',
  stopped: 'stopped',
  done: 'done',
} as const

/** States of a device of a rollout. */
export const ROLLOUT_DEVICE_STATE = {
  waiting: 'waiting',
  asked: 'asked',
  done: 'done',
  failed: 'failed',
  skipped: 'skipped',
  canceled: 'canceled',
} as const

/** States of a remote session: closed by somebody or for its time, or lost with the device. */
export const REMOTE_SESSION_STATE = { opening: 'opening', open: 'open', closed: 'closed', lost: 'lost' } as const

export const deviceMaintenanceDictionaries = [
  defineDict({
    code: 'program_module',
    label: { zh: '程序', en: 'Program' },
    entries: [
      { key: 'gateway', zh: '网关程序', en: 'Gateway program' },
      { key: 'register', zh: '收银机程序', en: 'Register program' },
    ],
  }),
  defineDict({
    code: 'rollout_state',
    label: { zh: '升级状态', en: 'Rollout status' },
    entries: [
      { key: 'draft', zh: '未开始', en: 'Not started', colour: 'default' },
      { key: 'running', zh: '进行中', en: 'Running', colour: 'processing' },
      { key: 'paused', zh: '已暂停', en: 'Paused', colour: 'warning' },
      { key: 'stopped', zh: '已停止', en: 'Stopped', colour: 'error' },
      { key: 'done', zh: '已完成', en: 'Completed', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'rollout_device_state',
    label: { zh: '设备升级状态', en: 'Rollout device status' },
    entries: [
      { key: 'waiting', zh: '等待', en: 'Waiting', colour: 'default' },
      { key: 'asked', zh: '升级中', en: 'Upgrading', colour: 'processing' },
      { key: 'done', zh: '成功', en: 'Succeeded', colour: 'success' },
      { key: 'failed', zh: '失败', en: 'Failed', colour: 'error' },
      { key: 'skipped', zh: '已是这个版本', en: 'Already up to date', colour: 'default' },
      { key: 'canceled', zh: '已取消', en: 'Canceled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'session_state',
    label: { zh: '会话状态', en: 'Session status' },
    entries: [
      { key: 'opening', zh: '连接中', en: 'Connecting', colour: 'processing' },
      { key: 'open', zh: '进行中', en: 'Active', colour: 'success' },
      { key: 'closed', zh: '已结束', en: 'Closed', colour: 'default' },
      { key: 'lost', zh: '已断开', en: 'Disconnected', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'session_line_kind',
    label: { zh: '会话内容', en: 'Session entry' },
    entries: [
      { key: 'in', zh: '命令', en: 'Command', colour: 'processing' },
      { key: 'out', zh: '输出', en: 'Output' },
      { key: 'err', zh: '错误输出', en: 'Error output', colour: 'error' },
      { key: 'end', zh: '结束', en: 'End', colour: 'default' },
      { key: 'hand', zh: '操作人', en: 'Operator', colour: 'warning' },
    ],
  }),
]

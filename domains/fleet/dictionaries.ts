import { defineDict } from '#kit/resource/index.ts'

export const fleetDictionaries = [
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
    label: { zh: '升级状态', en: 'State of a rollout' },
    entries: [
      { key: 'draft', zh: '未开始', en: 'Not started', colour: 'default' },
      { key: 'running', zh: '进行中', en: 'Running', colour: 'processing' },
      { key: 'paused', zh: '已暂停', en: 'Paused', colour: 'warning' },
      { key: 'stopped', zh: '已停止', en: 'Stopped', colour: 'error' },
      { key: 'done', zh: '已完成', en: 'Done', colour: 'success' },
    ],
  }),
  defineDict({
    code: 'rollout_device_state',
    label: { zh: '设备升级状态', en: 'State of a device in a rollout' },
    entries: [
      { key: 'waiting', zh: '等待', en: 'Waiting', colour: 'default' },
      { key: 'asked', zh: '升级中', en: 'Upgrading', colour: 'processing' },
      { key: 'done', zh: '成功', en: 'Done', colour: 'success' },
      { key: 'failed', zh: '失败', en: 'Failed', colour: 'error' },
      { key: 'skipped', zh: '已是该版本', en: 'Had it already', colour: 'default' },
      { key: 'canceled', zh: '已取消', en: 'Cancelled', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'session_state',
    label: { zh: '会话状态', en: 'State of a session' },
    entries: [
      { key: 'opening', zh: '连接中', en: 'Opening', colour: 'processing' },
      { key: 'open', zh: '进行中', en: 'Open', colour: 'success' },
      { key: 'closed', zh: '已结束', en: 'Closed', colour: 'default' },
      { key: 'lost', zh: '已断开', en: 'Lost', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'session_line_kind',
    label: { zh: '会话内容', en: 'Line of a session' },
    entries: [
      { key: 'in', zh: '命令', en: 'Command', colour: 'processing' },
      { key: 'out', zh: '输出', en: 'Output' },
      { key: 'err', zh: '错误输出', en: 'Error output', colour: 'error' },
      { key: 'end', zh: '结束', en: 'End', colour: 'default' },
      { key: 'hand', zh: '操作人', en: 'Operator', colour: 'warning' },
    ],
  }),
]

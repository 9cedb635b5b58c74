import { defineDict } from '#kit/resource/index.ts'

export const screenStates = ['idle', 'scanning', 'paying', 'locked', 'off'] as const

export const registerDictionaries = [
  defineDict({
    code: 'register_status',
    label: { zh: '收银机状态', en: 'Register status' },
    entries: [
      { key: '1', zh: '启用', en: 'Active', colour: 'success' },
      { key: '0', zh: '停用', en: 'Inactive', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'register_screen',
    label: { zh: '收银机屏幕', en: 'Register screen' },
    entries: [
      { key: 'idle', zh: '空闲', en: 'Idle', colour: 'default' },
      { key: 'scanning', zh: '扫码中', en: 'Scanning', colour: 'processing' },
      { key: 'paying', zh: '支付中', en: 'Payment', colour: 'processing' },
      { key: 'locked', zh: '锁定', en: 'Locked', colour: 'warning' },
      { key: 'off', zh: '熄屏', en: 'Off', colour: 'default' },
    ],
  }),
]

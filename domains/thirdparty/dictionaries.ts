import { defineDict } from '#kit/resource/index.ts'

/** Whether a row here and at the platform say the same. */
export const SYNC = { not: 0, waiting: 1, done: 2, failed: 3 } as const

export const thirdpartyDictionaries = [
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
]

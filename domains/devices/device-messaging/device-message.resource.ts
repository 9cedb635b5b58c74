import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, defineStates, f, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

export const DEVICE_MESSAGE_STATE = { open: 'open', trying: 'trying', done: 'done', away: 'away' } as const

/** Why a message was not handled: unreadable, not understood, failed while handled, or dropped under load. */
export const DEVICE_MESSAGE_FAULT = {
  malformed: 'malformed',
  unknown: 'unknown',
  failed: 'failed',
  crowded: 'crowded',
} as const
export type DeviceMessageFault = (typeof DEVICE_MESSAGE_FAULT)[keyof typeof DEVICE_MESSAGE_FAULT]

export const deviceMessageDictionaries = [
  defineDict({
    code: 'device_message_state',
    label: { zh: '设备消息状态', en: 'Device message status' },
    entries: [
      { key: DEVICE_MESSAGE_STATE.open, zh: '未处理', en: 'Open', colour: 'error' },
      { key: DEVICE_MESSAGE_STATE.trying, zh: '重试中', en: 'Retrying', colour: 'processing' },
      { key: DEVICE_MESSAGE_STATE.done, zh: '重试成功', en: 'Processed on retry', colour: 'success' },
      { key: DEVICE_MESSAGE_STATE.away, zh: '已忽略', en: 'Ignored', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'device_message_fault',
    label: { zh: '设备消息问题', en: 'Device message fault' },
    entries: [
      { key: DEVICE_MESSAGE_FAULT.malformed, zh: '不是有效的 JSON', en: 'Not valid JSON', colour: 'error' },
      { key: DEVICE_MESSAGE_FAULT.unknown, zh: '内容不符合协议', en: 'Does not match the protocol', colour: 'warning' },
      { key: DEVICE_MESSAGE_FAULT.failed, zh: '处理时出错', en: 'Processing failed', colour: 'error' },
      {
        key: DEVICE_MESSAGE_FAULT.crowded,
        zh: '积压过多，未处理',
        en: 'Too many messages, not processed',
        colour: 'warning',
      },
    ],
  }),
]

/**
 * A device message that could not be handled, one row for each content: repeats are counted while it is open. The
 * original is kept for a retry; people see a copy without secrets.
 */
export const deviceMessage = defineResource({
  name: 'deviceMessage',
  path: '/api/shop/deviceMessage',
  label: { zh: '异常设备消息', en: 'Failed device message' },
  table: 'device_message_aside',
  tenancy: 'tenant',
  writer: 'device',
  history: false,
  retentionDays: 1,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/deviceMessage', icon: 'inbox', sort: 9 },
  title: 'clientId',
  remove: false,
  fields: {
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, search: 'eq', width: 150 }),
    linkId: f.ref('deviceLink', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'linkName',
      search: 'eq',
      onRemoval: 'keep',
      width: 150,
    }),
    shopId: shopIdField(),
    about: f.text({ label: { zh: '主题', en: 'Topic' }, max: 40, search: 'eq', width: 90 }),
    type: f.text({ label: { zh: '事件', en: 'Event' }, max: 40, search: 'eq', width: 130 }),
    fault: f.dict('device_message_fault', { label: { zh: '问题', en: 'Fault' }, search: 'eq', width: 140 }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 500, systemUpdated: true, width: 240 }),
    state: f.dict('device_message_state', {
      label: { zh: '状态', en: 'Status' },
      search: 'eq',
      width: 130,
      systemUpdated: true,
    }),
    count: f.number({
      label: { zh: '收到次数', en: 'Times received' },
      min: 1,
      default: 1,
      systemUpdated: true,
      width: 90,
    }),
    tries: f.number({ label: { zh: '重试次数', en: 'Retries' }, default: 0, systemUpdated: true, width: 90 }),
    lastTime: f.datetime({ label: { zh: '最近一次', en: 'Last occurred' }, systemUpdated: true, width: 160 }),
    handledTime: f.datetime({ label: { zh: '处理时间', en: 'Processed' }, systemUpdated: true, width: 160 }),
    handler: f.ref('user', {
      label: { zh: '处理人', en: 'Handled by' },
      labelKey: 'handlerName',
      systemUpdated: true,
      width: 110,
    }),
    topic: f.text({ label: { zh: '完整主题', en: 'Full topic' }, max: 500, width: 220 }),
    content: f.longText({
      label: { zh: '内容', en: 'Content' },
      help: { zh: '最多保留 4000 字，密钥和口令已隐去', en: 'Up to 4,000 characters are kept. Secrets are hidden.' },
      max: 5000,
      heavy: true,
      wide: true,
    }),
    payload: f.longText({
      label: { zh: '原文', en: 'Raw data' },
      max: 4000,
      heavy: true,
      secret: true,
      form: 'hidden',
    }),
    // False for a message that was cut off, and for kinds that only make sense at once (requests and current states).
    mayTry: f.boolean({ label: { zh: '可重试', en: 'Can be retried' }, width: 90 }),
    // Set while the row is open, so that a unique index allows one open row per content.
    openKey: f.text({
      label: { zh: '未结标识', en: 'Open key' },
      max: 64,
      form: 'hidden',
      detail: false,
      secret: true,
      systemUpdated: true,
    }),
  },
  list: {
    columns: [
      'createTime',
      'state',
      'linkId',
      'fault',
      'reason',
      'count',
      'clientId',
      'about',
      'type',
      'tries',
      'shopId',
      'lastTime',
      'handler',
      'handledTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  buttons: { import: false },
  unique: [['openKey']],
  indexes: [
    ['state', 'createTime'],
    ['linkId', 'state'],
  ],
  states: defineStates({
    field: 'state',
    values: DEVICE_MESSAGE_STATE,
    initial: ['open'],
    moves: {
      // Rows being retried may be retried again, as their job may have died. Handling is idempotent.
      again: { from: ['open', 'trying'], to: 'trying' },
      finish: { from: ['trying'], to: 'done' },
      fail: { from: ['trying'], to: 'open' },
      putAway: { from: ['open'], to: 'away' },
    },
  }),
  actions: {
    again: {
      on: 'row',
      label: { zh: '重试', en: 'Try again' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: {
        zh: '再处理一次设备 {clientId} 的这条消息？成功后不会重复处理。',
        en: 'Process this message of device {clientId} again? It is processed only once.',
      },
      icon: 'redo',
      enabled: { mayTry: { eq: true } },
      bulk: true,
    },
    putAway: {
      on: 'row',
      label: { zh: '忽略', en: 'Ignore' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: {
        zh: '不再处理设备 {clientId} 的这条消息？',
        en: 'Ignore this message of device {clientId}?',
      },
      icon: 'stop',
      bulk: true,
    },
  },
})

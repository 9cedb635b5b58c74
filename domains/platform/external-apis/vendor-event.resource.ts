import { defineDict, defineResource, defineStates, f, objectSchema, rowIdSchema } from '#kit/resource/index.ts'

export const VENDOR_EVENT_STATE = { received: 'received', done: 'done', failed: 'failed' } as const

export const vendorEventStateDictionary = defineDict({
  code: 'vendor_event_state',
  label: { zh: '平台回调状态', en: 'Platform webhook status' },
  entries: [
    { key: VENDOR_EVENT_STATE.received, zh: '待处理', en: 'Pending', colour: 'processing' },
    { key: VENDOR_EVENT_STATE.done, zh: '已处理', en: 'Processed', colour: 'success' },
    { key: VENDOR_EVENT_STATE.failed, zh: '处理失败', en: 'Failed', colour: 'error' },
  ],
})

/**
 * A webhook message of an external system: verified, stored before it is acknowledged, handled once. Its body is not
 * shown, as it holds personal data.
 */
export const vendorEvent = defineResource({
  name: 'vendorEvent',
  path: '/api/thirdparty/vendorEvent',
  label: { zh: '平台回调', en: 'Platform webhook' },
  tenancy: 'tenant',
  writer: 'system',
  retentionDays: 30,
  menu: { under: 'log', path: '/monitor/log/vendorEvent', icon: 'inbox', sort: 5 },
  title: 'eventKey',
  remove: false,
  fields: {
    system: f.dict('request_system', { label: { zh: '系统', en: 'System' }, form: 'hidden', search: 'eq', width: 110 }),
    kind: f.text({ label: { zh: '事件', en: 'Event' }, max: 64, form: 'hidden', search: 'eq', width: 170 }),
    subject: f.text({ label: { zh: '关于', en: 'Subject' }, max: 64, form: 'hidden', search: 'eq', width: 190 }),
    eventKey: f.text({
      label: { zh: '消息编号', en: 'Message ID' },
      max: 128,
      form: 'hidden',
      search: 'eq',
      width: 220,
    }),
    state: f.dict('vendor_event_state', {
      label: { zh: '状态', en: 'Status' },
      form: 'hidden',
      search: 'eq',
      width: 100,
    }),
    body: f.longText({
      label: { zh: '内容', en: 'Content' },
      max: 100_000,
      heavy: true,
      secret: true,
      form: 'hidden',
    }),
    times: f.number({
      label: { zh: '收到次数', en: 'Times received' },
      min: 1,
      default: 1,
      form: 'hidden',
      width: 90,
    }),
    handledTime: f.datetime({ label: { zh: '处理时间', en: 'Processed' }, form: 'hidden', width: 160 }),
    failReason: f.text({ label: { zh: '失败原因', en: 'Failure reason' }, max: 500, form: 'hidden', width: 220 }),
  },
  list: {
    columns: ['createTime', 'system', 'kind', 'subject', 'state', 'times', 'handledTime', 'failReason', 'eventKey'],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['system', 'kind'], sub: ['subject'] },
  unique: [['system', 'eventKey']],
  states: defineStates({
    field: 'state',
    values: VENDOR_EVENT_STATE,
    initial: ['received'],
    moves: {
      finish: { from: ['received', 'failed'], to: 'done' },
      fail: { from: ['received', 'failed'], to: ['received', 'failed'] },
      // A message whose process died stays `received`. Reprocessing it is safe: it is handled once.
      again: { from: ['failed', 'received'], to: 'received' },
    },
  }),
  actions: {
    again: {
      on: 'row',
      label: { zh: '重新处理', en: 'Reprocess' },
      answer: objectSchema({ id: rowIdSchema }),
      confirm: { zh: '再处理一次这条回调？', en: 'Reprocess this webhook?' },
      icon: 'redo',
    },
  },
})

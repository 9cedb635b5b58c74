import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineDict, defineResource, defineStates, f } from '#kit/resource/index.ts'

/** Types of events with their default level: 1 for information, 2 for today, 3 for immediate action. */
export const eventLevels = {
  offline: 2,
  doorForced: 3,
  doorLeftOpen: 2,
  intrusion: 3,
  unpaidLeave: 2,
  lowStock: 1,
  expiring: 1,
  temperature: 2,
  sos: 3,
  tagBatteryLow: 1,
  deviceTwin: 3,
  lockFault: 3,
  paperOut: 2,
  rolloutStopped: 2,
  tagsLost: 1,
  aiFinding: 2,
  aiTaskOff: 2,
  cameraBlack: 2,
  cameraFrozen: 2,
  cameraTurned: 2,
  deviceMessage: 2,
} as const

export type EventType = keyof typeof eventLevels

export const EVENT_STATE = { open: 0, acknowledged: 1, resolved: 2 } as const

export const eventDictionaries = [
  defineDict({
    code: 'event_type',
    label: { zh: '事件类型', en: 'Event type' },
    entries: [
      { key: 'offline', zh: '设备离线', en: 'Device offline', colour: 'warning' },
      { key: 'doorForced', zh: '门被强行打开', en: 'Door forced', colour: 'error' },
      { key: 'doorLeftOpen', zh: '门未关好', en: 'Door held open', colour: 'warning' },
      { key: 'intrusion', zh: '异常闯入', en: 'Intrusion', colour: 'error' },
      { key: 'unpaidLeave', zh: '未付款离店', en: 'Walkout', colour: 'warning' },
      { key: 'lowStock', zh: '库存不足', en: 'Low stock', colour: 'processing' },
      { key: 'expiring', zh: '商品临期', en: 'Products expiring', colour: 'processing' },
      { key: 'temperature', zh: '温度异常', en: 'Temperature alarm', colour: 'warning' },
      { key: 'sos', zh: '紧急求助', en: 'Emergency call', colour: 'error' },
      { key: 'tagBatteryLow', zh: '价签电量低', en: 'ESL battery low', colour: 'default' },
      { key: 'deviceTwin', zh: '设备身份被占用', en: 'Duplicate device ID', colour: 'error' },
      { key: 'lockFault', zh: '门锁故障', en: 'Lock fault', colour: 'error' },
      { key: 'paperOut', zh: '打印机缺纸', en: 'Printer out of paper', colour: 'warning' },
      { key: 'rolloutStopped', zh: '升级已自动停止', en: 'Rollout stopped automatically', colour: 'warning' },
      { key: 'tagsLost', zh: '价签失联', en: 'ESL tags unreachable', colour: 'default' },
      { key: 'aiFinding', zh: 'AI 发现', en: 'AI detection', colour: 'warning' },
      { key: 'aiTaskOff', zh: 'AI 任务已停用', en: 'AI task deactivated', colour: 'warning' },
      { key: 'cameraBlack', zh: '摄像头黑屏', en: 'Camera black screen', colour: 'warning' },
      { key: 'cameraFrozen', zh: '摄像头画面冻结', en: 'Camera image frozen', colour: 'warning' },
      { key: 'cameraTurned', zh: '摄像头被转动', en: 'Camera moved', colour: 'warning' },
      { key: 'deviceMessage', zh: '设备消息异常', en: 'Device message failed', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'event_level',
    label: { zh: '事件级别', en: 'Event severity' },
    entries: [
      { key: '1', zh: '提示', en: 'Notice', colour: 'default' },
      { key: '2', zh: '重要', en: 'Important', colour: 'warning' },
      { key: '3', zh: '紧急', en: 'Urgent', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'event_status',
    label: { zh: '事件状态', en: 'Event status' },
    entries: [
      { key: '0', zh: '待处理', en: 'Open', colour: 'error' },
      { key: '1', zh: '处理中', en: 'In progress', colour: 'processing' },
      { key: '2', zh: '已解决', en: 'Resolved', colour: 'success' },
    ],
  }),
]

const handling = { zh: '处理', en: 'Handling' }
const remark = f.longText({ label: { zh: '处理说明', en: 'Resolution note' }, max: 500 })

/** Something that happened in a shop and concerns somebody. A repetition while it is open only raises its count. */
export const event = defineResource({
  name: 'event',
  path: '/api/shop/event',
  label: { zh: '门店事件', en: 'Store event' },
  tenancy: 'tenant',
  indexedList: true,
  table: 'shop_event',
  writer: 'device',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/event', icon: 'alert', sort: 20 },
  title: 'content',
  titleEn: 'contentEn',
  fields: {
    type: f.dict('event_type', { label: { zh: '事件类型', en: 'Event type' }, search: 'eq', width: 130 }),
    level: f.dict('event_level', { label: { zh: '级别', en: 'Severity' }, numeric: true, search: 'in', width: 80 }),
    status: f.dict('event_status', { label: { zh: '状态', en: 'Status' }, numeric: true, search: 'in', width: 100 }),
    shopId: shopIdField(),
    content: f.text({
      label: { zh: '内容', en: 'Description' },
      max: 500,
      search: 'like',
      ngramIndex: true,
      width: 280,
    }),
    contentEn: f.text({
      label: { zh: '英文内容', en: 'Description (English)' },
      max: 500,
      form: 'hidden',
      detail: false,
    }),
    count: f.number({ label: { zh: '次数', en: 'Occurrences' }, width: 70 }),
    occurTime: f.datetime({ label: { zh: '发生时间', en: 'Occurred' }, required: true, search: 'range', width: 160 }),
    lastTime: f.datetime({ label: { zh: '最近一次', en: 'Last occurred' }, width: 160 }),
    // Tells causes of the same type apart; links to related rows have their own fields.
    subject: f.text({ label: { zh: '对象', en: 'Subject' }, max: 100, form: 'hidden', detail: false }),
    deviceId: f.ref('deviceInfo', {
      label: { zh: '设备', en: 'Device' },
      labelKey: 'deviceName',
      search: 'eq',
      form: 'hidden',
    }),
    goodId: f.ref('goodInfo', {
      label: { zh: '商品', en: 'Products' },
      labelKey: 'goodName',
      search: 'eq',
      form: 'hidden',
    }),
    devices: f.json({ label: { zh: '失联设备', en: 'Unreachable devices' }, form: 'hidden', systemUpdated: true }),
    plannedWorkId: f.ref('plannedWork', {
      label: { zh: '计划作业', en: 'Maintenance window' },
      labelKey: 'plannedWorkReason',
      help: { zh: '停机期间只记录，不通知', en: 'Recorded without notification during maintenance' },
      form: 'hidden',
      systemUpdated: true,
    }),
    picture: f.picture({ label: { zh: '图片', en: 'Image' } }),
    handler: f.ref('user', {
      label: { zh: '处理人', en: 'Handled by' },
      labelKey: 'handlerName',
      search: 'eq',
      group: handling,
      width: 110,
    }),
    handleTime: f.datetime({ label: { zh: '处理时间', en: 'Processed' }, group: handling, width: 160 }),
    handleRemark: f.longText({ label: { zh: '处理说明', en: 'Resolution note' }, max: 500, group: handling }),
    resolveTime: f.datetime({ label: { zh: '解决时间', en: 'Resolved' }, group: handling, width: 160 }),
    lasted: f.text({ label: { zh: '持续时间', en: 'Duration' }, computed: true, group: handling, width: 110 }),
    remindStep: f.number({
      systemUpdated: true,
      label: { zh: '提醒次数', en: 'Reminders' },
      form: 'hidden',
      default: 0,
    }),
    remindTime: f.datetime({ systemUpdated: true, label: { zh: '最近提醒', en: 'Last reminder' }, form: 'hidden' }),
    // Unique while the event is open, so that a cause has only one.
    openKey: f.text({
      label: { zh: '未结标识', en: 'Open key' },
      max: 160,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
    isRead: f.boolean({ label: { zh: '已读', en: 'Read' }, computed: true, form: 'hidden', detail: false }),
  },
  measures: {
    events: { label: { zh: '事件数', en: 'Events' }, more: 'bad' },
    times: {
      label: { zh: '发生次数', en: 'Occurrences' },
      help: { zh: '同一事件重复发生时累计', en: 'Repeats of an open event are added up' },
      sum: 'count',
      more: 'bad',
    },
    open: { label: { zh: '未解决', en: 'Open' }, more: 'bad', where: { status_in: '0,1' } },
  },
  list: {
    columns: ['type', 'content', 'shopId', 'level', 'status', 'count', 'occurTime', 'handler', 'lastTime'],
    sort: '-occurTime',
  },
  row: { sub: ['shopId', 'type'], state: 'level' },
  unique: [['shopId', 'openKey']],
  indexes: [['status'], ['type'], ['handler'], ['goodId']],
  states: defineStates({
    field: 'status',
    values: EVENT_STATE,
    // During planned work an event is acknowledged at once.
    initial: ['open', 'acknowledged'],
    moves: {
      acknowledge: { from: ['open'], to: 'acknowledged' },
      resolve: { from: ['open', 'acknowledged'], to: 'resolved' },
      recover: { from: ['open', 'acknowledged'], to: 'resolved' },
      outlastPlannedWork: { from: ['open', 'acknowledged'], to: 'open' },
    },
  }),
  actions: {
    acknowledge: {
      on: 'bulk',
      label: { zh: '认领', en: 'Claim' },
      icon: 'check',
      input: { remark },
    },
    resolve: {
      on: 'bulk',
      label: { zh: '解决', en: 'Resolve' },
      icon: 'check-circle',
      input: { remark: { ...remark, required: true } },
    },
  },
})

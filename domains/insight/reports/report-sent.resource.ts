import { defineResource, f, reasonField } from '#kit/resource/index.ts'

/** One delivery of a scheduled report to one person, with its result or the reason why it was not sent. */
export const reportSent = defineResource({
  name: 'reportSent',
  path: '/api/report/sent',
  label: { zh: '收到的报表', en: 'Delivered report', many: 'Report inbox' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  retentionDays: 30,
  menu: { under: 'statistics', path: '/statistics/reportSent', icon: 'inbox', sort: 22 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, max: 60, search: 'like', width: 220 }),
    timingId: f.ref('reportTiming', {
      label: { zh: '定时报表', en: 'Scheduled report' },
      onRemoval: 'keep',
      search: 'eq',
    }),
    userId: f.ref('user', { label: { zh: '接收人', en: 'Recipient' }, labelKey: 'userName', search: 'eq', width: 110 }),
    kind: f.dict('report_send', { label: { zh: '内容', en: 'Content' }, search: 'eq', width: 90 }),
    state: f.dict('report_sent', { label: { zh: '结果', en: 'Result' }, search: 'eq', width: 110 }),
    found: f.number({ label: { zh: '条数', en: 'Rows' }, width: 80 }),
    reason: reasonField({ width: 200 }),
    reasonEn: f.text({
      label: { zh: '原因（英文）', en: 'Reason (English)' },
      max: 200,
      form: 'hidden',
      detail: false,
    }),
    dueTime: f.datetime({ label: { zh: '应发时间', en: 'Scheduled' }, search: 'range', width: 160 }),
    sendTime: f.datetime({ label: { zh: '发送时间', en: 'Sent' }, width: 160 }),
    family: f.text({ label: { zh: '数据', en: 'Data' }, max: 60, form: 'hidden', detail: false }),
    query: f.json({ label: { zh: '筛选', en: 'Filter' }, form: 'hidden', detail: false }),
    taskId: f.ref('', { label: { zh: '任务', en: 'Task' }, form: 'hidden', detail: false }),
    // The report as the recipient could see it when it was made, and their access at that time.
    content: f.json({ label: { zh: '内容', en: 'Content' }, form: 'hidden', detail: false, secret: true }),
    reach: f.json({ label: { zh: '可见范围', en: 'Data scope' }, form: 'hidden', detail: false, secret: true }),
    // Prevents a second delivery for the same person and time.
    onceKey: f.text({
      label: { zh: '唯一标识', en: 'Idempotency key' },
      max: 120,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
  },
  list: {
    columns: ['name', 'kind', 'state', 'found', 'userId', 'sendTime', 'reason'],
    time: 'dueTime',
    sort: '-createTime',
  },
  row: { sub: ['kind', 'userId'], act: ['open', 'rows'] },
  unique: [['onceKey']],
  indexes: [
    ['userId', 'createTime'],
    ['timingId', 'userId', 'createTime'],
  ],
})

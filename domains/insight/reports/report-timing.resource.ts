import { defineResource, enabledField, f } from '#kit/resource/index.ts'

/** Schedule that sends a report or a saved view to people, each with their rights at that time. */
export const reportTiming = defineResource({
  name: 'reportTiming',
  path: '/api/report/timing',
  label: { zh: '定时报表', en: 'Scheduled report' },
  tenancy: 'tenant',
  menu: { under: 'statistics', path: '/statistics/reportTiming', icon: 'schedule', sort: 21 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, required: true, max: 60, search: 'like', width: 200 }),
    reportId: f.ref('reportView', {
      label: { zh: '报表', en: 'Report' },
      labelKey: 'reportName',
      onRemoval: 'remove',
      search: 'eq',
      width: 160,
    }),
    viewId: f.ref('', { label: { zh: '列表视图', en: 'List view' }, form: 'add', detail: false }),
    viewName: f.text({
      label: { zh: '列表视图', en: 'List view' },
      max: 40,
      form: 'hidden',
      width: 140,
    }),
    kind: f.dict('report_send', {
      label: { zh: '内容', en: 'Content' },
      required: true,
      default: 'workbook',
      search: 'eq',
      width: 90,
    }),
    cron: f.cron({ label: { zh: '时间', en: 'Schedule' }, required: true, width: 150 }),
    threshold: f.number({
      label: { zh: '超过多少条时提醒', en: 'Alert above' },
      min: 0,
      default: 0,
      help: { zh: '从没有超过变为超过时提醒一次', en: 'Alerts once when the count rises above the limit' },
    }),
    userIds: f.refs('user', {
      label: { zh: '接收人', en: 'Recipient' },
      labelKey: 'userNames',
      required: true,
      onRemoval: 'keep',
      help: {
        zh: '各人收到自己有权看的数据；失去权限后不再收到',
        en: 'Everyone receives the data they can see. Delivery stops when the permission is lost.',
      },
      width: 160,
    }),
    enabled: enabledField(),
    nextTime: f.datetime({
      systemUpdated: true,
      label: { zh: '下次发送', en: 'Next delivery' },
      form: 'hidden',
      width: 160,
    }),
  },
  list: { columns: ['name', 'enabled', 'reportId', 'viewName', 'kind', 'cron', 'userIds', 'nextTime'], time: false },
  buttons: { import: false },
  indexes: [['nextTime']],
})

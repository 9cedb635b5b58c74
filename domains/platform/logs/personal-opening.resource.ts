import { defineResource, f } from '#kit/resource/index.ts'
import { LEGAL_LOG_RETENTION_DAYS } from './log.resource.ts'

/** Log of who viewed whose personal data, when, why and for how long. Append-only: nobody can change it. */
export const personalOpening = defineResource({
  name: 'personalOpening',
  path: '/api/blade-log/personal',
  code: 'log_personal',
  label: { zh: '个人信息查看记录', en: 'Personal data access log' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  retentionDays: LEGAL_LOG_RETENTION_DAYS,
  menu: { under: 'log', path: '/monitor/log/personal', icon: 'unlock', sort: 6 },
  title: 'reason',
  fields: {
    userId: f.ref('user', { label: { zh: '查看人', en: 'Viewed by' }, labelKey: 'userName', search: 'eq', width: 120 }),
    account: f.text({ label: { zh: '账号', en: 'Account' }, max: 64, search: 'eq', width: 110 }),
    family: f.text({ label: { zh: '数据', en: 'Data' }, max: 64, search: 'eq', width: 130 }),
    rowId: f.text({ label: { zh: '数据编号', en: 'Data ID' }, max: 32, search: 'eq', width: 170 }),
    rowTitle: f.text({ label: { zh: '对象', en: 'Subject' }, max: 200, width: 180 }),
    shown: f.tags({ label: { zh: '内容', en: 'Content' }, width: 180 }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200, search: 'like', width: 220 }),
    untilTime: f.datetime({ label: { zh: '打开至', en: 'Visible until' }, width: 160 }),
    remoteIp: f.text({ label: { zh: '来源地址', en: 'Source address' }, max: 64, search: 'eq', width: 130 }),
  },
  list: {
    columns: ['createTime', 'userId', 'account', 'family', 'rowTitle', 'shown', 'reason', 'untilTime', 'remoteIp'],
    time: 'createTime',
  },
  row: { title: ['userId', 'rowTitle'], sub: ['reason'] },
  indexes: [
    ['userId', 'family', 'rowId'],
    ['family', 'rowId'],
  ],
})
